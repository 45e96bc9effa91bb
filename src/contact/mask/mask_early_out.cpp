#include "contact/mask/mask_early_out.hpp"

#include <cmath>

#include "base/tolerances.hpp"
#include "contact/mask/mask_frame.hpp"

namespace broadside::inline v0_2::detail {

namespace {

double sum_of(Vec2 v) {
  return std::abs(static_cast<double>(v.x)) + std::abs(static_cast<double>(v.y));
}

/// Converts another shape to the pixel grid of a mask.
class Grid {
 public:
  Grid(const Mask& mask, const Transform& at_mask, const Transform& at_shape)
      : frame_(mask, at_mask),
        per_pixel_(1.0 / static_cast<double>(mask.pixel_size())),
        rotation_(at_shape.rotation),
        offset_(to_point(at_shape.position) - to_point(at_mask.position)),
        lengths_(std::abs(offset_.x) + std::abs(offset_.y) + sum_of(mask.origin())),
        valid_(frame_.valid() && is_valid(at_shape)) {}

  [[nodiscard]] bool valid() const { return valid_; }
  [[nodiscard]] Point place(Vec2 center) const {
    return per_pixel_ * frame_.from_world(rotate(rotation_, to_point(center)) + offset_);
  }
  [[nodiscard]] Point direction(Rotation own) const {
    return frame_.vector_from_world(
        rotate(rotation_, {static_cast<double>(own.cos), static_cast<double>(own.sin)}));
  }
  [[nodiscard]] double size(double size) const { return size * per_pixel_; }
  [[nodiscard]] double length() const { return frame_.length(); }

  /// Returns a bound far above any rounding (unit: pixel). @param reach of the shape, from its own origin
  [[nodiscard]] double margin(double reach) const {
    return clear_of_rounding * (1.0 + (lengths_ + reach) * per_pixel_);
  }

 private:
  MaskFrame frame_;
  double per_pixel_;
  Rotation rotation_;
  Point offset_;
  double lengths_;
  bool valid_;
};

constexpr double largest_margin = 0.01;  // pixels

EarlyOut early_out(const Mask& mask, const Grid& grid, const Circle& circle) {
  const GridCircle placed{grid.place(circle.center),
                          grid.size(static_cast<double>(circle.radius)) / grid.length()};
  const double margin = grid.margin(sum_of(circle.center) + static_cast<double>(circle.radius));
  const bool fits = is_valid(circle) && margin < largest_margin && placed.radius > margin;
  return fits ? early_out_on_grid(strips_of(mask), mask.extent(), placed, margin) : EarlyOut::inconclusive;
}

EarlyOut early_out(const Mask& mask, const Grid& grid, const Box& box) {
  const Point direction = grid.direction(box.rotation);
  const double stretch = std::sqrt(dot(direction, direction));
  if (!(stretch > 0.0)) {
    return EarlyOut::inconclusive;
  }
  const GridBox placed{grid.place(box.center), (1.0 / stretch) * direction,
                       grid.size(stretch) * to_point(box.half_size)};
  const double margin = grid.margin(sum_of(box.center) + sum_of(box.half_size));
  const bool fits =
      is_valid(box) && margin < largest_margin && placed.half.x > margin && placed.half.y > margin;
  return fits ? early_out_on_grid(strips_of(mask), mask.extent(), placed, margin) : EarlyOut::inconclusive;
}

}  // namespace

EarlyOut early_out(const Mask& mask, const Transform& at_mask, const Shape& shape,
                   const Transform& at_shape) {
  const auto* circle = std::get_if<Circle>(&shape);
  const auto* box = std::get_if<Box>(&shape);
  if (circle == nullptr && box == nullptr) {
    return EarlyOut::inconclusive;
  }
  const Grid grid(mask, at_mask, at_shape);
  if (!grid.valid()) {
    return EarlyOut::inconclusive;
  }
  return circle != nullptr ? early_out(mask, grid, *circle) : early_out(mask, grid, *box);
}

}  // namespace broadside::inline v0_2::detail
