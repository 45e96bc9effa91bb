// The bodies of the model: changes and motion.

#include "simulator/model.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace broadside::test::simulator {

namespace {

bool finite(Vec2 v) {
  return std::isfinite(v.x) && std::isfinite(v.y);
}

/// Checks a shape. The programs draw no invalid shapes except circles.
ErrorCode check(const Shape& shape) {
  const auto* circle = std::get_if<Circle>(&shape);
  if (circle == nullptr) {
    return ErrorCode::none;
  }
  if (!finite(circle->center) || !std::isfinite(circle->radius)) {
    return ErrorCode::not_finite;
  }
  return circle->radius < 0 ? ErrorCode::invalid_argument : ErrorCode::none;
}

ErrorCode check(const Transform& at) {
  if (!finite(at.position)) {
    return ErrorCode::not_finite;
  }
  const float square = at.rotation.cos * at.rotation.cos + at.rotation.sin * at.rotation.sin;
  return std::abs(square - 1) < 0.01F ? ErrorCode::none : ErrorCode::invalid_argument;
}

ErrorCode check(const NewBody& body) {
  for (const Shape& shape : body.shapes) {
    if (const ErrorCode code = check(shape); code != ErrorCode::none) {
      return code;
    }
  }
  if (const ErrorCode code = check({body.rest.position, body.rest.rotation}); code != ErrorCode::none) {
    return code;
  }
  if (!finite(body.rest.velocity) || !finite(body.rest.acceleration)) {
    return ErrorCode::not_finite;
  }
  const bool moves = body.rest.velocity != Vec2{} || body.rest.acceleration != Vec2{};
  return moves && body.rest.type == BodyType::static_body ? ErrorCode::invalid_argument : ErrorCode::none;
}

TruePoint truth_of(Vec2 v) {
  return {v.x, v.y};
}

long double largest_of(TruePoint p) {
  return std::max(std::fabs(p.x), std::fabs(p.y));
}

/// Returns whether a number equals the expected one within a tolerance.
bool is_near(float value, long double expected, long double tolerance) {
  return std::fabs(static_cast<long double>(value) - expected) <= tolerance;
}

}  // namespace

ErrorCode Model::check(BodyId id) const {
  if (find(id) != nullptr) {
    return ErrorCode::none;
  }
  return id.world == 0 || id.world == world_ ? ErrorCode::stale_id : ErrorCode::wrong_world;
}

ErrorCode Model::check_both(BodyId a, BodyId b) const {
  const ErrorCode code = check(a);
  return code != ErrorCode::none ? code : check(b);
}

const Model::OneBody* Model::find(BodyId id) const {
  const auto at = bodies_.find(id.index);
  return at != bodies_.end() && at->second.id == id ? &at->second : nullptr;
}

std::vector<BodyId> Model::bodies() const {
  std::vector<BodyId> ids;
  for (const auto& [index, body] : bodies_) {
    ids.push_back(body.id);
  }
  return ids;
}

ErrorCode Model::make(const Change& change, std::span<const BodyId> given) {
  switch (change.kind) {
    case Change::Kind::add:
    case Change::Kind::add_many:
      return add(change.bodies, given);
    case Change::Kind::move_many:
      return move_many(change);
    case Change::Kind::set_gravity:
      if (!finite(change.way)) {
        return ErrorCode::not_finite;
      }
      gravity_ = change.way;
      return ErrorCode::none;
    case Change::Kind::skip_response:
      if (const ErrorCode code = check_both(change.a, change.b); code != ErrorCode::none) {
        return code;
      }
      return change.a == change.b ? ErrorCode::invalid_argument : ErrorCode::none;
    case Change::Kind::set_ignored:
      if (const ErrorCode code = check_both(change.a, change.b); code != ErrorCode::none) {
        return code;
      }
      if (change.a == change.b) {
        return ErrorCode::invalid_argument;
      }
      if (const auto pair = std::minmax(change.a, change.b); change.flag) {
        ignored_.insert(pair);
      } else {
        ignored_.erase(pair);
      }
      return ErrorCode::none;
    default:
      const ErrorCode code = check(change.a);
      return code != ErrorCode::none ? code : make_on_body(change);
  }
}

ErrorCode Model::add(std::span<const NewBody> added, std::span<const BodyId> given) {
  for (const NewBody& body : added) {
    if (const ErrorCode code = simulator::check(body); code != ErrorCode::none) {
      return code;
    }
  }
  if (given.size() != added.size()) {
    complaint_ = "there are not as many ids as bodies added";
  }
  for (std::size_t i = 0; i < std::min(given.size(), added.size()); ++i) {
    if (!ever_.insert(given[i]).second || bodies_.contains(given[i].index)) {
      complaint_ = "id " + to_text(given[i]) + " was given twice";
    }
    world_ = given[i].world;
    const BodyDef& rest = added[i].rest;
    OneBody body;
    body.id = given[i];
    body.type = rest.type;
    body.shapes = added[i].shapes;
    body.velocity = rest.velocity;
    body.acceleration = rest.acceleration;
    body.tag = added[i].tag;
    body.filter = rest.filter;
    body.sensor = rest.sensor;
    body.enabled = rest.enabled;
    body.bullet = rest.bullet;
    body.user_data = rest.user_data;
    body.speed = simulator::truth_of(rest.velocity);
    put_at(body, {rest.position, rest.rotation});
    bodies_[given[i].index] = std::move(body);
  }
  return ErrorCode::none;
}

void Model::put_at(OneBody& body, const Transform& at) {
  body.at = at;
  body.place = simulator::truth_of(at.position);
  body.largest = std::max(body.largest, largest_of(body.place));
}

