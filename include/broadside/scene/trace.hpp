#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"

namespace broadside::inline v0_2 {

/// Measurements of the recording engine for one step.
struct TraceProfile {
  float step_ms = 0.0F;     ///< the whole step, which contains the next three (unit: millisecond)
  float pairs_ms = 0.0F;    ///< broad phase
  float refit_ms = 0.0F;    ///< refitting of trees
  float collide_ms = 0.0F;  ///< narrow phase
  std::int32_t contacts = 0;
  std::int32_t awake_bodies = 0;
};

/// The boxes of a recorded scene, step by step (`.b2tr`). Shapes 0 ... static_count - 1 are static.
struct Trace {
  std::uint32_t first_step = 0;
  std::vector<std::int32_t> body_ids;  ///< [shapes] shapes of one rigid body have equal ids
  std::vector<TraceProfile> profiles;  ///< [frames]
  std::vector<Aabb> static_boxes;      ///< [static shapes]
  std::vector<Aabb> moving_boxes;      ///< [frames][moving shapes]

  [[nodiscard]] std::size_t shape_count() const { return body_ids.size(); }
  [[nodiscard]] std::size_t static_count() const { return static_boxes.size(); }
  [[nodiscard]] std::size_t moving_count() const { return shape_count() - static_count(); }
  [[nodiscard]] std::size_t frame_count() const { return profiles.size(); }

  /// Returns the moving boxes [moving_count] of a frame. @pre frame < frame_count()
  [[nodiscard]] std::span<const Aabb> frame(std::size_t frame) const {
    return std::span(moving_boxes).subspan(frame * moving_count(), moving_count());
  }
};

/// Reads a trace from bytes, raw or compressed by xz (detected by the first bytes, not by the name).
///
/// @par Errors
/// `parse`, with the field or the frame and shape, for a wrong magic number or version, counts that do not
/// fit the number of bytes, a wrong checksum (version 1 has none), or a box that is not finite or is
/// inverted; `too_large` for compressed bytes whose header announces more than 1 GiB, or whose dictionary
/// takes more than 256 MiB. No memory is allocated by counts of the header before they are checked.
/// Uncompressed bytes have no limit: memory is proportional to their number.
[[nodiscard]] Result<Trace> parse_trace(std::string_view bytes, const std::string& name);

/// Reads a `.b2tr` or `.b2tr.xz` file; "-" is the standard input. A file larger than 1 GiB is refused
/// (`too_large`).
[[nodiscard]] Result<Trace> read_trace(const std::string& path);

/// Returns the trace as `.b2tr` of version 2, which ends with a checksum, raw or compressed by xz.
[[nodiscard]] Result<std::string> format_trace(const Trace& trace, bool packed);

}  // namespace broadside::inline v0_2
