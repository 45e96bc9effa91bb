#pragma once

#include <span>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/body_type.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/scene/random.hpp"
#include "broadside/scene/scene.hpp"

namespace broadside {

/// Runs a scene by the stages of the second document: accelerate, boxes, pairs and contacts (the caller's),
/// response, inertia.
///
/// Positions are integrated after Verlet: a body remembers where it was, and its velocity is the difference.
/// A body turns by its spin, whatever it hits. What a body does depends on the contacts alone, taken in
/// ascending order of their pairs, so every technique gives the same run, on every machine.
///
///     simulation.begin_step();                    // accelerate, boxes
///     ... find pairs of simulation.boxes(), contacts of simulation.shapes() and transforms() ...
///     simulation.respond(contacts);               // response
///     simulation.end_step();                      // inertia, walls
class Simulation {
 public:
  explicit Simulation(Scene scene);

  void begin_step();
  /// Applies the scene's rules. @pre contacts are sorted by their pairs
  void respond(std::span<const Contact> contacts);
  void end_step();

  [[nodiscard]] const Scene& scene() const { return scene_; }
  /// Returns the boxes [bodies] as of `begin_step`: the bounds of the shapes.
  [[nodiscard]] std::span<const Aabb> boxes() const { return boxes_; }
  /// Returns the shapes [bodies] as of `begin_step`.
  [[nodiscard]] std::span<const Shape> shapes() const { return shapes_; }
  /// Returns where the shapes [bodies] stand, as of `begin_step`.
  [[nodiscard]] std::span<const Transform> transforms() const { return transforms_; }
  [[nodiscard]] std::span<const BodyType> types() const { return types_; }
  /// Tells whether the layers of both bodies let them meet.
  [[nodiscard]] bool layers_meet(Pair pair) const;
  /// Returns a body's velocity (unit: length per second).
  [[nodiscard]] Vec2 velocity(BoxIndex body) const;

 private:
  struct Body {
    Vec2 position;
    Vec2 previous;
    float angle = 0.0F;
    Rotation rotation;
    Vec2 half_size;  ///< of a box; the radius of a circle, twice: what grows
    bool resized = false;
    Aabb reach;  ///< bounds around its own position
  };

  void set_velocity(Body& body, Vec2 velocity) const;
  [[nodiscard]] float inverse_mass(BoxIndex body) const;
  [[nodiscard]] Shape grown_shape(BoxIndex body) const;
  void apply(const SceneRule& rule, BoxIndex a, BoxIndex b);
  void bounce(const Contact& contact);
  void grow(const SceneRule& rule, BoxIndex body);
  void respawn(BoxIndex body);
  void orbit(Body& body, const Orbit& orbit) const;
  void spin(BoxIndex body);
  void bounce_off_walls(Body& body) const;

  Scene scene_;
  std::vector<Body> bodies_;
  std::vector<BodyType> types_;
  std::vector<Aabb> boxes_;
  std::vector<Shape> shapes_;
  std::vector<Transform> transforms_;
  Random random_;
};

}  // namespace broadside
