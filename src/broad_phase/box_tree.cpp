#include "box_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "base/reserve.hpp"
#include "base/scope_guard.hpp"
#include "base/switches.hpp"
#include "base/try_alloc.hpp"

namespace broadside::inline v0_2::detail {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr Aabb nothing{{infinity, infinity}, {-infinity, -infinity}};

void set_child(BoxTree::Node& node, std::size_t child, const Aabb& box) {
  node.min_x[child] = box.min.x;
  node.max_x[child] = box.max.x;
  node.min_y[child] = box.min.y;
  node.max_y[child] = box.max.y;
}

/// Returns the bounds of all children of a node.
Aabb bounds_of(const BoxTree::Node& node) {
  const auto least = [](const auto& of_children) {
    return *std::min_element(std::begin(of_children), std::end(of_children));
  };
  const auto most = [](const auto& of_children) {
    return *std::max_element(std::begin(of_children), std::end(of_children));
  };
  return {{least(node.min_x), least(node.min_y)}, {most(node.max_x), most(node.max_y)}};
}

}  // namespace

void BoxTree::reset(std::size_t boxes, std::size_t names_end) {
  constexpr std::size_t few = 64;                           // a SIMD scan of so few is as fast
  state_.store(State::useless, std::memory_order_relaxed);  // in case memory runs out
  size_ = boxes;
  names_end_ = names_end;
  changes_ = 0;
  has_removed_ = false;
  if (!nodes_.empty()) {
    reserve();
  }
  query_cost_.store(0, std::memory_order_relaxed);
  const bool is_useful = boxes > 0 && decide(Switch::query_tree, boxes >= few);
  state_.store(is_useful ? State::none : State::useless, std::memory_order_release);
}

// When a quarter of the boxes has changed, their nodes overlap so much that queries suffer.
bool BoxTree::count_changes(std::size_t more) {
  changes_ += more;
  return changes_ <= size_ / 4;
}

bool BoxTree::move(std::span<const BoxIndex> names, std::span<const Aabb> boxes) {
  if (!count_changes(names.size())) {
    return false;
  }
  for (std::size_t i = 0; i < names.size() && is_built(); ++i) {
    set(names[i], boxes[i]);
  }
  return true;
}

bool BoxTree::remove(BoxIndex name) {
  if (!count_changes(1)) {
    return false;
  }
  if (is_built()) {
    set(name, nothing);
    names_[places_[name]] = removed;
    has_removed_ = true;
  } else {
    --size_;
  }
  return true;
}

void BoxTree::set_layers(BoxIndex name, std::uint64_t layers) {
  if (!is_built() || !has_layers_) {
    return;
  }
  const std::uint32_t bits = layer_bits(layers);
  std::size_t place = places_[name];
  layers_[place / fanout].of_child[place % fanout] = bits;
  for (std::size_t level = 1; level < height_; ++level) {
    place /= fanout;
    layers_[level_begin_[level] + place / fanout].of_child[place % fanout] |= bits;
  }
}

// Parents grow, and never shrink.
void BoxTree::set(BoxIndex name, const Aabb& box) {
  std::size_t place = places_[name];
  set_child(nodes_[place / fanout], place % fanout, box);
  for (std::size_t level = 1; level < height_; ++level) {
    place /= fanout;
    Node& node = nodes_[level_begin_[level] + place / fanout];
    const std::size_t child = place % fanout;
    node.min_x[child] = std::min(node.min_x[child], box.min.x);
    node.min_y[child] = std::min(node.min_y[child], box.min.y);
    node.max_x[child] = std::max(node.max_x[child], box.max.x);
    node.max_y[child] = std::max(node.max_y[child], box.max.y);
  }
}

void BoxTree::add_query_cost(std::size_t cost, const Boxes& all) const {
  const std::size_t paid = query_cost_.fetch_add(cost, std::memory_order_relaxed) + cost;
  if (!decide(Switch::query_tree, paid >= size_)) {
    return;
  }
  State none = State::none;
  if (state_.compare_exchange_strong(none, State::building, std::memory_order_acquire)) {
    const bool is_built = try_alloc([&] { make(all); });
    if (!is_built) {
      query_cost_.store(0, std::memory_order_relaxed);
    }
    state_.store(is_built ? State::built : State::none, std::memory_order_release);
  }
}

