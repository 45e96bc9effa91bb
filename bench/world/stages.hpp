#pragma once

#include "broadside/world/body_def.hpp"
#include "contest.hpp"

namespace broadside::bench {

/// Returns the bodies of a scene, in its order.
[[nodiscard]] std::vector<BodyDef> bodies_of(const Scene& scene);

struct Stage {
  std::string name;
  double ms = 0.0;  ///< per frame, median
};

/// The time of the stages of our step.
struct StageTimes {
  std::vector<Stage> of_world;  ///< `move`, and `step`
  std::vector<Stage> of_parts;  ///< the stages of a step, each timed alone on the same frames
  double pairs = 0.0;           ///< of boxes, per frame
  double contacts = 0.0;        ///< per frame
  double ns_per_pair = 0.0;     ///< of `TouchHistory::advance`
  double bytes_per_body = 0.0;  ///< of `World::bytes`
};

/// Runs a world and, in turns with it, the modules that it consists of.
[[nodiscard]] StageTimes measure_stages(const Scene& scene);

}  // namespace broadside::bench
