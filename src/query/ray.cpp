#include "broadside/query/ray.hpp"

#include "broadside/contact/collide.hpp"
#include "query/along.hpp"
#include "query/checks.hpp"

namespace broadside {

namespace {

Error find_error(const ShapeSet& set, Vec2 start, Vec2 motion) {
  if (Error error = detail::find_error(set)) {
    return error;
  }
  if (Error error = detail::find_error(start, "start of the ray")) {
    return error;
  }
  return detail::find_error(motion, "motion of the ray");
}

auto ray_test(const ShapeSet& set, Vec2 start, Vec2 motion) {
  return [&set, start, motion](BoxIndex index) {
    return cast_ray(start, motion, set.shapes[index], set.transforms[index]);
  };
}

}  // namespace

Result<std::optional<ShapeHit>> cast_ray(const ShapeSet& set, Vec2 start, Vec2 motion, Accept accept) {
  if (Error error = find_error(set, start, motion)) {
    return error;
  }
  return detail::find_first(set.boxes, detail::SweptBox({start, start}, motion), accept,
                            ray_test(set, start, motion));
}

Result<void> visit_ray(const ShapeSet& set, Vec2 start, Vec2 motion, VisitHit visit, Accept accept) {
  if (Error error = find_error(set, start, motion)) {
    return error;
  }
  detail::visit_all(set.boxes, detail::SweptBox({start, start}, motion), accept, ray_test(set, start, motion),
                    visit);
  return {};
}

}  // namespace broadside
