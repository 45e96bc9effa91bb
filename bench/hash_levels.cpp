#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "contender.hpp"

namespace broadside::bench {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// A cell of a level: cells of level l have sides of 2^l.
struct Cell {
  std::int32_t level;
  std::int32_t x;
  std::int32_t y;

  friend bool operator==(const Cell&, const Cell&) = default;
};

// A hierarchical hash grid. Each box is in one cell of the level whose cells are just large enough, the cell
// of its center, so it reaches at most half a cell beyond. A hash table maps cells to lists of boxes; a box
// changes its list only if it has changed its cell.
//
// Source: C. Ericson, Real-Time Collision Detection, 2005, section 7.2.1; as a class, after the description
// of P. Sikora's hshg. Written from these.
class HashLevels {
 public:
  void clear(std::size_t capacity) {
    heads_.assign(std::bit_ceil(std::max<std::size_t>(2 * capacity, 16)), none);
    boxes_.clear();
    cells_.clear();
    next_.clear();
    previous_.clear();
    members_ = {};
  }

  void add(const Aabb& box) {
    const auto i = static_cast<std::uint32_t>(boxes_.size());
    boxes_.push_back(box);
    cells_.push_back(cell_of(box));
    next_.push_back(none);
    previous_.push_back(none);
    link(i);
  }

  void move(std::uint32_t i, const Aabb& box) {
    const Cell cell = cell_of(box);
    boxes_[i] = box;
    if (cell != cells_[i]) {
      unlink(i);
      cells_[i] = cell;
      link(i);
    }
  }

  [[nodiscard]] std::size_t size() const { return boxes_.size(); }
  [[nodiscard]] const Aabb& box(std::uint32_t i) const { return boxes_[i]; }

  /// Calls `found(a, b)` for all overlapping pairs. A box tests those behind it in its own list, those of
  /// four of the eight cells around it, and all in its reach of the coarser levels.
  template <typename Found>
  void find_pairs(const Found& found) const {
    for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
      const auto [level, x, y] = cells_[i];
      test(i, next_[i], cells_[i], found);
      for (const Cell& cell : {Cell{level, x + 1, y - 1}, Cell{level, x + 1, y}, Cell{level, x + 1, y + 1},
                               Cell{level, x, y + 1}}) {
        test(i, heads_[place_of(cell)], cell, found);
      }
      for (std::int32_t coarser = level + 1; coarser <= highest; ++coarser) {
        if (members_in(coarser) > 0) {
          visit_cells(boxes_[i], coarser,
                      [&](const Cell& cell) { test(i, heads_[place_of(cell)], cell, found); });
        }
      }
    }
  }

  /// Calls `found(i)` for all boxes that overlap another box. A level of which it covers more cells than
  /// there are boxes is searched box by box.
  template <typename Found>
  void find(const Aabb& box, const Found& found) const {
    for (std::int32_t level = lowest; level <= highest; ++level) {
      const double side = std::ldexp(1.0, level);
      const double cells = ((double{box.max.x} - double{box.min.x}) / side + 2.0) *
                           ((double{box.max.y} - double{box.min.y}) / side + 2.0);
      if (members_in(level) == 0) {
        continue;
      }
      if (cells > static_cast<double>(boxes_.size())) {
        for (std::uint32_t j = 0; j < boxes_.size(); ++j) {
          if (cells_[j].level == level && overlaps(box, boxes_[j])) {
            found(j);
          }
        }
        continue;
      }
      visit_cells(box, level, [&](const Cell& cell) {
        for (std::uint32_t j = heads_[place_of(cell)]; j != none; j = next_[j]) {
          if (cells_[j] == cell && overlaps(box, boxes_[j])) {
            found(j);
          }
        }
      });
    }
  }

 private:
  static constexpr std::int32_t lowest = -24;
  static constexpr std::int32_t highest = 24;

  [[nodiscard]] static std::int32_t coordinate(double position, std::int32_t level) {
    constexpr double limit = 1e9;
    return static_cast<std::int32_t>(std::clamp(std::floor(std::ldexp(position, -level)), -limit, limit));
  }

