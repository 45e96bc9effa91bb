#include "contact/engine/axes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "contact/engine/gap.hpp"

namespace broadside::inline v0_2::detail {

namespace {

/// Returns whether a separation `out`, scaled by the length of the face, exceeds a radius.
bool is_far(double out, double length2, double radius) {
  return out * std::abs(out) > radius * radius * length2;
}

/// Finds the axis for a segment, which is a rectangle of width 0, or a rectangle: opposite faces share their
/// work.
///
///     rectangle  3---2---2     segment
///                3       1     3  0---------1  2      face 0 below, face 1 above
///                0---0---1
Axis find_max_separation_side(const Convex& core, const Convex& other, double radius, double slack) {
  const bool is_segment = core.size == 2;
  const Point start = core.points[0];
  const Point edge = core.points[1] - start;
  const Point far_corner = core.points[core.size / 2];
  const Point side = far_corner - core.points[1];
  const Point below{edge.y, -edge.x};
  const Point front = is_segment ? edge : Point{side.y, -side.x};
  Range down;
  Range forth;
  for (std::size_t j = 0; j < other.size; ++j) {
    const Point offset = other.points[j] - start;
    down.take(dot(below, offset));
    forth.take(dot(front, offset));
  }
  const double out_below = down.low;
  const double out_above = dot(below, far_corner - start) - down.high;
  const double out_front = forth.low - dot(front, far_corner - start);
  const double out_back = -forth.high;
  const double max_across = std::max(out_below, out_above);
  const double max_along = std::max(out_front, out_back);
  const double across2 = dot(below, below);
  const double along2 = dot(front, front);
  Axis axis;
  if (static_cast<unsigned>(is_far(max_across, across2, radius)) |
      static_cast<unsigned>(is_far(max_along, along2, radius))) {
    axis.verdict = Verdict::far;
    return axis;
  }
  axis.verdict = std::max(max_across, max_along) > 0.0 ? Verdict::apart : Verdict::touching;
  const double across = 1.0 / std::sqrt(across2);
  const double along = 1.0 / std::sqrt(along2);
  const double threshold = std::max(max_across * across, max_along * along) - slack;
  const double above = out_above * across;
  const double ahead = out_front * along;
  const double separations[] = {out_below * across, is_segment ? above : ahead, is_segment ? ahead : above,
                                out_back * along};
  // Branch-free, as the face cannot be predicted.
  const unsigned enough = (separations[0] >= threshold ? 1U : 0U) | (separations[1] >= threshold ? 2U : 0U) |
                          (separations[2] >= threshold ? 4U : 0U) | 8U;
  axis.face = static_cast<std::size_t>(std::countr_zero(enough));
  axis.separation = separations[axis.face];
  return axis;
}

/// Finds the axis for any core of three or more corners.
Axis find_max_separation_face(const Convex& core, const Convex& other, double radius, double slack) {
  std::array<double, Polygon::max_vertices> separations;
  Axis axis;
  double max_separation = axis.separation;
  for (std::size_t i = 0; i < core.size; ++i) {
    const Face f = face(core, i);
    // The formulas of a placed polygon are those of `lanes/core_pairs_kernel.cpp`, and give the same bits.
    const double scaled_separation = core.inverse_length == nullptr
                                         ? min_separation(f, other)
                                         : min_separation({{}, f.normal}, other) - dot(f.normal, f.start);
    const double length2 = dot(f.normal, f.normal);
    if (scaled_separation > 0.0) {
      axis.verdict = Verdict::apart;
      if (is_far(scaled_separation, length2, radius)) {
        axis.verdict = Verdict::far;
        return axis;
      }
    }
    separations[i] = core.inverse_length == nullptr
                         ? scaled_separation / std::sqrt(length2)
                         : scaled_separation * (core.inverse_stretch * core.inverse_length[i]);
    max_separation = std::max(max_separation, separations[i]);
  }
  while (separations[axis.face] < max_separation - slack) {
    ++axis.face;
  }
  axis.separation = separations[axis.face];
  return axis;
}

}  // namespace

Axis find_max_separation_axis(const Convex& core, const Convex& other, double radius, double slack) {
  return core.size == 2 || core.is_rectangle ? find_max_separation_side(core, other, radius, slack)
                                             : find_max_separation_face(core, other, radius, slack);
}

}  // namespace broadside::inline v0_2::detail
