#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"

namespace broadside {

/// What the recording engine said of one of its own steps.
struct TraceProfile {
  float step_ms = 0.0F;     ///< the whole step (unit: millisecond)
  float pairs_ms = 0.0F;    ///< of it the broad phase
  float refit_ms = 0.0F;    ///< of it tree upkeep
  float collide_ms = 0.0F;  ///< of it the narrow phase
  std::int32_t contacts = 0;
  std::int32_t awake_bodies = 0;
};

/// The boxes of a recorded scene, step by step (`.b2tr`). Shapes 0 ... static_count - 1 are static.
struct Trace {
  std::uint32_t first_step = 0;
  std::vector<std::int32_t> body_ids;  ///< [shapes] equal ids are parts of one rigid body
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

/// Reads a trace from bytes, raw or packed by xz (told by its first bytes, not by its name).
///
/// Errors: `parse`, naming the field or the frame and shape, for a wrong magic or version, counts that do not
/// fit the number of bytes, a wrong checksum (version 1 has none), or a box that is not finite or is
/// inverted; `too_large` beyond 1 GiB unpacked. Nothing is allocated on the header's word.
[[nodiscard]] Result<Trace> parse_trace(std::string_view bytes, const std::string& name);

/// Reads a `.b2tr` or `.b2tr.xz` file; "-" is the standard input.
[[nodiscard]] Result<Trace> read_trace(const std::string& path);

/// Returns the trace as a raw `.b2tr` of version 2, which ends with a checksum, or packed by xz.
[[nodiscard]] Result<std::string> format_trace(const Trace& trace, bool packed);

}  // namespace broadside
