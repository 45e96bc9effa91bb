#include "broadside/query/cast.hpp"

#include "query/along.hpp"
#include "query/checks.hpp"

namespace broadside {

namespace {

Error find_error(const ShapeSet& set, const Shape& shape, const Transform& at, Vec2 motion) {
  if (Error error = detail::find_error(set)) {
    return error;
  }
  if (Error error = detail::find_error(shape, at)) {
    return error;
  }
  return detail::find_error(motion, "motion");
}

auto cast_test(const ShapeSet& set, const Shape& shape, const Transform& at, Vec2 motion) {
  return [&set, &shape, &at, motion](BoxIndex index) {
    return cast(shape, at, motion, set.shapes[index], set.transforms[index]);
  };
}

}  // namespace

Result<std::optional<ShapeCastHit>> cast_shape(const ShapeSet& set, const Shape& shape, const Transform& at,
                                               Vec2 motion, Accept accept) {
  if (Error error = find_error(set, shape, at, motion)) {
    return error;
  }
  return detail::find_first<ShapeCastHit>(set.boxes, detail::SweptBox(bounds(shape, at), motion), accept,
                                          cast_test(set, shape, at, motion));
}

Result<void> visit_cast(const ShapeSet& set, const Shape& shape, const Transform& at, Vec2 motion,
                        Accept accept, FunctionRef<bool(const ShapeCastHit&)> visit) {
  if (Error error = find_error(set, shape, at, motion)) {
    return error;
  }
  detail::visit_all<ShapeCastHit>(set.boxes, detail::SweptBox(bounds(shape, at), motion), accept,
                                  cast_test(set, shape, at, motion), visit);
  return {};
}

}  // namespace broadside