  [[nodiscard]] static Cell cell_of(const Aabb& box) {
    const float size = std::max(box.max.x - box.min.x, box.max.y - box.min.y);
    int exponent = lowest;
    static_cast<void>(std::frexp(size, &exponent));  // size is less than 2^exponent
    const std::int32_t level = std::clamp<std::int32_t>(size > 0.0F ? exponent : lowest, lowest, highest);
    return {level, coordinate(0.5 * (double{box.min.x} + double{box.max.x}), level),
            coordinate(0.5 * (double{box.min.y} + double{box.max.y}), level)};
  }

  [[nodiscard]] std::size_t place_of(const Cell& cell) const {
    const std::uint64_t key = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(cell.x)) << 32U) |
                              static_cast<std::uint32_t>(cell.y);
    const std::uint64_t hash =
        (key ^ static_cast<std::uint64_t>(cell.level - lowest) * 0xD1B54A32D192ED03U) * 0x9E3779B97F4A7C15U;
    return static_cast<std::size_t>(hash >> 40U) &
           (heads_.size() - 1);  // the high bits depend on all of the key
  }

  [[nodiscard]] std::size_t members_in(std::int32_t level) const {
    return members_[static_cast<std::size_t>(level - lowest)];
  }

  /// Visits the cells of a level whose boxes may overlap another box.
  template <typename Visit>
  static void visit_cells(const Aabb& box, std::int32_t level, const Visit& visit) {
    const double half = std::ldexp(0.5, level);
    const std::int32_t last_x = coordinate(double{box.max.x} + half, level);
    const std::int32_t last_y = coordinate(double{box.max.y} + half, level);
    for (std::int32_t y = coordinate(double{box.min.y} - half, level); y <= last_y; ++y) {
      for (std::int32_t x = coordinate(double{box.min.x} - half, level); x <= last_x; ++x) {
        visit(Cell{level, x, y});
      }
    }
  }

  template <typename Found>
  void test(std::uint32_t i, std::uint32_t first, const Cell& cell, const Found& found) const {
    for (std::uint32_t j = first; j != none; j = next_[j]) {
      if (cells_[j] == cell && overlaps(boxes_[i], boxes_[j])) {
        found(i, j);
      }
    }
  }

  void link(std::uint32_t i) {
    std::uint32_t& head = heads_[place_of(cells_[i])];
    next_[i] = head;
    previous_[i] = none;
    if (head != none) {
      previous_[head] = i;
    }
    head = i;
    ++members_[static_cast<std::size_t>(cells_[i].level - lowest)];
  }

  void unlink(std::uint32_t i) {
    (previous_[i] == none ? heads_[place_of(cells_[i])] : next_[previous_[i]]) = next_[i];
    if (next_[i] != none) {
      previous_[next_[i]] = previous_[i];
    }
    --members_[static_cast<std::size_t>(cells_[i].level - lowest)];
  }

  std::vector<std::uint32_t> heads_;  ///< [table] the first box of each list
  std::vector<Aabb> boxes_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> previous_;
  std::array<std::size_t, highest - lowest + 1> members_{};  ///< of each level
};

/// Moves only the boxes that changed their cells; static boxes have a grid of their own.
class HierarchicalHashGrid final : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "hierarchical hash"; }
  [[nodiscard]] bool takes(const Trace& trace) const override { return suits_one_by_one(trace); }

  void load(const Trace& trace) override {
    static_.clear(trace.static_count());
    for (const Aabb& box : trace.static_boxes) {
      static_.add(box);
    }
    moving_.clear(trace.moving_count());
    for (const Aabb& box : trace.frame(0)) {
      moving_.add(box);
    }
  }
  std::span<const Pair> step(std::span<const Aabb> moving) override {
    const auto first = static_cast<BoxIndex>(static_.size());
    pairs_.clear();
    for (std::uint32_t i = 0; i < moving.size(); ++i) {
      moving_.move(i, moving[i]);
    }
    moving_.find_pairs(
        [&](std::uint32_t a, std::uint32_t b) { pairs_.push_back(ordered_pair(first + a, first + b)); });
    for (std::uint32_t i = 0; i < moving.size() && static_.size() > 0; ++i) {
      static_.find(moving[i], [&](std::uint32_t j) { pairs_.push_back({j, first + i}); });
    }
    return pairs_;
  }

 private:
  HashLevels static_;
  HashLevels moving_;
  std::vector<Pair> pairs_;
};

}  // namespace

std::unique_ptr<Contender> make_hierarchical_hash_grid() {
  return std::make_unique<HierarchicalHashGrid>();
}

}  // namespace broadside::bench
