// The queries of `Program`.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "broadside/contact/collide.hpp"
#include "simulator/program.hpp"

namespace broadside::test::simulator {

namespace {

using Met = Model::Met;

bool same_order(const std::vector<Met>& a, const std::vector<Met>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Met& x, const Met& y) { return x.body == y.body && x.time == y.time; });
}

/// Returns whether `first` has the least time of all expected hits; ties are allowed.
bool is_first(const std::vector<Met>& expected, const std::optional<Met>& first) {
  return expected.empty() ? !first
                          : first && std::any_of(expected.begin(), expected.end(), [&](const Met& one) {
                              return one.body == first->body && one.time == first->time &&
                                     one.time == expected.front().time;
                            });
}

template <typename T>
std::optional<float> time_of(const std::optional<T>& hit) {
  return hit ? std::optional<float>(hit->fraction) : std::nullopt;
}

/// Returns whether a query found all touching bodies and none that are apart, ascending.
bool is_answer(const std::vector<BodyId>& found, const std::vector<Model::Found>& expected) {
  auto at = found.begin();
  for (const Model::Found& one : expected) {
    const bool is_there = at != found.end() && *at == one.body;
    if (!is_there && one.verdict == Verdict::touching) {
      return false;
    }
    at += is_there ? 1 : 0;
  }
  return at == found.end();
}

long double largest_of(const Solid& solid) {
  return std::max(
      {std::fabs(solid.min.x), std::fabs(solid.min.y), std::fabs(solid.max.x), std::fabs(solid.max.y)});
}

/// Checks the time at which a moving solid hits a body: no overlap before that time, and contact at it.
std::string check_way(const Solid& mover, Vec2 way, const std::vector<Solid>& met,
                      std::optional<float> time) {
  const auto x = static_cast<long double>(way.x);
  const auto y = static_cast<long double>(way.y);
  const long double length = std::hypot(x, y);
  long double off = 0;
  for (const Solid& solid : met) {
    off = std::max(off, 1e-5L * std::max(mover.size, solid.size) +
                            0x1p-20L * (std::max({largest_of(mover), largest_of(solid), length})));
  }
  const auto gap_at = [&](long double t) { return gap_of({moved(mover, t * x, t * y)}, met, off).gap; };
  const auto end = static_cast<long double>(time.value_or(1.0F));
  constexpr int samples = 6;
  for (int i = 0; i < samples && end > 0; ++i) {
    const long double gap = gap_at(end * static_cast<long double>(i) / samples);
    if (gap < -2 * off) {
      return words("is inside by ", -gap, " at ", i, '/', samples, " of the way");
    }
  }
  if (time && gap_at(end) > 2 * off) {
    return words("is apart by ", gap_at(end), " when it hits");
  }
  return {};
}

}  // namespace

QueryFilter Program::query_filter(Random& random) const {
  if (one_in(2, random)) {
    return {};
  }
  QueryFilter query;
  query.filter = draw_.filter(random);
  query.static_bodies = !one_in(4, random);
  query.kinematic_bodies = !one_in(4, random);
  query.dynamic_bodies = !one_in(4, random);
  query.sensors = !one_in(4, random);
  query.except = one_in(2, random) ? pick(random) : BodyId{};
  return query;
}

std::string Program::query(Random& random) {
  const QueryFilter filter = query_filter(random);
  ++counts_.comparisons;
  switch (random.below(4)) {
    case 0:
      words_ += " for a ray";
      return ask_along_a_way(random, filter, false);
    case 1:
      words_ += " for a cast";
      return ask_along_a_way(random, filter, true);
    case 2:
      words_ += " for what is near";
      return ask_for_nearest(random, filter);
    default:
      return ask_for_bodies(random, filter);
  }
}

