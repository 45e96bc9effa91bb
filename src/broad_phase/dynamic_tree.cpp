// A binary tree of bounding boxes that is changed where boxes change: a leaf is larger than its box, and is
// inserted again only when the box leaves it. A new leaf goes where it makes the boxes above it grow least;
// rotations make nodes smaller, and others keep the tree from becoming a list.
// Source: G. van den Bergen, "Collision Detection in Interactive 3D Environments", 2003, section 5.3;
// N. Presson, btDbvt of Bullet, 2008; E. Catto, "Dynamic Bounding Volume Hierarchies", GDC 2019.

#include <algorithm>
#include <array>
#include <limits>

#include "tree_technique.hpp"
#include "trees_for_comparison.hpp"

namespace broadside::inline v0_2::detail {

namespace {

class DynamicTreeTechnique final : public TreeTechnique<DynamicTreeTechnique> {
 public:
  [[nodiscard]] std::string_view name() const override { return "dynamic-tree"; }

 private:
  friend class TreeTechnique<DynamicTreeTechnique>;

  using NodeIndex = std::uint32_t;
  static constexpr NodeIndex none = 0xFFFFFFFFU;
  static constexpr double margin = 0.1;  ///< of a leaf around its box (unit: half the perimeter of the box)

  struct Node {
    Aabb bounds;
    NodeIndex parent = none;  ///< the next unused node if this one is unused
    std::array<NodeIndex, 2> children = {none, none};
    BoxIndex box = 0;  ///< of a leaf
    int height = 0;    ///< 0 for a leaf

    [[nodiscard]] bool is_leaf() const { return children[0] == none; }
  };

  void on_added(std::span<const BoxIndex> indices) override;
  void on_moved(std::span<const BoxIndex> indices) override;
  void on_removed(BoxIndex index) override;
  void clear() override;
  void update() override;
  void visit_cells(CellVisitor visit) const override;
  [[nodiscard]] bool is_stale() const override { return false; }
  [[nodiscard]] std::size_t bytes() const override {
    return nodes_.capacity() * sizeof(Node) + leaves_.capacity() * sizeof(NodeIndex);
  }

  [[nodiscard]] static Aabb grown(const Aabb& box);
  [[nodiscard]] static double half_perimeter(const Aabb& box) {
    return double{box.max.x} - box.min.x + (double{box.max.y} - box.min.y);
  }
  [[nodiscard]] NodeIndex new_node();
  void free_node(NodeIndex node);
  void insert(BoxIndex index);
  void erase(BoxIndex index);
  [[nodiscard]] NodeIndex best_sibling(const Aabb& bounds) const;
  void replace_child(NodeIndex parent, NodeIndex old_child, NodeIndex new_child);
  void refit(NodeIndex node);
  void enclose_children(NodeIndex node);
  void shrink_child(NodeIndex node);
  NodeIndex balance(NodeIndex node);

  template <typename Visit>
  std::uint64_t visit_near(const Aabb& area, const Visit& visit) const {
    return root_ == none ? 0 : visit_near(root_, area, visit);
  }
  template <typename Visit>
  std::uint64_t visit_near(NodeIndex index, const Aabb& area, const Visit& visit) const {
    const Node& node = nodes_[index];
    if (!overlaps(node.bounds, area)) {
      return 1;
    }
    if (node.is_leaf()) {
      visit(node.box);
      return 1;
    }
    return 1 + visit_near(node.children[0], area, visit) + visit_near(node.children[1], area, visit);
  }

