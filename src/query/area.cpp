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

/// An area as boxes that cover it exactly: one, or two on each axis where its middle is no float.
class AreaShapes {
 public:
  explicit AreaShapes(const Aabb& area) {
    const Half x = half_of(area.min.x, area.max.x);
    const Half y = half_of(area.min.y, area.max.y);
    for (const bool right : {false, true}) {
      for (const bool upper : {false, true}) {
        if ((right && x.exact) || (upper && y.exact)) {
          continue;
        }
        const Vec2 corner{right ? area.max.x : area.min.x, upper ? area.max.y : area.min.y};
        const Vec2 middle{right ? -x.length : x.length, upper ? -y.length : y.length};
        parts_[size_++] = {Box{{x.length, y.length}, middle, {}}, Transform{corner, {}}};
      }
    }
  }

  [[nodiscard]] bool overlaps(const Shape& shape, const Transform& at) const {
    return std::any_of(parts_.begin(), parts_.begin() + size_,
                       [&](const Part& part) { return broadside::overlaps(shape, at, part.shape, part.at); });
  }

 private:
  struct Half {
    float length;
    bool exact;
  };
  struct Part {
    Shape shape;
    Transform at;
  };

  static Half half_of(float min, float max) {
    const double half = 0.5 * (static_cast<double>(max) - static_cast<double>(min));
    const float rounded = detail::round_down(half);
    return {rounded, static_cast<double>(rounded) == half};
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