/// Queries the bodies in a box, at a point or in a shape.
std::string Program::ask_for_bodies(Random& random, const QueryFilter& filter) {
  const Standing asked = draw_.standing(random);
  const Vec2 point = asked.at.position;
  std::vector<BodyId> seen;
  const auto see = [&](BodyId body) {
    seen.push_back(body);
    return true;
  };
  std::vector<BodyId> found;
  std::vector<Model::Found> expected;
  std::string_view which = "an area";
  switch (random.below(3)) {
    case 0: {
      Vec2 half;
      half.x = 0.5F * setting_.scale * static_cast<float>(random.below(5));
      half.y = 0.5F * setting_.scale * static_cast<float>(random.below(5));
      const Aabb area{point - half, point + half};
      expected = model_.find_all(filter, solid_of(area));
      world_.visit_area(area, see, filter).value();
      found = world_.query_area(area, filter).value();
      break;
    }
    case 1:
      which = "a point";
      expected = model_.find_all(filter, solid_of(Circle{}, {point, {}}));
      world_.visit_point(point, see, filter).value();
      found = world_.query_point(point, filter).value();
      break;
    default:
      which = "a shape";
      expected = model_.find_all(filter, solid_of(asked.shape, asked.at));
      world_.visit_shape(asked.shape, asked.at, see, filter).value();
      found = world_.query_shape(asked.shape, asked.at, filter).value();
      break;
  }
  note(found.size());
  return found == seen && is_answer(found, expected) ? std::string()
                                                     : words("wrong bodies in ", which, ": ", to_text(asked));
}

/// Queries the hits of a ray or a moving shape.
std::string Program::ask_along_a_way(Random& random, const QueryFilter& filter, bool with_shape) {
  const Standing asked = draw_.standing(random);
  const Shape shape = with_shape ? asked.shape : Shape(Circle{});
  const Transform from = with_shape ? asked.at : Transform{asked.at.position, {}};
  const Vec2 way = draw_.long_way(random);
  const auto expected = model_.find_in_order(filter, [&](const Shape& other, const Transform& at) {
    return with_shape ? time_of(broadside::cast(shape, from, way, other, at))
                      : time_of(broadside::cast_ray(from.position, way, other, at));
  });
  std::vector<Met> met;
  std::optional<Met> first;
  const auto see = [&](const auto& hit) {
    met.push_back({hit.body, hit.fraction});
    return true;
  };
  if (with_shape) {
    world_
        .visit_cast(
            shape, from, way, [&](const BodyHit& hit) { return see(hit); }, filter)
        .value();
    const auto one = world_.cast_shape(shape, from, way, filter).value();
    first = one ? std::optional<Met>({one->body, one->fraction}) : std::nullopt;
  } else {
    world_
        .visit_ray(
            from.position, way, [&](const BodyHit& hit) { return see(hit); }, filter)
        .value();
    const auto one = world_.cast_ray(from.position, way, filter).value();
    first = one ? std::optional<Met>({one->body, one->fraction}) : std::nullopt;
  }
  note(met.size());
  if (!same_order(met, expected) || !is_first(expected, first)) {
    return words("wrong hits: ", to_text(Standing{shape, from}), "way ", way.x, ", ", way.y);
  }
  const Solid mover = solid_of(shape, from);
  for (const BodyId id : model_.bodies()) {
    const Model::OneBody& body = *model_.find(id);
    if (!model_.can_hit(body, filter)) {
      continue;
    }
    const auto hit = std::find_if(met.begin(), met.end(), [&](const Met& one) { return one.body == id; });
    const auto time = hit == met.end() ? std::nullopt : std::optional(hit->time);
    if (std::string wrong = check_way(mover, way, model_.solids(body), time); !wrong.empty()) {
      return words(wrong, ": ", to_text(id), " by ", to_text(Standing{shape, from}), "way ", way.x, ", ",
                   way.y);
    }
  }
  return {};
}

std::string Program::ask_for_nearest(Random& random, const QueryFilter& filter) {
  const Vec2 point = draw_.standing(random).at.position;
  const std::size_t count = random.below(6);
  const float most = random.below(2) == 0 ? 3.0F * setting_.scale : std::numeric_limits<float>::max();
  auto expected = model_.find_in_order(filter, [&](const Shape& shape, const Transform& at) {
    const float apart = distance(shape, at, Circle{}, {point, {}}).distance;
    return apart <= most ? std::optional<float>(apart) : std::nullopt;
  });
  expected.resize(std::min(expected.size(), count));
  std::vector<Met> met;
  const Solid asked = solid_of(Circle{}, {point, {}});
  for (const Nearest& one : world_.nearest(point, count, most, filter).value()) {
    met.push_back({one.body, one.distance});
    const Gap gap =
        gap_of({asked}, model_.solids(*model_.find(one.body)), std::numeric_limits<long double>::infinity());
    const auto found = static_cast<long double>(one.distance);
    if (std::fabs(std::max(gap.gap, 0.0L) - found) > gap.rim + ulp_of(found)) {
      return words(to_text(one.body), " is not ", one.distance, " from the point, but ", gap.gap);
    }
  }
  note(met.size());
  return same_order(met, expected) ? std::string() : "wrong bodies near a point";
}

}  // namespace broadside::test::simulator
