#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "all_pairs.hpp"
#include "base/reserve.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "sort_by_bucket.hpp"

namespace broadside::inline v0_2::detail {

/// What the trees for comparison share: each dynamic box searches the tree for the boxes that it overlaps.
///
/// They are textbook structures, to compare the default with; no option tunes them.
/// @tparam Tree the derived class; its `visit_near(area, visit)` visits a set of boxes that includes all
/// which overlap an area, each once, and returns the number of nodes visited
template <typename Tree>
class TreeTechnique : public Technique {
 protected:
  void collect_pairs(PairBuffer& pairs) override {
    store().for_each([&](BoxIndex index) {
      if (store().type(index) != BodyType::dynamic) {
        return;
      }
      statistics_.cells_visited += tree().visit_near(store().box(index), [&](BoxIndex other) {
        // Of two dynamic boxes the one with the smaller index reports the pair.
        if (store().type(other) != BodyType::dynamic || index < other) {
          test_pair(store(), index, other, statistics_.tests, pairs);
        }
      });
    });
  }
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override {
    tree().visit_near(area, [&](BoxIndex index) {
      if (overlaps(store().box(index), area)) {
        hits.push_back(index);
      }
    });
  }
  [[nodiscard]] bool applies_filters() const override { return true; }

 private:
  [[nodiscard]] const Tree& tree() const { return static_cast<const Tree&>(*this); }
};

/// The part of the boxes that a node of a `RebuiltTree` holds itself; its children hold others.
struct OwnBoxes {
  std::uint32_t begin = 0;  ///< in `order_`
  std::uint32_t end = 0;
  std::uint32_t children = 0;  ///< the first child, which the others follow; 0 for a leaf
};

/// A tree that is rebuilt after every change.
/// @tparam Tree the derived class; its `build()` divides the root, which holds all boxes, of which there are
/// some. Its `visit_below(node, area, visit)` does what `visit_near` does, for a node and those below
/// @tparam Node derives from `OwnBoxes`
template <typename Tree, typename Node>
class RebuiltTree : public TreeTechnique<Tree> {
 public:
  template <typename Visit>
  std::uint64_t visit_near(const Aabb& area, const Visit& visit) const {
    return nodes_.empty() ? 0 : static_cast<const Tree&>(*this).visit_below(0, area, visit);
  }

 protected:
  static constexpr std::uint32_t max_boxes_of_leaf = 8;

  void on_added(std::span<const BoxIndex> /*indices*/) override { stale_ = true; }
  void on_moved(std::span<const BoxIndex> indices) override { stale_ = stale_ || !indices.empty(); }
  void on_removed(BoxIndex /*index*/) override { stale_ = true; }
  void clear() override { stale_ = true; }
  [[nodiscard]] bool is_stale() const override { return stale_; }
  [[nodiscard]] std::size_t bytes() const override { return bytes_of(order_, scratch_, nodes_); }

  void update() override {
    if (!stale_) {
      return;
    }
    nodes_.clear();
    list_dynamic_first(this->store(), order_);
    scratch_.resize(order_.size());
    if (!order_.empty()) {
      nodes_.emplace_back();
      nodes_[0].end = static_cast<std::uint32_t>(order_.size());
      static_cast<Tree&>(*this).build();
    }
    Statistics& statistics = this->statistics_;
    statistics.cells = nodes_.size();
    statistics.occupied_cells = static_cast<std::uint64_t>(
        std::count_if(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.begin < node.end; }));
    statistics.entries = order_.size();
    stale_ = false;
  }

  /// Leaves the boxes of bucket 0 to a node, and gives those of each other bucket to a new child, if there
  /// are any. Returns whether it has children.
  template <std::size_t Children, typename BucketOf>
  bool divide(std::uint32_t index, const BucketOf& bucket_of) {
    const std::uint32_t begin = nodes_[index].begin;
    const auto starts = sort_by_bucket<Children + 1>(own_boxes(nodes_[index]), scratch_, bucket_of);
    if (starts[1] == starts.back()) {
      return false;
    }
    nodes_[index].end = begin + starts[1];
    const auto children = static_cast<std::uint32_t>(nodes_.size());
    nodes_[index].children = children;
    nodes_.resize(nodes_.size() + Children);
    for (std::uint32_t child = 0; child < Children; ++child) {
      nodes_[children + child].begin = begin + starts[child + 1];
      nodes_[children + child].end = begin + starts[child + 2];
    }
    return true;
  }

  [[nodiscard]] std::span<BoxIndex> own_boxes(const Node& node) {
    return std::span(order_).subspan(node.begin, node.end - node.begin);
  }
  [[nodiscard]] std::span<const BoxIndex> own_boxes(const Node& node) const {
    return std::span(order_).subspan(node.begin, node.end - node.begin);
  }
  /// Returns the bounding box of some boxes. @pre there is one
  [[nodiscard]] Aabb bounds_of(std::span<const BoxIndex> boxes) const {
    Aabb bounds = this->store().box(boxes[0]);
    for (const BoxIndex index : boxes) {
      bounds = merge(bounds, this->store().box(index));
    }
    return bounds;
  }

  std::vector<BoxIndex> order_;  ///< the boxes by node
  std::vector<BoxIndex> scratch_;
  std::vector<Node> nodes_;  ///< the root first

 private:
  bool stale_ = true;
};

}  // namespace broadside::inline v0_2::detail
