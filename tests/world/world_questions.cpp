// The queries of `WorldProgram`.

#include <algorithm>
#include <array>
#include <cmath>

#include "broadside/contact/collide.hpp"
#include "random_shapes.hpp"
#include "world/world_program.hpp"

namespace broadside::test {

namespace {

using Met = WorldModel::Met;

bool same_order(const std::vector<Met>& a, const std::vector<Met>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Met& x, const Met& y) { return x.body == y.body && x.time == y.time; });
}

/// Tells whether the first is one of those that come first.
bool is_first(const std::vector<Met>& expected, const std::optional<Met>& first) {
  return expected.empty() ? !first
                          : first && std::any_of(expected.begin(), expected.end(), [&](const Met& one) {
                              return one.body == first->body && one.time == first->time &&
                                     one.time == expected.front().time;
                            });
}

template <typename T>
std::optional<float> time_of(const std::optional<T>& hit) {
  return hit ? std::optional<float>(hit->time) : std::nullopt;
}

}  // namespace

std::string WorldProgram::query(Random& random) {
  const QueryFilter filter = random_query_filter(random);
  const Standing asked = random_standing(random.below(2) == 0 ? Family::lattice : Family::ordinary, random);
  const Vec2 point = asked.at.position;
  const Vec2 way{0.5F * static_cast<float>(random.below(33)) - 8,
                 0.5F * static_cast<float>(random.below(33)) - 8};
  std::vector<BodyId> seen;
  const auto see = [&](BodyId body) {
    seen.push_back(body);
    return true;
  };
  switch (random.below(6)) {
    case 0: {
      const Vec2 half{0.5F * static_cast<float>(random.below(5)), 0.5F * static_cast<float>(random.below(5))};
      const Vec2 middle{std::round(point.x), std::round(point.y)};
      const Aabb area{middle - half, middle + half};
      const auto expected = model_.find_all(filter, [&](const Shape& shape, const Transform& at) {
        return overlaps(Box{half, {}, {}}, {middle, {}}, shape, at);
      });
      world_.visit_area(area, see, filter).value();
      return world_.query_area(area, filter).value() == expected && seen == expected ? "" : "query_area";
    }
    case 1: {
      const auto expected = model_.find_all(
          filter, [&](const Shape& shape, const Transform& at) { return contains(shape, at, point); });
      world_.visit_point(point, see, filter).value();
      return world_.query_point(point, filter).value() == expected && seen == expected ? "" : "query_point";
    }
    case 2: {
      const auto expected = model_.find_all(filter, [&](const Shape& shape, const Transform& at) {
        return overlaps(asked.shape, asked.at, shape, at);
      });
      world_.visit_shape(asked.shape, asked.at, see, filter).value();
      return world_.query_shape(asked.shape, asked.at, filter).value() == expected && seen == expected
                 ? ""
                 : "query_shape";
    }
    case 3: {
      const auto expected = model_.find_in_order(filter, [&](const Shape& shape, const Transform& at) {
        return time_of(broadside::cast_ray(point, way, shape, at));
      });
      std::vector<Met> met;
      world_
          .visit_ray(
              point, way,
              [&](const BodyRayHit& hit) {
                met.push_back({hit.body, hit.hit.time});
                return true;
              },
              filter)
          .value();
      const auto first = world_.cast_ray(point, way, filter).value();
      const auto one = first ? std::optional<Met>({first->body, first->hit.time}) : std::nullopt;
      return same_order(met, expected) && is_first(expected, one) ? "" : "cast_ray";
    }
    case 4: {
      const auto expected = model_.find_in_order(filter, [&](const Shape& shape, const Transform& at) {
        return time_of(broadside::cast(asked.shape, asked.at, way, shape, at));
      });
      std::vector<Met> met;
      world_
          .visit_cast(
              asked.shape, asked.at, way,
              [&](const BodyCastHit& hit) {
                met.push_back({hit.body, hit.hit.time});
                return true;
              },
              filter)
          .value();
      const auto first = world_.cast_shape(asked.shape, asked.at, way, filter).value();
      const auto one = first ? std::optional<Met>({first->body, first->hit.time}) : std::nullopt;
      return same_order(met, expected) && is_first(expected, one) ? "" : "cast_shape";
    }
    default: {
      const std::size_t count = random.below(6);
      const float most = random.below(2) == 0 ? 3.0F : std::numeric_limits<float>::max();
      auto expected = model_.find_in_order(filter, [&](const Shape& shape, const Transform& at) {
        const float apart = distance(shape, at, Circle{}, {point, {}}).distance;
        return apart <= most ? std::optional<float>(apart) : std::nullopt;
      });
      expected.resize(std::min(expected.size(), count));
      std::vector<Met> met;
      for (const NearBody& one : world_.nearest(point, count, most, filter).value()) {
        met.push_back({one.body, one.distance});
      }
      return same_order(met, expected) ? "" : "nearest";
    }
  }
}

}  // namespace broadside::test
