#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/detail/near.hpp"
#include "broadside/broad_phase/detail/swept_box.hpp"

namespace broadside::detail {

/// A packed tree of boxes for queries: all boxes of one state, tiled by their middles.
///
///     ┌──────────────┐   Slices by x, and tiles in each by y, so that tiles are about square; and each tile
///     │ ┌──┐┌──┐     │   again, down to sixteen boxes, which make a leaf. Sixteen leaves make a node, and so
///     │ └──┘└──┘┌──┐ │   on. A node holds the sides of its children as arrays, so that all are compared at
///     │   ┌──┐  └──┘ │   once. Whose children they are is told by their places alone, and the names of all
///     └───┴──┴───────┘   that is below a node stand side by side: an area that holds a node copies them.
///
/// It is made by the queries of one state of the boxes, once they have spent about as much time without it as
/// it takes to make it: a frame in which few ask pays nothing. Calls of const functions may run side by side:
/// one of them makes it, and the others do without meanwhile. Room is made with the first tree, and
/// later where boxes are added.
///
/// Complexity: made in O(n log n); a look goes down O(log n) nodes. Memory: 54 bytes a box.
///
/// Source: S. T. Leutenegger, M. A. Lopez, J. Edgington, "STR: a simple and efficient algorithm for R-tree
/// packing", 1997; here level by level from the top, so that the nodes of each are about square.
class BoxTree {
 public:
  static constexpr std::size_t fanout = 16;
  static constexpr std::size_t max_roots = 4;
  static constexpr std::size_t max_height = 8;

  /// The sides of the children. Those that are not there hold nothing: their sides are the wrong way round.
  struct alignas(64) Node {
    std::array<float, fanout> min_x;
    std::array<float, fanout> max_x;
    std::array<float, fanout> min_y;
    std::array<float, fanout> max_y;
  };
  /// What the kernels read. Child i of node k is node 16 k + i of the level below, or the box of that name.
  /// The topmost level, which is not that of the leaves, has up to `max_roots` nodes.
  struct View {
    const Node* nodes;
    const BoxIndex* names;
    std::size_t size;
    std::size_t height;                                 ///< levels; leaves are level 0
    std::size_t roots;                                  ///< nodes of the topmost level
    std::array<std::uint32_t, max_height> level_begin;  ///< where the nodes of each level begin
    std::uint32_t* looks;                               ///< [nodes] one more for each look; may be null
  };

  /// Forgets all: there are so many boxes now.
  void reset(std::size_t boxes);

  /// Tells whether there is a tree to ask.
  [[nodiscard]] bool is_made() const { return state_.load(std::memory_order_acquire) == State::made; }

  /// Tells whether somebody should call `pay`.
  [[nodiscard]] bool is_wanted() const { return state_.load(std::memory_order_relaxed) == State::none; }

  /// Takes note that a query spent the time in which so many boxes could be put into the tree, and makes it
  /// if that was enough for all. Where memory runs out there is no tree, and queries go on without; one may
  /// be made once as much was spent again.
  void pay(std::size_t worth, std::span<const Aabb> boxes, std::span<const unsigned char> used) const;

  // What follows may be asked where the tree is made. Where `looks` [nodes] are given, in the order of
  // `append_nodes`, each node that is looked into has one more of them.

  /// Appends the names of the boxes that overlap an area.
  void find_in(const Aabb& area, std::vector<BoxIndex>& hits, std::uint32_t* looks = nullptr) const;

  /// The same, those that lie within the area wholly apart from those that cross its edge.
  void find_apart(const Aabb& area, std::vector<BoxIndex>& within, std::vector<BoxIndex>& crossing,
                  std::uint32_t* looks = nullptr) const;

  /// Hands out the boxes that a path touches, as `BroadPhase::follow` does.
  void walk(const SweptBox& path, VisitSwept visit, std::uint32_t* looks = nullptr) const;

  /// Hands out the boxes around a point, as `BroadPhase::approach` does.
  void approach(const NearQuery& query, NearestScratch& scratch, VisitNear visit,
                std::uint32_t* looks = nullptr) const;

  /// Returns how many nodes there are.
  [[nodiscard]] std::size_t node_count() const { return level_begin_[height_ - 1] + roots_; }

  /// Appends all nodes, each with its level and with the number of boxes below it.
  void append_nodes(std::vector<Cell>& nodes) const;

  /// Returns the bytes held: as of the last tree that was made, or tried.
  [[nodiscard]] std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  // Of four bytes: some processors (riscv64) exchange a single one only by a call to another library.
  enum class State : std::uint32_t { none, in_the_making, made, useless };
  static constexpr std::size_t max_bins = 512;
  /// The middle of a box.
  struct Item {
    float x;
    float y;
    BoxIndex name;
    std::uint32_t bin;  ///< while they are sorted
  };
  struct Range {
    float low;
    float high;
    [[nodiscard]] double size() const { return static_cast<double>(high) - static_cast<double>(low); }
  };

  void make(std::span<const Aabb> boxes, std::span<const unsigned char> used) const;
  void reserve() const;
  void arrange(std::size_t begin, std::size_t end, std::size_t tile) const;
  template <float Item::*axis>
  [[nodiscard]] Range range(std::size_t begin, std::size_t end) const;
  template <float Item::*axis>
  void sort(std::size_t begin, std::size_t end, const Range& range) const;
  template <float Item::*axis>
  std::size_t deal_out(std::size_t begin, std::size_t end, const Range& range, std::size_t bins) const;
  void fill(std::span<const Aabb> boxes) const;
  [[nodiscard]] View view(std::uint32_t* looks) const {
    return {nodes_.data(), names_.data(), size_, height_, roots_, level_begin_, looks};
  }

  mutable std::atomic<State> state_ = State::useless;
  mutable std::atomic<std::size_t> paid_ = 0;
  mutable std::atomic<std::size_t> bytes_ = 0;
  std::size_t size_ = 0;
  // Written by the one who makes it.
  mutable std::size_t height_ = 0;
  mutable std::size_t roots_ = 0;
  mutable std::array<std::uint32_t, max_height> level_begin_{};
  mutable std::vector<Node> nodes_;
  mutable std::vector<BoxIndex> names_;
  mutable std::vector<Item> items_;  ///< [size] scratch
  mutable std::vector<Item> other_;  ///< [size] scratch
};

}  // namespace broadside::detail
