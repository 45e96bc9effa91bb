#include "broadside/query/area.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/rounding.hpp"
#include "body/prefetch.hpp"
#include "broad_phase/box_search.hpp"
#include "broadside/base/validate.hpp"
#include "broadside/contact/collide.hpp"
#include "query/checks.hpp"
#include "query/scratch.hpp"

namespace broadside::inline v0_2 {

namespace {

constexpr unsigned digit_bits = 9;

/// Scratch of an area query.
struct AreaScratch {
  std::vector<BoxIndex> hits;
  std::vector<BoxIndex> crossing;
  std::vector<BoxIndex> other;

  [[nodiscard]] std::size_t capacity() const {
    return hits.capacity() + crossing.capacity() + other.capacity();
  }
};

/// Radix sort, least significant digit first, of indices with an even number of digits. `other` is scratch.
template <std::size_t digits>
void radix_sort(std::span<BoxIndex> hits, std::vector<BoxIndex>& other) {
  constexpr std::size_t values = std::size_t{1} << digit_bits;
  std::array<std::array<std::uint32_t, values>, digits> places{};
  for (const BoxIndex index : hits) {
    for (std::size_t d = 0; d < digits; ++d) {
      ++places[d][(index >> (d * digit_bits)) % values];
    }
  }
  other.resize(std::max(other.size(), hits.size()));
  BoxIndex* from = hits.data();
  BoxIndex* to = other.data();
  for (std::size_t d = 0; d < digits; ++d) {
    std::uint32_t before = 0;
    for (std::uint32_t& place : places[d]) {
      before += std::exchange(place, before);
    }
    for (const BoxIndex index : std::span(from, hits.size())) {
      to[places[d][(index >> (d * digit_bits)) % values]++] = index;
    }
    std::swap(from, to);
  }
}

/// Sorts a few distinct indices: the position of each is the number of smaller ones. Free of data-dependent
/// branches.
void rank_sort(std::span<BoxIndex> hits, std::vector<BoxIndex>& other) {
  other.resize(std::max(other.size(), hits.size()));
  for (const BoxIndex index : hits) {
    std::uint32_t less = 0;
    for (const BoxIndex one : hits) {
      less += one < index ? 1U : 0U;
    }
    other[less] = index;
  }
  std::copy_n(other.begin(), hits.size(), hits.begin());
}

/// Sorts distinct indices below `end`.
void sort_indices(std::span<BoxIndex> hits, BoxIndex end, std::vector<BoxIndex>& other) {
  constexpr std::size_t few = 80;
  if (hits.size() < few) {
    rank_sort(hits, other);
  } else if (end <= BoxIndex{1} << (2 * digit_bits)) {
    radix_sort<2>(hits, other);
  } else {
    radix_sort<4>(hits, other);
  }
}

/// Visits the boxes that overlap an area, are accepted and pass `test`.
template <typename Test>
void visit_boxes(const ShapeSet& set, const Aabb& area, Accept accept, Visit visit, const Test& test) {
  const detail::BoxSearch boxes(set.boxes);
  detail::Scratch<AreaScratch> scratch;
  scratch->hits.clear();
  boxes.append(area, scratch->hits);
  sort_indices(scratch->hits, boxes.index_end(), scratch->other);
  for (const BoxIndex index : scratch->hits) {
    if (boxes.is_on(index, set.layers) && accept(index) && test(index) && !visit(index)) {
      return;
    }
  }
}

/// Early-out test: returns whether the center of a box or a circle is in an area, so that they surely touch.
bool is_center_within(const Shape& shape, const Transform& at, const Aabb& area) {
  const Box* box = std::get_if<Box>(&shape);
  const Circle* circle = std::get_if<Circle>(&shape);
  const bool is_there =
      box != nullptr ? box->center == Vec2{} : (circle != nullptr && circle->center == Vec2{});
  return is_there && contains(area, at.position);
}

/// An area as boxes that cover it exactly: one box, or two for each axis whose center is no float.
class AreaShapes {
 public:
  explicit AreaShapes(const Aabb& area) {
    const Sides x = divide(area.min.x, area.max.x);
    const Sides y = divide(area.min.y, area.max.y);
    for (std::size_t i = 0; i < x.size; ++i) {
      for (std::size_t j = 0; j < y.size; ++j) {
        const Box box = Box::of_half_size({x.half, y.half}, {x.middle[i], y.middle[j]});
        parts_[static_cast<std::size_t>(size_++)] = {box, Transform{{x.start[i], y.start[j]}, {}}};
      }
    }
  }