void BoxTree::reserve() const {
  const ScopeGuard count_bytes([this] {
    bytes_.store(bytes_of(nodes_, layers_, names_, places_, items_, scratch_), std::memory_order_relaxed);
  });
  std::size_t nodes = 0;
  height_ = 0;
  roots_ = size_;
  do {
    roots_ = (roots_ + fanout - 1) / fanout;
    level_begin_[height_++] = static_cast<std::uint32_t>(nodes);
    nodes += roots_;
  } while (roots_ > max_roots || height_ == 1);
  nodes_.resize(std::max(nodes_.size(), nodes));
  layers_.resize(std::max(layers_.size(), has_layers_ ? nodes : 0));
  names_.resize(std::max(names_.size(), (size_ + fanout - 1) / fanout * fanout));
  places_.resize(std::max(places_.size(), names_end_));
  items_.resize(std::max(items_.size(), size_));
  scratch_.resize(std::max(scratch_.size(), size_));
}

void BoxTree::make(const Boxes& all) const {
  has_layers_ = !all.kind_numbers.empty();
  reserve();
  const std::span<const Aabb> boxes = all.boxes;
  const auto middle = [](float low, float high) {
    return static_cast<float>(0.5 * (static_cast<double>(low) + static_cast<double>(high)));
  };
  std::size_t count = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (all.used[i] != 0) {
      const Aabb& box = boxes[i];
      items_[count++] = {middle(box.min.x, box.max.x), middle(box.min.y, box.max.y), static_cast<BoxIndex>(i),
                         0};
    }
  }
  arrange(0, size_, std::size_t{1} << (4 * (height_ - 1)));
  for (std::size_t i = 0; i < size_; ++i) {
    names_[i] = items_[i].name;
    places_[names_[i]] = static_cast<std::uint32_t>(i);
    set_child(nodes_[i / fanout], i % fanout, boxes[names_[i]]);
  }
  std::size_t children = size_;
  for (std::size_t level = 0; level < height_; ++level) {
    Node* const nodes = nodes_.data() + level_begin_[level];
    const std::size_t filled = (children + fanout - 1) / fanout;
    for (std::size_t i = children; i < filled * fanout; ++i) {
      set_child(nodes[i / fanout], i % fanout, nothing);
    }
    for (std::size_t k = 0; k < filled && level + 1 < height_; ++k) {
      set_child(nodes_[level_begin_[level + 1] + k / fanout], k % fanout, bounds_of(nodes[k]));
    }
    children = filled;
  }
  if (has_layers_) {
    make_layers(all);
  }
}

void BoxTree::make_layers(const Boxes& all) const {
  std::fill_n(layers_.begin(), node_count(), Layers{});
  for (std::size_t i = 0; i < size_; ++i) {
    layers_[i / fanout].of_child[i % fanout] =
        layer_bits(all.kinds[all.kind_numbers[names_[i]]].filter.layer);
  }
  std::size_t nodes = (size_ + fanout - 1) / fanout;
  for (std::size_t level = 0; level + 1 < height_; ++level) {
    for (std::size_t k = 0; k < nodes; ++k) {
      const Layers& below = layers_[level_begin_[level] + k];
      layers_[level_begin_[level + 1] + k / fanout].of_child[k % fanout] =
          std::reduce(below.of_child.begin(), below.of_child.end(), 0U, std::bit_or<>());
    }
    nodes = (nodes + fanout - 1) / fanout;
  }
}

