#include "broadside/query/ray.hpp"

#include "query/along.hpp"
#include "query/checks.hpp"

namespace broadside {

namespace {

Error find_error(const ShapeSet& set, Vec2 start, Vec2 way) {
  if (Error error = detail::find_error(set)) {
    return error;
  }
  if (Error error = detail::find_error(start, "start of the ray")) {
    return error;
  }
  return detail::find_error(way, "translation of the ray");
}

auto ray_test(const ShapeSet& set, Vec2 start, Vec2 way) {
  return [&set, start, way](BoxIndex index) {
    return cast_ray(start, way, set.shapes[index], set.transforms[index]);
  };
}

}  // namespace

Result<std::optional<RayCastHit>> cast_ray(const ShapeSet& set, Vec2 start, Vec2 way, Accept accept) {
  if (Error error = find_error(set, start, way)) {
    return error;
  }
  return detail::find_first<RayCastHit>(set.boxes, detail::SweptBox({start, start}, way), accept,
                                        ray_test(set, start, way));
}

Result<void> visit_ray(const ShapeSet& set, Vec2 start, Vec2 way, Accept accept,
                       FunctionRef<bool(const RayCastHit&)> visit) {
  if (Error error = find_error(set, start, way)) {
    return error;
  }
  detail::visit_all<RayCastHit>(set.boxes, detail::SweptBox({start, start}, way), accept,
                                ray_test(set, start, way), visit);
  return {};
}

}  // namespace broadside
