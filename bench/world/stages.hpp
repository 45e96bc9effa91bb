#pragma once

#include "broadside/world/body.hpp"
#include "contest.hpp"

namespace broadside::bench {

/// Returns the bodies of a scene, in its order.
[[nodiscard]] std::vector<Body> bodies_of(const Scene& scene);

struct Stage {
  std::string name;
  double ms = 0.0;  ///< a frame, median
};

/// Where a step of ours spends its time.
struct StageTimes {
  std::vector<Stage> of_world;  ///< `move`, and `step`
  std::vector<Stage> of_parts;  ///< what a step is made of, each by itself on the same frames
  double pairs = 0.0;           ///< of boxes, a frame
  double contacts = 0.0;        ///< a frame
  double ns_per_pair = 0.0;     ///< of `TouchHistory::advance`
  double bytes_per_body = 0.0;  ///< of `World::bytes`
};

/// Runs a world, and in turns with it the parts that it is made of.
[[nodiscard]] StageTimes measure_stages(const Scene& scene);

}  // namespace broadside::bench
