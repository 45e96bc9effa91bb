#pragma once

#include <optional>

#include "contact/mask/mask_convex.hpp"
#include "contact/mask/mask_frame.hpp"
#include "contact/mask/mask_mask.hpp"
#include "contact/mask/mask_parts.hpp"

namespace broadside::detail {

/// Returns whether a comes first in an order of masks that does not depend on the order of the arguments.
[[nodiscard]] bool precedes(const Mask& a, const Transform& at_a, const Mask& b, const Transform& at_b);

/// A mask a and any shape b, prepared for tests: two masks with parallel pixels of one size by words,
/// otherwise part by part. All points are in the frame of a.
class MaskPair {
 public:
  MaskPair(const Mask& a, const Transform& at_a, const Shape& b, const Transform& at_b);

  [[nodiscard]] const MaskFrame& frame() const { return frame_; }
  [[nodiscard]] const Parts& parts() const { return parts_; }

  /// Returns the first pixel of a that touches b. @pre their pixels are not parallel
  [[nodiscard]] std::optional<PixelCorner> first_touching() const;

  /// Returns the first pixel of the mask b that touches a. @pre their pixels are not parallel
  [[nodiscard]] std::optional<PixelCorner> first_touching_of_b() const;

  /// Returns whether they touch; cheaper than `first_touching`.
  [[nodiscard]] bool touching() const;

  /// @pre their pixels are not parallel
  [[nodiscard]] double shared_area() const;
  [[nodiscard]] SharedRegion shared() const;

  /// Returns the depth of the common area along a unit vector. @pre they touch
  [[nodiscard]] double depth(Point normal) const;

  /// Returns a point of both. @pre they touch
  [[nodiscard]] Point point_of_both() const;

  /// Returns the vector from the center of a to the center of b.
  [[nodiscard]] Point center_offset() const;

 private:
  template <typename Visit>
  void for_each_near_part(Visit visit) const;

  const Mask& a_;
  const Mask* b_;  ///< null if b is not a mask
  const Transform& at_b_;
  bool parallel_;
  bool boxes_touch_;  ///< not computed if parallel
  MaskFrame frame_;
  Parts parts_;
  std::optional<PixelOffset> offset_;  ///< if parallel and near each other
};

}  // namespace broadside::detail
