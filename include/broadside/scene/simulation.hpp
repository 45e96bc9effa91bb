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

namespace broadside::inline v0_2 {

/// Simulates a scene: accelerate, boxes, pairs and contacts (by the caller), response, inertia.
///
/// The stages are those of text R in docs/from-the-tutorials.md. Positions are integrated by Verlet's method:
/// the velocity of a body is the difference to its previous position. Contacts do not change its spin. The
/// bodies depend only on the scene and the contacts, in ascending order of their pairs, so every technique
/// gives the same run, and so does every machine. But a scene may hold other bodies with another C library:
/// the pattern `rings` uses its `sin` and `cos`, exponential sizes use its `exp`.
///
///     simulation.begin_step();                    // accelerate, boxes
///     // Find the pairs of simulation.boxes(), and the contacts of simulation.shapes() and transforms().
///     simulation.respond(contacts);               // response
///     simulation.end_step();                      // inertia, walls
class Simulation {
 public:
  explicit Simulation(Scene scene);

  void begin_step();
  /// Applies the rules of the scene. @pre contacts are sorted by their pairs
  void respond(std::span<const Contact> contacts);
  void end_step();

  [[nodiscard]] const Scene& scene() const { return scene_; }
  /// Returns the boxes [bodies] as of `begin_step`: the bounds of the shapes.
  [[nodiscard]] std::span<const Aabb> boxes() const { return boxes_; }
  /// Returns the shapes [bodies] as of `begin_step`.
  [[nodiscard]] std::span<const Shape> shapes() const { return shapes_; }
  /// Returns the transforms [bodies] of the shapes as of `begin_step`.
  [[nodiscard]] std::span<const Transform> transforms() const { return transforms_; }
  [[nodiscard]] std::span<const BodyType> types() const { return types_; }
  /// Returns whether the layers of both bodies allow contacts.
  [[nodiscard]] bool layers_meet(Pair pair) const;
  /// Returns the velocity of a body (unit: length per second).
  [[nodiscard]] Vec2 velocity(BoxIndex body) const;

 private:
  struct Body {
    Vec2 position;
    Vec2 previous;
    float angle = 0.0F;
    Rotation rotation;
    Vec2 half_size;  ///< half the size of a box, or the radius of a circle twice; it may grow
    bool resized = false;
    Aabb reach;  ///< bounds relative to the position
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

}  // namespace broadside::inline v0_2
