#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"
#include "broadside/scene/trace.hpp"

namespace broadside {

/// A kind of scene to measure on, made anew from a count and a seed.
struct WorkloadKind {
  std::string_view name;
  std::string_view summary;
};

/// Returns the kinds there are.
[[nodiscard]] std::span<const WorkloadKind> workload_kinds();

/// The boxes of a workload, as they begin. The first `static_count` never move.
struct Workload {
  std::vector<Aabb> boxes;
  std::size_t static_count = 0;
};

/// Makes a workload: the same boxes on every machine for the same name, count and seed.
///
/// Errors: `invalid_argument` for an unknown name, with the names there are, or for more than 16 million
/// boxes.
[[nodiscard]] Result<Workload> make_workload(std::string_view name, std::uint64_t count, std::uint64_t seed);

/// Moves each moving box straight on by 5 % of its size per frame, in a direction of its own, and records
/// `frames` frames; frame 0 is the workload itself.
[[nodiscard]] Trace record_workload(const Workload& workload, std::uint32_t frames, std::uint64_t seed);

}  // namespace broadside
