#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "near.hpp"
#include "swept_box.hpp"

namespace broadside::inline v0_2::detail {

/// A packed R-tree for queries, tiled by the centers of the boxes.
///
///     ┌──────────────┐   Slices by x, divided into tiles by y, so that tiles are about square. Each tile is
///     │ ┌──┐┌──┐     │   divided again, down to leaves of sixteen boxes. Sixteen leaves make a node, and so
///     │ └──┘└──┘┌──┐ │   on. A node stores the sides of its children as arrays, so that all are compared
///     │   ┌──┐  └──┘ │   at once. Children are found by position, without pointers. The names of all boxes
///     └───┴──┴───────┘   below a node are contiguous: a query area that contains a node copies them.
///
/// Queries build the tree once they have spent about as much time without it as building it takes (the
/// ski-rental rule), so a frame with few queries pays nothing. Const calls may run concurrently: one of them
/// builds the tree, while the others do without. Memory is allocated with the first tree, and later in
/// `reset` if boxes were added.
///
/// A tree follows the moves of some boxes: the nodes above a box grow so that they hold it. After many moves
/// the nodes would overlap too much, and the tree is discarded.
///
/// If boxes have filters, each node also stores the layers of the boxes below each child, so that a query of
/// a few layers skips what has none of them.
///
/// @par Complexity
/// Built in O(n log n); a search descends O(log n) levels; `move` and `remove` take O(log n). Memory: 58
/// bytes per box; 63 with filters.
/// @par Source
/// S. T. Leutenegger, M. A. Lopez, J. Edgington, "STR: a simple and efficient algorithm for R-tree packing",
/// 1997; here top-down, level by level, so that the nodes of each level are about square.
class BoxTree {
 public:
  static constexpr std::size_t fanout = 16;
  static constexpr std::size_t max_roots = 4;
  static constexpr std::size_t max_height = 8;

  /// The sides of the children. Missing children are inverted boxes, which overlap nothing.
  struct alignas(64) Node {
    std::array<float, fanout> min_x;
    std::array<float, fanout> max_x;
    std::array<float, fanout> min_y;
    std::array<float, fanout> max_y;
  };
  /// The layers of the boxes below each child, as `layer_bits`.
  struct alignas(64) Layers {
    std::array<std::uint32_t, fanout> of_child;
  };
  /// What the kernels read. Child i of node k is node 16 k + i of the level below, or, of a leaf, the box
  /// `names[16 k + i]`. The topmost level, never that of the leaves, has up to `max_roots` nodes.
  struct View {
    const Node* nodes;
    const BoxIndex* names;
    std::size_t size;
    std::size_t height;                                 ///< levels; leaves are level 0
    std::size_t roots;                                  ///< nodes of the topmost level
    std::array<std::uint32_t, max_height> level_begin;  ///< where the nodes of each level begin
    std::uint32_t* visits;                              ///< [nodes] counts visits; may be null
    const Layers* layers;                               ///< [nodes]; null if they are not known
  };

  /// The boxes of a tree, by name.
  struct Boxes {
    std::span<const Aabb> boxes;                       ///< [names]
    std::span<const unsigned char> used;               ///< [names] 1 for a box, 0 for none
    std::span<const std::uint16_t> kind_numbers = {};  ///< [names]; empty if no box has a filter
    std::span<const BoxKind> kinds = {};               ///< by number
  };

  /// The name of a removed box.
  static constexpr BoxIndex removed = std::numeric_limits<BoxIndex>::max();

  /// Discards the tree; the next one will hold `boxes` boxes, with names below `names_end`.
  void reset(std::size_t boxes, std::size_t names_end);

  /// Moves boxes [m] of the tree, if it is built. Returns false, and does nothing, after so many changes that
  /// a new tree is better: then call `reset`.
  [[nodiscard]] bool move(std::span<const BoxIndex> names, std::span<const Aabb> boxes);
  /// Does the same to remove a box. Queries for areas may find the name `removed` in its place.
  [[nodiscard]] bool remove(BoxIndex name);
  [[nodiscard]] bool has_removed() const { return has_removed_; }
  /// Tells the tree, if it is built, that a box is on these layers now.
  void set_layers(BoxIndex name, std::uint64_t layers);

  /// Returns whether the tree is built.
  [[nodiscard]] bool is_built() const { return state_.load(std::memory_order_acquire) == State::built; }

  /// Returns whether queries should call `add_query_cost`.
  [[nodiscard]] bool needs_cost() const { return state_.load(std::memory_order_relaxed) == State::none; }

