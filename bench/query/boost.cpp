#include <algorithm>
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>

#include "contest.hpp"

namespace broadside::bench {

namespace {

namespace bg = boost::geometry;
using Point = bg::model::point<float, 2, bg::cs::cartesian>;
using Box = bg::model::box<Point>;
using Value = std::pair<Box, BoxIndex>;
using Tree = bg::index::rtree<Value, bg::index::linear<16>>;

Box as_box(const Aabb& box) {
  return {{box.min.x, box.min.y}, {box.max.x, box.max.y}};
}

Aabb as_aabb(const Box& box) {
  return {{box.min_corner().get<0>(), box.min_corner().get<1>()},
          {box.max_corner().get<0>(), box.max_corner().get<1>()}};
}

/// Packed, which is the fastest that it has. It knows no first hit, so it hands out all that the ray meets.
class Boost final : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "Boost 1.74 r-tree"; }
  [[nodiscard]] bool takes(const Question& /*question*/) const override { return true; }

  void load(std::span<const Aabb> boxes) override {
    std::vector<Value> values;
    for (const Aabb& box : boxes) {
      values.emplace_back(as_box(box), static_cast<BoxIndex>(values.size()));
    }
    tree_ = Tree(values);
  }

  Answer answer(const Question& question, const Query& query) override {
    const Point start(query.start.x, query.start.y);
    if (question.kind == Kind::area) {
      Answer sum = 0.0;
      tree_.query(bg::index::intersects(as_box(query.area)),
                  boost::make_function_output_iterator(
                      [&sum](const Value& value) { sum += static_cast<double>(value.second) + 1.0; }));
      return sum;
    }
    if (question.kind == Kind::nearest) {
      Answer sum = 0.0;
      tree_.query(bg::index::nearest(start, static_cast<unsigned>(question.count)),
                  boost::make_function_output_iterator([&](const Value& value) {
                    sum += static_cast<double>(distance_to(as_aabb(value.first), query.start));
                  }));
      return sum;
    }
    const Vec2 end = query.start + query.way;
    float first = 2.0F;
    tree_.query(bg::index::intersects(bg::model::segment<Point>(start, Point(end.x, end.y))),
                boost::make_function_output_iterator([&](const Value& value) {
                  first = std::min(first, entry_time(as_aabb(value.first), query.start, query.way));
                }));
    return static_cast<double>(first);
  }

 private:
  Tree tree_;
};

}  // namespace

std::unique_ptr<Contender> make_boost() {
  return std::make_unique<Boost>();
}

}  // namespace broadside::bench
