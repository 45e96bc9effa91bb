#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "broadside/base/vec2.hpp"
#include "world/bytes.hpp"

namespace broadside {

/// The velocities of bodies, and what carries them on. All arrays are by place; they are empty until a body
/// gets a velocity or an acceleration, so a world whose bodies are only moved by its caller pays nothing.
///
/// A position is a float, which far from the origin is too coarse for the way of one step. So each body keeps
/// the remainder: what its position lost when it was rounded. Both together are as exact as a double:
///
///     position = float(p),  remainder = float(p - position)
///
/// Over a step, velocity and position follow the formulas for a constant acceleration a, so a free fall is
/// the same for any sequence of steps t: p += v t + a t^2 / 2, v += a t. Source: W. Swope et al., A computer
/// simulation method for the calculation of equilibrium constants, 1982 (velocity Verlet), where a is that of
/// the whole step.
class Motion {
 public:
  using Place = std::uint32_t;

  /// Where a body is after a step.
  struct Next {
    Vec2 position;
    Vec2 remainder;
    Vec2 velocity;
  };

  [[nodiscard]] Vec2 velocity(Place place) const { return of(place).velocity; }
  [[nodiscard]] Vec2 remainder(Place place) const { return of(place).remainder; }
  /// Returns the velocity that the body had when contacts were found last.
  [[nodiscard]] Vec2 velocity_at_contact(Place place) const { return of(place).at_contact; }
  /// Returns the body's own acceleration, without gravity.
  [[nodiscard]] Vec2 acceleration(Place place) const {
    return place < accelerations_.size() ? accelerations_[place] : Vec2{};
  }

  /// Reserves memory for `places`, so that nothing below can fail.
  void reserve(std::size_t places);
  /// Reserves memory for accelerations of `places`.
  void reserve_accelerations(std::size_t places) { accelerations_.reserve(places); }

  // @pre memory is reserved
  void set_velocity(Place place, Vec2 velocity);
  void set_remainder(Place place, Vec2 remainder);
  void set_acceleration(Place place, Vec2 acceleration);
  /// Lists a body among those that move.
  void add_moving(Place place);
  /// Forgets the motion of a body that was removed.
  void clear(Place place);

  /// Returns the bodies that may move by themselves, each once.
  [[nodiscard]] std::span<const Place> moving() const { return moving_; }
  /// Drops a body from `moving` where `keep` says no and it has no velocity.
  template <typename Keep>
  void keep_moving(Keep keep);
  /// Returns where a listed body is after `seconds`; nothing where a number would leave the range of float.
  [[nodiscard]] std::optional<Next> after(Place place, Vec2 position, Vec2 gravity, double seconds) const;
  /// Remembers the velocities as those at which contacts were found.
  void remember_contact();

  void write(detail::ByteWriter& out, Place place) const;
  /// Reads what `write` wrote; a number that is not finite is a failure of the reader.
  void read(detail::ByteReader& in, Place place, std::size_t places);
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Body {
    Vec2 velocity;    ///< (unit: length per second)
    Vec2 remainder;   ///< (unit: length)
    Vec2 at_contact;  ///< velocity
    bool is_listed = false;

    friend constexpr bool operator==(const Body& a, const Body& b) = default;
  };

  [[nodiscard]] Body of(Place place) const { return place < bodies_.size() ? bodies_[place] : Body{}; }
  Body& grow_to(Place place);

  std::vector<Body> bodies_;
  std::vector<Vec2> accelerations_;  ///< (unit: length per second squared)
  std::vector<Place> moving_;
};

template <typename Keep>
void Motion::keep_moving(Keep keep) {
  std::size_t kept = 0;
  for (const Place place : moving_) {
    Body& body = bodies_[place];
    body.is_listed = body.velocity != Vec2{} || body.at_contact != Vec2{} || keep(place);
    if (body.is_listed) {
      moving_[kept++] = place;
    }
  }
  moving_.resize(kept);
}

}  // namespace broadside
