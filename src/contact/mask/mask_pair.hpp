#pragma once

#include <limits>
#include <optional>

#include "contact/mask/local_box.hpp"
#include "contact/mask/mask_convex.hpp"
#include "contact/mask/mask_frame.hpp"
#include "contact/mask/mask_mask.hpp"

namespace broadside::inline v0_2::detail {

/// Returns whether a comes first in an order of masks that does not depend on the order of the arguments.
[[nodiscard]] bool precedes(const Mask& a, const Transform& at_a, const Mask& b, const Transform& at_b);

/// A mask a and any shape b, prepared for tests: two masks with parallel pixels of one size by words,
/// otherwise part by part. All points are in the frame of a.
class MaskPair {
 public:
  MaskPair(const Mask& a, const Transform& at_a, const Shape& b, const Transform& at_b);

  [[nodiscard]] const MaskFrame& frame() const { return frame_; }

  /// Visits each convex part of b with its bounding box, until `visit` returns false: b itself, or the
  /// rectangles of the mask b. Visits nothing for invalid shapes.
  template <typename Visit>
  void for_each_part(Visit visit) const {
    constexpr double all = std::numeric_limits<double>::max();
    for_each_near({{-all, -all}, {all, all}}, visit);
  }

  /// As `for_each_part`, but first visits the part with the smallest `key(box)`, which is visited again
  /// later: a search for the nearest part thus starts with a good limit and can skip all parts that are too
  /// far away.
  /// @pre `visit` returns true
  template <typename Key, typename Visit>
  void for_each_smallest_first(Key key, Visit visit) const {
    if (b_ != nullptr) {
      std::optional<Convex> nearest_part;
      double smallest_key = 0.0;
      for_each_part([&](const Convex& part, const LocalBox& box) {
        if (const double found = key(box); !nearest_part || found < smallest_key) {
          nearest_part = part;
          smallest_key = found;
        }
        return true;
      });
      if (nearest_part) {
        visit(*nearest_part, box_around(*nearest_part));
      }
    }
    for_each_part(visit);
  }

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
  /// A range of pixels of the mask b that contains all pixels touching a box.
  struct PixelsNear {
    std::int32_t first_column;
    std::int32_t last_column;
    std::int32_t first_row;
    std::int32_t last_row;

    [[nodiscard]] bool has(const PixelRectangle& r) const {
      return r.column <= last_column && first_column < r.column + r.width && r.row <= last_row &&
             first_row < r.row + r.height;
    }
  };
  /// @pre b is a mask with a valid transform
  [[nodiscard]] PixelsNear pixels_near(const LocalBox& near) const;

  /// Returns the box of the set pixels of a.
  [[nodiscard]] LocalBox box_of_a() const {
    return box_around(a_.extent(), static_cast<double>(a_.pixel_size()));
  }

  /// As `for_each_part`, for the parts whose box touches another box.
  template <typename Visit>
  void for_each_near(const LocalBox& near, Visit visit) const {
    const auto visit_near = [&](const Convex& part) {
      const LocalBox box = box_around(part);
      return !box.touches(near) || visit(part, box);
    };
    if (b_ == nullptr) {
      if (whole_.size > 0) {
        visit_near(whole_);
      }
      return;
    }
    if (!MaskFrame(*b_, at_b_).valid()) {
      return;
    }
    const PixelsNear pixels = pixels_near(near);
    for (const PixelRectangle& r : b_->rectangles()) {
      if (pixels.has(r) && !visit_near(to_convex(r, *b_, at_b_, frame_))) {
        return;
      }
    }
  }
  /// Visits each part of b near the set pixels of a.
  template <typename Visit>
  void for_each_near_part(Visit visit) const {
    if (boxes_touch_ && frame_.valid()) {
      for_each_near(box_of_a(), visit);
    }
  }

  const Mask& a_;
  const Mask* b_;  ///< null if b is not a mask
  const Transform& at_b_;
  bool parallel_;
  bool boxes_touch_;  ///< not computed if parallel
  MaskFrame frame_;
  Convex whole_;                       ///< b, if it is not a mask
  std::optional<PixelOffset> offset_;  ///< if parallel and near each other
};

}  // namespace broadside::inline v0_2::detail
