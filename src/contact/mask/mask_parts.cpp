#include "contact/mask/mask_parts.hpp"
#include "base/tolerances.hpp"

#include <cmath>
#include <initializer_list>

namespace broadside::detail {

Parts::Parts(const MaskFrame& frame, const Shape& shape, const Transform& at)
    : frame_(frame), mask_(std::get_if<Mask>(&shape)), at_(at) {
  std::visit(
      [&](const auto& convex) {
        if constexpr (is_convex<std::decay_t<decltype(convex)>>) {
          place(convex, at, to_point(frame.anchor()), whole_);
          frame.transform_in(whole_);
        }
      },
      shape);
}

Parts::PixelsNear Parts::pixels_near(const LocalBox& near) const {
  const MaskFrame other(*mask_, at_);
  const Point way = to_point(at_.position) - to_point(frame_.anchor());
  const double per_pixel = 1.0 / static_cast<double>(mask_->pixel_size());
  Point low{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  Point high = -1.0 * low;
  double lengths = largest_side(way) + largest_side(to_point(mask_->origin()));
  for (const Point corner :
       {near.low, Point{near.low.x, near.high.y}, near.high, Point{near.high.x, near.low.y}}) {
    const Point world = frame_.to_world(corner);
    const Point p = per_pixel * other.from_world(world - way);
    low = {std::fmin(low.x, p.x), std::fmin(low.y, p.y)};
    high = {std::fmax(high.x, p.x), std::fmax(high.y, p.y)};
    lengths += largest_side(world);
  }
  // Far above any rounding; without finite numbers, no pixel is excluded.
  const double margin = 1.0 + clear_of_rounding * lengths * per_pixel;
  constexpr double most = Mask::max_side;
  const auto least_of = [&](double at) {
    return static_cast<std::int32_t>(std::fmin(std::fmax(at - margin, 0.0), most));
  };
  const auto most_of = [&](double at) {
    return static_cast<std::int32_t>(std::fmax(std::fmin(at + margin, most), -1.0));
  };
  return {least_of(low.x), most_of(high.x), least_of(low.y), most_of(high.y)};
}

Point Parts::middle() const {
  if (mask_ == nullptr) {
    return box_around(whole_).middle();
  }
  return box_around(to_convex(mask_->extent(), *mask_, at_, frame_)).middle();
}

}  // namespace broadside::detail
