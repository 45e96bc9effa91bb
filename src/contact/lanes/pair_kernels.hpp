#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "body/prefetch.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"
#include "broadside/contact/narrow_phase.hpp"

namespace broadside::inline v0_2::detail {

// Collides many pairs of one kind at once, one per lane. The operations are those of `collide_circles` and
// `collide_boxes`, in the same order, so that the results are equal bit for bit. Lanes with a rare case
// (within rounding of touching, equal centers, invalid numbers) are passed to `collide`.

/// Prefetches the shapes and transforms of upcoming pairs, a few at a time, while other pairs are collided.
class Prefetcher {
 public:
  Prefetcher(std::span<const Pair> pairs, const Shape* shapes, const Transform* transforms)
      : pairs_(pairs), shapes_(shapes), transforms_(transforms) {}

  /// Prefetches the shapes and transforms of all pairs before index `end`.
  void prefetch_until(std::size_t end) { call(std::max(end, next_) - next_); }

  /// Starts a block of pairs, in the order in which they are collided; their shapes are in the cache by now.
  void begin(std::span<const Pair> block) {
    constexpr std::size_t lead = 16;
    block_ = block;
    next_inside_ = 0;
    prefetch_data(lead);
  }

  /// Advances by `count` pairs, as many as are collided next. Few at a time: a prefetch may wait for a free
  /// line fill buffer, and stalls the instructions behind it.
  void advance(std::size_t count) {
    call(count);
    prefetch_data(count);
  }

  [[nodiscard]] const Shape* shapes() const { return shapes_; }
  [[nodiscard]] const Transform* transforms() const { return transforms_; }

  /// Returns the highest index of a prefetched shape.
  [[nodiscard]] BoxIndex highest() const { return highest_; }

 private:
  /// Prefetches the shapes and transforms of the next `count` pairs.
  void call(std::size_t count) {
    const std::size_t end = next_ + std::min(count, pairs_.size() - next_);
    for (; next_ < end; ++next_) {
      for (const BoxIndex index : {pairs_[next_].a, pairs_[next_].b}) {
        highest_ = std::max(highest_, index);
        Prefetch::all_of(shapes_, index);
        Prefetch::all_of(transforms_, index);
      }
    }
  }
  /// Prefetches the data that the shapes of the next `count` pairs of the block store elsewhere.
  void prefetch_data(std::size_t count) {
    const std::size_t end = next_inside_ + std::min(count, block_.size() - next_inside_);
    for (; next_inside_ < end; ++next_inside_) {
      const Shape& a = shapes_[block_[next_inside_].a];
      const Shape& b = shapes_[block_[next_inside_].b];
      if (std::holds_alternative<Circle>(a) || std::holds_alternative<Circle>(b)) {
        Prefetch::for_circle_test(a);
        Prefetch::for_circle_test(b);
      } else {
        Prefetch::for_polygon_test(a);
        Prefetch::for_polygon_test(b);
      }
    }
  }

  std::span<const Pair> pairs_;
  const Shape* shapes_;
  const Transform* transforms_;
  std::size_t next_ = 0;
  BoxIndex highest_ = 0;
  std::span<const Pair> block_;
  std::size_t next_inside_ = 0;
};

/// The output is prefetched this many contacts ahead: it takes as long to load as the input.
inline constexpr std::size_t lead_of_writing = 32;

/// Finds the contacts among pairs [n], in their order, by calling `collide` for each. Returns how many; all
/// `n` elements of `out` may be overwritten.
std::size_t collide_one_by_one(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out);

/// Does the same for pairs of circles. @pre all shapes that pairs name are circles
std::size_t collide_circle_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out);

/// Does the same for pairs of boxes.
std::size_t collide_box_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out);

/// Does the same for pairs of a circle and any other shape except a mask, all of one kind.
std::size_t collide_circle_convex_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out);

/// Does the same for pairs of boxes, capsules, segments and polygons, all of one kind, except two boxes.
std::size_t collide_core_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out);

}  // namespace broadside::inline v0_2::detail
