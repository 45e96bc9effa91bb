#include "world/world_model.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "broadside/contact/collide.hpp"

namespace broadside::test {

namespace {

bool finite(Vec2 v) {
  return std::isfinite(v.x) && std::isfinite(v.y);
}

/// The programs make circles bad, no other shape.
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
  if (!finite(body.rest.velocity)) {
    return ErrorCode::not_finite;
  }
  const bool moves = body.rest.velocity.x != 0 || body.rest.velocity.y != 0;
  return moves && body.rest.type == BodyType::static_body ? ErrorCode::invalid_argument : ErrorCode::none;
}

float deepest_of(const Manifold& manifold) {
  float deepest = manifold.points[0].separation;
  for (std::uint32_t i = 1; i < manifold.size; ++i) {
    deepest = std::min(deepest, manifold.points[i].separation);
  }
  return deepest;
}

bool fits(const std::string& wanted, const std::string& tag) {
  return wanted == "*" || wanted == tag;
}

}  // namespace

Body NewBody::as_body() const {
  Body body = rest;
  body.shape = shapes.front();
  body.more_shapes.assign(shapes.begin() + 1, shapes.end());
  body.tag = tag;
  return body;
}

bool same(const Manifold& a, const Manifold& b) {
  return a.normal == b.normal && a.size == b.size &&
         std::equal(a.in_use().begin(), a.in_use().end(), b.in_use().begin());
}

// Bodies.

ErrorCode WorldModel::check(BodyId id) const {
  if (find(id) != nullptr) {
    return ErrorCode::none;
  }
  return id.world == 0 || id.world == world_ ? ErrorCode::stale_id : ErrorCode::wrong_world;
}

const WorldModel::OneBody* WorldModel::find(BodyId id) const {
  const auto at = bodies_.find(id.index);
  return at != bodies_.end() && at->second.id == id ? &at->second : nullptr;
}

std::vector<BodyId> WorldModel::bodies() const {
  std::vector<BodyId> ids;
  for (const auto& [index, body] : bodies_) {
    ids.push_back(body.id);
  }
  return ids;
}