// Top-down: slices by x, tiles by y in each slice, then the same within each tile.
void BoxTree::arrange(std::size_t begin, std::size_t end, std::size_t tile) const {
  const std::size_t tiles = (end - begin + tile - 1) / tile;
  if (tiles > 1) {
    const Range on_x = range<&Item::x>(begin, end);
    const double height = range<&Item::y>(begin, end).size();
    const auto max_slices = static_cast<double>(tiles);
    const double wanted = height > 0.0 ? std::sqrt(max_slices * (on_x.size() / height)) : max_slices;
    const auto slices =
        static_cast<std::size_t>(std::clamp(std::round(wanted), 1.0, max_slices));  // square tiles
    if (slices > 1) {
      sort<&Item::x>(begin, end, on_x);
    }
    for (std::size_t slice = 0; slice < slices && slices < tiles; ++slice) {
      const std::size_t first = begin + tiles * slice / slices * tile;
      const std::size_t last = std::min(begin + tiles * (slice + 1) / slices * tile, end);
      sort<&Item::y>(first, last, range<&Item::y>(first, last));
    }
  }
  for (std::size_t first = begin; first < end && tile > fanout; first += tile) {
    arrange(first, std::min(first + tile, end), tile / fanout);
  }
}

template <float BoxTree::Item::*axis>
BoxTree::Range BoxTree::range(std::size_t begin, std::size_t end) const {
  Range range{items_[begin].*axis, items_[begin].*axis};
  for (std::size_t i = begin; i < end; ++i) {
    range.low = std::min(range.low, items_[i].*axis);
    range.high = std::max(range.high, items_[i].*axis);
  }
  return range;
}

// A bucket sort with bins of equal width, recursive where many share a bin, so that neither clusters nor
// outliers do harm. Bins are not sorted inside: that would hardly change where tiles end.
template <float BoxTree::Item::*axis>
void BoxTree::sort(std::size_t begin, std::size_t end, const Range& range) const {
  const std::size_t bins = std::min(max_bins, std::bit_ceil(end - begin));
  const std::size_t many = 8 * (end - begin) / bins + 2 * fanout;
  if (range.low == range.high || distribute<axis>(begin, end, range, bins) <= many) {
    return;
  }
  for (std::size_t first = begin; first < end;) {
    std::size_t last = first + 1;
    while (last < end && items_[last].bin == items_[first].bin) {
      ++last;
    }
    if (last - first > many) {
      sort<axis>(first, last, this->range<axis>(first, last));
    }
    first = last;
  }
}

/// Distributes items to bins; returns the size of the fullest bin.
template <float BoxTree::Item::*axis>
std::size_t BoxTree::distribute(std::size_t begin, std::size_t end, const Range& range,
                                std::size_t bins) const {
  const double scale = static_cast<double>(bins) / range.size();
  const auto low = static_cast<double>(range.low);
  const auto last_bin = static_cast<double>(bins - 1);
  std::array<std::uint32_t, max_bins> places;
  std::fill_n(places.begin(), bins, 0);
  for (std::size_t i = begin; i < end; ++i) {
    Item& item = items_[i];
    item.bin =
        static_cast<std::uint32_t>(std::min((static_cast<double>(item.*axis) - low) * scale, last_bin));
    ++places[item.bin];
  }
  auto before = static_cast<std::uint32_t>(begin);
  std::uint32_t largest_bin = 0;
  for (std::uint32_t& place : std::span(places).first(bins)) {
    largest_bin = std::max(largest_bin, place);
    before += std::exchange(place, before);
  }
  for (std::size_t i = begin; i < end; ++i) {
    scratch_[places[items_[i].bin]++] = items_[i];
  }
  std::copy_n(scratch_.begin() + static_cast<std::ptrdiff_t>(begin), end - begin,
              items_.begin() + static_cast<std::ptrdiff_t>(begin));
  return largest_bin;
}

void BoxTree::append_nodes(std::vector<Cell>& nodes) const {
  std::size_t boxes = fanout;  // below a node
  std::size_t count = (size_ + fanout - 1) / fanout;
  for (std::size_t level = 0; level < height_; ++level) {
    for (std::size_t k = 0; k < count; ++k) {
      nodes.push_back({.bounds = bounds_of(nodes_[level_begin_[level] + k]),
                       .boxes = std::min(boxes, size_ - k * boxes),
                       .level = static_cast<std::uint32_t>(level)});
    }
    boxes *= fanout;
    count = (count + fanout - 1) / fanout;
  }
}

}  // namespace broadside::inline v0_2::detail
