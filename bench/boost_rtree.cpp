#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <boost/version.hpp>

#include "contender.hpp"

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

/// Bulk-loads the movers again in each frame, which is faster than moving them, and the static boxes once.
class BoostRtree final : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "Boost 1.74 r-tree"; }
  [[nodiscard]] std::string version() const override { return BOOST_LIB_VERSION; }

  void load(const Trace& trace) override {
    std::vector<Value> values;
    for (const Aabb& box : trace.static_boxes) {
      values.emplace_back(as_box(box), static_cast<BoxIndex>(values.size()));
    }
    static_tree_ = Tree(values);
    first_moving_ = static_cast<BoxIndex>(values.size());
  }
  std::span<const Pair> step(std::span<const Aabb> moving) override {
    values_.clear();
    for (const Aabb& box : moving) {
      values_.emplace_back(as_box(box), first_moving_ + static_cast<BoxIndex>(values_.size()));
    }
    const Tree tree(values_);
    pairs_.clear();
    for (const auto& [box, shape] : values_) {
      const auto take_later = boost::make_function_output_iterator([this, shape = shape](const Value& other) {
        if (other.second > shape) {
          pairs_.push_back({shape, other.second});
        }
      });
      const auto take_static =
          boost::make_function_output_iterator([this, shape = shape](const Value& other) {
            pairs_.push_back({other.second, shape});
          });
      tree.query(bg::index::intersects(box), take_later);
      static_tree_.query(bg::index::intersects(box), take_static);
    }
    return pairs_;
  }

 private:
  Tree static_tree_;
  BoxIndex first_moving_ = 0;
  std::vector<Value> values_;
  std::vector<Pair> pairs_;
};

}  // namespace

std::unique_ptr<Contender> make_boost_rtree() {
  return std::make_unique<BoostRtree>();
}

}  // namespace broadside::bench