  /// Adds the cost of a query (unit: inserting one box into the tree), and builds the tree once the sum is
  /// enough for all boxes. If memory runs out, queries go on without a tree; the next attempt is made after
  /// the same cost again.
  void add_query_cost(std::size_t cost, const Boxes& all) const;

  /// Returns the tree for the kernels. If `visits` [nodes] is given, in the order of
  /// `append_nodes`, they count the visits of each node.
  /// @pre is_built(); the same below
  [[nodiscard]] View view(std::uint32_t* visits = nullptr) const {
    return {nodes_.data(), names_.data(), size_,  height_,
            roots_,        level_begin_,  visits, has_layers_ ? layers_.data() : nullptr};
  }

  /// Returns the number of nodes.
  [[nodiscard]] std::size_t node_count() const { return level_begin_[height_ - 1] + roots_; }

  /// Appends all nodes, each with its level and with the number of boxes below it.
  void append_nodes(std::vector<Cell>& nodes) const;

  /// Returns the bytes held, as of the last time that memory was reserved, even if that failed.
  [[nodiscard]] std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  // Four bytes: some processors (riscv64) can exchange a single byte only by a call to another library.
  enum class State : std::uint32_t { none, building, built, useless };
  static constexpr std::size_t max_bins = 512;
  /// The center of a box.
  struct Item {
    float x;
    float y;
    BoxIndex name;
    std::uint32_t bin;  ///< scratch of the sort
  };
  struct Range {
    float low;
    float high;
    [[nodiscard]] double size() const { return static_cast<double>(high) - static_cast<double>(low); }
  };

  bool count_changes(std::size_t more);
  void set(BoxIndex name, const Aabb& box);
  void make(const Boxes& all) const;
  void make_layers(const Boxes& all) const;
  void reserve() const;
  void arrange(std::size_t begin, std::size_t end, std::size_t tile) const;
  template <float Item::*axis>
  [[nodiscard]] Range range(std::size_t begin, std::size_t end) const;
  template <float Item::*axis>
  void sort(std::size_t begin, std::size_t end, const Range& range) const;
  template <float Item::*axis>
  std::size_t distribute(std::size_t begin, std::size_t end, const Range& range, std::size_t bins) const;

  mutable std::atomic<State> state_ = State::useless;
  mutable std::atomic<std::size_t> query_cost_ = 0;
  mutable std::atomic<std::size_t> bytes_ = 0;
  std::size_t size_ = 0;
  std::size_t names_end_ = 0;
  std::size_t changes_ = 0;  ///< since the last `reset`
  bool has_removed_ = false;
  // Written by the thread that builds the tree.
  mutable std::size_t height_ = 0;
  mutable std::size_t roots_ = 0;
  mutable std::array<std::uint32_t, max_height> level_begin_{};
  mutable bool has_layers_ = false;
  mutable std::vector<Node> nodes_;
  mutable std::vector<Layers> layers_;
  mutable std::vector<BoxIndex> names_;
  mutable std::vector<std::uint32_t> places_;  ///< by name: where it is in `names_`
  mutable std::vector<Item> items_;            ///< [size] scratch
  mutable std::vector<Item> scratch_;          ///< [size] scratch
};

/// Returns 64 layers as 32 bits, two layers to a bit: a box is on one of some layers only if their bits meet.
[[nodiscard]] constexpr std::uint32_t layer_bits(std::uint64_t layers) {
  return static_cast<std::uint32_t>(layers | layers >> 32U);
}

/// Counts a visit to a node, if queries are watched.
inline void count_visit(const BoxTree::View& view, const BoxTree::Node& node) {
  if (view.visits != nullptr) {
    ++view.visits[&node - view.nodes];
  }
}

/// Appends the boxes that overlap an area: those wholly within it to `within`, the others to `crossing`,
/// which may be the same list.
void find_split(const BoxTree::View& view, const Aabb& area, std::vector<BoxIndex>& within,
                std::vector<BoxIndex>& crossing);

/// Visits the boxes that a swept box touches, like `BoxSearch::visit_along_path`.
void walk(const BoxTree::View& view, const SweptBox& path, std::uint64_t layers, VisitSwept visit);

/// Visits the boxes around a point, like `BoxSearch::visit_nearest`.
void visit_nearest(const BoxTree::View& view, const NearQuery& query, NearestScratch& scratch,
                   VisitNear visit);

}  // namespace broadside::inline v0_2::detail
