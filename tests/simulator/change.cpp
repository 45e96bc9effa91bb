#include "simulator/change.hpp"

#include <array>
#include <sstream>
#include <string_view>

#include "random_shapes.hpp"

namespace broadside::test::simulator {

BodyDef NewBody::as_body() const {
  BodyDef body = rest;
  body.shape = shapes.front();
  body.more_shapes.assign(shapes.begin() + 1, shapes.end());
  body.tag = tag;
  return body;
}

ErrorCode make(World& world, const Change& change, std::vector<BodyId>& given) {
  switch (change.kind) {
    case Change::Kind::add: {
      const auto added = world.add(change.bodies.front().as_body());
      if (added.has_value()) {
        given.push_back(*added);
      }
      return added.error().code;
    }
    case Change::Kind::add_many: {
      std::vector<BodyDef> bodies;
      for (const NewBody& body : change.bodies) {
        bodies.push_back(body.as_body());
      }
      const auto added = world.add(bodies);
      if (added.has_value()) {
        given.insert(given.end(), added->begin(), added->end());
      }
      return added.error().code;
    }
    case Change::Kind::remove:
      return world.remove(change.a).error().code;
    case Change::Kind::move:
      return world.move(change.a, change.at).error().code;
    case Change::Kind::move_many: {
      const std::array both{change.a, change.b};
      const std::array places{change.at, Transform{change.way, change.at.rotation}};
      return world.move(both, places).error().code;
    }
    case Change::Kind::teleport:
      return world.teleport(change.a, change.at).error().code;
    case Change::Kind::push:
      return world.push(change.a, change.way).error().code;
    case Change::Kind::set_velocity:
      return world.set_velocity(change.a, change.way).error().code;
    case Change::Kind::set_acceleration:
      return world.set_acceleration(change.a, change.way).error().code;
    case Change::Kind::set_gravity:
      return world.set_gravity(change.way).error().code;
    case Change::Kind::set_shape:
      return world.set_shape(change.a, change.shape).error().code;
    case Change::Kind::set_enabled:
      return world.set_enabled(change.a, change.flag).error().code;
    case Change::Kind::set_sensor:
      return world.set_sensor(change.a, change.flag).error().code;
    case Change::Kind::set_bullet:
      return world.set_bullet(change.a, change.flag).error().code;
    case Change::Kind::set_filter:
      return world.set_filter(change.a, change.filter).error().code;
    case Change::Kind::set_tag:
      return world.set_tag(change.a, change.tag).error().code;
    case Change::Kind::set_ignored:
      return world.set_ignored(change.a, change.b, change.flag).error().code;
    case Change::Kind::set_user_data:
      return world.set_user_data(change.a, change.at.position.x > 0 ? 1 : 2).error().code;
    case Change::Kind::skip_response:
      return world.skip_response(change.a, change.b).error().code;
  }
  return ErrorCode::invalid_argument;
}

// Text.

namespace {

std::string_view name(Change::Kind kind) {
  constexpr std::array<std::string_view, Change::kinds> names{
      "add",          "add_many",     "remove",           "move",        "move_many",   "teleport",
      "push",         "set_velocity", "set_acceleration", "set_gravity", "set_shape",   "set_enabled",
      "set_sensor",   "set_bullet",   "set_filter",       "set_tag",     "set_ignored", "set_user_data",
      "skip_response"};
  return names[static_cast<std::size_t>(kind)];
}

void write(std::ostream& out, const Filter& filter) {
  out << " layer " << filter.layer << " mask " << filter.mask << " wants " << filter.wants << " group "
      << filter.group;
}

void write(std::ostream& out, Vec2 v) {
  out << " (" << v.x << ", " << v.y << ')';
}

void write(std::ostream& out, const NewBody& body) {
  out << " [" << broadside::name(body.rest.type) << (body.rest.sensor ? " sensor" : "")
      << (body.rest.enabled ? "" : " disabled") << (body.rest.bullet ? " bullet" : "") << " tag '" << body.tag
      << "' velocity";
  write(out, body.rest.velocity);
  write(out, body.rest.filter);
  const Transform at{body.rest.position, body.rest.rotation};
  for (const Shape& shape : body.shapes) {
    out << "; " << broadside::test::to_text(Standing{shape, at});
  }
  out << ']';
}

}  // namespace

std::string to_text(BodyId id) {
  return std::to_string(id.index) + "/" + std::to_string(id.generation);
}

std::string to_text(const Change& change) {
  std::ostringstream out;
  out.precision(9);
  out << name(change.kind);
  switch (change.kind) {
    case Change::Kind::add:
    case Change::Kind::add_many:
      for (const NewBody& body : change.bodies) {
        write(out, body);
      }
      return out.str();
    case Change::Kind::set_gravity:
      write(out, change.way);
      return out.str();
    default:
      out << ' ' << to_text(change.a);
      break;
  }
  switch (change.kind) {
    case Change::Kind::move:
    case Change::Kind::teleport:
    case Change::Kind::move_many:
      write(out, change.at.position);
      out << " turned (" << change.at.rotation.cos << ", " << change.at.rotation.sin << ')';
      if (change.kind == Change::Kind::move_many) {
        out << ", " << to_text(change.b);
        write(out, change.way);
      }
      break;
    case Change::Kind::push:
    case Change::Kind::set_velocity:
    case Change::Kind::set_acceleration:
      write(out, change.way);
      break;
    case Change::Kind::set_shape:
      out << ' ' << broadside::test::to_text({change.shape, {}});
      break;
    case Change::Kind::set_enabled:
    case Change::Kind::set_sensor:
    case Change::Kind::set_bullet:
      out << (change.flag ? " on" : " off");
      break;
    case Change::Kind::set_filter:
      write(out, change.filter);
      break;
    case Change::Kind::set_tag:
      out << " '" << change.tag << '\'';
      break;
    case Change::Kind::set_ignored:
      out << ' ' << to_text(change.b) << (change.flag ? " on" : " off");
      break;
    case Change::Kind::skip_response:
      out << ' ' << to_text(change.b);
      break;
    default:
      break;
  }
  return out.str();
}

}  // namespace broadside::test::simulator
