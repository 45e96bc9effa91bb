#pragma once

#include "base/select.hpp"
#include "base/vec2d.hpp"
#include "contact/engine/convex_pairs.hpp"
#include "contact/feature.hpp"

namespace broadside::detail {

/// The reference face of one core, and the incident edge of the other core.
struct ClipInput {
  bool on_b;  ///< the face belongs to b
  std::size_t face;
  std::size_t face_start;  ///< indices of its corners
  std::size_t face_end;
  std::size_t edge;  ///< index of the edge and of its first corner
  std::size_t edge_end;
  Point start;    ///< of the face
  Point outward;  ///< unit vector
  double length;  ///< of the face; 0 for the end of a segment
  Point from;     ///< end of the edge
  Point to;       ///< start of the edge
  double radius;  ///< of the shape with the face
  double radius_of_other;
};

/// Makes a contact point from a point of the other core that is `height` in front of a face.
inline ConvexPoint contact_at(Point at, double height, Point outward, double radius, double radius_of_other,
                              std::uint32_t made_by) {
  const double between = 0.5 * (radius - height - radius_of_other);
  return {at + between * outward, height - radius - radius_of_other, made_by};
}

/// The ends of the edge (from, to) in the frame of the face.
struct EdgeInFaceFrame {
  Vec2d along;   ///< distance along the face from its start (unit: length)
  Vec2d height;  ///< distance in front of the face (unit: length)
};

/// Returns the ends of the edge in the frame of the face.
inline EdgeInFaceFrame see(const ClipInput& facing) {
  const Point outward = facing.outward;
  const Vec2d way_x = Vec2d{facing.from.x, facing.to.x} - facing.start.x;
  const Vec2d way_y = Vec2d{facing.from.y, facing.to.y} - facing.start.y;
  return {way_x * -outward.y + way_y * outward.x, way_x * outward.x + way_y * outward.y};
}

/// The touching part of an edge: up to two points, from its end to its start.
struct Clipped {
  Vec2d x;  ///< of both points, as for all members; unspecified beyond `size`
  Vec2d y;
  Vec2d separation;
  std::uint32_t features[2];
  std::uint32_t size;
};

/// Clips an edge to the side planes of a face, and returns the points of it that touch.
///
///        other  ------o=========o------      the edge from `to` to `from`
///                     |         |
///                     +---------+            the face, from 0 to its length
///
/// Source: E. Catto, Contact manifolds, 2007 (after I. E. Sutherland and G. W. Hodgman, Reentrant polygon
/// clipping, 1974).
inline Clipped clip_edge(const ClipInput& facing, const EdgeInFaceFrame& sight) {
  // Clips both ends at once and unconditionally: which of them needs it cannot be predicted.
  Clipped left;
  const Point outward = facing.outward;
  const Vec2d along = sight.along;
  const Vec2d height = sight.height;
  if (!(along[0] < along[1]) || along[1] < 0.0 || along[0] > facing.length) {
    left.size = 0;
    return left;
  }
  const double width = along[1] - along[0];
  const double rise = height[1] - height[0];
  const Vec2d end{0.0, facing.length};
  const Vec2dMask is_cut = as_mask(Vec2d{along[0], facing.length} < Vec2d{0.0, along[1]});
  const Vec2d cut_along = select(is_cut, end, along);
  const Vec2d cut_height = select(is_cut, height[0] + ((end - along[0]) / width) * rise, height);
  const Vec2d separation = cut_height - facing.radius - facing.radius_of_other;
  const Vec2d between = 0.5 * (facing.radius - cut_height - facing.radius_of_other);
  const Vec2d x = ((facing.start.x + cut_along * -outward.y) + cut_height * outward.x) + between * outward.x;
  const Vec2d y = ((facing.start.y + cut_along * outward.x) + cut_height * outward.y) + between * outward.y;
  const std::uint32_t features[] = {
      select(is_cut[0] != 0, feature_at_face(facing.on_b, false, facing.face, facing.edge_end),
             feature_at_face(facing.on_b, true, facing.face_start, facing.edge)),
      select(is_cut[2] != 0, feature_at_face(facing.on_b, false, facing.face, facing.edge),
             feature_at_face(facing.on_b, true, facing.face_end, facing.edge))};
  // If the first point does not touch, the second takes its place.
  const Vec2dMask first = as_mask(both_first(separation) <= 0.0);
  left.x = select(first, x, both_second(x));
  left.y = select(first, y, both_second(y));
  left.separation = select(first, separation, both_second(separation));
  left.features[0] = select(holds(first), features[1], features[0]);
  left.features[1] = features[1];
  const bool is_line = cut_along[0] < cut_along[1];
  const bool is_second_kept = (separation[1] <= 0.0) & (is_line | !holds(first));
  left.size = as_number(first) + static_cast<std::uint32_t>(is_second_kept);
  return left;
}

}  // namespace broadside::detail
