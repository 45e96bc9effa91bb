#include "contact/mask/mask_pair.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/tolerances.hpp"

namespace broadside::inline v0_2::detail {

namespace {

auto rank(const Mask& mask, const Transform& at) {
  return std::tuple(at.position.x, at.position.y, at.rotation.cos, at.rotation.sin, mask.origin().x,
                    mask.origin().y, mask.pixel_size(), mask.width(), mask.height(), mask.count());
}

}  // namespace

bool precedes(const Mask& a, const Transform& at_a, const Mask& b, const Transform& at_b) {
  const auto rank_a = rank(a, at_a);
  const auto rank_b = rank(b, at_b);
  if (rank_a != rank_b) {
    return rank_a < rank_b;
  }
  for (std::uint32_t row = 0; row < a.height(); ++row) {
    const auto words_a = a.words(row);
    const auto words_b = b.words(row);
    if (!std::equal(words_a.begin(), words_a.end(), words_b.begin())) {
      return std::lexicographical_compare(words_a.begin(), words_a.end(), words_b.begin(), words_b.end());
    }
  }
  return true;
}

MaskPair::MaskPair(const Mask& a, const Transform& at_a, const Shape& b, const Transform& at_b)
    : a_(a),
      b_(std::get_if<Mask>(&b)),
      at_b_(at_b),
      parallel_(b_ != nullptr && are_parallel(a, at_a, *b_, at_b)),
      boxes_touch_(!parallel_ && broadside::overlaps(bounds(a, at_a), bounds(b, at_b))),
      frame_(a, at_a) {
  if (b_ == nullptr) {
    place(b, at_b, to_point(frame_.anchor()), whole_);
    frame_.transform_in(whole_);
  }
  if (parallel_) {
    offset_ = offset_of(a, at_a, *b_, at_b);
  }
}

MaskPair::PixelsNear MaskPair::pixels_near(const LocalBox& near) const {
  const MaskFrame other(*b_, at_b_);
  const Point offset = to_point(at_b_.position) - to_point(frame_.anchor());
  const double per_pixel = 1.0 / static_cast<double>(b_->pixel_size());
  Point low{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  Point high = -1.0 * low;
  double lengths = largest_side(offset) + largest_side(to_point(b_->origin()));
  for (const Point corner :
       {near.low, Point{near.low.x, near.high.y}, near.high, Point{near.high.x, near.low.y}}) {
    const Point world = frame_.to_world(corner);
    const Point p = per_pixel * other.from_world(world - offset);
    low = {std::fmin(low.x, p.x), std::fmin(low.y, p.y)};
    high = {std::fmax(high.x, p.x), std::fmax(high.y, p.y)};
    lengths += largest_side(world);
  }
  // Far above any rounding; without finite numbers, no pixel is excluded.
  const double margin = 1.0 + clear_of_rounding * lengths * per_pixel;
  constexpr double max_pixel = Mask::max_side;
  const auto first_pixel = [&](double at) {
    return static_cast<std::int32_t>(std::fmin(std::fmax(at - margin, 0.0), max_pixel));
  };
  const auto last_pixel = [&](double at) {
    return static_cast<std::int32_t>(std::fmax(std::fmin(at + margin, max_pixel), -1.0));
  };
  return {first_pixel(low.x), last_pixel(high.x), first_pixel(low.y), last_pixel(high.y)};
}

std::optional<PixelCorner> MaskPair::first_touching() const {
  const auto pixel = static_cast<double>(a_.pixel_size());
  std::optional<PixelCorner> first;
  for_each_near_part([&](const Convex& part, const LocalBox& box) {
    if (first && box.low.y > (first->row + 1.0) * pixel) {
      return true;
    }
    const auto found = detail::first_touching(a_, part);
    if (found && (!first || std::tie(found->row, found->column) < std::tie(first->row, first->column))) {
      first = found;
    }
    return true;
  });
  return first;
}

std::optional<PixelCorner> MaskPair::first_touching_of_b() const {
  std::optional<PixelCorner> first;
  const auto touches_a = [&](std::uint32_t column, std::uint32_t row, std::uint32_t width) {
    const PixelRectangle piece{static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(row),
                               static_cast<std::uint16_t>(width), 1};
    return detail::first_touching(a_, to_convex(piece, *b_, at_b_, frame_)).has_value();
  };
  // Returns the pixel of a touching rectangle that contains a common point.
  const auto pixel_at_touch = [&](const PixelRectangle& r) {
    const Convex part = to_convex(r, *b_, at_b_, frame_);
    const Point touched = detail::point_of_both(a_, part, *detail::first_touching(a_, part));
    const Point offset = to_point(at_b_.position) - to_point(frame_.anchor());
    const Point at = (1.0 / static_cast<double>(b_->pixel_size())) *
                     MaskFrame(*b_, at_b_).from_world(frame_.to_world(touched) - offset);
    return PixelCorner{static_cast<std::uint32_t>(std::clamp<double>(at.x, r.column, r.column + r.width - 1)),
                       static_cast<std::uint32_t>(std::clamp<double>(at.y, r.row, r.row + r.height - 1))};
  };
  const auto near = pixels_near(box_of_a());
  // The first touching row of each rectangle, then the first touching pixel of that row.
  for (const PixelRectangle& r : b_->rectangles()) {
    if (!near.has(r) || (first && r.row > first->row) ||
        !detail::first_touching(a_, to_convex(r, *b_, at_b_, frame_))) {
      continue;
    }
    // By rounding, no single row or pixel may touch although the rectangle does: then use the pixel at a
    // common point.
    std::uint32_t row = r.row;
    while (row < std::uint32_t{r.row} + r.height && !touches_a(r.column, row, r.width)) {
      ++row;
    }
    const bool is_row_known = row < std::uint32_t{r.row} + r.height;
    row = is_row_known ? row : pixel_at_touch(r).row;
    std::uint32_t column = r.column;
    while (column < std::uint32_t{r.column} + r.width && !touches_a(column, row, 1)) {
      ++column;
    }
    if (column == std::uint32_t{r.column} + r.width) {
      const PixelRectangle of_row{r.column, static_cast<std::uint16_t>(row), r.width, 1};
      column = pixel_at_touch(is_row_known ? of_row : r).column;
    }
    if (!first || std::tie(row, column) < std::tie(first->row, first->column)) {
      first = PixelCorner{column, row};
    }
  }
  return first;
}

bool MaskPair::touching() const {
  bool found = offset_ && detail::first_touching(a_, *b_, *offset_);
  for_each_near_part([&](const Convex& part, const LocalBox& /*box*/) {
    found = detail::first_touching(a_, part).has_value();
    return !found;
  });
  return found;
}

double MaskPair::shared_area() const {
  double area = 0.0;
  for_each_near_part([&](const Convex& part, const LocalBox& /*box*/) {
    area += detail::shared_area(a_, part);
    return true;
  });
  return area;
}

SharedRegion MaskPair::shared() const {
  SharedRegion region;
  if (offset_) {
    add_shared(a_, *b_, *offset_, region);
  }
  for_each_near_part([&](const Convex& part, const LocalBox& /*box*/) {
    add_shared(a_, part, region);
    return true;
  });
  return region;
}

double MaskPair::depth(Point normal) const {
  Reach reach;
  reach.normal = normal;
  if (offset_) {
    add_reach(a_, *b_, *offset_, reach);
  }
  for_each_near_part([&](const Convex& part, const LocalBox& box) {
    if (reach.may_extend(box.low, box.high)) {
      add_reach(a_, part, reach);
    }
    return true;
  });
  return reach.depth();
}

Point MaskPair::point_of_both() const {
  if (parallel_) {
    return detail::point_of_both(a_, *b_, *offset_, *detail::first_touching(a_, *b_, *offset_));
  }
  Point point;
  for_each_near_part([&](const Convex& part, const LocalBox& /*box*/) {
    const auto first = detail::first_touching(a_, part);
    point = first ? detail::point_of_both(a_, part, *first) : point;
    return !first;
  });
  return point;
}

Point MaskPair::center_offset() const {
  const Convex all_of_b = b_ == nullptr ? whole_ : to_convex(b_->extent(), *b_, at_b_, frame_);
  return box_around(all_of_b).middle() - box_of_a().middle();
}

}  // namespace broadside::inline v0_2::detail
