// Compiled once for each SIMD target by Highway, which picks the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/hull_pair_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "contact/face_lanes.hpp"
#include "contact/pick.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

/// The first face that no other beats by more than the slack.
struct Choice {
  std::uint32_t face;
  double separation;
  bool is_sure;
};

template <class N>
HWY_INLINE Choice choose(const N& separations, V widest, double slack, double rounding) {
  const V least = widest - set(slack);
  const std::uint32_t perhaps = separations.at_least(least - set(rounding));
  const std::uint32_t surely = separations.at_least(least + set(rounding)) | 0x10000U;
  const std::uint32_t face = first_of(perhaps);
  // Most often there is but one, and it is known sooner how wide it is.
  const double separation =
      HWY_LIKELY(std::has_single_bit(perhaps)) ? hn::GetLane(widest) : separations.at(face);
  return {face, separation, (perhaps & (0U - perhaps)) == (surely & (0U - surely))};
}

/// The edge of a core that faces a direction the most.
struct Edge {
  std::uint32_t number;
  bool is_sure;  ///< it does by more than rounding
};

constexpr double more_than_rounding = 1e-9;  // of the cosine of an angle

/// Finds it. @param against the cosine of the angle, for each edge, the other way round; beyond the last
/// copies, or 0
template <class N>
HWY_INLINE Edge find_facing_edge(const N& against, std::size_t edges) {
  const std::uint32_t best =
      against.at_least(against.most() - set(more_than_rounding)) & ((1U << edges) - 1U);
  return {first_of(best), std::has_single_bit(best)};
}

template <std::size_t count>
HWY_INLINE Edge find_facing_edge(const HullFaces& other, std::size_t edges, double x, double y) {
  Numbers<count> against;
  for (std::size_t k = 0; k < count; ++k) {
    against.values[k] = hn::Neg(rough_dot(hn::Load(D(), other.normal_x + k * lanes),
                                          hn::Load(D(), other.normal_y + k * lanes), set(x), set(y)));
  }
  return find_facing_edge(against, edges);
}

/// Looks from each core at the other, where none is a line.
template <class FacesA, class FacesB>
HWY_INLINE void look(const HullSource (&cores)[2], double slack, double rounding, double most,
                     const FacesA& on_a, const FacesB& on_b, HullFaces (&faces)[2], Glance& seen) {
  on_a.store_corners(faces[0]);
  on_b.store_corners(faces[1]);
  const auto from_a = separations_of<FacesB::size>(on_a, faces[1]);
  const auto from_b = separations_of<FacesA::size>(on_b, faces[0]);
  const V widest_a = from_a.most();
  const V widest_b = from_b.most();
  seen.widest = hn::GetLane(hn::Max(widest_a, widest_b));
  if (seen.widest > most) {
    return;
  }
  constexpr std::size_t count = std::max(FacesA::count, FacesB::count);
  on_a.template store_normals<count>(faces[0]);
  on_b.template store_normals<count>(faces[1]);
  const Choice choices[] = {choose(from_a, widest_a, slack, rounding),
                            choose(from_b, widest_b, slack, rounding)};
  const double gain = choices[1].separation - choices[0].separation - slack;
  // By its number, as which one it is cannot be guessed.
  const std::size_t core = gain > 0.0 ? 1 : 0;
  seen.on_b = core == 1;
  seen.face = choices[core].face;
  const Edge edge = find_facing_edge<count>(faces[1 - core], cores[1 - core].size,
                                            faces[core].normal_x[seen.face], faces[core].normal_y[seen.face]);
  seen.edge = edge.number;
  seen.is_clear = edge.is_sure;
  const bool is_certain = (gain > rounding) | (gain < -rounding);
  seen.is_sure = edge.is_sure & is_certain & choices[0].is_sure & choices[1].is_sure;
}

/// Returns the least lane of each of four, in their order.
HWY_INLINE Numbers<faces_of_line / lanes> least_of_each(const V (&all)[faces_of_line]) {
  Numbers<faces_of_line / lanes> least;
#if HWY_TARGET == HWY_SCALAR
  std::copy_n(all, faces_of_line, least.values);
#else
  V of_two[2];
  for (std::size_t k = 0; k < 2; ++k) {
    of_two[k] = hn::Min(hn::InterleaveLower(D(), all[2 * k], all[2 * k + 1]),
                        hn::InterleaveUpper(D(), all[2 * k], all[2 * k + 1]));
  }
  if constexpr (lanes == 2) {
    std::copy_n(of_two, 2, least.values);
  } else {
    least.values[0] = hn::Min(hn::ConcatLowerLower(D(), of_two[1], of_two[0]),
                              hn::ConcatUpperUpper(D(), of_two[1], of_two[0]));
  }
#endif
  return least;
}

