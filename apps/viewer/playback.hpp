#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/result.hpp"
#include "broadside/base/statistics.hpp"
#include "broadside/base/vec2.hpp"
#include "broadside/scene/frames.hpp"
#include "broadside/world/world.hpp"

namespace broadside::view {

/// How long the parts of a step took (unit: second).
struct StageTimes {
  double scene = 0.0;     ///< the scene responds to its contacts and moves its bodies
  double move = 0.0;      ///< the bodies are moved in the world
  double update = 0.0;    ///< of the broad phase
  double pairs = 0.0;     ///< of the broad phase
  double contacts = 0.0;  ///< of the narrow phase and of begin and end detection
};

/// Plays a scene, a trace or a list of boxes in a world.
///
/// The scene itself moves the bodies, as in `broadside run`; the world finds out what touches. Body i of
/// the frames has index i in the world.
class Playback {
 public:
  /// Opens any input that `broadside run` accepts, and shows its step 0.
  [[nodiscard]] static Result<Playback> open(const std::string& input, BoxList::Origin origin = {});

  /// Takes a step; the last step of a recording is followed by the first.
  void step();
  void restart();

  /// Errors: as `World::set_technique`; on error nothing changes.
  Result<void> set_technique(std::string_view technique, std::optional<Vec2> cell_size);

  /// Sets the velocity of this body in the world, which otherwise knows positions only.
  void follow(BodyId body);

  [[nodiscard]] const World& world() const { return *world_; }
  [[nodiscard]] const Frames& frames() const { return *frames_; }
  [[nodiscard]] std::span<const BodyId> bodies() const { return bodies_; }
  /// Returns the number of this step, counted from 0.
  [[nodiscard]] std::size_t step_number() const { return step_; }
  /// Returns the number of steps of the scene or recording. A scene goes on after them.
  [[nodiscard]] std::size_t steps() const { return steps_; }
  /// Returns the counters of the broad phase for this step. A step in which nothing moved searches nothing.
  [[nodiscard]] Statistics statistics() const;
  [[nodiscard]] const StageTimes& times() const { return times_; }

 private:
  Playback() = default;
  Result<void> fill();
  void rewind();
  void take_over();
  void detect();
  void tell_velocity();

  std::unique_ptr<Frames> frames_;
  std::unique_ptr<World> world_;
  std::vector<BodyId> bodies_;
  std::vector<Shape> shapes_;          ///< as the world has them
  std::vector<Transform> transforms_;  ///< as the world has them
  std::vector<Transform> before_;      ///< one step earlier
  std::vector<BodyId> moved_;          ///< scratch
  std::vector<Transform> moved_to_;    ///< scratch
  BodyId followed_;
  std::size_t step_ = 0;
  std::size_t steps_ = 0;
  bool has_changes_ = true;  ///< a body differs from the step before
  StageTimes times_;
};

}  // namespace broadside::view
