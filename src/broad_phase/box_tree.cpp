#include "broadside/broad_phase/detail/box_tree.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "tree_kernels.hpp"

namespace broadside::detail {

namespace {

constexpr unsigned name_bits = 32;
constexpr unsigned axis_bits = 12;  // of a place on the curve, for each axis

/// Where a part of the curve goes on: three bits of each axis make six of the place.
struct Turn {
  std::uint8_t place;
  std::uint8_t next;  ///< of the four ways in which the curve lies
};

/// One bit of each axis. Ways: 0 up first, 1 right first, 2 left first, 3 down first.
constexpr Turn turn_once(unsigned way, unsigned x, unsigned y) {
  constexpr std::array<std::array<std::uint8_t, 4>, 4> places = {
      {{0, 1, 3, 2}, {0, 3, 1, 2}, {2, 1, 3, 0}, {2, 3, 1, 0}}};
  constexpr std::array<std::array<std::uint8_t, 4>, 4> next = {
      {{1, 0, 2, 0}, {0, 3, 1, 1}, {2, 2, 0, 3}, {3, 1, 3, 2}}};
  return {places[way][2 * x + y], next[way][2 * x + y]};
}

constexpr std::array<Turn, 256> turns = [] {
  std::array<Turn, 256> table{};
  for (unsigned from = 0; from < table.size(); ++from) {
    Turn turn{0, static_cast<std::uint8_t>(from / 64)};
    for (unsigned bit = 3; bit-- > 0;) {
      const Turn one = turn_once(turn.next, from / 8 >> bit & 1U, from >> bit & 1U);
      turn = {static_cast<std::uint8_t>(4 * turn.place + one.place), one.next};
    }
    table[from] = turn;
  }
  return table;
}();

/// Returns the place of a cell on Hilbert's curve.
std::uint32_t place_on_curve(std::uint32_t x, std::uint32_t y) {
  std::uint32_t place = 0;
  std::uint32_t way = 0;
  for (unsigned shift = axis_bits; shift > 0;) {
    shift -= 3;
    const Turn turn = turns[64 * way + 8 * (x >> shift & 7U) + (y >> shift & 7U)];
    place = 64 * place + turn.place;
    way = turn.next;
  }
  return place;
}

/// Twice the middle of a box.
struct Middle {
  double x;
  double y;
};

Middle middle_of(const Aabb& box) {
  return {static_cast<double>(box.min.x) + static_cast<double>(box.max.x),
          static_cast<double>(box.min.y) + static_cast<double>(box.max.y)};
}

}  // namespace

void BoxTree::reset(std::size_t boxes) {
  constexpr std::size_t few = 64;  // which are looked at in vectors as fast
  size_ = boxes;
  if (!nodes_.empty()) {
    make_room();
  }
  paid_.store(0, std::memory_order_relaxed);
  state_.store(boxes < few ? State::useless : State::none, std::memory_order_release);
}

void BoxTree::pay(std::size_t worth, std::span<const Aabb> boxes, std::span<const unsigned char> used) const {
  if (paid_.fetch_add(worth, std::memory_order_relaxed) + worth < size_) {
    return;
  }
  State none = State::none;
  if (state_.compare_exchange_strong(none, State::in_the_making, std::memory_order_acquire)) {
    make(boxes, used);
    state_.store(State::made, std::memory_order_release);
  }
}

void BoxTree::make_room() const {
  std::size_t nodes = 0;
  height_ = 0;
  for (std::size_t level = size_; level > 1; ++height_) {
    level = (level + fanout - 1) / fanout;
    level_begin_[height_] = static_cast<std::uint32_t>(nodes);
    nodes += level;
  }
  nodes_.resize(std::max(nodes_.size(), nodes));
  names_.resize(std::max(names_.size(), (size_ + fanout - 1) / fanout * fanout));
  items_.resize(std::max(items_.size(), size_));
  other_.resize(std::max(other_.size(), size_));
}

void BoxTree::make(std::span<const Aabb> boxes, std::span<const unsigned char> used) const {
  make_room();
  std::size_t count = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (used[i] != 0) {
      items_[count++] = i;
    }
  }
  arrange(0, size_, boxes);
  fill(boxes);
}

