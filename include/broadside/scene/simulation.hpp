#pragma once

#include <span>
#include <vector>

#include "broadside/base/pair.hpp"
#include "broadside/scene/random.hpp"
#include "broadside/scene/scene.hpp"

namespace broadside {

/// Runs a scene by the stages of the second document: accelerate, boxes, pairs (the caller's), response,
/// inertia.
///
/// Positions are integrated after Verlet: a body remembers where it was, and its velocity is the difference.
/// What a body does depends on the pairs alone, taken in ascending order, so every technique gives the same
/// run.
///
///     simulation.begin_step();                    // accelerate, boxes
///     ... find pairs of simulation.boxes() ...
///     simulation.respond(pairs);                  // response
///     simulation.end_step();                      // inertia, walls
class Simulation {
 public:
  explicit Simulation(Scene scene);

  void begin_step();
  /// Applies the scene's rules. @pre pairs are sorted by (a, b)
  void respond(std::span<const Pair> pairs);
  void end_step();

  [[nodiscard]] const Scene& scene() const { return scene_; }
  /// Returns the boxes [bodies] as of `begin_step`.
  [[nodiscard]] std::span<const Aabb> boxes() const { return boxes_; }
  [[nodiscard]] std::span<const BodyType> types() const { return types_; }
  /// Tells whether the layers of both bodies let them meet.
  [[nodiscard]] bool layers_meet(Pair pair) const;
  /// Returns a body's velocity (unit: length per second).
  [[nodiscard]] Vec2 velocity(BoxIndex body) const;
  [[nodiscard]] Vec2 half_size(BoxIndex body) const { return bodies_[body].half_size; }

 private:
  struct Body {
    Vec2 position;
    Vec2 previous;
    Vec2 half_size;
  };

  void set_velocity(Body& body, Vec2 velocity) const;
  [[nodiscard]] float inverse_mass(BoxIndex body) const;
  void apply(const SceneRule& rule, BoxIndex a, BoxIndex b);
  void bounce(BoxIndex a, BoxIndex b);
  void respawn(BoxIndex body);
  void turn(Body& body, const Orbit& orbit) const;
  void bounce_off_walls(Body& body) const;

  Scene scene_;
  std::vector<Body> bodies_;
  std::vector<BodyType> types_;
  std::vector<Aabb> boxes_;
  Random random_;
};

}  // namespace broadside
