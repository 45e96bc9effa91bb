#pragma once

#include <optional>

#include "contact/mask/mask_convex.hpp"
#include "contact/mask/mask_frame.hpp"
#include "contact/mask/mask_mask.hpp"
#include "contact/mask/mask_parts.hpp"

namespace broadside::detail {

/// Tells which of two masks is looked at in the frame of the other: the same one whichever is named first.
[[nodiscard]] bool precedes(const Mask& a, const Transform& at_a, const Mask& b, const Transform& at_b);

/// A mask a and any shape b, made ready: by words where the pixels of two masks are parallel and of one size,
/// else part by part. All points are in the frame of a.
class MaskPair {
 public:
  MaskPair(const Mask& a, const Transform& at_a, const Shape& b, const Transform& at_b);

  [[nodiscard]] const MaskFrame& frame() const { return frame_; }
  [[nodiscard]] const Parts& parts() const { return parts_; }

  /// Finds the first pixel of a that touches b. @pre their pixels are not parallel
  [[nodiscard]] std::optional<PixelCorner> first_touching() const;

  /// Finds the first pixel of b, a mask, that touches a. @pre their pixels are not parallel
  [[nodiscard]] std::optional<PixelCorner> first_touching_of_b() const;

  /// Tells whether they touch; cheaper than to ask where.
  [[nodiscard]] bool touching() const;

  /// @pre their pixels are not parallel
  [[nodiscard]] double shared_area() const;
  [[nodiscard]] SharedRegion shared() const;

  /// Returns how deep what they share is, along a unit vector. @pre they touch
  [[nodiscard]] double depth(Point normal) const;

  /// Returns a point of both. @pre they touch
  [[nodiscard]] Point point_of_both() const;

  /// Returns the way from the middle of a to that of b.
  [[nodiscard]] Point way_between_middles() const;

 private:
  template <typename Visit>
  void for_each_near_part(Visit visit) const;

  const Mask& a_;
  const Mask* b_;  ///< if it is one
  const Transform& at_b_;
  bool parallel_;
  bool boxes_touch_;  ///< asked unless parallel
  MaskFrame frame_;
  Parts parts_;
  std::optional<PixelOffset> offset_;  ///< if parallel, and not far apart
};

}  // namespace broadside::detail