// By the curve through the cells of a square around them all; again where many share a cell, so that neither
// clusters nor outliers can do harm. Two cells are never the same but where all middles are.
void BoxTree::arrange(std::size_t begin, std::size_t end, std::span<const Aabb> boxes) const {
  constexpr std::size_t many = 2 * fanout;
  constexpr auto name_mask = std::numeric_limits<BoxIndex>::max();
  constexpr double cells = 1U << axis_bits;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Middle low{infinity, infinity};
  Middle high{-infinity, -infinity};
  for (std::size_t i = begin; i < end; ++i) {
    const Middle middle = middle_of(boxes[items_[i] & name_mask]);
    low = {std::min(low.x, middle.x), std::min(low.y, middle.y)};
    high = {std::max(high.x, middle.x), std::max(high.y, middle.y)};
  }
  const double width = std::max(high.x - low.x, high.y - low.y);
  if (width == 0.0) {
    return;
  }
  const double scale = cells / width;
  for (std::size_t i = begin; i < end; ++i) {
    const Item name = items_[i] & name_mask;
    const Middle middle = middle_of(boxes[static_cast<std::size_t>(name)]);
    const auto x = static_cast<std::uint32_t>(std::min((middle.x - low.x) * scale, cells - 1.0));
    const auto y = static_cast<std::uint32_t>(std::min((middle.y - low.y) * scale, cells - 1.0));
    items_[i] = Item{place_on_curve(x, y)} << name_bits | name;
  }
  sort(begin, end);
  for (std::size_t first = begin; first < end;) {
    std::size_t last = first + 1;
    while (last < end && items_[last] >> name_bits == items_[first] >> name_bits) {
      ++last;
    }
    if (last - first >= many) {
      arrange(first, last, boxes);
    }
    first = last;
  }
}

void BoxTree::sort(std::size_t begin, std::size_t end) const {
  constexpr std::size_t few = 2048;
  constexpr std::size_t values = std::size_t{1} << axis_bits;
  if (end - begin < few) {
    std::sort(items_.begin() + static_cast<std::ptrdiff_t>(begin),
              items_.begin() + static_cast<std::ptrdiff_t>(end));
    return;
  }
  Item* from = items_.data();
  Item* to = other_.data();
  for (const unsigned shift : {name_bits, name_bits + axis_bits}) {
    std::array<std::uint32_t, values> places{};
    for (std::size_t i = begin; i < end; ++i) {
      ++places[from[i] >> shift & (values - 1)];
    }
    auto before = static_cast<std::uint32_t>(begin);
    for (std::uint32_t& place : places) {
      before += std::exchange(place, before);
    }
    for (std::size_t i = begin; i < end; ++i) {
      to[places[from[i] >> shift & (values - 1)]++] = from[i];
    }
    std::swap(from, to);
  }
}

void BoxTree::fill(std::span<const Aabb> boxes) const {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr Aabb nothing{{infinity, infinity}, {-infinity, -infinity}};
  const auto set = [](Node& node, std::size_t child, const Aabb& box) {
    node.min_x[child] = box.min.x;
    node.max_x[child] = box.max.x;
    node.min_y[child] = box.min.y;
    node.max_y[child] = box.max.y;
  };
  for (std::size_t i = 0; i < size_; ++i) {
    names_[i] = static_cast<BoxIndex>(items_[i]);
    set(nodes_[i / fanout], i % fanout, boxes[names_[i]]);
  }
  std::size_t children = size_;
  for (std::size_t level = 0; level < height_; ++level) {
    Node* const nodes = nodes_.data() + level_begin_[level];
    const std::size_t count = (children + fanout - 1) / fanout;
    for (std::size_t i = children; i < count * fanout; ++i) {
      set(nodes[i / fanout], i % fanout, nothing);
    }
    for (std::size_t k = 0; k < count && level + 1 < height_; ++k) {
      set(nodes_[level_begin_[level + 1] + k / fanout], k % fanout, bounds_of(nodes[k]));
    }
    children = count;
  }
}

void BoxTree::find_in(const Aabb& area, std::vector<BoxIndex>& hits) const {
  detail::find_in(view(), area, hits);
}

void BoxTree::find_apart(const Aabb& area, std::vector<BoxIndex>& within,
                         std::vector<BoxIndex>& crossing) const {
  detail::find_apart(view(), area, within, crossing);
}

void BoxTree::walk(const Path& path, TakeMet take) const {
  detail::walk(view(), path, take);
}

void BoxTree::approach(const NearQuery& query, NearRoom& room, TakeNear take) const {
  detail::approach(view(), query, room, take);
}

std::size_t BoxTree::bytes() const {
  return nodes_.capacity() * sizeof(Node) + names_.capacity() * sizeof(BoxIndex) +
         (items_.capacity() + other_.capacity()) * sizeof(Item);
}

}  // namespace broadside::detail
