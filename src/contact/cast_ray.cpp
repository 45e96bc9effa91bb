#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/convex_pairs.hpp"
#include "contact/frame.hpp"
#include "contact/mask_pairs.hpp"
#include "contact/pick.hpp"
#include "contact/ray_at_core.hpp"
#include "contact/to_vec2.hpp"

namespace broadside {

namespace detail {

// All convex shapes are one to us: edges moved outwards by the radius, and a disc around each corner.
//
//        ______________
//      (o              o)     The ray is clipped by the half-planes of the moved edges. Where it comes in
//      over an |                |     edge, that is the hit; where it comes in beyond the end of an edge,
//      only the disc of (o______________o)     that corner is left to be hit. A segment has two edges, back
//      to back; a point has none.
//
// A ray that only grazes counts, and must not be lost to rounding: the shape is taken to be larger by
// `ray_tolerance` times the largest number that takes part. Times may be early by as much, never late.
//
// Source: M. Cyrus, J. Beck, Generalized two- and three-dimensional clipping, 1978; corners are ours.

namespace {

struct Ray {
  Point start;
  Point way;
  double length2;  // of the way, squared
};

double reach_of(const Ray& ray, const Convex& shape, double radius) {
  double reach = std::max({largest_side(ray.start), largest_side(ray.start + ray.way), radius});
  for (std::size_t i = 0; i < shape.size; ++i) {
    reach = std::max(reach, largest_side(shape.points[i]));
  }
  return reach;
}

/// Returns when a ray that starts outside comes into a disc, in shares of its way; infinity if it does not.
double time_into_disc(const Ray& ray, Point center, double radius) {
  constexpr double never = std::numeric_limits<double>::infinity();
  const Point from = ray.start - center;
  const double approach = -dot(from, ray.way);
  if (approach <= 0.0) {
    return never;
  }
  const double beside = cross(ray.way, from);
  const double rest = radius * radius * ray.length2 - beside * beside;
  if (rest < 0.0) {
    return never;
  }
  return std::max(0.0, (approach - std::sqrt(rest)) / ray.length2);
}

struct Entry {
  double time = -std::numeric_limits<double>::infinity();
  Point normal;
  std::size_t edge = 0;
  bool missed = false;
};

/// Clips the ray by the half-planes of the moved edges: where it comes in over the last of them.
Entry clip(const Ray& ray, const Convex& shape, double radius) {
  Entry entry;
  double out = 1.0;
  for (std::size_t i = 0; i < shape.size; ++i) {
    const Point edge = shape.points[next(shape, i)] - shape.points[i];
    const Point normal{edge.y, -edge.x};
    const double height = dot(ray.start - shape.points[i], normal);
    const double rate = dot(ray.way, normal);
    // Times as long as the edge. The radius only makes it come in sooner and leave later: a root is taken
    // where that may matter.
    if (rate < 0.0 && height > -rate * entry.time) {
      const double length = std::sqrt(dot(edge, edge));
      if (const double time = (radius * length - height) / rate; time > entry.time) {
        entry.time = time;
        entry.normal = (1.0 / length) * normal;
        entry.edge = i;
      }
    } else if (rate > 0.0 && -height < rate * out) {
      out = std::min(out, (radius * std::sqrt(dot(edge, edge)) - height) / rate);
    }
  }
  entry.missed = entry.time > out;
  return entry;
}

/// The hit on the disc of a corner. A sharp corner has no normal of its own: it gets that of the edge.
std::optional<ConvexHit> hit_corner(const Ray& ray, double time, Point corner, double radius,
                                    Point edge_normal) {
  if (!(time <= 1.0)) {
    return std::nullopt;
  }
  const Point point = ray.start + time * ray.way;
  const Point from = point - corner;
  const double length = std::sqrt(dot(from, from));
  return ConvexHit{time, radius > 0.0 && length > 0.0 ? (1.0 / length) * from : edge_normal, point};
}

}  // namespace

std::optional<ConvexHit> cast_ray(Point start, Point way, const Convex& shape, double shape_radius) {
  const Ray ray{start, way, dot(way, way)};
  const double radius = shape_radius + ray_tolerance * reach_of(ray, shape, shape_radius);
  const bool moves = ray.length2 > 0.0;
  const Point against = moves ? (-1.0 / std::sqrt(ray.length2)) * way : Point{1.0, 0.0};

  const Entry entry = moves && shape.size > 1 ? clip(ray, shape, radius) : Entry{};
  if (entry.missed) {
    return std::nullopt;
  }
  if (entry.time < 0.0) {
    // Starts within all half-planes: inside, or beside a corner and in front of its disc.
    if (contains(shape, start, radius)) {
      return ConvexHit{0.0, against, start};
    }
    double first = std::numeric_limits<double>::infinity();
    std::size_t corner = 0;
    for (std::size_t i = 0; i < shape.size; ++i) {
      if (const double time = time_into_disc(ray, shape.points[i], radius); time < first) {
        first = time;
        corner = i;
      }
    }
    return hit_corner(ray, first, shape.points[corner], shape_radius, against);
  }

  const Point a = shape.points[entry.edge];
  const Point b = shape.points[next(shape, entry.edge)];
  const Point edge = b - a;
  const Point point = start + entry.time * way;
  const double along = dot(point - a, edge);
  if (along >= 0.0 && along <= dot(edge, edge)) {
    return ConvexHit{entry.time, entry.normal, point};
  }
  const Point corner = along < 0.0 ? a : b;
  return hit_corner(ray, time_into_disc(ray, corner, radius), corner, shape_radius, entry.normal);
}

}  // namespace detail

namespace {

/// Follows a ray to a circle: as `follow_ray`, in closed form.
/// @param hit set where it hits
inline detail::CoreVerdict follow_to_circle(const Vec2& start, const Vec2& way, const Circle& circle,
                                            const Transform& at, detail::CoreHit& hit) {
  using detail::CoreVerdict;
  using detail::Point;
  constexpr double beyond_floats = 1e42;
  const Point motion = detail::to_point(way);
  const Point from =
      (detail::to_point(start) - detail::to_point(at.position)) - detail::turned(circle.center, at.rotation);
  const auto own = static_cast<double>(circle.radius);
  const double numbers = detail::larger(detail::largest_side(from), detail::largest_side(motion));
  const double radius = own + detail::ray_tolerance * detail::larger(numbers, own);
  const double radius2 = radius * radius;
  const double gap = dot(from, from) - radius2;
  const double approach = -dot(from, motion);
  const double beside = cross(motion, from);
  const double rest = radius2 * dot(motion, motion) - beside * beside;
  const double lengths = (length_along_axes(from) + length_along_axes(motion)) + own;
  if (!(lengths < beyond_floats && own >= 0.0 && gap > 0.0 && detail::is_unit(at.rotation))) {
    return CoreVerdict::unsure;
  }
  // Whether it comes there in time by squares: a root and a division would be long to wait for.
  const double left = gap - approach;
  if (!((approach > 0.0) & (rest >= 0.0) & ((left <= 0.0) | (left * left <= rest)))) {
    return CoreVerdict::miss;
  }
  const double time = gap / (approach + std::sqrt(rest));
  const Point out = from + time * motion;
  const double length2 = dot(out, out);
  const bool has_own = own > 0.0 && length2 > 0.0;
  const Point normal{has_own ? out.x : -motion.x, has_own ? out.y : -motion.y};
  hit.time = std::min(time, 1.0);
  hit.normal = (1.0 / std::sqrt(dot(normal, normal))) * normal;
  return CoreVerdict::hit;
}

/// Follows a ray without placing the shape, where that tells the answer for sure.
detail::CoreVerdict follow(const Vec2& start, const Vec2& way, const Shape& shape, const Transform& at,
                           detail::CoreHit& hit) {
  if (const Circle* circle = std::get_if<Circle>(&shape)) {
    return follow_to_circle(start, way, *circle, at, hit);
  }
  if (!detail::all_finite(start.x, start.y, way.x, way.y)) {
    return detail::CoreVerdict::unsure;
  }
  return std::visit(
      [&](const auto& s) {
        using S = std::decay_t<decltype(s)>;
        if constexpr (detail::is_convex<S> && !std::is_same_v<S, Circle>) {
          return detail::follow_ray(start, way, s, at, hit);
        } else {
          return detail::CoreVerdict::unsure;
        }
      },
      shape);
}

/// Does what `cast_ray` does for a shape of any kind, placed in the world. Not inlined, as its room would be
/// made for all others as well.
[[gnu::noinline]] std::optional<RayHit> cast_ray_placed(Vec2 start, Vec2 way, const Shape& shape,
                                                        const Transform& transform) {
  if (!detail::all_finite(start.x, start.y, way.x, way.y)) {
    return std::nullopt;
  }
  if (const Mask* mask = std::get_if<Mask>(&shape)) {
    return detail::cast_ray_at_mask(start, way, *mask, transform);
  }
  detail::Convex placed;
  std::visit(
      [&](const auto& s) {
        if constexpr (detail::is_convex<std::decay_t<decltype(s)>>) {
          detail::place(s, transform, start, placed);
        }
      },
      shape);
  const std::optional<detail::ConvexHit> hit = detail::cast_ray({}, detail::to_point(way), placed);
  if (!hit) {
    return std::nullopt;
  }
  return RayHit{detail::to_number(hit->time), detail::to_vec2(hit->normal),
                detail::to_vec2(detail::to_point(start) + hit->point)};
}

}  // namespace

std::optional<RayHit> cast_ray(Vec2 start, Vec2 way, const Shape& shape, const Transform& transform) {
  detail::CoreHit sure;
  const detail::CoreVerdict verdict = follow(start, way, shape, transform, sure);
  if (verdict == detail::CoreVerdict::miss) {
    return std::nullopt;
  }
  if (verdict == detail::CoreVerdict::hit) {
    return RayHit{detail::to_number(sure.time), detail::to_direction(sure.normal),
                  detail::to_vec2(detail::to_point(start) + sure.time * detail::to_point(way))};
  }
  return cast_ray_placed(start, way, shape, transform);
}

}  // namespace broadside
