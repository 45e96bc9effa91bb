#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/function_ref.hpp"
#include "broadside/base/result.hpp"
#include "broadside/base/vec2.hpp"

namespace broadside::inline v0_2 {

/// A point where work is done, and how much of it (unit: any, such as seconds).
struct WorkSample {
  Vec2 point;
  float work = 1.0F;
};

/// Divides the plane into parts: axis-aligned rectangles without gaps, each of which has one rank.
///
/// A cut is a coordinate on one axis. Points below it are left, all others right, so each point is in one
/// part. A closed box *meets* all parts that have one of its points.
///
/// *The owner rule.* The componentwise maximum of the min corners of two boxes that touch is a point of both.
/// So both meet the part of that point, and if that part reports the pair, it is reported once.
/// @par Source
/// M. J. Berger, S. H. Bokhari, A partitioning strategy for nonuniform problems on multiprocessors, 1987
/// (orthogonal recursive bisection).
class Partition {
 public:
  static constexpr int max_parts = 65536;

  /// Creates a partition of one part, which has the whole plane.
  Partition() = default;

  /// Divides the plane so that each part has about the same work.
  ///
  /// Cuts the longer side of the samples first. Equal arguments give equal partitions. Parts may be empty,
  /// for instance if all points are equal.
  /// @param parts in [1, max_parts]
  /// @par Errors
  /// `invalid_argument` for another number of parts or negative work, `not_finite`.
  /// @par Complexity
  /// O(s log s log k) for s samples and k parts.
  [[nodiscard]] static Result<Partition> bisect(std::span<const WorkSample> samples, int parts);

  /// Returns a partition of as many parts, with the cuts moved towards those of `bisect`.
  ///
  /// The axes of the cuts stay, so that few boxes change their parts.
  /// @param max_share in (0, 1]: bound on the share of the work on both sides of a cut that it may pass
  /// @par Errors
  /// Those of `bisect`, and `invalid_argument` for another share.
  [[nodiscard]] Result<Partition> rebalanced(std::span<const WorkSample> samples, float max_share) const;

  /// Returns the number of parts.
  [[nodiscard]] int parts() const { return static_cast<int>(cuts_.size()) + 1; }
  /// Returns the part that has a point. @pre is_finite(point)
  [[nodiscard]] int part_of(Vec2 point) const;
  /// Visits the parts that a box meets, ascending. @pre is_valid(box)
  void parts_of(const Aabb& box, FunctionRef<void(int)> visit) const;
  /// Returns the rectangle of a part; its right and upper edges do not belong to it. A side without a cut is
  /// infinite. A part without points has a rectangle with `min >= max` on some axis.
  /// @pre 0 <= part < parts()
  [[nodiscard]] Aabb region(int part) const;

  friend bool operator==(const Partition& a, const Partition& b) = default;

 private:
  struct Cut {
    float at = 0.0F;
    bool is_on_y = false;

    friend bool operator==(const Cut& a, const Cut& b) = default;
  };
  class Builder;

  std::vector<Cut> cuts_;  ///< a tree in preorder; the left of k parts are k / 2, rounded down
};

}  // namespace broadside::inline v0_2