ErrorCode WorldModel::make(const Change& change, std::span<const BodyId> given) {
  switch (change.kind) {
    case Change::Kind::add:
    case Change::Kind::add_many:
      return add(change.bodies, given);
    case Change::Kind::move_many:
      return move_many(change);
    case Change::Kind::set_ignored:
      for (const BodyId id : {change.a, change.b}) {
        if (const ErrorCode code = check(id); code != ErrorCode::none) {
          return code;
        }
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

ErrorCode WorldModel::add(std::span<const NewBody> added, std::span<const BodyId> given) {
  for (const NewBody& body : added) {
    if (const ErrorCode code = test::check(body); code != ErrorCode::none) {
      return code;
    }
  }
  EXPECT_EQ(given.size(), added.size());
  for (std::size_t i = 0; i < std::min(given.size(), added.size()); ++i) {
    const Body& rest = added[i].rest;
    EXPECT_TRUE(ever_.insert(given[i]).second) << "an id was given twice";
    EXPECT_FALSE(bodies_.contains(given[i].index)) << "the place is taken";
    world_ = given[i].world;
    bodies_[given[i].index] = {given[i],      rest.type,     added[i].shapes, {rest.position, rest.rotation},
                               rest.velocity, added[i].tag,  rest.filter,     rest.sensor,
                               rest.enabled,  rest.user_data};
  }
  return ErrorCode::none;
}

ErrorCode WorldModel::move_many(const Change& change) {
  for (const BodyId id : {change.a, change.b}) {
    if (const ErrorCode code = check(id); code != ErrorCode::none) {
      return code;
    }
  }
  if (const ErrorCode code = test::check(change.at); code != ErrorCode::none) {
    return code;
  }
  at(change.a).at = change.at;
  at(change.b).at = {change.way, change.at.rotation};
  return ErrorCode::none;
}

ErrorCode WorldModel::make_on_body(const Change& change) {
  OneBody& body = at(change.a);
  const bool is_static = body.type == BodyType::static_body;
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
      code = test::check(change.at);
      body.at = code == ErrorCode::none ? change.at : body.at;
      break;
    case Change::Kind::push:
    case Change::Kind::set_velocity:
      if (!finite(change.way) || is_static) {
        return finite(change.way) ? ErrorCode::invalid_argument : ErrorCode::not_finite;
      }
      if (change.kind == Change::Kind::push) {
        body.at.position = body.at.position + change.way;
        body.velocity = body.velocity + (1 / last_seconds_) * change.way;
      } else {
        body.velocity = change.way;
      }
      break;
    case Change::Kind::set_shape:
      code = test::check(change.shape);
      body.shapes.front() = code == ErrorCode::none ? change.shape : body.shapes.front();
      break;
    case Change::Kind::set_enabled:
      body.enabled = change.flag;
      break;
    case Change::Kind::set_sensor:
      body.sensor = change.flag;
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

// The step.

void WorldModel::integrate(Vec2 gravity, float seconds) {
  if (seconds == 0) {
    return;
  }
  for (auto& [index, body] : bodies_) {
    if (body.enabled) {
      const Vec2 faster = body.type == BodyType::dynamic ? seconds * gravity : Vec2{};
      body.at.position = body.at.position + seconds * (body.velocity + 0.5F * faster);
      body.velocity = body.velocity + faster;
    }
  }
  last_seconds_ = seconds;
}

bool WorldModel::cares(const OneBody& a, const OneBody& b) const {
  const auto wants = [&](const OneBody& x, const OneBody& y) {
    return (x.filter.wants & y.filter.layer) != 0 && (interest_ == Interest::all || x.sensor);
  };
  if (wants(a, b) || wants(b, a)) {
    return true;
  }
  if (interest_ == Interest::all ||
      ((a.filter.wants & b.filter.layer) == 0 && (b.filter.wants & a.filter.layer) == 0)) {
    return false;
  }
  return std::any_of(listeners_.begin(), listeners_.end(), [&](const Listener& listener) {
    const auto& [event, x, y] = listener.kind;
    return !listener.removed && ((fits(x, a.tag) && fits(y, b.tag)) || (fits(x, b.tag) && fits(y, a.tag)));
  });
}

bool WorldModel::may_touch(const OneBody& a, const OneBody& b) const {
  if (a.type != BodyType::dynamic && b.type != BodyType::dynamic && !a.sensor && !b.sensor) {
    return false;
  }
  if (!a.enabled || !b.enabled || ignored_.contains(std::minmax(a.id, b.id)) || !cares(a, b)) {
    return false;
  }
  if (a.filter.group != 0 && a.filter.group == b.filter.group) {
    if (a.filter.group < 0) {
      return false;
    }
  } else if ((a.filter.mask & b.filter.layer) == 0 || (b.filter.mask & a.filter.layer) == 0) {
    return false;
  }
  return !predicate_ || predicate_(std::min(a.id, b.id), std::max(a.id, b.id));
}

bool WorldModel::overlaps_now(const OneBody& a, const OneBody& b) const {
  return std::any_of(a.shapes.begin(), a.shapes.end(), [&](const Shape& x) {
    return std::any_of(b.shapes.begin(), b.shapes.end(),
                       [&](const Shape& y) { return overlaps(x, a.at, y, b.at); });
  });
}

EndCause WorldModel::cause_of_end(BodyId a, BodyId b) const {
  const OneBody* x = find(a);
  const OneBody* y = find(b);
  if (x == nullptr || y == nullptr) {
    return EndCause::removed;
  }
  if (!x->enabled || !y->enabled) {
    return EndCause::disabled;
  }
  return may_touch(*x, *y) ? EndCause::parted : EndCause::filtered;
}

void WorldModel::detect() {
  const std::vector<Touch> before = std::exchange(touches_, {});
  for (auto a = bodies_.begin(); a != bodies_.end(); ++a) {
    for (auto b = std::next(a); b != bodies_.end(); ++b) {
      Touch touch{a->second.id, b->second.id, {}, true};
      if (!may_touch(a->second, b->second)) {
        continue;
      }
      for (const Shape& x : a->second.shapes) {
        for (const Shape& y : b->second.shapes) {
          const Manifold found = collide(x, a->second.at, y, b->second.at);
          EXPECT_EQ(found.touching(), overlaps(x, a->second.at, y, b->second.at));
          if (!found.touching()) {
            continue;
          }
          if (!touch.manifolds.empty() && deepest_of(found) < deepest_of(touch.manifolds.front())) {
            touch.manifolds.clear();
          }
          if (touch.manifolds.empty() || deepest_of(found) == deepest_of(touch.manifolds.front())) {
            touch.manifolds.push_back(found);
            touch.manifolds.push_back(turned(collide(y, b->second.at, x, a->second.at)));
          }
        }
      }
      if (!touch.manifolds.empty()) {
        touch.begun = std::none_of(before.begin(), before.end(),
                                   [&](const Touch& old) { return old.a == touch.a && old.b == touch.b; });
        touches_.push_back(touch);
      }
    }
  }
  ends_.clear();
  end_tags_.clear();
  for (const Touch& old : before) {
    if (std::none_of(touches_.begin(), touches_.end(),
                     [&](const Touch& now) { return now.a == old.a && now.b == old.b; })) {
      const auto tag_of = [&](BodyId id) {
        return find(id) != nullptr ? find(id)->tag : tags_of_removed_.at(id);
      };
      ends_.push_back({old.a, old.b, cause_of_end(old.a, old.b)});
      end_tags_.push_back({tag_of(old.a), tag_of(old.b)});
    }
  }
  tags_of_removed_.clear();
}

void WorldModel::tell(const std::function<void(const Call&)>& call) {
  using Event = ListenerKind::Event;
  const std::size_t count = listeners_.size();
  const auto call_all = [&](const Call& one, const std::string& tag_a, const std::string& tag_b) {
    for (std::uint32_t k = 0; k < count; ++k) {
      const auto [event, x, y] = listeners_[k].kind;
      const bool due =
          one.cause ? event == Event::end : event == Event::contact || (event == Event::begin && one.begun);
      const bool both_ways = x != y || !fits(x, tag_a) || !fits(y, tag_b);
      const auto is_there = [&](BodyId a, BodyId b) {
        return find(a) != nullptr && (one.cause || find(b) != nullptr);
      };
      if (due && !listeners_[k].removed && fits(x, tag_a) && fits(y, tag_b) && is_there(one.a, one.b)) {
        call({k, one.a, one.b, one.begun, one.cause});
      }
      if (due && !listeners_[k].removed && both_ways && fits(x, tag_b) && fits(y, tag_a) &&
          is_there(one.b, one.a)) {
        call({k, one.b, one.a, one.begun, one.cause});
      }
    }
  };
  const std::vector<Touch> touches = touches_;
  for (const Touch& touch : touches) {
    if (find(touch.a) != nullptr && find(touch.b) != nullptr) {
      const std::string tag_a = find(touch.a)->tag;
      const std::string tag_b = find(touch.b)->tag;
      call_all({0, touch.a, touch.b, touch.begun, {}}, tag_a, tag_b);
    }
  }
  const std::vector<ContactEnd> ends = ends_;
  const std::vector<Ended> tags = end_tags_;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    call_all({0, ends[i].a, ends[i].b, false, ends[i].cause}, tags[i].tag_a, tags[i].tag_b);
  }
}

}  // namespace broadside::test
