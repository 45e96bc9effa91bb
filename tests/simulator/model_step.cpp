// The detection and the events of the model.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "broadside/contact/collide.hpp"
#include "simulator/model.hpp"

namespace broadside::test::simulator {

namespace {

bool is_convex(const Model::OneBody& body) {
  return std::none_of(body.shapes.begin(), body.shapes.end(),
                      [](const Shape& shape) { return std::holds_alternative<Mask>(shape); });
}

bool fits(const std::string& wanted, const std::string& tag) {
  return wanted == "*" || wanted == tag;
}

}  // namespace

float deepest_of(const Manifold& manifold) {
  float deepest = manifold.points[0].separation;
  for (std::uint32_t i = 1; i < manifold.size; ++i) {
    deepest = std::min(deepest, manifold.points[i].separation);
  }
  return deepest;
}

bool same(const Manifold& a, const Manifold& b) {
  return a.normal == b.normal && a.size == b.size &&
         std::equal(a.in_use().begin(), a.in_use().end(), b.in_use().begin());
}

const std::vector<Solid>& Model::solids(const OneBody& body) const {
  if (body.solids.empty() || body.solids_at != body.at) {
    body.solids.clear();
    for (const Shape& shape : body.shapes) {
      body.solids.push_back(solid_of(shape, body.at));
    }
    body.solids_at = body.at;
  }
  return body.solids;
}

// Pair rules.

bool Model::cares(const OneBody& a, const OneBody& b) const {
  const bool all = options_.interest == Interest::all;
  const auto wants = [&](const OneBody& x, const OneBody& y) {
    return (x.filter.wants & y.filter.layer) != 0 && (all || x.sensor);
  };
  if (wants(a, b) || wants(b, a)) {
    return true;
  }
  if (all || ((a.filter.wants & b.filter.layer) == 0 && (b.filter.wants & a.filter.layer) == 0)) {
    return false;
  }
  return std::any_of(listeners_.begin(), listeners_.end(), [&](const Listener& listener) {
    const auto& [event, x, y] = listener.kind;
    return !listener.removed && ((fits(x, a.tag) && fits(y, b.tag)) || (fits(x, b.tag) && fits(y, a.tag)));
  });
}

/// Returns whether filters or the caller exclude a pair, regardless of types.
bool Model::is_filtered(const OneBody& a, const OneBody& b) const {
  if (!a.enabled || !b.enabled || !cares(a, b) || is_kept_apart(a, b)) {
    return true;
  }
  if (a.filter.group != 0 && a.filter.group == b.filter.group) {
    if (a.filter.group < 0) {
      return true;
    }
  } else if ((a.filter.mask & b.filter.layer) == 0 || (b.filter.mask & a.filter.layer) == 0) {
    return true;
  }
  return false;
}

bool Model::is_kept_apart(const OneBody& a, const OneBody& b) const {
  return ignored_.contains(std::minmax(a.id, b.id)) ||
         (predicate_ && !predicate_(std::min(a.id, b.id), std::max(a.id, b.id)));
}

// Types and listeners do not matter here.
bool Model::is_obstacle(const OneBody& body, const OneBody& moved) const {
  return can_hit(body, {.filter = moved.filter, .sensors = false, .except = moved.id}) &&
         !is_kept_apart(body, moved);
}

bool Model::may_touch(const OneBody& a, const OneBody& b) const {
  const bool types_meet = a.type == BodyType::dynamic || b.type == BodyType::dynamic || a.sensor || b.sensor;
  return types_meet && !is_filtered(a, b);
}

/// Returns whether `move_and_slide` put one body on the other since the last step and it has not moved since.
bool Model::is_put_on(const OneBody& a, const OneBody& b) const {
  const auto is_on = [this](const OneBody& upper, const OneBody& lower) {
    const auto put = put_.find(upper.id);
    return put != put_.end() && put->second.ground == lower.id && put->second.at == upper.at;
  };
  return is_on(a, b) || is_on(b, a);
}

// Contacts.

std::optional<Model::Touch> Model::touch_of(const OneBody& a, const OneBody& b, bool touched,
                                            const Told& told) {
  const bool may = may_touch(a, b);
  const bool is_put = is_put_on(a, b) && !is_filtered(a, b);
  Touch touch{.a = a.id, .b = b.id, .is_put = is_put};
  if (!setting_.is_modelled()) {
    return (may || is_put) && told(a.id, b.id) ? std::optional(touch) : std::nullopt;
  }
  if (!may) {
    return is_put ? std::optional(touch) : std::nullopt;
  }
  const long double margin = touched ? options_.end_margin : 0.0F;
  // Ground that a body was put on is a contact at any distance.
  touch.gap = gap_of(solids(a), solids(b), is_put ? std::numeric_limits<long double>::infinity() : margin);
  touch.has_depth = is_convex(a) && is_convex(b);
  const Verdict overlap = touch.gap->within(0);
  const Verdict lasting = margin > 0 ? touch.gap->within(margin) : overlap;
  decisions_ += lasting == Verdict::apart ? 0U : 1U;
  if (lasting != Verdict::touching && !is_put) {
    undecided_ += lasting == Verdict::undecided ? 1U : 0U;
    if (lasting == Verdict::apart || !told(a.id, b.id)) {
      return std::nullopt;
    }
  }
  if (overlap != Verdict::touching) {
    return touch;  // the manifold may hold the nearest points
  }
  for (const Shape& x : a.shapes) {
    for (const Shape& y : b.shapes) {
      const Manifold found = collide(x, a.at, y, b.at);
      if (!found.touching()) {
        continue;
      }
      if (!touch.manifolds.empty() && deepest_of(found) < deepest_of(touch.manifolds.front())) {
        touch.manifolds.clear();
      }
      if (touch.manifolds.empty() || deepest_of(found) == deepest_of(touch.manifolds.front())) {
        touch.manifolds.push_back(found);
        touch.manifolds.push_back(swapped(collide(y, b.at, x, a.at)));
      }
    }
  }
  return touch;
}

void Model::detect(const Told& told) {
  const std::vector<Touch> before = std::exchange(touches_, {});
  for (auto a = bodies_.begin(); a != bodies_.end(); ++a) {
    for (auto b = std::next(a); b != bodies_.end(); ++b) {
      const auto pair = std::pair(a->second.id, b->second.id);
      const auto old = std::lower_bound(
          before.begin(), before.end(), pair,
          [](const Touch& one, const auto& wanted) { return std::pair(one.a, one.b) < wanted; });
      const bool touched = old != before.end() && old->a == pair.first && old->b == pair.second;
      if (auto touch = touch_of(a->second, b->second, touched, told)) {
        touch->begun = !touched;
        touches_.push_back(*std::move(touch));
      }
    }
  }
  list_ends(before);
  put_.clear();
  tags_of_removed_.clear();
}

EndCause Model::cause_of_end(const Touch& touch) const {
  const OneBody* x = find(touch.a);
  const OneBody* y = find(touch.b);
  if (x == nullptr || y == nullptr) {
    return EndCause::removed;
  }
  if (!x->enabled || !y->enabled) {
    return EndCause::disabled;
  }
  return may_touch(*x, *y) ? EndCause::parted : EndCause::filtered;
}

void Model::list_ends(const std::vector<Touch>& before) {
  ends_.clear();
  end_tags_.clear();
  const auto tag_of = [&](BodyId id) {
    return find(id) != nullptr ? find(id)->tag : tags_of_removed_.at(id);
  };
  auto now = touches_.begin();
  for (const Touch& old : before) {
    while (now != touches_.end() && std::pair(now->a, now->b) < std::pair(old.a, old.b)) {
      ++now;
    }
    if (now == touches_.end() || now->a != old.a || now->b != old.b) {
      ends_.push_back({old.a, old.b, cause_of_end(old)});
      end_tags_.push_back({tag_of(old.a), tag_of(old.b), old.is_put});
    }
  }
}

// Listeners.

void Model::dispatch(const std::function<void(const Call&)>& call) {
  using Event = ListenerKind::Event;
  const std::size_t count = listeners_.size();
  const auto call_all = [&](const Call& one, const std::string& tag_a, const std::string& tag_b) {
    for (std::uint32_t k = 0; k < count; ++k) {
      const auto [event, x, y] = listeners_[k].kind;
      const bool due = one.cause
                           ? event == Event::end
                           : event == Event::contact || event == (one.begun ? Event::begin : Event::stay);
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

}  // namespace broadside::test::simulator
