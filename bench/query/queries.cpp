#include <algorithm>
#include <cmath>

#include "broadside/broad_phase/cell_size.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "broadside/scene/random.hpp"
#include "contest.hpp"

namespace broadside::bench {

float entry_time(const Aabb& box, Vec2 start, Vec2 way) {
  float in = 0.0F;
  float out = 1.0F;
  const auto clip = [&](float low, float high, float at, float step) {
    if (step == 0.0F) {
      out = low <= at && at <= high ? out : -1.0F;
      return;
    }
    const float first = (low - at) / step;
    const float last = (high - at) / step;
    in = std::max(in, std::min(first, last));
    out = std::min(out, std::max(first, last));
  };
  clip(box.min.x, box.max.x, start.x, way.x);
  clip(box.min.y, box.max.y, start.y, way.y);
  return in <= out ? in : 2.0F;
}

float distance_to(const Aabb& box, Vec2 point) {
  const float x = std::max({0.0F, box.min.x - point.x, point.x - box.max.x});
  const float y = std::max({0.0F, box.min.y - point.y, point.y - box.max.y});
  return std::sqrt(x * x + y * y);
}

std::vector<Query> make_queries(const Question& question, std::span<const Aabb> boxes, std::size_t count) {
  HierarchicalGrid grid;
  static_cast<void>(grid.add(boxes).value());
  grid.update();
  std::vector<BoxIndex> around;
  const Aabb world = bounding_box(boxes).value();
  const double width = static_cast<double>(world.max.x) - static_cast<double>(world.min.x);
  const auto height = static_cast<double>(world.max.y) - static_cast<double>(world.min.y);
  Random random(7);
  const auto place = [&] {
    if (random.below(2) == 0) {
      const double x = static_cast<double>(world.min.x) + width * random.uniform();
      return Vec2{static_cast<float>(x),
                  static_cast<float>(static_cast<double>(world.min.y) + height * random.uniform())};
    }
    const Aabb& box = boxes[random.below(boxes.size())];
    const double size = static_cast<double>(box.max.x) - static_cast<double>(box.min.x);
    const double x = static_cast<double>(box.min.x) + size * random.uniform(-3.0, 4.0);
    return Vec2{static_cast<float>(x),
                static_cast<float>(static_cast<double>(box.min.y) + size * random.uniform(-3.0, 4.0))};
  };
  const auto is_free = [&](Vec2 at) {
    return grid.query_area({at, at}, around).has_value() && around.empty();
  };
  std::vector<Query> queries;
  while (queries.size() < count) {
    Query query;
    query.start = place();
    if (question.kind == Kind::ray && !is_free(query.start)) {
      continue;
    }
    const auto half = static_cast<float>(0.5 * question.length * width);
    query.area = {query.start - Vec2{half, half}, query.start + Vec2{half, half}};
    double x = random.uniform(-1.0, 1.0);
    double y = random.uniform(-1.0, 1.0);
    const double length = std::sqrt(x * x + y * y);
    if (length < 0.01 || length > 1.0) {
      continue;
    }
    x *= question.length * width / length;
    y *= question.length * width / length;
    query.way = {static_cast<float>(x), static_cast<float>(y)};
    queries.push_back(query);
  }
  return queries;
}

}  // namespace broadside::bench
