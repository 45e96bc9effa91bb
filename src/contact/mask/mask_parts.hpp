#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "contact/mask/mask_frame.hpp"

namespace broadside::detail {

/// A box in the frame of a mask.
struct LocalBox {
  Point low;
  Point high;

  [[nodiscard]] bool touches(const LocalBox& other) const {
    return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y && other.low.y <= high.y;
  }
  [[nodiscard]] Point middle() const { return 0.5 * (low + high); }
};

inline LocalBox box_around(const PixelRectangle& r, double pixel) {
  return {{r.column * pixel, r.row * pixel}, {(r.column + r.width) * pixel, (r.row + r.height) * pixel}};
}

/// @pre the shape has points
inline LocalBox box_around(const Convex& shape) {
  LocalBox box{shape.points[0], shape.points[0]};
  for (std::size_t i = 1; i < shape.size; ++i) {
    const Point p = shape.points[i];
    box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
    box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
  }
  const Point radius{shape.radius, shape.radius};
  return {box.low - radius, box.high + radius};
}

/// A shape as convex parts in the frame of a mask: the shape itself, or the rectangles of another mask.
class Parts {
 public:
  Parts(const MaskFrame& frame, const Shape& shape, const Transform& at);

  /// Visits each part with its bounding box, until `visit` returns false. Visits nothing for invalid shapes.
  template <typename Visit>
  void for_each(Visit visit) const {
    constexpr double all = std::numeric_limits<double>::max();
    for_each_near({{-all, -all}, {all, all}}, visit);
  }

  /// As `for_each`, but first visits the part with the least `key(box)`, which is visited again later: a
  /// search for the nearest part thus starts with a good limit and can skip all parts that are too far away.
  /// @pre `visit` returns true
  template <typename Key, typename Visit>
  void for_each_least_first(Key key, Visit visit) const {
    if (mask_ != nullptr) {
      std::optional<Convex> least;
      double least_key = 0.0;
      for_each([&](const Convex& part, const LocalBox& box) {
        if (const double found = key(box); !least || found < least_key) {
          least = part;
          least_key = found;
        }
        return true;
      });
      if (least) {
        visit(*least, box_around(*least));
      }
    }
    for_each(visit);
  }

  /// As `for_each`, for the parts whose box touches another box.
  template <typename Visit>
  void for_each_near(const LocalBox& near, Visit visit) const {
    const auto visit_near = [&](const Convex& part) {
      const LocalBox box = box_around(part);
      return !box.touches(near) || visit(part, box);
    };
    if (mask_ == nullptr) {
      if (whole_.size > 0) {
        visit_near(whole_);
      }
      return;
    }
    if (!MaskFrame(*mask_, at_).valid()) {
      return;
    }
    const PixelsNear pixels = pixels_near(near);
    for (const PixelRectangle& r : mask_->rectangles()) {
      if (pixels.has(r) && !visit_near(to_convex(r, *mask_, at_, frame_))) {
        return;
      }
    }
  }

  /// A range of pixels of the mask that contains all pixels touching a box.
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

  /// @pre the shape is a mask with a valid transform
  [[nodiscard]] PixelsNear pixels_near(const LocalBox& near) const;

  /// Returns the center of the bounding box of the shape; for a mask, of its rotated box. @pre the shape is
  /// valid
  [[nodiscard]] Point middle() const;

 private:
  MaskFrame frame_;
  const Mask* mask_;
  Transform at_;
  Convex whole_;  ///< if it is not a mask
};

}  // namespace broadside::detail