  std::vector<Node> nodes_;
  NodeIndex root_ = none;
  NodeIndex free_ = none;          ///< first unused node
  std::vector<NodeIndex> leaves_;  ///< [slots]
};

void DynamicTreeTechnique::on_added(std::span<const BoxIndex> indices) {
  leaves_.resize(store().slot_count(), none);
  for (const BoxIndex index : indices) {
    insert(index);
  }
}

void DynamicTreeTechnique::on_moved(std::span<const BoxIndex> indices) {
  for (const BoxIndex index : indices) {
    if (!encloses(nodes_[leaves_[index]].bounds, store().box(index))) {
      erase(index);
      insert(index);
    }
  }
}

void DynamicTreeTechnique::on_removed(BoxIndex index) {
  erase(index);
}

void DynamicTreeTechnique::clear() {
  nodes_.clear();
  leaves_.clear();
  root_ = none;
  free_ = none;
}

void DynamicTreeTechnique::update() {
  statistics_.entries = store().size();
  statistics_.occupied_cells = store().size();
  statistics_.cells = store().size() == 0 ? 0 : 2 * store().size() - 1;
}

/// Returns the bounds of a leaf.
Aabb DynamicTreeTechnique::grown(const Aabb& box) {
  constexpr float greatest = std::numeric_limits<float>::max();
  const auto by = static_cast<float>(std::min(margin * half_perimeter(box), double{greatest}));
  return {{std::max(box.min.x - by, -greatest), std::max(box.min.y - by, -greatest)},
          {std::min(box.max.x + by, greatest), std::min(box.max.y + by, greatest)}};
}

DynamicTreeTechnique::NodeIndex DynamicTreeTechnique::new_node() {
  NodeIndex node = free_;
  if (node == none) {
    node = static_cast<NodeIndex>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_ = nodes_[node].parent;
    nodes_[node] = Node();
  }
  return node;
}

void DynamicTreeTechnique::free_node(NodeIndex node) {
  nodes_[node].parent = free_;
  free_ = node;
}

void DynamicTreeTechnique::insert(BoxIndex index) {
  const NodeIndex leaf = new_node();
  nodes_[leaf].box = index;
  nodes_[leaf].bounds = grown(store().box(index));
  leaves_[index] = leaf;
  if (root_ == none) {
    root_ = leaf;
    return;
  }
  const NodeIndex sibling = best_sibling(nodes_[leaf].bounds);
  const NodeIndex parent = new_node();
  nodes_[parent].parent = nodes_[sibling].parent;
  nodes_[parent].children = {sibling, leaf};
  replace_child(nodes_[sibling].parent, sibling, parent);
  nodes_[sibling].parent = parent;
  nodes_[leaf].parent = parent;
  refit(parent);
}

void DynamicTreeTechnique::erase(BoxIndex index) {
  const NodeIndex leaf = leaves_[index];
  leaves_[index] = none;
  const NodeIndex parent = nodes_[leaf].parent;
  free_node(leaf);
  if (parent == none) {
    root_ = none;
    return;
  }
  const auto& children = nodes_[parent].children;
  const NodeIndex sibling = children[0] == leaf ? children[1] : children[0];
  const NodeIndex above = nodes_[parent].parent;
  nodes_[sibling].parent = above;
  replace_child(above, parent, sibling);
  free_node(parent);
  refit(above);
}

/// Descends as long as a child is cheaper than the node. The cost of a place is the half perimeter that it
/// adds to all nodes above.
DynamicTreeTechnique::NodeIndex DynamicTreeTechnique::best_sibling(const Aabb& bounds) const {
  NodeIndex best = root_;
  while (!nodes_[best].is_leaf()) {
    const Node& node = nodes_[best];
    const double merged = half_perimeter(merge(node.bounds, bounds));
    const double added_here = merged - half_perimeter(node.bounds);  // if the leaf goes further down
    const auto cost_in = [&](NodeIndex child) {
      const double own = nodes_[child].is_leaf() ? 0.0 : half_perimeter(nodes_[child].bounds);
      return half_perimeter(merge(nodes_[child].bounds, bounds)) - own + added_here;
    };
    const std::array<double, 2> costs = {cost_in(node.children[0]), cost_in(node.children[1])};
    const std::size_t cheaper = costs[1] < costs[0] ? 1 : 0;
    if (merged < costs[cheaper]) {
      break;
    }
    best = node.children[cheaper];
  }
  return best;
}

void DynamicTreeTechnique::replace_child(NodeIndex parent, NodeIndex old_child, NodeIndex new_child) {
  if (parent == none) {
    root_ = new_child;
    return;
  }
  auto& children = nodes_[parent].children;
  children[children[0] == old_child ? 0 : 1] = new_child;
}

/// Updates a node and all above it.
void DynamicTreeTechnique::refit(NodeIndex node) {
  while (node != none) {
    enclose_children(node);
    shrink_child(node);
    node = nodes_[balance(node)].parent;
  }
}

void DynamicTreeTechnique::enclose_children(NodeIndex node) {
  const Node& first = nodes_[nodes_[node].children[0]];
  const Node& second = nodes_[nodes_[node].children[1]];
  nodes_[node].bounds = merge(first.bounds, second.bounds);
  nodes_[node].height = 1 + std::max(first.height, second.height);
}

/// Exchanges a child of a node with a child of its other child, if that makes the latter smaller: the
/// exchange, of up to four, that shrinks it most.
void DynamicTreeTechnique::shrink_child(NodeIndex node) {
  double most_saved = 0.0;
  std::size_t shrunk = 0;     // the child that becomes smaller
  std::size_t exchanged = 0;  // its child that moves up
  for (std::size_t side = 0; side < 2; ++side) {
    const Node& child = nodes_[nodes_[node].children[side]];
    const Node& sibling = nodes_[nodes_[node].children[1 - side]];
    for (std::size_t k = 0; !child.is_leaf() && k < 2; ++k) {
      const Aabb bounds = merge(nodes_[child.children[1 - k]].bounds, sibling.bounds);
      const double saved = half_perimeter(child.bounds) - half_perimeter(bounds);
      if (saved > most_saved) {
        most_saved = saved;
        shrunk = side;
        exchanged = k;
      }
    }
  }
  if (most_saved <= 0.0) {
    return;
  }
  const NodeIndex child = nodes_[node].children[shrunk];
  const NodeIndex down = nodes_[node].children[1 - shrunk];
  const NodeIndex up = nodes_[child].children[exchanged];
  nodes_[node].children[1 - shrunk] = up;
  nodes_[up].parent = node;
  nodes_[child].children[exchanged] = down;
  nodes_[down].parent = child;
  enclose_children(child);
  enclose_children(node);
}

/// If one child of a node is much higher than the other, makes that child the parent of the node, which gets
/// the lower of its children instead. Returns the node that is now on top. Equal boxes would else make a
/// list.
DynamicTreeTechnique::NodeIndex DynamicTreeTechnique::balance(NodeIndex node) {
  constexpr int max_difference = 16;
  const auto height = [&](NodeIndex of, std::size_t child) {
    return nodes_[nodes_[of].children[child]].height;
  };
  const std::size_t high = height(node, 1) > height(node, 0) ? 1 : 0;
  if (height(node, high) - height(node, 1 - high) <= max_difference) {
    return node;
  }
  const NodeIndex top = nodes_[node].children[high];
  const std::size_t low = height(top, 1) < height(top, 0) ? 1 : 0;
  const NodeIndex moved = nodes_[top].children[low];
  nodes_[top].parent = nodes_[node].parent;
  replace_child(nodes_[node].parent, node, top);
  nodes_[top].children[low] = node;
  nodes_[node].parent = top;
  nodes_[node].children[high] = moved;
  nodes_[moved].parent = node;
  enclose_children(node);
  enclose_children(top);
  return top;
}

void DynamicTreeTechnique::visit_cells(CellVisitor visit) const {
  store().for_each([&](BoxIndex index) {
    visit({.bounds = nodes_[leaves_[index]].bounds, .boxes = 1}, std::span(&index, 1));
  });
}

}  // namespace

std::unique_ptr<Technique> DynamicTree::technique() {
  return std::make_unique<DynamicTreeTechnique>();
}

}  // namespace broadside::inline v0_2::detail
