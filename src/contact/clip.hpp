#pragma once

#include "contact/convex_pairs.hpp"
#include "contact/feature.hpp"

namespace broadside::detail {

/// A face of one core, and the edge of the other that faces it.
struct FacingEdge {
  bool on_b;  ///< the face is of b
  std::size_t face;
  std::size_t face_start;  ///< the number of the corner
  std::size_t face_end;
  std::size_t edge;  ///< the number of the edge, and of the corner where it begins
  std::size_t edge_end;
  Point start;    ///< of the face
  Point outward;  ///< unit vector
  double length;  ///< of the face: 0 for the end of a segment
  Point from;     ///< where the edge ends
  Point to;       ///< where it begins
  double radius;  ///< of the shape that has the face
  double radius_of_other;
};

/// Makes a contact of a point of the other core that is `height` in front of a face.
inline ConvexPoint contact_at(Point at, double height, Point outward, double radius, double radius_of_other,
                              std::uint32_t made_by) {
  const double between = 0.5 * (radius - height - radius_of_other);
  return {at + between * outward, height - radius - radius_of_other, made_by};
}

/// The numbers of both ends of an edge: from, to.
using Both [[gnu::vector_size(2 * sizeof(double))]] = double;

/// A point of an edge.
struct Cut {
  double along = 0.0;   ///< the face, from its start (unit: length)
  double height = 0.0;  ///< in front of it (unit: length)
};

/// Returns where a corner of the other core is.
inline Cut seen_from_face(const FacingEdge& facing, Point corner) {
  const Point along{-facing.outward.y, facing.outward.x};
  const Point way = corner - facing.start;
  return {dot(way, along), dot(way, facing.outward)};
}

/// Clips an edge to what is in front of a face, and adds what touches to a manifold that has no points.
///
///        other  ------o=========o------      the edge from `to` to `from`
///                     |         |
///                     +---------+            the face, from 0 to its length
///
/// Source: E. Catto, Contact manifolds, 2007 (after I. E. Sutherland and G. W. Hodgman, Reentrant polygon
/// clipping, 1974).
inline void clip_edge(const FacingEdge& facing, ConvexManifold& manifold) {
  // Both ends at once, and both cut, whether that is used or not: which, cannot be guessed.
  const Point outward = facing.outward;
  const Both way_x = Both{facing.from.x, facing.to.x} - facing.start.x;
  const Both way_y = Both{facing.from.y, facing.to.y} - facing.start.y;
  const Both along = way_x * -outward.y + way_y * outward.x;
  const Both height = way_x * outward.x + way_y * outward.y;
  if (!(along[0] < along[1]) || along[1] < 0.0 || along[0] > facing.length) {
    return;
  }
  const double width = along[1] - along[0];
  const double rise = height[1] - height[0];
  const Both end{0.0, facing.length};
  const auto is_cut = Both{along[0], facing.length} < Both{0.0, along[1]};
  const Both cut_along = is_cut ? end : along;
  const Both cut_height = is_cut ? height[0] + ((end - along[0]) / width) * rise : height;
  const Both separation = cut_height - facing.radius - facing.radius_of_other;
  const Both between = 0.5 * (facing.radius - cut_height - facing.radius_of_other);
  const Both x = ((facing.start.x + cut_along * -outward.y) + cut_height * outward.x) + between * outward.x;
  const Both y = ((facing.start.y + cut_along * outward.x) + cut_height * outward.y) + between * outward.y;
  const bool is_line = cut_along[0] < cut_along[1];
  const auto pick = [&](std::size_t i, std::uint32_t cut, std::uint32_t uncut) {
    const auto mask = static_cast<std::uint32_t>(is_cut[i]);
    return (cut & mask) | (uncut & ~mask);
  };
  const std::uint32_t features[] = {
      pick(0, feature_at_face(facing.on_b, true, facing.face_start, facing.edge),
           feature_at_face(facing.on_b, false, facing.face, facing.edge_end)),
      pick(1, feature_at_face(facing.on_b, true, facing.face_end, facing.edge),
           feature_at_face(facing.on_b, false, facing.face, facing.edge))};
  for (std::size_t i = 0; i < 2; ++i) {
    manifold.points[manifold.size] = {{x[i], y[i]}, separation[i], features[i]};
    const bool is_new = (manifold.size == 0) | is_line;
    manifold.size += static_cast<std::uint32_t>((separation[i] <= 0.0) & is_new);
  }
}

}  // namespace broadside::detail
