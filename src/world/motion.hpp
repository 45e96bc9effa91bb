#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "body/convex.hpp"
#include "broadside/base/vec2.hpp"
#include "world/body_table.hpp"

namespace broadside::inline v0_2 {

/// The velocities and accelerations of bodies, and their integration. All arrays are by place; they are empty
/// until a body gets a velocity or an acceleration, so a world whose caller moves all bodies pays nothing.
///
/// Far from the origin, a float is too coarse for the displacement of one step. So each body keeps a
/// remainder, the rounding error of its position. Position and remainder together are as exact as a double:
///
///     position = float(p),  remainder = float(p - position)
///
/// Over a step, velocity and position follow the formulas for a constant acceleration a, so a free fall is
/// the same for any sequence of steps t: p += v t + a t^2 / 2, v += a t. Source: W. Swope et al., A computer
/// simulation method for the calculation of equilibrium constants, 1982 (velocity Verlet), where a is that of
/// the whole step.
class Motion {
 public:
  using Place = BodyTable::Place;
  using Point = detail::Point;

  explicit Motion(const BodyTable& table, Vec2 gravity) : table_(table), gravity_(gravity) {}

  /// The motion of a body after a step.
  struct Next {
    Vec2 position;
    Vec2 remainder;
    Vec2 velocity;
  };

  [[nodiscard]] Vec2 velocity(Place place) const { return of(place).velocity; }
  [[nodiscard]] Vec2 remainder(Place place) const { return of(place).remainder; }
  /// Returns the velocity of a body when contacts were last found.
  [[nodiscard]] Vec2 velocity_at_contact(Place place) const {
    if (!has_changed_) {
      return velocity(place);
    }
    return place < at_contact_.size() ? at_contact_[place] : Vec2{};
  }
  /// Returns the position of a body with its remainder.
  [[nodiscard]] Point exact_position(Place body) const {
    return detail::to_point(table_.transform(body).position) + detail::to_point(remainder(body));
  }
  [[nodiscard]] Vec2 gravity() const { return gravity_; }
  void set_gravity(Vec2 gravity) { gravity_ = gravity; }
  /// Returns the acceleration of a body, including gravity: only dynamic bodies fall.
  [[nodiscard]] Point acceleration_of(Place body) const {
    const bool falls = table_.slot(body).type == BodyType::dynamic;
    return detail::to_point(falls ? gravity_ : Vec2{}) + detail::to_point(acceleration(body));
  }
  /// Returns the length of the last step, which `push` uses.
  [[nodiscard]] float seconds() const { return seconds_; }
  void set_seconds(float seconds) { seconds_ = seconds; }
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
  /// Adds a body to the list of moving bodies.
  void add_moving(Place place);
  /// Forgets the motion of a body that was removed.
  void clear(Place place);

  /// Adds the bodies that fall to the list of moving bodies. May allocate.
  void list_falling();
  /// Returns the bodies that may move by themselves, each once.
  [[nodiscard]] std::span<const Place> moving() const { return moving_; }
  /// Calls `move` for each of them; drops a body if `move` returns false and the body has no velocity.
  template <typename Move>
  void move_each(Move move);
  /// Returns the motion of a listed body after `seconds`; nothing if it does not move by itself, or would
  /// leave the range of float.
  [[nodiscard]] std::optional<Next> after(Place body, double seconds) const;
  /// Tells whether no body can leave the range of float in `seconds`: by conservative bounds, in O(1).
  /// @param farthest upper bound for the coordinates of positions
  [[nodiscard]] bool all_stay_in_range(double seconds, float farthest) const;
  /// Returns a listed body that would leave that range, if any, in O(listed bodies).
  [[nodiscard]] std::optional<Place> find_out_of_range(double seconds) const;
  /// Applies the velocity and remainder that `after` returned.
  void set(Place place, const Next& next) {
    change_velocity(bodies_[place], next.velocity);
    bodies_[place].remainder = next.remainder;
  }
  /// Makes `velocity_at_contact` return the current velocities.
  void remember_contact() { has_changed_ = false; }

  void write(detail::ByteWriter& out, Place place) const;
  /// Sets the velocity that `velocity_at_contact` returns. It is that of the body that had this place when
  /// contacts were last found, and that may have been removed since.
  void set_velocity_at_contact(Place place, std::size_t places, Vec2 velocity);
  /// Reads what `write` wrote; a number that is not finite makes the reader fail.
  void read(detail::ByteReader& in, Place place, std::size_t places);
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Body {
    Vec2 velocity;   ///< (unit: length per second)
    Vec2 remainder;  ///< (unit: length)
  };

  [[nodiscard]] Body of(Place place) const { return place < bodies_.size() ? bodies_[place] : Body{}; }
  Body& grow_to(Place place);
  void change_velocity(Body& body, Vec2 velocity) {
    if (body.velocity != velocity) {
      if (!has_changed_) {
        keep_velocities();
      }
      body.velocity = velocity;
      fastest_ = std::max({fastest_, std::abs(velocity.x), std::abs(velocity.y)});
    }
  }
  void keep_velocities();
  [[nodiscard]] bool moves(Place body) const { return table_.is_body(body) && table_.slot(body).enabled; }

  const BodyTable& table_;
  Vec2 gravity_;
  float seconds_ = 1.0F / 60.0F;
  std::vector<Body> bodies_;
  std::vector<Vec2> accelerations_;  ///< (unit: length per second squared)
  std::vector<Place> moving_;
  std::vector<std::uint8_t> is_listed_;  ///< 1 for these
  std::vector<Vec2> at_contact_;  ///< velocities when contacts were last found, if one has changed since
  bool has_changed_ = false;
  float fastest_ = 0.0F;    ///< upper bound for the coordinates of velocities
  float strongest_ = 0.0F;  ///< upper bound for those of own accelerations
};

template <typename Move>
void Motion::move_each(Move move) {
  std::erase_if(moving_, [&](Place place) {
    const bool stays = move(place) || bodies_[place].velocity != Vec2{};
    is_listed_[place] = stays ? 1 : 0;
    return !stays;
  });
}

}  // namespace broadside::inline v0_2
