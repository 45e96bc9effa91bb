// A quadtree that is rebuilt after every change: a square is divided into four as long as it holds many
// boxes, and boxes that cross a dividing line stay where it divides. Source: R. A. Finkel and J. L. Bentley,
// "Quad Trees: A Data Structure for Retrieval on Composite Keys", 1974; for boxes, C. Ericson, "Real-Time
// Collision Detection", 2005, section 7.3.

#include <algorithm>
#include <numeric>

#include "tree_technique.hpp"
#include "trees_for_comparison.hpp"

namespace broadside::inline v0_2::detail {

namespace {

/// A leaf holds boxes; any other node holds the boxes that cross its dividing lines, and has four children:
/// left or right of `center.x`, below or above `center.y`.
struct Quad : OwnBoxes {
  Vec2 center;
};

class QuadtreeTechnique final : public RebuiltTree<QuadtreeTechnique, Quad> {
 public:
  [[nodiscard]] std::string_view name() const override { return "quadtree"; }

 private:
  friend class RebuiltTree<QuadtreeTechnique, Quad>;

  static constexpr int max_depth = 24;

  void visit_cells(CellVisitor visit) const override;

  void build() {
    region_ = bounds_of(order_);
    build(0, region_, 0);
  }
  void build(std::uint32_t index, const Aabb& region, int depth);
  [[nodiscard]] static Aabb quarter(const Aabb& region, Vec2 center, unsigned child);
  void visit_cells_of(std::uint32_t index, const Aabb& region, CellVisitor visit) const;

  template <typename Visit>
  std::uint64_t visit_below(std::uint32_t index, const Aabb& area, const Visit& visit) const {
    const Quad& node = nodes_[index];
    for (const BoxIndex box : own_boxes(node)) {
      visit(box);
    }
    std::uint64_t visited = 1;
    for (unsigned child = 0; node.children != 0 && child < 4; ++child) {
      const bool near_x = (child & 1U) != 0 ? area.max.x > node.center.x : area.min.x < node.center.x;
      const bool near_y = (child & 2U) != 0 ? area.max.y > node.center.y : area.min.y < node.center.y;
      if (near_x && near_y) {
        visited += visit_below(node.children + child, area, visit);
      }
    }
    return visited;
  }

  Aabb region_;  ///< of the root: the bounding box of all boxes
};

void QuadtreeTechnique::build(std::uint32_t index, const Aabb& region, int depth) {
  if (own_boxes(nodes_[index]).size() <= max_boxes_of_leaf || depth == max_depth) {
    return;
  }
  const Vec2 center{std::midpoint(region.min.x, region.max.x), std::midpoint(region.min.y, region.max.y)};
  nodes_[index].center = center;
  // 0: the box crosses or touches a dividing line; child + 1: it lies in the quarter of that child.
  const bool has_children = divide<4>(index, [&](BoxIndex name) {
    const Aabb& box = store().box(name);
    const bool right = box.min.x > center.x;
    const bool above = box.min.y > center.y;
    const bool crosses = (!right && box.max.x >= center.x) || (!above && box.max.y >= center.y);
    return crosses ? 0U : 1U + (right ? 1U : 0U) + (above ? 2U : 0U);
  });
  for (unsigned child = 0; has_children && child < 4; ++child) {
    build(nodes_[index].children + child, quarter(region, center, child), depth + 1);
  }
}

Aabb QuadtreeTechnique::quarter(const Aabb& region, Vec2 center, unsigned child) {
  const bool right = (child & 1U) != 0;
  const bool above = (child & 2U) != 0;
  return {{right ? center.x : region.min.x, above ? center.y : region.min.y},
          {right ? region.max.x : center.x, above ? region.max.y : center.y}};
}

void QuadtreeTechnique::visit_cells(CellVisitor visit) const {
  if (!nodes_.empty()) {
    visit_cells_of(0, region_, visit);
  }
}

void QuadtreeTechnique::visit_cells_of(std::uint32_t index, const Aabb& region, CellVisitor visit) const {
  const Quad& node = nodes_[index];
  if (const auto boxes = own_boxes(node); !boxes.empty()) {
    visit({.bounds = region, .boxes = boxes.size()}, boxes);
  }
  for (unsigned child = 0; node.children != 0 && child < 4; ++child) {
    visit_cells_of(node.children + child, quarter(region, node.center, child), visit);
  }
}

}  // namespace

std::unique_ptr<Technique> Quadtree::technique() {
  return std::make_unique<QuadtreeTechnique>();
}

}  // namespace broadside::inline v0_2::detail
