// A quadtree that is rebuilt after every change: a square is divided into four as long as it holds many
// boxes, and boxes that cross a dividing line stay where it divides. Source: R. A. Finkel and J. L. Bentley,
// "Quad Trees: A Data Structure for Retrieval on Composite Keys", 1974; for boxes, C. Ericson, "Real-Time
// Collision Detection", 2005, section 7.3.

#include <algorithm>
#include <numeric>

#include "all_pairs.hpp"
#include "sort_by_bucket.hpp"
#include "tree_technique.hpp"
#include "trees_for_comparison.hpp"

namespace broadside::detail {

namespace {

class QuadtreeTechnique final : public TreeTechnique<QuadtreeTechnique> {
 public:
  [[nodiscard]] std::string_view name() const override { return "quadtree"; }

 private:
  friend class TreeTechnique<QuadtreeTechnique>;

  static constexpr std::size_t max_boxes_of_leaf = 8;
  static constexpr int max_depth = 24;

  /// A leaf holds boxes; any other node holds the boxes that cross its dividing lines, and four children:
  /// left or right of `center.x`, below or above `center.y`.
  struct Node {
    Vec2 center;
    std::uint32_t begin = 0;  ///< first of its own boxes in `order_`
    std::uint32_t end = 0;
    std::uint32_t children = 0;  ///< the first of four nodes; 0 for a leaf
  };

  void on_added(std::span<const BoxIndex> /*indices*/) override { stale_ = true; }
  void on_moved(std::span<const BoxIndex> indices) override { stale_ = stale_ || !indices.empty(); }
  void on_removed(BoxIndex /*index*/) override { stale_ = true; }
  void clear() override { stale_ = true; }
  void update() override;
  void visit_cells(CellVisitor visit) const override;
  [[nodiscard]] bool is_stale() const override { return stale_; }
  [[nodiscard]] std::size_t bytes() const override {
    return (order_.capacity() + scratch_.capacity()) * sizeof(BoxIndex) + nodes_.capacity() * sizeof(Node);
  }

  void build(std::uint32_t node, const Aabb& region, std::uint32_t begin, std::uint32_t end, int depth);
  [[nodiscard]] static Aabb quarter(const Aabb& region, Vec2 center, unsigned child);
  void visit_cells_of(std::uint32_t node, const Aabb& region, CellVisitor visit) const;

  template <typename Visit>
  std::uint64_t visit_near(const Aabb& area, const Visit& visit) const {
    return nodes_.empty() ? 0 : visit_near(0, area, visit);
  }
  template <typename Visit>
  std::uint64_t visit_near(std::uint32_t index, const Aabb& area, const Visit& visit) const {
    const Node& node = nodes_[index];
    std::ranges::for_each(std::span(order_).subspan(node.begin, node.end - node.begin), visit);
    std::uint64_t visited = 1;
    for (unsigned child = 0; node.children != 0 && child < 4; ++child) {
      const bool near_x = (child & 1U) != 0 ? area.max.x > node.center.x : area.min.x < node.center.x;
      const bool near_y = (child & 2U) != 0 ? area.max.y > node.center.y : area.min.y < node.center.y;
      if (near_x && near_y) {
        visited += visit_near(node.children + child, area, visit);
      }
    }
    return visited;
  }

  bool stale_ = true;
  Aabb region_;                  ///< of the root: the bounding box of all boxes
  std::vector<BoxIndex> order_;  ///< the boxes by node
  std::vector<BoxIndex> scratch_;
  std::vector<Node> nodes_;  ///< the root first
};

void QuadtreeTechnique::update() {
  if (!stale_) {
    return;
  }
  nodes_.clear();
  list_dynamic_first(store(), order_);
  if (!order_.empty()) {
    region_ = store().box(order_[0]);
    for (const BoxIndex index : order_) {
      region_ = merge(region_, store().box(index));
    }
    nodes_.emplace_back();
    scratch_.resize(order_.size());
    build(0, region_, 0, static_cast<std::uint32_t>(order_.size()), 0);
  }
  statistics_.cells = nodes_.size();
  statistics_.occupied_cells = static_cast<std::uint64_t>(
      std::ranges::count_if(nodes_, [](const Node& node) { return node.begin < node.end; }));
  statistics_.entries = order_.size();
  stale_ = false;
}

void QuadtreeTechnique::build(std::uint32_t node, const Aabb& region, std::uint32_t begin, std::uint32_t end,
                              int depth) {
  nodes_[node].begin = begin;
  nodes_[node].end = end;
  if (end - begin <= max_boxes_of_leaf || depth == max_depth) {
    return;
  }
  const Vec2 center{std::midpoint(region.min.x, region.max.x), std::midpoint(region.min.y, region.max.y)};
  // 0: the box crosses or touches a dividing line; child + 1: it lies in the quarter of that child.
  const auto bucket_of = [&](BoxIndex index) {
    const Aabb& box = store().box(index);
    const bool right = box.min.x > center.x;
    const bool above = box.min.y > center.y;
    const bool crosses = (!right && box.max.x >= center.x) || (!above && box.max.y >= center.y);
    return crosses ? 0U : 1U + (right ? 1U : 0U) + (above ? 2U : 0U);
  };
  const auto starts =
      sort_by_bucket<5>(std::span(order_).subspan(begin, end - begin), std::span(scratch_), bucket_of);
  nodes_[node].center = center;
  nodes_[node].end = begin + starts[1];
  if (nodes_[node].end == end) {
    return;
  }
  const auto children = static_cast<std::uint32_t>(nodes_.size());
  nodes_[node].children = children;
  nodes_.resize(nodes_.size() + 4);
  for (unsigned child = 0; child < 4; ++child) {
    build(children + child, quarter(region, center, child), begin + starts[child + 1],
          begin + starts[child + 2], depth + 1);
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
  const Node& node = nodes_[index];
  if (node.begin < node.end) {
    visit({.bounds = region, .boxes = node.end - node.begin},
          std::span(order_).subspan(node.begin, node.end - node.begin));
  }
  for (unsigned child = 0; node.children != 0 && child < 4; ++child) {
    visit_cells_of(node.children + child, quarter(region, node.center, child), visit);
  }
}

}  // namespace

std::unique_ptr<Technique> create_quadtree() {
  return std::make_unique<QuadtreeTechnique>();
}

}  // namespace broadside::detail
