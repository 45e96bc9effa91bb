#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"
#include "broadside/base/vec2.hpp"
#include "broadside/scene/trace.hpp"

namespace broadside::inline v0_2 {

/// A kind of generated scene for measurements.
struct WorkloadKind {
  std::string_view name;
  std::string_view summary;
};

/// Returns all kinds.
[[nodiscard]] std::span<const WorkloadKind> workload_kinds();

/// The boxes of a workload in frame 0. The first `static_count` never move.
struct Workload {
  std::vector<Aabb> boxes;
  std::size_t static_count = 0;
};

/// Generates a workload: the same name, count and seed give the same boxes.
///
/// They are the same on every machine, except for `power-law` and `circles`: these call `pow` and `exp`,
/// whose last bit may differ between C libraries.
/// @par Errors
/// `invalid_argument` for an unknown name, with the known names, and for more than 16 million boxes.
[[nodiscard]] Result<Workload> make_workload(std::string_view name, std::uint64_t count, std::uint64_t seed);

/// Returns by how much each moving box of a workload moves per frame (unit: length).
///
/// A random direction, and 5 % of the shorter side of the box. The directions use `sin` and `cos` of the C
/// library, so they may differ between machines in the last bits.
/// @return [boxes that are not static]
[[nodiscard]] std::vector<Vec2> draw_motions(const Workload& workload, std::uint64_t seed);

/// Records `frames` frames of a workload in motion; frame 0 is the workload itself.
///
/// Each moving box moves in a straight line, by the motion from `draw_motions` per frame.
[[nodiscard]] Trace record_workload(const Workload& workload, std::uint32_t frames, std::uint64_t seed);

}  // namespace broadside::inline v0_2
