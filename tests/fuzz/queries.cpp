#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "broadside/broad_phase/techniques.hpp"
#include "broadside/contact/collide.hpp"
#include "broadside/query/area.hpp"
#include "broadside/query/cast.hpp"
#include "broadside/query/nearest.hpp"
#include "broadside/query/ray.hpp"
#include "shape_source.hpp"

// Any bytes are queries and shapes, some of which have moved: every technique returns the same results, and
// they equal those of the narrow phase.

namespace {

using broadside::BoxIndex;
using broadside::Shape;
using broadside::ShapeSet;
using broadside::Transform;
using broadside::Vec2;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

struct Scene {
  std::vector<Shape> shapes;
  std::vector<Transform> starts;
  std::vector<Transform> ends;  ///< transforms at the time of the queries
};

struct Question {
  Vec2 point;
  Vec2 way;
  Shape shape;
  Transform at;
  std::size_t count = 0;
  float distance = 0.0F;
};

struct Answer {
  std::vector<BoxIndex> in_area;
  std::vector<BoxIndex> at_point;
  std::vector<BoxIndex> overlapping;
  std::vector<broadside::NearestShape> nearest;
  std::vector<BoxIndex> on_ray;
  std::vector<BoxIndex> on_way;

  friend bool operator==(const Answer& a, const Answer& b) = default;
};

bool is_valid(const Shape& shape, const Transform& at) {
  return broadside::is_valid(bounds(shape, at));  // inverted if shape or transform is invalid
}

Answer ask(const ShapeSet& set, const Question& q) {
  Answer answer;
  const auto list = [](std::vector<BoxIndex>& into) {
    return [&into](BoxIndex index) {
      into.push_back(index);
      return true;
    };
  };
  const broadside::Aabb area = bounds(q.shape, q.at);
  require(visit_area(set, area, list(answer.in_area)).has_value());
  std::vector<BoxIndex> collected;
  require(query_area(set, area, collected).has_value() && collected == answer.in_area);
  require(visit_point(set, q.point, list(answer.at_point)).has_value());
  require(visit_shape(set, q.shape, q.at, list(answer.overlapping)).has_value());
  require(nearest(set, q.point, q.count, q.distance, answer.nearest).has_value());
  require(visit_ray(set, q.point, q.way, [&](const broadside::ShapeHit& hit) {
            const auto own = cast_ray(q.point, q.way, set.shapes[hit.index], set.transforms[hit.index]);
            require(own && own->fraction == hit.fraction);
            answer.on_ray.push_back(hit.index);
            return true;
          }).has_value());
  require(visit_cast(set, q.shape, q.at, q.way, [&](const broadside::ShapeHit& hit) {
            const auto own = cast(q.shape, q.at, q.way, set.shapes[hit.index], set.transforms[hit.index]);
            require(own && own->fraction == hit.fraction);
            answer.on_way.push_back(hit.index);
            return true;
          }).has_value());
  require(cast_ray(set, q.point, q.way)->has_value() == !answer.on_ray.empty());
  require(cast_shape(set, q.shape, q.at, q.way)->has_value() == !answer.on_way.empty());
  return answer;
}

Answer ask(const broadside::TechniqueEntry& technique, const Scene& scene, const Question& q) {
  const auto boxes = technique.create({}).value();
  for (std::size_t i = 0; i < scene.shapes.size(); ++i) {
    boxes->add(bounds(scene.shapes[i], scene.starts[i])).value();
  }
  boxes->update();
  for (BoxIndex i = 0; i < scene.shapes.size(); ++i) {
    boxes->move(i, bounds(scene.shapes[i], scene.ends[i])).value();
  }
  boxes->update();
  return ask(ShapeSet{*boxes, scene.shapes, scene.ends}, q);
}

void check(const Scene& scene, const Question& q, const Answer& answer) {
  for (BoxIndex i = 0; i < scene.shapes.size(); ++i) {
    const auto has = [i](const std::vector<BoxIndex>& all) {
      return std::binary_search(all.begin(), all.end(), i);
    };
    require(has(answer.at_point) == contains(scene.shapes[i], scene.ends[i], q.point));
    require(has(answer.overlapping) == overlaps(q.shape, q.at, scene.shapes[i], scene.ends[i]));
  }
  for (const broadside::NearestShape& hit : answer.nearest) {
    const auto own =
        distance(scene.shapes[hit.index], scene.ends[hit.index], broadside::Circle{}, {q.point, {}});
    require(own.distance == hit.distance && hit.distance <= q.distance);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  broadside::fuzz::Source source({data, size});
  const std::size_t other = 1 + source.byte() % (broadside::techniques().size() - 1);
  const std::optional<Shape> shape = make_shape(source);
  const Question q{.point = source.vec2(),
                   .way = source.vec2(),
                   .shape = shape.value_or(broadside::Circle{}),
                   .at = source.transform(),
                   .count = source.byte() % 8U,
                   .distance = std::abs(source.number())};
  if (!is_valid(q.shape, q.at) || !is_finite(q.point) || !is_finite(q.way) ||
      !broadside::is_finite(q.distance)) {
    return 0;
  }
  Scene scene;
  for (std::size_t left = source.byte() % 24; left > 0; --left) {
    const std::optional<Shape> one = make_shape(source);
    const Transform start = source.transform();
    const Transform end = source.byte() % 4 == 0 ? source.transform() : start;
    if (one && is_valid(*one, start) && is_valid(*one, end)) {
      scene.shapes.push_back(*one);
      scene.starts.push_back(start);
      scene.ends.push_back(end);
    }
  }
  const Answer expected = ask(broadside::techniques().front(), scene, q);
  check(scene, q, expected);
  require(ask(broadside::techniques()[other], scene, q) == expected);
  return 0;
}
