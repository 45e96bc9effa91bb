#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "boxes.hpp"
#include "broadside/distributed/world.hpp"

namespace broadside::test::distributed {

/// The id of the body with a number, in the order in which bodies were added.
[[nodiscard]] GlobalId id_of(std::size_t number);

/// One call that adds, changes or removes a body.
struct Change {
  enum class What : std::uint8_t { add, change, remove };

  What what = What::change;
  std::size_t number = 0;                                   ///< of the body
  BodyDef body = {};                                        ///< to add
  std::function<Result<void>(World&, BodyId)> change = {};  ///< the change
  ErrorCode refused = ErrorCode::none;                      ///< the error that it returns
};

/// What is asked after a step.
struct Questions {
  std::vector<Aabb> areas;
  std::vector<RayQuery> rays;
  std::vector<CastQuery> casts;
  std::vector<NearestQuery> points;
};

/// Changes, a step, and questions.
struct Step {
  std::vector<Change> changes;
  float seconds = 0.0F;
  Questions questions;
};

/// The first body on a path. At equal fractions, the shapes of a body have other normals.
struct Struck {
  std::optional<GlobalId> body;
  float fraction = 2.0F;

  friend bool operator==(const Struck& a, const Struck& b) = default;
};

/// A body near a point.
struct Near {
  GlobalId body;
  float distance = 0.0F;

  friend bool operator==(const Near& a, const Near& b) = default;
};

struct Answers {
  std::vector<std::vector<GlobalId>> found;
  std::vector<Struck> hits;  ///< of the rays, then of the moving shapes
  std::vector<std::vector<Near>> near;

  friend bool operator==(const Answers& a, const Answers& b) = default;
};

/// What is compared after each step.
struct Outcome {
  std::uint64_t hash = 0;
  Answers answers;
};

/// Asks one world. Of several answers that are right, it takes those with the least ids.
///
/// @param bodies by number, also those that were removed
[[nodiscard]] Outcome outcome_of(const World& world, std::span<const BodyId> bodies,
                                 const Questions& questions);

/// How parts run a program; it does not affect the result.
struct Parts {
  int count = 1;
  RebalanceOptions rebalance = {};
  bool add_in_one = false;  ///< all bodies are added in the first part
};
[[nodiscard]] Parts draw_parts(int count, Random& random);

/// Runs steps in this part, all parts together, and compares them with those of one world.
///
/// @param outcomes [n] of the steps
/// @return the first difference, or nothing
[[nodiscard]] std::string run_steps(DistributedWorld& part, Communicator& others, const Parts& parts,
                                    std::span<const Step> steps, std::span<const Outcome> outcomes);

}  // namespace broadside::test::distributed
