#include "world/motion.hpp"

#include <array>
#include <limits>

#include "base/reserve.hpp"
#include "base/to_vec2.hpp"
#include "body/convex.hpp"

namespace broadside::inline v0_2 {

using detail::to_point;

void Motion::reserve(std::size_t places) {
  detail::reserve_all(places, bodies_, moving_, is_listed_, at_contact_);
}

Motion::Body& Motion::grow_to(Place place) {
  if (place >= bodies_.size()) {
    bodies_.resize(place + std::size_t{1});
    is_listed_.resize(bodies_.size());
  }
  return bodies_[place];
}

void Motion::keep_velocities() {
  at_contact_.resize(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    at_contact_[i] = bodies_[i].velocity;
  }
  has_changed_ = true;
}

void Motion::set_velocity(Place place, Vec2 velocity) {
  change_velocity(grow_to(place), velocity);
  if (velocity != Vec2{}) {
    add_moving(place);
  }
}

void Motion::set_remainder(Place place, Vec2 remainder) {
  if (place < bodies_.size() || remainder != Vec2{}) {
    grow_to(place).remainder = remainder;
  }
}

void Motion::set_acceleration(Place place, Vec2 acceleration) {
  accelerations_.resize(std::max<std::size_t>(accelerations_.size(), place + std::size_t{1}));
  accelerations_[place] = acceleration;
  strongest_ = std::max({strongest_, std::abs(acceleration.x), std::abs(acceleration.y)});
  add_moving(place);
}

void Motion::add_moving(Place place) {
  grow_to(place);
  if (is_listed_[place] == 0) {
    is_listed_[place] = 1;
    moving_.push_back(place);
  }
}

// The velocity at contact stays: the contacts of the last step can still be read.
void Motion::clear(Place place) {
  if (place < bodies_.size()) {
    change_velocity(bodies_[place], {});
    bodies_[place].remainder = {};
  }
  if (place < accelerations_.size()) {
    accelerations_[place] = {};
  }
}

void Motion::list_falling() {
  if (gravity_ == Vec2{}) {
    return;
  }
  reserve(table_.capacity());
  table_.for_each_body([this](Place body) {
    if (moves(body) && table_.slot(body).type == BodyType::dynamic) {
      add_moving(body);
    }
  });
}

std::optional<Motion::Next> Motion::after(Place body, double seconds) const {
  if (!moves(body)) {
    return std::nullopt;
  }
  const Point velocity = to_point(bodies_[body].velocity);
  const Point gained = seconds * acceleration_of(body);
  const Point at = to_point(table_.transform(body).position) +
                   (to_point(bodies_[body].remainder) + seconds * (velocity + 0.5 * gained));
  const Point faster = velocity + gained;
  if (!detail::is_in_range(at) || !detail::is_in_range(faster)) {
    return std::nullopt;
  }
  const Vec2 next = detail::to_vec2(at);
  return Next{next, detail::to_vec2(at - to_point(next)), detail::to_vec2(faster)};
}

bool Motion::all_stay_in_range(double seconds, float farthest) const {
  constexpr double max_float = std::numeric_limits<float>::max();
  const double pull =
      std::max(std::abs(static_cast<double>(gravity_.x)), std::abs(static_cast<double>(gravity_.y)));
  const double speed = static_cast<double>(fastest_) + seconds * (pull + static_cast<double>(strongest_));
  return speed <= max_float && static_cast<double>(farthest) + seconds * speed <= max_float / 2;
}

std::optional<Motion::Place> Motion::find_out_of_range(double seconds) const {
  const auto lost = std::find_if(moving_.begin(), moving_.end(), [this, seconds](Place body) {
    return moves(body) && !after(body, seconds);
  });
  return lost == moving_.end() ? std::nullopt : std::optional(*lost);
}

void Motion::write(detail::ByteWriter& out, Place place) const {
  const Body body = of(place);
  const std::array<Vec2, 4> values{body.velocity, body.remainder, velocity_at_contact(place),
                                   acceleration(place)};
  std::uint32_t used = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    used |= values[i] != Vec2{} ? 1U << i : 0U;
  }
  out.put(static_cast<std::uint8_t>(used));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if ((used >> i & 1U) != 0) {
      out.put(values[i]);
    }
  }
}

void Motion::set_velocity_at_contact(Place place, std::size_t places, Vec2 velocity) {
  reserve(places);
  if (!has_changed_) {
    keep_velocities();
  }
  grow_to(place);
  at_contact_.resize(bodies_.size());
  at_contact_[place] = velocity;
}

void Motion::read(detail::ByteReader& in, Place place, std::size_t places) {
  const auto used = in.take_below<std::uint8_t>(16);
  std::array<Vec2, 4> values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = (used >> i & 1U) != 0 ? in.take_vec2() : Vec2{};
    in.fail_if(!is_finite(values[i]));
  }
  if (used == 0 || in.failed()) {
    return;
  }
  set_velocity_at_contact(place, places, values[2]);
  Body& body = bodies_[place];
  change_velocity(body, values[0]);
  body.remainder = values[1];
  if (values[3] != Vec2{}) {
    reserve_accelerations(places);
    set_acceleration(place, values[3]);
  }
  add_moving(place);
}

std::size_t Motion::bytes() const {
  return detail::bytes_of(bodies_, accelerations_, at_contact_, moving_, is_listed_);
}

}  // namespace broadside::inline v0_2
