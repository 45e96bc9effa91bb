#include <algorithm>
#include <cmath>
#include <limits>

#include "base/tolerances.hpp"
#include "contact/engine/convex_pairs.hpp"

namespace broadside::inline v0_2::detail {

// All convex shapes are treated alike: edges moved outwards by the radius, and a disc around each corner.
//
//        ______________
//      (o              o)     The ray is clipped by the half-planes of the moved edges. If it enters over
//      |                |     an edge, that is the hit; if it enters beyond the end of an edge, only the
//      (o______________o)     disc of that corner can be hit. A segment has two edges; a point has none.
//
// A ray that only grazes counts, and must not be lost to rounding: the shape is enlarged by `ray_tolerance`
// times the largest number involved. Times may be early by as much, never late.
//
// Source: M. Cyrus, J. Beck, Generalized two- and three-dimensional clipping, 1978; corners are ours.

namespace {

struct Ray {
  Point start;
  Point motion;
  double length2;  // of `motion`, squared
};

double reach_of(const Ray& ray, const Convex& shape) {
  double reach = std::max({largest_side(ray.start), largest_side(ray.start + ray.motion), shape.radius});
  for (std::size_t i = 0; i < shape.size; ++i) {
    reach = std::max(reach, largest_side(shape.points[i]));
  }
  return reach;
}

/// Returns the time, as a fraction of `motion`, at which a ray that starts outside enters a disc; infinity if
/// it does not.
double time_into_disc(const Ray& ray, Point center, double radius) {
  constexpr double never = std::numeric_limits<double>::infinity();
  const Point from = ray.start - center;
  const double approach = -dot(from, ray.motion);
  if (approach <= 0.0) {
    return never;
  }
  const double beside = cross(ray.motion, from);
  const double rest = radius * radius * ray.length2 - beside * beside;
  if (rest < 0.0) {
    return never;
  }
  return std::max(0.0, (approach - std::sqrt(rest)) / ray.length2);
}

struct ClippedRay {
  double time = -std::numeric_limits<double>::infinity();
  Point normal;
  std::size_t edge = 0;
  bool missed = false;
};

/// Clips the ray by the half-planes of the moved edges, and returns the one that it enters last.
ClippedRay clip(const Ray& ray, const Convex& shape, double radius) {
  ClippedRay entry;
  double out = 1.0;
  for (std::size_t i = 0; i < shape.size; ++i) {
    const Point edge = shape.points[next(shape, i)] - shape.points[i];
    const Point normal{edge.y, -edge.x};
    const double height = dot(ray.start - shape.points[i], normal);
    const double rate = dot(ray.motion, normal);
    // Scaled by the length of the edge. The radius can only make the ray enter earlier and leave later: a
    // root is computed only if that can matter.
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

/// Returns the hit on the disc of a corner. A corner without a radius gets the normal of the edge.
std::optional<ConvexHit> hit_corner(const Ray& ray, double time, Point corner, double radius,
                                    Point edge_normal) {
  if (!(time <= 1.0)) {
    return std::nullopt;
  }
  const Point point = ray.start + time * ray.motion;
  // Not 0: the disc is larger than the radius by more than rounding.
  const Point from = point - corner;
  return ConvexHit{time, radius > 0.0 ? (1.0 / std::sqrt(dot(from, from))) * from : edge_normal, point};
}

}  // namespace

std::optional<ConvexHit> cast_ray(Point start, Point motion, const Convex& shape) {
  const Ray ray{start, motion, dot(motion, motion)};
  const double radius = shape.radius + ray_tolerance * reach_of(ray, shape);
  const bool moves = ray.length2 > 0.0;
  const Point against = moves ? (-1.0 / std::sqrt(ray.length2)) * motion : Point{1.0, 0.0};

  const ClippedRay entry = moves && shape.size > 1 ? clip(ray, shape, radius) : ClippedRay{};
  if (entry.missed) {
    return std::nullopt;
  }
  if (entry.time < 0.0) {
    // The start is inside all half-planes: inside the shape, or beside a corner and in front of its disc.
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
    return hit_corner(ray, first, shape.points[corner], shape.radius, against);
  }

  const Point a = shape.points[entry.edge];
  const Point b = shape.points[next(shape, entry.edge)];
  const Point edge = b - a;
  const Point point = start + entry.time * motion;
  const double along = dot(point - a, edge);
  if (along >= 0.0 && along <= dot(edge, edge)) {
    return ConvexHit{entry.time, entry.normal, point};
  }
  const Point corner = along < 0.0 ? a : b;
  return hit_corner(ray, time_into_disc(ray, corner, radius), corner, shape.radius, entry.normal);
}

}  // namespace broadside::inline v0_2::detail
