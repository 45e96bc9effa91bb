#pragma once

#include <algorithm>
#include <cmath>

#include "body/convex.hpp"

namespace broadside::inline v0_2::detail {

/// The frame of a mask: its pixel (column, row) begins at `pixel * (column, row)`, without rotation.
///
/// Its unit is that of the caller, not the pixel: the lines between pixels are then products of a float and
/// an integer, which are exact in double, so without rotation the touch test is free of rounding.
class MaskFrame {
 public:
  MaskFrame(const Mask& mask, const Transform& at)
      : valid_(is_valid(at)),
        anchor_(at.position),
        rotation_(at.rotation),
        origin_(to_point(mask.origin())),
        turn_{static_cast<double>(at.rotation.cos), static_cast<double>(at.rotation.sin)},
        norm_(valid_ ? dot(turn_, turn_) : 1.0) {}

  /// Returns whether the transform is valid: a precondition of all other functions.
  [[nodiscard]] bool valid() const { return valid_; }

  /// Returns the point that world points are relative to, here and in `place`.
  [[nodiscard]] Vec2 anchor() const { return anchor_; }

  /// Returns the length of 1 of this frame in the world: 1, up to the rounding of the rotation.
  [[nodiscard]] double length() const { return std::sqrt(norm_); }

  [[nodiscard]] Point vector_from_world(Point vector) const {
    return {(turn_.x * vector.x + turn_.y * vector.y) / norm_,
            (turn_.x * vector.y - turn_.y * vector.x) / norm_};
  }
  [[nodiscard]] Point from_world(Point p) const { return vector_from_world(p) - origin_; }
  [[nodiscard]] Point vector_to_world(Point vector) const { return rotate(rotation_, vector); }
  [[nodiscard]] Point to_world(Point p) const { return rotate(rotation_, p + origin_); }

  /// Transforms a placed shape into this frame.
  void transform_in(Convex& shape) const {
    for (std::size_t i = 0; i < shape.size; ++i) {
      shape.points[i] = from_world(shape.points[i]);
    }
    merge_equal_corners(shape);
    shape.is_well_conditioned = false;
    shape.is_rectangle = false;
    shape.inverse_length = nullptr;
    shape.radius /= length();
    shape.reach = 0.0;
    shape.extent = 0.0;
  }

 private:
  bool valid_;
  Vec2 anchor_;
  Rotation rotation_;
  Point origin_;
  Point turn_;
  double norm_;
};

/// Returns a rectangle of pixels in the frame of its mask.
inline Convex to_convex(const PixelRectangle& r, double pixel) {
  const Point low{r.column * pixel, r.row * pixel};
  const Point high{(r.column + r.width) * pixel, (r.row + r.height) * pixel};
  Convex convex;
  convex.points[0] = low;
  convex.points[1] = {high.x, low.y};
  convex.points[2] = high;
  convex.points[3] = {low.x, high.y};
  convex.size = 4;
  return convex;
}

/// Returns a rectangle of the pixels of `other` in this frame.
inline Convex to_convex(const PixelRectangle& r, const Mask& other, const Transform& at_other,
                        const MaskFrame& frame) {
  Convex convex = to_convex(r, static_cast<double>(other.pixel_size()));
  const Point offset = to_point(at_other.position) - to_point(frame.anchor());
  for (std::size_t i = 0; i < convex.size; ++i) {
    convex.points[i] = rotate(at_other.rotation, convex.points[i] + to_point(other.origin())) + offset;
  }
  frame.transform_in(convex);
  return convex;
}

/// The common area of two shapes, as far as a contact needs it; accumulated in pieces.
struct SharedRegion {
  bool touching = false;
  Point low;          ///< of its bounding box
  Point high;         ///< of its bounding box
  Point push;         ///< sum of the exposed sides of a inside b, length x outward normal: the fastest
                      ///< direction to separate them
  double side = 0.0;  ///< total length of those sides

  void take(Point piece_low, Point piece_high) {
    low = touching ? Point{std::fmin(low.x, piece_low.x), std::fmin(low.y, piece_low.y)} : piece_low;
    high = touching ? Point{std::fmax(high.x, piece_high.x), std::fmax(high.y, piece_high.y)} : piece_high;
    touching = true;
  }
};

/// A closed interval; empty if low > high.
struct Interval {
  double low = 0.0;
  double high = -1.0;

  [[nodiscard]] bool empty() const { return low > high; }

  /// Extends it by another interval.
  void take(Interval other) {
    if (!other.empty()) {
      *this = empty() ? other : Interval{std::min(low, other.low), std::max(high, other.high)};
    }
  }
};

/// The extent of the common area of two shapes along a direction. Pieces without area do not count.
struct Reach {
  Point normal;
  Interval all;

  /// Extends it by a box.
  void take(Point piece_low, Point piece_high) {
    if (piece_low.x < piece_high.x && piece_low.y < piece_high.y) {
      all.take(of_box(piece_low, piece_high));
    }
  }

  /// Returns whether a piece in this box could extend it.
  [[nodiscard]] bool may_extend(Point box_low, Point box_high) const {
    const Interval box = of_box(box_low, box_high);
    return box_low.x < box_high.x && box_low.y < box_high.y && !(all.low <= box.low && box.high <= all.high);
  }

  [[nodiscard]] double depth() const { return std::max(all.high - all.low, 0.0); }

 private:
  [[nodiscard]] Interval of_box(Point box_low, Point box_high) const {
    return {(normal.x < 0.0 ? box_high.x : box_low.x) * normal.x +
                (normal.y < 0.0 ? box_high.y : box_low.y) * normal.y,
            (normal.x < 0.0 ? box_low.x : box_high.x) * normal.x +
                (normal.y < 0.0 ? box_low.y : box_high.y) * normal.y};
  }
};

}  // namespace broadside::inline v0_2::detail