ErrorCode Model::move_many(const Change& change) {
  if (const ErrorCode code = check_both(change.a, change.b); code != ErrorCode::none) {
    return code;
  }
  if (const ErrorCode code = simulator::check(change.at); code != ErrorCode::none) {
    return code;
  }
  put_at(at(change.a), change.at);
  put_at(at(change.b), {change.way, change.at.rotation});
  return ErrorCode::none;
}

/// Changes the velocity, the acceleration or, for a push, the position of a body.
ErrorCode Model::drive(OneBody& body, const Change& change) {
  if (!finite(change.way)) {
    return ErrorCode::not_finite;
  }
  if (body.type == BodyType::static_body) {
    return ErrorCode::invalid_argument;
  }
  const TruePoint way = simulator::truth_of(change.way);
  switch (change.kind) {
    case Change::Kind::push:
      body.place = {body.place.x + way.x, body.place.y + way.y};
      body.speed = {body.speed.x + way.x / static_cast<long double>(last_seconds_),
                    body.speed.y + way.y / static_cast<long double>(last_seconds_)};
      body.largest = std::max(body.largest, largest_of(body.place));
      body.fastest = std::max(body.fastest, largest_of(body.speed));
      ++body.roundings;
      break;
    case Change::Kind::set_velocity:
      body.velocity = change.way;
      body.speed = way;
      break;
    default:
      body.acceleration = change.way;
      break;
  }
  return ErrorCode::none;
}

ErrorCode Model::make_on_body(const Change& change) {
  OneBody& body = at(change.a);
  ErrorCode code = ErrorCode::none;
  switch (change.kind) {
    case Change::Kind::remove:
      std::erase_if(ignored_,
                    [&](const auto& pair) { return pair.first == body.id || pair.second == body.id; });
      tags_of_removed_[body.id] = body.tag;
      bodies_.erase(change.a.index);
      break;
    case Change::Kind::move:
    case Change::Kind::teleport:
      code = simulator::check(change.at);
      if (code == ErrorCode::none) {
        put_at(body, change.at);
      }
      break;
    case Change::Kind::push:
    case Change::Kind::set_velocity:
    case Change::Kind::set_acceleration:
      return drive(body, change);
    case Change::Kind::set_shape:
      code = simulator::check(change.shape);
      if (code == ErrorCode::none) {
        body.shapes.front() = change.shape;
        body.solids.clear();
      }
      break;
    case Change::Kind::set_enabled:
      body.enabled = change.flag;
      break;
    case Change::Kind::set_sensor:
      body.sensor = change.flag;
      break;
    case Change::Kind::set_bullet:
      body.bullet = change.flag;
      break;
    case Change::Kind::set_filter:
      body.filter = change.filter;
      break;
    case Change::Kind::set_tag:
      body.tag = change.tag;
      break;
    default:
      body.user_data = change.at.position.x > 0 ? 1 : 2;
      break;
  }
  return code;
}

// The motion.

void Model::integrate(float seconds) {
  if (seconds == 0) {
    return;
  }
  const long double t = seconds;
  for (auto& [index, body] : bodies_) {
    if (!body.enabled || body.type == BodyType::static_body) {
      continue;
    }
    TruePoint pull = simulator::truth_of(body.acceleration);
    if (body.type == BodyType::dynamic) {
      pull = {pull.x + static_cast<long double>(gravity_.x), pull.y + static_cast<long double>(gravity_.y)};
    }
    body.place = {body.place.x + t * (body.speed.x + t * pull.x / 2),
                  body.place.y + t * (body.speed.y + t * pull.y / 2)};
    body.speed = {body.speed.x + t * pull.x, body.speed.y + t * pull.y};
    body.largest = std::max(body.largest, largest_of(body.place));
    body.fastest = std::max(body.fastest, largest_of(body.speed));
    ++body.roundings;
  }
  last_seconds_ = seconds;
}

std::string Model::settle(BodyId id, const Transform& now, Vec2 velocity) {
  const OneBody body = at(id);
  place(id, now, velocity);
  // The position is rounded to a float plus a remainder, the velocity to a float.
  const auto roundings = static_cast<long double>(body.roundings);
  const long double off = roundings == 0 ? 0 : (0.51L + 0.51L * roundings) * ulp_of(body.largest);
  const long double off_speed =
      roundings * ulp_of(std::max(body.fastest, largest_of(simulator::truth_of(velocity))));
  const long double off_both = off + off_speed * static_cast<long double>(last_seconds_) * roundings;
  std::ostringstream wrong;
  wrong.precision(12);
  if (now.rotation != body.at.rotation || !is_near(now.position.x, body.place.x, off_both) ||
      !is_near(now.position.y, body.place.y, off_both)) {
    wrong << to_text(id) << " is at (" << now.position.x << ", " << now.position.y << "), not at ("
          << body.place.x << ", " << body.place.y << ')';
  } else if (!is_near(velocity.x, body.speed.x, off_speed) || !is_near(velocity.y, body.speed.y, off_speed)) {
    wrong << to_text(id) << " has velocity (" << velocity.x << ", " << velocity.y << "), not ("
          << body.speed.x << ", " << body.speed.y << ')';
  }
  return wrong.str();
}

void Model::place(BodyId id, const Transform& now, Vec2 velocity) {
  OneBody& body = at(id);
  body.largest = 0;
  put_at(body, now);
  body.velocity = velocity;
  body.speed = simulator::truth_of(velocity);
  body.fastest = largest_of(body.speed);
  body.roundings = 0;
}

void Model::put_on(BodyId body, std::optional<BodyId> ground) {
  put_.erase(body);
  if (ground) {
    put_[body] = {*ground, at(body).at};
  }
}

}  // namespace broadside::test::simulator