  [[nodiscard]] bool overlaps(const Shape& shape, const Transform& at) const {
    return std::any_of(parts_.begin(), parts_.begin() + size_,
                       [&](const Part& part) { return broadside::overlaps(shape, at, part.shape, part.at); });
  }

 private:
  /// One or two intervals that together cover a side.
  struct Sides {
    std::size_t size;
    float half;
    std::array<float, 2> start;
    std::array<float, 2> middle;  ///< relative to the start
  };
  struct Part {
    Shape shape;
    Transform at;
  };

  static Sides divide(float min, float max) {
    const auto low = static_cast<double>(min);
    const auto high = static_cast<double>(max);
    const float center = detail::to_float(0.5 * (low + high));
    const float half = detail::round_down(0.5 * (high - low));
    const auto reach = static_cast<double>(half);
    if (static_cast<double>(center) - reach == low && static_cast<double>(center) + reach == high) {
      return {1, half, {center}, {0.0F}};
    }
    // One interval from each end; together they cover the side.
    return {reach == 0.5 * (high - low) ? 1U : 2U, half, {min, max}, {half, -half}};
  }

  std::array<Part, 4> parts_;
  std::ptrdiff_t size_ = 0;
};

/// Fills the list with the shapes that touch an area and that `accept` accepts; null for all shapes.
Result<void> collect(const ShapeSet& set, const Aabb& area, const Accept* accept, AreaScratch& scratch,
                     std::vector<BoxIndex>& hits) {
  constexpr std::size_t ahead = 8;
  hits.clear();
  if (Error error = detail::find_error(set)) {
    return error;
  }
  if (auto valid = validate(area, "area"); !valid.has_value()) {
    return valid;
  }
  scratch.crossing.clear();
  const detail::BoxSearch boxes(set.boxes);
  boxes.append_split(area, hits, scratch.crossing);
  const auto is_wanted = [&](BoxIndex index) {
    return boxes.is_on(index, set.layers) && (accept == nullptr || (*accept)(index));
  };
  if (accept != nullptr || set.layers != detail::all_layers) {
    std::erase_if(hits, std::not_fn(is_wanted));
  }
  const AreaShapes shapes(area);
  const auto fetch = [&](std::size_t i) {
    if (i < scratch.crossing.size()) {
      detail::Prefetch::line_of(set.shapes.data(), scratch.crossing[i]);
      detail::Prefetch::line_of(set.transforms.data(), scratch.crossing[i]);
    }
  };
  for (std::size_t i = 0; i < ahead; ++i) {
    fetch(i);
  }
  for (std::size_t i = 0; i < scratch.crossing.size(); ++i) {
    const BoxIndex index = scratch.crossing[i];
    fetch(i + ahead);
    if (!is_wanted(index)) {
      continue;
    }
    const Shape& shape = set.shapes[index];
    const Transform& at = set.transforms[index];
    if (is_center_within(shape, at, area) || shapes.overlaps(shape, at)) {
      hits.push_back(index);
    }
  }
  sort_indices(hits, boxes.index_end(), scratch.other);
  return {};
}

}  // namespace

Result<void> visit_area(const ShapeSet& set, const Aabb& area, Visit visit, Accept accept) {
  detail::Scratch<AreaScratch> scratch;
  auto done = collect(set, area, &accept, *scratch, scratch->hits);
  static_cast<void>(std::all_of(scratch->hits.begin(), scratch->hits.end(), visit));
  return done;
}

Result<void> query_area(const ShapeSet& set, const Aabb& area, std::vector<BoxIndex>& hits, Accept accept) {
  detail::Scratch<AreaScratch> scratch;
  return collect(set, area, &accept, *scratch, hits);
}

Result<void> query_area(const ShapeSet& set, const Aabb& area, std::vector<BoxIndex>& hits) {
  detail::Scratch<AreaScratch> scratch;
  return collect(set, area, nullptr, *scratch, hits);
}

Result<void> visit_point(const ShapeSet& set, Vec2 point, Visit visit, Accept accept) {
  if (Error error = detail::find_error(set, point, "point")) {
    return error;
  }
  visit_boxes(set, {point, point}, accept, visit,
              [&](BoxIndex index) { return contains(set.shapes[index], set.transforms[index], point); });
  return {};
}

Result<void> visit_shape(const ShapeSet& set, const Shape& shape, const Transform& at, Visit visit,
                         Accept accept) {
  if (Error error = detail::find_error(set, shape, at)) {
    return error;
  }
  visit_boxes(set, bounds(shape, at), accept, visit,
              [&](BoxIndex index) { return overlaps(shape, at, set.shapes[index], set.transforms[index]); });
  return {};
}

}  // namespace broadside::inline v0_2
