// A k-d tree that is rebuilt after every change: a line through the median divides the boxes of a node along
// the axis of their larger spread, and boxes that cross the line stay where it divides. Source: J. L.
// Bentley, "Multidimensional Binary Search Trees Used for Associative Searching", 1975; for boxes, C.
// Ericson, "Real-Time Collision Detection", 2005, section 7.3.7.

#include <algorithm>
#include <limits>
#include <numeric>

#include "all_pairs.hpp"
#include "sort_by_bucket.hpp"
#include "tree_technique.hpp"
#include "trees_for_comparison.hpp"

namespace broadside::detail {

namespace {

class KdTreeTechnique final : public TreeTechnique<KdTreeTechnique> {
 public:
  [[nodiscard]] std::string_view name() const override { return "kd-tree"; }

 private:
  friend class TreeTechnique<KdTreeTechnique>;

  static constexpr std::size_t max_boxes_of_leaf = 8;

  /// A leaf holds boxes; any other node holds the boxes that cross its line, and two children: the boxes
  /// below the line and those above.
  struct Node {
    float line = 0.0F;  ///< position along the axis
    bool is_horizontal = false;
    std::uint32_t begin = 0;  ///< first of its own boxes in `order_`
    std::uint32_t end = 0;
    std::uint32_t children = 0;  ///< the first of two nodes; 0 for a leaf
  };
  struct Extent {
    float min;
    float max;
  };

  void on_added(std::span<const BoxIndex> /*indices*/) override { stale_ = true; }
  void on_moved(std::span<const BoxIndex> indices) override { stale_ = stale_ || !indices.empty(); }
  void on_removed(BoxIndex /*index*/) override { stale_ = true; }
  void clear() override { stale_ = true; }
  void update() override;
  void visit_cells(CellVisitor visit) const override;
  [[nodiscard]] bool is_stale() const override { return stale_; }
  [[nodiscard]] std::size_t bytes() const override {
    return (order_.capacity() + scratch_.capacity()) * sizeof(BoxIndex) +
           centers_.capacity() * sizeof(float) + nodes_.capacity() * sizeof(Node);
  }

  [[nodiscard]] static Extent extent(const Aabb& box, bool of_height) {
    return of_height ? Extent{box.min.y, box.max.y} : Extent{box.min.x, box.max.x};
  }
  [[nodiscard]] float center(BoxIndex index, bool of_height) const {
    const Extent box = extent(store().box(index), of_height);
    return std::midpoint(box.min, box.max);
  }
  [[nodiscard]] double spread(std::span<const BoxIndex> boxes, bool of_height) const;
  void build(std::uint32_t node, std::uint32_t begin, std::uint32_t end);
  [[nodiscard]] Aabb bounds_of(std::span<const BoxIndex> boxes) const;

  template <typename Visit>
  std::uint64_t visit_near(const Aabb& area, const Visit& visit) const {
    return nodes_.empty() ? 0 : visit_near(0, area, visit);
  }
  template <typename Visit>
  std::uint64_t visit_near(std::uint32_t index, const Aabb& area, const Visit& visit) const {
    const Node& node = nodes_[index];
    std::ranges::for_each(std::span(order_).subspan(node.begin, node.end - node.begin), visit);
    if (node.children == 0) {
      return 1;
    }
    const Extent side = extent(area, node.is_horizontal);
    return 1 + (side.min < node.line ? visit_near(node.children, area, visit) : 0) +
           (side.max > node.line ? visit_near(node.children + 1, area, visit) : 0);
  }

  bool stale_ = true;
  std::vector<BoxIndex> order_;  ///< the boxes by node
  std::vector<BoxIndex> scratch_;
  std::vector<float> centers_;  ///< scratch
  std::vector<Node> nodes_;     ///< the root first
};

void KdTreeTechnique::update() {
  if (!stale_) {
    return;
  }
  nodes_.clear();
  list_dynamic_first(store(), order_);
  scratch_.resize(order_.size());
  centers_.resize(order_.size());
  if (!order_.empty()) {
    nodes_.emplace_back();
    build(0, 0, static_cast<std::uint32_t>(order_.size()));
  }
  statistics_.cells = nodes_.size();
  statistics_.occupied_cells = static_cast<std::uint64_t>(
      std::ranges::count_if(nodes_, [](const Node& node) { return node.begin < node.end; }));
  statistics_.entries = order_.size();
  stale_ = false;
}

/// Returns the distance between the lowest and the highest center.
double KdTreeTechnique::spread(std::span<const BoxIndex> boxes, bool of_height) const {
  float lowest = std::numeric_limits<float>::max();
  float highest = -lowest;
  for (const BoxIndex index : boxes) {
    lowest = std::min(lowest, center(index, of_height));
    highest = std::max(highest, center(index, of_height));
  }
  return double{highest} - lowest;
}

// Each child has at most half of the boxes: those below the line have their center below the median.
void KdTreeTechnique::build(std::uint32_t node, std::uint32_t begin, std::uint32_t end) {
  nodes_[node].begin = begin;
  nodes_[node].end = end;
  if (end - begin <= max_boxes_of_leaf) {
    return;
  }
  const auto boxes = std::span(order_).subspan(begin, end - begin);
  const bool horizontal = spread(boxes, true) > spread(boxes, false);
  const auto centers = std::span(centers_).first(boxes.size());
  std::ranges::transform(boxes, centers.begin(), [&](BoxIndex index) { return center(index, horizontal); });
  const auto median = centers.begin() + static_cast<std::ptrdiff_t>(boxes.size() / 2);
  std::ranges::nth_element(centers, median);
  const float line = *median;
  // 0: the box crosses or touches the line; 1: it is below; 2: above.
  const auto starts = sort_by_bucket<3>(boxes, std::span(scratch_), [&](BoxIndex index) {
    const Extent side = extent(store().box(index), horizontal);
    return side.max < line ? 1U : side.min > line ? 2U : 0U;
  });
  nodes_[node].line = line;
  nodes_[node].is_horizontal = horizontal;
  nodes_[node].end = begin + starts[1];
  if (nodes_[node].end == end) {
    return;
  }
  const auto children = static_cast<std::uint32_t>(nodes_.size());
  nodes_[node].children = children;
  nodes_.resize(nodes_.size() + 2);
  build(children, begin + starts[1], begin + starts[2]);
  build(children + 1, begin + starts[2], end);
}

Aabb KdTreeTechnique::bounds_of(std::span<const BoxIndex> boxes) const {
  Aabb bounds = store().box(boxes[0]);
  for (const BoxIndex index : boxes) {
    bounds = merge(bounds, store().box(index));
  }
  return bounds;
}

void KdTreeTechnique::visit_cells(CellVisitor visit) const {
  for (const Node& node : nodes_) {
    const auto boxes = std::span(order_).subspan(node.begin, node.end - node.begin);
    if (!boxes.empty()) {
      visit({.bounds = bounds_of(boxes), .boxes = boxes.size()}, boxes);
    }
  }
}

}  // namespace

std::unique_ptr<Technique> create_kd_tree() {
  return std::make_unique<KdTreeTechnique>();
}

}  // namespace broadside::detail
