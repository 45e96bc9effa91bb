// A k-d tree that is rebuilt after every change: a line through the median divides the boxes of a node along
// the axis of their larger spread, and boxes that cross the line stay where it divides. Source: J. L.
// Bentley, "Multidimensional Binary Search Trees Used for Associative Searching", 1975; for boxes, C.
// Ericson, "Real-Time Collision Detection", 2005, section 7.3.7.

#include <algorithm>
#include <limits>
#include <numeric>

#include "tree_technique.hpp"
#include "trees_for_comparison.hpp"

namespace broadside::inline v0_2::detail {

namespace {

/// A leaf holds boxes; any other node holds the boxes that cross its line, and has two children: the boxes
/// below the line and those above.
struct Half : OwnBoxes {
  float line = 0.0F;  ///< position along the axis
  bool is_horizontal = false;
};

class KdTreeTechnique final : public RebuiltTree<KdTreeTechnique, Half> {
 public:
  [[nodiscard]] std::string_view name() const override { return "kd-tree"; }

 private:
  friend class RebuiltTree<KdTreeTechnique, Half>;

  struct Extent {
    float min;
    float max;
  };

  void visit_cells(CellVisitor visit) const override;
  [[nodiscard]] std::size_t bytes() const override { return RebuiltTree::bytes() + bytes_of(centers_); }

  [[nodiscard]] static Extent extent(const Aabb& box, bool of_height) {
    return of_height ? Extent{box.min.y, box.max.y} : Extent{box.min.x, box.max.x};
  }
  [[nodiscard]] float center(BoxIndex index, bool of_height) const {
    const Extent box = extent(store().box(index), of_height);
    return std::midpoint(box.min, box.max);
  }
  [[nodiscard]] double spread(std::span<const BoxIndex> boxes, bool of_height) const;
  void build() {
    centers_.resize(order_.size());
    build(0);
  }
  void build(std::uint32_t index);

  template <typename Visit>
  std::uint64_t visit_below(std::uint32_t index, const Aabb& area, const Visit& visit) const {
    const Half& node = nodes_[index];
    for (const BoxIndex box : own_boxes(node)) {
      visit(box);
    }
    if (node.children == 0) {
      return 1;
    }
    const Extent side = extent(area, node.is_horizontal);
    return 1 + (side.min < node.line ? visit_below(node.children, area, visit) : 0) +
           (side.max > node.line ? visit_below(node.children + 1, area, visit) : 0);
  }

  std::vector<float> centers_;  ///< scratch
};

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
void KdTreeTechnique::build(std::uint32_t index) {
  const auto boxes = own_boxes(nodes_[index]);
  if (boxes.size() <= max_boxes_of_leaf) {
    return;
  }
  const bool horizontal = spread(boxes, true) > spread(boxes, false);
  const auto centers = std::span(centers_).first(boxes.size());
  std::transform(boxes.begin(), boxes.end(), centers.begin(),
                 [&](BoxIndex name) { return center(name, horizontal); });
  const auto median = centers.begin() + static_cast<std::ptrdiff_t>(boxes.size() / 2);
  std::nth_element(centers.begin(), median, centers.end());
  const float line = *median;
  nodes_[index].line = line;
  nodes_[index].is_horizontal = horizontal;
  // 0: the box crosses or touches the line; 1: it is below; 2: above.
  const bool has_children = divide<2>(index, [&](BoxIndex name) {
    const Extent side = extent(store().box(name), horizontal);
    return side.max < line ? 1U : side.min > line ? 2U : 0U;
  });
  if (has_children) {
    build(nodes_[index].children);
    build(nodes_[index].children + 1);
  }
}

void KdTreeTechnique::visit_cells(CellVisitor visit) const {
  for (const Half& node : nodes_) {
    const auto boxes = own_boxes(node);
    if (!boxes.empty()) {
      visit({.bounds = bounds_of(boxes), .boxes = boxes.size()}, boxes);
    }
  }
}

}  // namespace

std::unique_ptr<Technique> KdTree::technique() {
  return std::make_unique<KdTreeTechnique>();
}

}  // namespace broadside::inline v0_2::detail
