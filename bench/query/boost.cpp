#include <algorithm>
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>

#include "broadside/contact/collide.hpp"
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

/// Builds a packed tree, the fastest kind it has.
Tree make_tree(std::span<const Aabb> boxes) {
  std::vector<Value> values;
  for (const Aabb& box : boxes) {
    values.emplace_back(as_box(box), static_cast<BoxIndex>(values.size()));
  }
  return Tree(values);
}

/// Tests boxes only, in any order. It has no query for the first hit, so it visits all boxes on the ray.
class Boost final : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "Boost 1.74 r-tree"; }
  [[nodiscard]] bool takes(const Question& /*question*/) const override { return true; }
  [[nodiscard]] Job job(const Question& question) const override {
    return question.kind == Kind::area ? Job::boxes : Job::shapes;
  }

  void load(std::span<const Aabb> boxes) override { tree_ = make_tree(boxes); }

  Answer answer(const Question& question, const Query& query) override {
    const Point start(query.start.x, query.start.y);
    if (question.kind == Kind::area) {
      std::uint64_t sum = 0;
      tree_.query(bg::index::intersects(as_box(query.area)),
                  boost::make_function_output_iterator(
                      [&sum](const Value& value) { sum += std::uint64_t{value.second} + 1; }));
      return static_cast<Answer>(sum);
    }
    if (question.kind == Kind::nearest) {
      Answer sum = 0.0;
      visit(question, bg::index::nearest(start, static_cast<unsigned>(question.count)),
            [&](const Value& value) {
              sum += static_cast<double>(distance_to(as_aabb(value.first), query.start));
            });
      return sum;
    }
    const Vec2 end = query.start + query.way;
    float first = 2.0F;
    visit(question, bg::index::intersects(bg::model::segment<Point>(start, Point(end.x, end.y))),
          [&](const Value& value) {
            first = std::min(first, entry_time(as_aabb(value.first), query.start, query.way));
          });
    return static_cast<double>(first);
  }

 private:
  template <typename Predicate, typename Take>
  void visit(const Question& question, const Predicate& predicate, const Take& take) const {
    if (question.rare) {
      const auto is_rare = [](const Value& value) { return layer_of(value.second) == rare_layer; };
      tree_.query(predicate && bg::index::satisfies(is_rare), boost::make_function_output_iterator(take));
    } else {
      tree_.query(predicate, boost::make_function_output_iterator(take));
    }
  }

  Tree tree_;
};

/// Tests shapes as we do: shapes on the border of the area are tested, and the results are sorted.
class BoostShapes final : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "Boost, shapes"; }
  [[nodiscard]] bool takes(const Question& question) const override { return question.kind == Kind::area; }

  void load(std::span<const Aabb> boxes) override {
    tree_ = make_tree(boxes);
    shapes_.clear();
    transforms_.clear();
    for (const Aabb& box : boxes) {
      shapes_.emplace_back(broadside::Box::of_size(box.max - box.min));
      transforms_.push_back({0.5F * (box.min + box.max), {}});
    }
  }

  Answer answer(const Question& /*question*/, const Query& query) override {
    const Aabb& area = query.area;
    const Shape of_area = broadside::Box::of_size(area.max - area.min);
    const Transform at{0.5F * (area.min + area.max), {}};
    found_.clear();
    tree_.query(bg::index::intersects(as_box(area)),
                boost::make_function_output_iterator([&](const Value& value) {
                  const Aabb box = as_aabb(value.first);
                  const bool is_within = area.min.x <= box.min.x && box.max.x <= area.max.x &&
                                         area.min.y <= box.min.y && box.max.y <= area.max.y;
                  if (is_within || overlaps(shapes_[value.second], transforms_[value.second], of_area, at)) {
                    found_.push_back(value.second);
                  }
                }));
    std::sort(found_.begin(), found_.end());
    std::uint64_t sum = 0;
    for (const BoxIndex index : found_) {
      sum += std::uint64_t{index} + 1;
    }
    return static_cast<Answer>(sum);
  }

 private:
  Tree tree_;
  std::vector<Shape> shapes_;
  std::vector<Transform> transforms_;
  std::vector<BoxIndex> found_;
};

}  // namespace

std::unique_ptr<Contender> make_boost() {
  return std::make_unique<Boost>();
}

std::unique_ptr<Contender> make_boost_shapes() {
  return std::make_unique<BoostShapes>();
}

}  // namespace broadside::bench
