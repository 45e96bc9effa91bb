#include "broadside/query/area.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/rounding.hpp"
#include "broadside/base/validate.hpp"
#include "broadside/contact/collide.hpp"
#include "query/checks.hpp"
#include "query/scratch.hpp"

namespace broadside {

namespace {

/// Visits those of the boxes that overlap an area which are accepted and pass a test of their own.
template <typename Test>
void visit_boxes(const BroadPhase& boxes, const Aabb& area, Accept accept, Visit visit, const Test& test) {
  detail::Scratch<std::vector<BoxIndex>> hits;
  hits->clear();
  boxes.append_area(area, *hits);
  std::sort(hits->begin(), hits->end());
  for (const BoxIndex index : *hits) {
    if (accept(index) && test(index) && !visit(index)) {
      return;
    }
  }
}

bool is_within(const Aabb& inner, const Aabb& outer) {
  return outer.min.x <= inner.min.x && inner.max.x <= outer.max.x && outer.min.y <= inner.min.y &&
         inner.max.y <= outer.max.y;
}

/// An area as boxes that cover it exactly: one, or two on each axis where floats cannot tell its middle.
class AreaShapes {
 public:
  explicit AreaShapes(const Aabb& area) {
    const Sides x = divide(area.min.x, area.max.x);
    const Sides y = divide(area.min.y, area.max.y);
    for (std::size_t i = 0; i < x.size; ++i) {
      for (std::size_t j = 0; j < y.size; ++j) {
        const Box box{{x.half, y.half}, {x.middle[i], y.middle[j]}, {}};
        parts_[static_cast<std::size_t>(size_++)] = {box, Transform{{x.start[i], y.start[j]}, {}}};
      }
    }
  }

  [[nodiscard]] bool overlaps(const Shape& shape, const Transform& at) const {
    return std::any_of(parts_.begin(), parts_.begin() + size_,
                       [&](const Part& part) { return broadside::overlaps(shape, at, part.shape, part.at); });
  }

 private:
  /// One or two stretches that together are a side.
  struct Sides {
    std::size_t size;
    float half;
    std::array<float, 2> start;
    std::array<float, 2> middle;  ///< from the start
  };
  struct Part {
    Shape shape;
    Transform at;
  };

  static Sides divide(float min, float max) {
    const auto low = static_cast<double>(min);
    const auto high = static_cast<double>(max);
    const float center = detail::to_float(0.5 * (low + high));
    const float half = detail::round_down(0.5 * (high - low));
    const auto reach = static_cast<double>(half);
    if (static_cast<double>(center) - reach == low && static_cast<double>(center) + reach == high) {
      return {1, half, {center}, {0.0F}};
    }
    // From both ends; they meet, or nearly all of them is in both.
    return {reach == 0.5 * (high - low) ? 1U : 2U, half, {min, max}, {half, -half}};
  }

  std::array<Part, 4> parts_;
  std::ptrdiff_t size_ = 0;
};

}  // namespace

Result<void> visit_area(const ShapeSet& set, const Aabb& area, Accept accept, Visit visit) {
  if (Error error = detail::find_error(set)) {
    return error;
  }
  if (auto valid = validate(area, "area"); !valid) {
    return valid;
  }
  const AreaShapes shapes(area);
  visit_boxes(set.boxes, area, accept, visit, [&](BoxIndex index) {
    return is_within(set.boxes.box_of(index), area) ||
           shapes.overlaps(set.shapes[index], set.transforms[index]);
  });
  return {};
}

Result<void> visit_point(const ShapeSet& set, Vec2 point, Accept accept, Visit visit) {
  if (Error error = detail::find_error(set)) {
    return error;
  }
  if (Error error = detail::find_error(point, "point")) {
    return error;
  }
  visit_boxes(set.boxes, {point, point}, accept, visit,
              [&](BoxIndex index) { return contains(set.shapes[index], set.transforms[index], point); });
  return {};
}

Result<void> visit_shape(const ShapeSet& set, const Shape& shape, const Transform& at, Accept accept,
                         Visit visit) {
  if (Error error = detail::find_error(set)) {
    return error;
  }
  if (Error error = detail::find_error(shape, at)) {
    return error;
  }
  visit_boxes(set.boxes, bounds(shape, at), accept, visit,
              [&](BoxIndex index) { return overlaps(shape, at, set.shapes[index], set.transforms[index]); });
  return {};
}

}  // namespace broadside
