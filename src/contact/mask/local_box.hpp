#pragma once

#include <algorithm>
#include <limits>

#include "contact/mask/mask_frame.hpp"

namespace broadside::inline v0_2::detail {

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

inline constexpr double never = std::numeric_limits<double>::infinity();

/// The times at which a ray is between two parallel lines.
struct Passage {
  double in = -never;
  double out = never;
};

inline Passage pass(double start, double motion, double low, double high) {
  if (motion == 0.0) {
    return low <= start && start <= high ? Passage{} : Passage{never, -never};
  }
  const double at_low = (low - start) / motion;
  const double at_high = (high - start) / motion;
  return {std::min(at_low, at_high), std::max(at_low, at_high)};
}

}  // namespace broadside::inline v0_2::detail
