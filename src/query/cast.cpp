#include "broadside/query/cast.hpp"

#include "broadside/contact/collide.hpp"
#include "query/along.hpp"
#include "query/checks.hpp"

namespace broadside {

namespace {

Error find_error(const ShapeSet& set, const Shape& shape, const Transform& transform, Vec2 motion) {
  if (Error error = detail::find_error(set)) {
    return error;
  }
  if (Error error = detail::find_error(shape, transform)) {
    return error;
  }
  return detail::find_error(motion, "motion");
}

auto cast_test(const ShapeSet& set, const Shape& shape, const Transform& transform, Vec2 motion) {
  return [&set, &shape, &transform, motion](BoxIndex index) {
    return cast(shape, transform, motion, set.shapes[index], set.transforms[index]);
  };
}

}  // namespace

Result<std::optional<ShapeHit>> cast_shape(const ShapeSet& set, const Shape& shape,
                                           const Transform& transform, Vec2 motion, Accept accept) {
  if (Error error = find_error(set, shape, transform, motion)) {
    return error;
  }
  return detail::find_first(set.boxes, detail::SweptBox(bounds(shape, transform), motion), accept,
                            cast_test(set, shape, transform, motion));
}

Result<void> visit_cast(const ShapeSet& set, const Shape& shape, const Transform& transform, Vec2 motion,
                        VisitHit visit, Accept accept) {
  if (Error error = find_error(set, shape, transform, motion)) {
    return error;
  }
  detail::visit_all(set.boxes, detail::SweptBox(bounds(shape, transform), motion), accept,
                    cast_test(set, shape, transform, motion), visit);
  return {};
}

}  // namespace broadside