/// Looks from a line at another core, and from that at the line: all that counts is how far each corner is to
/// the right of the line and how far along it, and the same of each normal.
/// @param line its number, 0 or 1
template <std::size_t line, class FacesOther>
HWY_INLINE void look_at_line(const HullSource (&cores)[2], double slack, double rounding, double most,
                             const FacesOther& other, HullFaces (&faces)[2], Glance& seen) {
  constexpr std::size_t count = FacesOther::count;
  const HullSource& core = cores[line];
  const std::size_t size = cores[1 - line].size;
  faces[line].x[0] = core.origin.x;
  faces[line].y[0] = core.origin.y;
  faces[line].x[1] = core.way.x;
  faces[line].y[1] = core.way.y;
  other.store_corners(faces[1 - line]);
  const V axis_x = set(core.axis.x);
  const V axis_y = set(core.axis.y);
  const V inverse_length = set(core.inverse_length);
  Numbers<count> on_other;
  Numbers<count> cosines;  // of the normals, seen along the line
  Numbers<count> sines;    // to its right
  V least[faces_of_line];
  for (std::size_t k = 0; k < count; ++k) {
    const V x = other.x[k] - set(core.origin.x);
    const V y = other.y[k] - set(core.origin.y);
    const V normal_x = other.normal_x[k];
    const V normal_y = other.normal_y[k];
    const V cosine = rough_dot(normal_x, normal_y, axis_x, axis_y);
    on_other.values[k] = hn::Min(hn::Zero(D()), cosine) - rough_dot(normal_x, normal_y, x, y);
    cosines.values[k] = inverse_length * cosine;
    sines.values[k] = inverse_length * hn::MulSub(normal_x, axis_y, normal_y * axis_x);
    const V right = hn::MulSub(axis_y, x, axis_x * y);
    const V along = rough_dot(axis_x, axis_y, x, y);
    const V out[faces_of_line] = {right, hn::Neg(right), along, hn::Neg(along)};
    for (std::size_t i = 0; i < faces_of_line; ++i) {
      least[i] = k == 0 ? out[i] : hn::Min(least[i], out[i]);
    }
  }
  least[2] = least[2] - set(dot(core.axis, core.axis));
  Numbers<faces_of_line / lanes> on_line = least_of_each(least);
  for (V& values : on_line.values) {
    values = inverse_length * values;
  }
  const V widest_line = on_line.most();
  const V widest_other = on_other.most();
  seen.widest = hn::GetLane(hn::Max(widest_line, widest_other));
  if (seen.widest > most) {
    return;
  }
  const Choice of_line = choose(on_line, widest_line, slack, rounding);
  const Choice of_other = choose(on_other, widest_other, slack, rounding);
  // Where a rounded line lies flat on a face which features are the closest is up to rounding. A distance is
  // the same by all of them.
  if (most < std::numeric_limits<double>::infinity() && seen.widest >= -rounding &&
      std::fabs(cosines.at(of_other.face)) < more_than_rounding) {
    return;
  }
  // Which of the two it is cannot be guessed: the facing edge is found for both.
  const double sine = sines.at(of_other.face);
  const Edge edge_of_line{sine >= 0.0 ? 1U : 0U, 2.0 * std::fabs(sine) > more_than_rounding};
  const V along = set(line_along.values[of_line.face]);
  const V across = set(line_across.values[of_line.face]);
  Numbers<count> against;
  for (std::size_t k = 0; k < count; ++k) {
    against.values[k] = hn::MulSub(across, sines.values[k], along * cosines.values[k]);
  }
  const Edge edge_of_other = find_facing_edge(against, size);
  const double from_line = of_other.separation - of_line.separation;
  const double gain = (line == 0 ? from_line : -from_line) - slack;
  const bool on_b = gain > 0.0;
  const bool on_line_itself = on_b == (line == 1);
  seen.on_b = on_b;
  seen.face = pick(on_line_itself, of_other.face, of_line.face);
  seen.edge = pick(on_line_itself, edge_of_line.number, edge_of_other.number);
  seen.is_clear = (on_line_itself & edge_of_other.is_sure) | (!on_line_itself & edge_of_line.is_sure);
  const bool is_certain = (gain > rounding) | (gain < -rounding);
  seen.is_sure = seen.is_clear & is_certain & of_line.is_sure & of_other.is_sure;
}

/// Looks from a core at a polygon.
template <class FacesA>
HWY_INLINE void look_at_polygon(const HullSource (&cores)[2], double slack, double rounding, double most,
                                const FacesA& on_a, HullFaces (&faces)[2], Glance& seen) {
  if (cores[1].size <= few_corners) {
    return look(cores, slack, rounding, most, on_a, Faces<few_corners>::of_polygon(cores[1]), faces, seen);
  }
  look(cores, slack, rounding, most, on_a, Faces<many_corners>::of_polygon(cores[1]), faces, seen);
}

void glance(const HullSource (&cores)[2], double slack, double rounding, double most, HullFaces (&faces)[2],
            Glance& seen) {
  seen.is_sure = false;
  if (cores[0].kind == HullSource::Kind::polygon) {
    if (cores[0].size <= few_corners) {
      return look_at_polygon(cores, slack, rounding, most, Faces<few_corners>::of_polygon(cores[0]), faces,
                             seen);
    }
    return look_at_polygon(cores, slack, rounding, most, Faces<many_corners>::of_polygon(cores[0]), faces,
                           seen);
  }
  if (cores[0].kind == HullSource::Kind::line) {
    if (cores[1].size <= few_corners) {
      return look_at_line<0>(cores, slack, rounding, most, Faces<few_corners>::of_polygon(cores[1]), faces,
                             seen);
    }
    return look_at_line<0>(cores, slack, rounding, most, Faces<many_corners>::of_polygon(cores[1]), faces,
                           seen);
  }
  const auto on_a = Faces<corners_of_box>::of_box(cores[0]);
  if (cores[1].kind == HullSource::Kind::polygon) {
    return look_at_polygon(cores, slack, rounding, most, on_a, faces, seen);
  }
  look_at_line<1>(cores, slack, rounding, most, on_a, faces, seen);
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(glance);

void glance(const HullSource (&cores)[2], double slack, double rounding, double most, HullFaces (&faces)[2],
            Glance& seen) {
  HWY_DYNAMIC_DISPATCH(glance)(cores, slack, rounding, most, faces, seen);
}

}  // namespace broadside::detail

#endif
