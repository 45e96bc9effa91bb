#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "body/fetch.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"
#include "broadside/contact/narrow_phase.hpp"

namespace broadside::detail {

// Many pairs of one kind at once, a lane for each. The steps are those of `collide_circles` and
// `collide_boxes`, one by one, so that the answers are the same to the bit. A lane in which a rare case shows
// (within rounding of touching, one center, numbers that are none) is left to `collide`.

/// Calls for what pairs will be read of next, some at a time: so memory is at work while others are collided.
class Prefetcher {
 public:
  Prefetcher(std::span<const Pair> pairs, const Shape* shapes, const Transform* transforms)
      : pairs_(pairs), shapes_(shapes), transforms_(transforms) {}

  /// Calls for all pairs up to the one of a number.
  void call_until(std::size_t end) { call(std::max(end, next_) - next_); }

  /// Takes the pairs of a block, in the order in which they are collided: their shapes are there by now.
  void begin(std::span<const Pair> block) {
    constexpr std::size_t lead = 16;
    block_ = block;
    next_inside_ = 0;
    call_inside(lead);
  }

  /// Goes on by as many pairs as are collided next. Few at a time: what is called for has to wait for a place
  /// in the processor, and so has all that comes after it.
  void go_on(std::size_t count) {
    call(count);
    call_inside(count);
  }

  /// Returns the highest number among those called for.
  [[nodiscard]] BoxIndex highest() const { return highest_; }

 private:
  /// Calls for the shapes and transforms of as many more of the pairs.
  void call(std::size_t count) {
    const std::size_t end = next_ + std::min(count, pairs_.size() - next_);
    for (; next_ < end; ++next_) {
      for (const BoxIndex index : {pairs_[next_].a, pairs_[next_].b}) {
        highest_ = std::max(highest_, index);
        Fetch::all_of(shapes_, index);
        Fetch::all_of(transforms_, index);
      }
    }
  }
  /// Calls for what the shapes of as many more of the block keep elsewhere.
  void call_inside(std::size_t count) {
    const std::size_t end = next_inside_ + std::min(count, block_.size() - next_inside_);
    for (; next_inside_ < end; ++next_inside_) {
      const Shape& a = shapes_[block_[next_inside_].a];
      const Shape& b = shapes_[block_[next_inside_].b];
      if (std::holds_alternative<Circle>(a) || std::holds_alternative<Circle>(b)) {
        Fetch::faces(a);
        Fetch::faces(b);
      } else {
        Fetch::edges(a);
        Fetch::edges(b);
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

/// How many contacts ahead memory is called for that they will be written to: it is on its way as long as
/// what is read.
inline constexpr std::size_t lead_of_writing = 32;

/// Finds the contacts among pairs [n] by asking `collide`, in their order. Returns how many; all `n` places
/// of `out` may be written.
std::size_t collide_one_by_one(std::span<const Pair> pairs, const Shape* shapes, const Transform* transforms,
                               Prefetcher& prefetcher, Contact* out);

/// Does the same for pairs of circles. @pre all shapes that pairs name are circles
std::size_t collide_circle_pairs(std::span<const Pair> pairs, const Shape* shapes,
                                 const Transform* transforms, Prefetcher& prefetcher, Contact* out);

/// The same for pairs of boxes.
std::size_t collide_box_pairs(std::span<const Pair> pairs, const Shape* shapes, const Transform* transforms,
                              Prefetcher& prefetcher, Contact* out);

/// The same for pairs of a circle and anything else but a mask, all of one kind.
std::size_t collide_circle_convex_pairs(std::span<const Pair> pairs, const Shape* shapes,
                                        const Transform* transforms, Prefetcher& prefetcher, Contact* out);

/// The same for pairs of boxes, capsules, segments and polygons, all of one kind, that are not two boxes.
std::size_t collide_core_pairs(std::span<const Pair> pairs, const Shape* shapes, const Transform* transforms,
                               Prefetcher& prefetcher, Contact* out);

}  // namespace broadside::detail
