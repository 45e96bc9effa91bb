#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "broadside/scene/trace.hpp"
#include "broadside/scene/workload.hpp"

namespace broadside::bench {

/// A way in which all boxes of a scene move; the scenes of games and simulations differ in this more than in
/// where their boxes are.
struct Motion {
  std::string_view name;
  std::string_view summary;
};

/// Returns all ways.
[[nodiscard]] std::span<const Motion> motions();

/// Records a workload whose boxes move in one of these ways; frame 0 is the workload itself.
/// @pre `name` is the name of a motion, and the workload has no static boxes
[[nodiscard]] Trace record_motion(const Workload& workload, std::string_view name, std::uint32_t frames,
                                  std::uint64_t seed);

}  // namespace broadside::bench
