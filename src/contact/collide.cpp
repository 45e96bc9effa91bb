#include "broadside/contact/collide.hpp"

#include <hwy/base.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/select.hpp"
#include "base/to_vec2.hpp"
#include "base/tolerances.hpp"
#include "contact/box/box_pair.hpp"
#include "contact/cast_shape.hpp"
#include "contact/circle/circle_convex.hpp"
#include "contact/circle/core_ray.hpp"
#include "contact/engine/convex_pairs.hpp"
#include "contact/engine/gap.hpp"
#include "contact/long_motion.hpp"
#include "contact/mask/mask_collide.hpp"
#include "contact/placed.hpp"

namespace broadside::inline v0_2 {

namespace {

using detail::ConvexDistance;
using detail::ConvexHit;
using detail::ConvexManifold;
using detail::Placed;
using detail::Point;
using detail::to_number;
using detail::to_point;
using detail::Touch;

bool is_mask(const Shape& shape) {
  return std::holds_alternative<Mask>(shape);
}

/// Returns the distance of the bounds of two shapes; 0 if they overlap. Shapes that are apart never have
/// distance 0, nor less than this, even if their distance is lost in double.
double distance_of_bounds(const Shape& shape_a, const Transform& at_a, const Shape& shape_b,
                          const Transform& at_b) {
  const Aabb a = bounds(shape_a, at_a);
  const Aabb b = bounds(shape_b, at_b);
  const auto gap = [](float a_min, float a_max, float b_min, float b_max) {
    return std::max({0.0, static_cast<double>(b_min) - static_cast<double>(a_max),
                     static_cast<double>(a_min) - static_cast<double>(b_max)});
  };
  return detail::length({gap(a.min.x, a.max.x, b.min.x, b.max.x), gap(a.min.y, a.max.y, b.min.y, b.max.y)});
}

bool are_boxes(const Shape& a, const Shape& b) {
  return std::holds_alternative<Box>(a) && std::holds_alternative<Box>(b);
}

/// Returns whether one of two shapes is a circle. @pre neither is a mask
bool has_circle(const Shape& a, const Shape& b) {
  return std::holds_alternative<Circle>(a) || std::holds_alternative<Circle>(b);
}

Touch collide_placed(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b,
                     Manifold& manifold) {
  const Placed placed{a, at_a, b, at_b};
  const ConvexManifold found = detail::collide(placed.first(), placed.second());
  if (found.size == 0) {
    return {};
  }
  manifold.normal = placed.from_a(found.normal);
  manifold.size = found.size;
  for (std::uint32_t i = 0; i < found.size; ++i) {
    const detail::ConvexPoint& point = found.points[i];
    manifold.points[i] = {placed.in_world(point.position), to_number(point.separation), point.feature};
  }
  return {true, found.deepest, detail::reach(placed.first()) + detail::reach(placed.second())};
}

Touch collide_convex(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b,
                     Manifold& manifold) {
  if (has_circle(a, b)) {
    return detail::collide_circle(a, at_a, b, at_b, manifold);
  }
  if (are_boxes(a, b)) {
    return detail::collide_boxes(*std::get_if<Box>(&a), at_a, *std::get_if<Box>(&b), at_b, manifold);
  }
  return collide_placed(a, at_a, b, at_b, manifold);
}

bool is_clearly_apart(double distance, const Placed& placed, const Transform& at_a, const Transform& at_b) {
  return detail::is_clearly_apart(distance, detail::reach(placed.first()) + detail::reach(placed.second()) +
                                                detail::reach_of(at_a, at_b));
}

Distance apart(const ConvexDistance& found, double distance, const Placed& placed) {
  return {detail::to_distance(distance),
          placed.in_world(detail::select(placed.swapped(), found.point_a, found.point_b)),
          placed.in_world(detail::select(placed.swapped(), found.point_b, found.point_a)),
          placed.from_a(found.normal)};
}

/// Does what `distance` does if one of the shapes is a circle and neither is a mask.
Distance distance_round(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  const detail::CircleDistance found = detail::distance_to_circle(a, at_a, b, at_b);
  const bool is_turned = detail::is_circle_first(b);
  const Vec2 normal = detail::to_direction((is_turned ? -1.0 : 1.0) * found.normal);
  double distance = found.distance;
  if (distance == std::numeric_limits<double>::infinity()) {
    return {std::numeric_limits<float>::max(), {}, {}, normal};
  }
  if (!detail::is_clearly_apart(distance, found.reach + detail::reach_of(at_a, at_b))) {
    if (detail::is_confirmed({found.touching, distance, found.reach}, a, at_a, b, at_b)) {
      const Vec2 common = to_vec2(found.common);
      return {0.0F, common, common, normal};
    }
    distance = std::max(distance, distance_of_bounds(a, at_a, b, at_b));
  }
  const Vec2 on_other = to_vec2(found.on_other);
  const Vec2 on_circle = to_vec2(found.on_circle);
  return {detail::to_distance(distance), is_turned ? on_circle : on_other, is_turned ? on_other : on_circle,
          normal};
}

/// Does what `distance` does for two boxes that are clearly apart or clearly touch; nothing for others.
std::optional<Distance> distance_of_boxes(const Box& a, const Transform& at_a, const Box& b,
                                          const Transform& at_b) {
  detail::BoxDistance found;
  if (!detail::find_distance(a, at_a, b, at_b, found)) {
    return std::nullopt;
  }
  const double lengths = found.reach + detail::reach_of(at_a, at_b);
  const bool touching = found.distance <= 0.0;
  if (!(touching ? detail::is_clearly_deep(found.distance, lengths)
                 : detail::is_clearly_apart(found.distance, lengths))) {
    return std::nullopt;
  }
  return Distance{touching ? 0.0F : detail::to_distance(found.distance), to_vec2(found.point_a),
                  to_vec2(found.point_b), detail::to_direction(found.normal)};
}

/// Does what `cast` does if one of the shapes is a circle and neither is a mask.
/// @param hit set if the verdict is `hit`
detail::CoreVerdict cast_with_circle(const Shape& a, const Transform& at_a, Point motion, const Shape& b,
                                     const Transform& at_b, Hit& hit) {
  const bool is_turned = detail::is_circle_first(b);
  const Circle& circle = std::get<Circle>(is_turned ? a : b);
  const Transform& at = is_turned ? at_a : at_b;
  detail::CoreHit found;
  const detail::CoreVerdict verdict =
      is_turned ? detail::try_cast_circle(circle, at, motion, b, at_b, found)
                : detail::try_cast_circle(circle, at, -1.0 * motion, a, at_a, found);
  if (verdict == detail::CoreVerdict::hit) {
    const Point moved = is_turned ? found.fraction * motion : Point{};
    const Point center = (to_point(at.position) + detail::rotated(circle.center, at.rotation)) + moved;
    hit = {detail::to_time(found.fraction), detail::to_direction((is_turned ? 1.0 : -1.0) * found.normal),
           to_vec2(center - static_cast<double>(circle.radius) * found.normal)};
  }
  return verdict;
}

}  // namespace

bool overlaps(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  if (is_mask(a) || is_mask(b)) {
    return detail::overlaps_mask(a, at_a, b, at_b);
  }
  return collide(a, at_a, b, at_b).touching();
}

Manifold collide(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  if (is_mask(a) || is_mask(b)) {
    return detail::collide_mask(a, at_a, b, at_b);
  }
  Manifold manifold;
  const Touch touch = collide_convex(a, at_a, b, at_b, manifold);
  return detail::is_confirmed(touch, a, at_a, b, at_b) ? manifold : Manifold{};
}

Distance distance(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  if (is_mask(a) || is_mask(b)) {
    Distance found = detail::distance_to_mask(a, at_a, b, at_b);
    if (found.distance > 0.0F) {
      found.distance = std::max(found.distance, to_number(distance_of_bounds(a, at_a, b, at_b)));
    }
    return found;
  }
  if (has_circle(a, b)) {
    return distance_round(a, at_a, b, at_b);
  }
  if (are_boxes(a, b)) {
    if (const auto found = distance_of_boxes(*std::get_if<Box>(&a), at_a, *std::get_if<Box>(&b), at_b)) {
      return *found;
    }
  }
  const Placed placed{a, at_a, b, at_b};
  const ConvexDistance found = detail::distance(placed.first(), placed.second());
  if (is_clearly_apart(found.distance, placed, at_a, at_b)) {
    return apart(found, found.distance, placed);
  }
  // Reuses the normal, which is that of `collide`, unless `collide` has its own path (two boxes) or rounding
  // could decide otherwise. That depends on the face of least depth, which may be less deep than the kept
  // face by the slack.
  const double lengths = detail::reach(placed.first()) + detail::reach(placed.second());
  const double slack =
      detail::face_slack * std::min(detail::rough_size(placed.first()), detail::rough_size(placed.second()));
  if (found.has_contact_normal && found.deepest + slack < -detail::clear_of_rounding * lengths &&
      !are_boxes(a, b)) {
    if (detail::is_confirmed({true, found.deepest, lengths}, a, at_a, b, at_b)) {
      const Vec2 common = placed.in_world(found.point_a);
      return {0.0F, common, common, placed.from_a(found.normal)};
    }
  } else if (const Manifold manifold = collide(a, at_a, b, at_b); manifold.touching()) {
    const Vec2 common = placed.in_world(0.5 * (found.point_a + found.point_b));
    return {0.0F, common, common, manifold.normal};
  }
  if (found.distance == std::numeric_limits<double>::infinity()) {
    return {std::numeric_limits<float>::max(), {}, {}, placed.from_a(found.normal)};
  }
  return apart(found, std::max(found.distance, distance_of_bounds(a, at_a, b, at_b)), placed);
}

namespace {

/// Does what `cast` does for a motion that is not much longer than the other lengths.
std::optional<Hit> cast_not_far(const Shape& a, const Transform& at_a, Point motion, const Shape& b,
                                const Transform& at_b) {
  if (!detail::is_reach_finite(detail::length_along_axes(motion))) {
    return std::nullopt;
  }
  if (is_mask(a) || is_mask(b)) {
    return detail::cast_mask(a, at_a, motion, b, at_b);
  }
  if (has_circle(a, b)) {
    Hit hit;
    const detail::CoreVerdict verdict = cast_with_circle(a, at_a, motion, b, at_b, hit);
    if (verdict != detail::CoreVerdict::inconclusive) {
      return verdict == detail::CoreVerdict::hit ? std::optional(hit) : std::nullopt;
    }
  }
  const Placed placed{a, at_a, b, at_b};
  const Point relative = detail::sign(placed.swapped()) * motion;
  double distance_at_start = 0.0;
  const std::optional<ConvexHit> hit =
      detail::cast(placed.first(), relative, placed.second(), distance_at_start);
  if (!is_clearly_apart(distance_at_start, placed, at_a, at_b)) {
    if (const Distance start = distance(a, at_a, b, at_b); start.distance == 0.0F) {
      return Hit{0.0F, -start.normal, start.point_a};
    }
  }
  // Shapes that are apart only by their bounds may hit at time 0, but not if they rest or move apart.
  if (!hit || (hit->time == 0.0 && !(detail::dot(relative, hit->normal) > 0.0))) {
    return std::nullopt;
  }
  const Point moved = detail::select(placed.swapped(), 0.0, hit->time) * motion;
  return Hit{detail::to_time(hit->time), -placed.from_a(hit->normal), placed.in_world(hit->point + moved)};
}

/// noinline: such a long motion is rare.
HWY_NOINLINE std::optional<Hit> cast_far(const Shape& a, const Transform& at_a, Point motion, const Shape& b,
                                         const Transform& at_b) {
  const double lengths = length_along_axes(to_point(at_b.position) - to_point(at_a.position)) +
                         (detail::reach_around(a) + detail::reach_around(b));
  const double scale = detail::scale_for(motion, lengths);
  std::optional<Hit> hit = cast_not_far(a, at_a, scale * motion, b, at_b);
  if (hit) {
    hit->fraction = detail::fraction_of_whole(hit->fraction, scale);
  }
  return hit;
}

}  // namespace

std::optional<Hit> detail::cast_shape(const Shape& a, const Transform& at_a, Point motion, const Shape& b,
                                      const Transform& at_b) {
  return may_be_long(motion, at_a.position, at_b.position) ? cast_far(a, at_a, motion, b, at_b)
                                                           : cast_not_far(a, at_a, motion, b, at_b);
}

std::optional<Hit> cast(const Shape& a, const Transform& at_a, Vec2 motion, const Shape& b,
                        const Transform& at_b) {
  return detail::cast_shape(a, at_a, to_point(motion), b, at_b);
}

}  // namespace broadside::inline v0_2
