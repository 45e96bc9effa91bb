// Compiled once for each SIMD target by Highway, which picks the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/hull_pair_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "contact/hull_registers.hpp"
#include "contact/order.hpp"
#include "contact/pick.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

/// Two cores.
struct Cores {
  const HullSource& a;
  const HullSource& b;

  [[nodiscard]] HWY_INLINE double radius() const { return a.radius + b.radius; }
  [[nodiscard]] HWY_INLINE double slack() const { return face_slack * std::min(a.extent, b.extent); }
};

/// Returns whether rounding is little beside all that counts, else with an answer.
HWY_INLINE bool prepare(const Cores& cores, HullFaces (&faces)[2], Glance& seen) {
  const HullSource& a = cores.a;
  const HullSource& b = cores.b;
  faces[0].size = a.size;
  faces[0].radius = a.radius;
  faces[1].size = b.size;
  faces[1].radius = b.radius;
  seen.answer = Answer::unsure;
  seen.edge = no_edge;
  seen.lengths = a.reach + b.reach;
  seen.rounding = rounding_share * seen.lengths;
  return are_fit(a, b, seen.lengths);
}

/// Sets how far the cores are apart; returns whether that is so far that there is no more to tell.
HWY_INLINE bool are_apart(const Cores& cores, V widest, Glance& seen) {
  seen.widest = hn::GetLane(widest);
  const double most = seen.for_distance ? std::numeric_limits<double>::infinity() : cores.radius();
  const bool apart = seen.widest > most + seen.rounding;
  seen.answer = apart ? Answer::apart : Answer::unsure;
  return apart;
}

/// The first face that no other beats by more than the slack.
struct Choice {
  std::uint32_t face;
  double separation;
  bool is_sure;
};

template <class N>
HWY_INLINE Choice choose(const N& separations, std::size_t size, V widest, double slack, double rounding) {
  const V least = widest - set(slack);
  const std::uint32_t perhaps = separations.at_least(least - set(rounding)) & ((1U << size) - 1U);
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

/// Finds the facing edge.
/// @param against the cosine of the angle between each edge's normal and the direction, the other way round;
/// beyond the last come copies, or 0
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
HWY_INLINE void look(const Cores& cores, const FacesA& on_a, const FacesB& on_b, HullFaces (&faces)[2],
                     Glance& seen) {
  on_a.store_corners(faces[0]);
  on_b.store_corners(faces[1]);
  const auto from_a = separations_of<FacesB::size>(on_a, faces[1]);
  const auto from_b = separations_of<FacesA::size>(on_b, faces[0]);
  const V widest_a = from_a.most();
  const V widest_b = from_b.most();
  if (are_apart(cores, hn::Max(widest_a, widest_b), seen)) {
    return;
  }
  const double slack = cores.slack();
  const double rounding = seen.rounding;
  constexpr std::size_t count = std::max(FacesA::count, FacesB::count);
  on_a.template store_normals<count>(faces[0]);
  on_b.template store_normals<count>(faces[1]);
  const Choice choices[] = {choose(from_a, faces[0].size, widest_a, slack, rounding),
                            choose(from_b, faces[1].size, widest_b, slack, rounding)};
  const double gain = choices[1].separation - choices[0].separation - slack;
  // By its number, as which one it is cannot be guessed.
  const std::size_t core = gain > 0.0 ? 1 : 0;
  seen.on_b = core == 1;
  seen.face = choices[core].face;
  const Edge edge = find_facing_edge<count>(faces[1 - core], faces[1 - core].size,
                                            faces[core].normal_x[seen.face], faces[core].normal_y[seen.face]);
  seen.edge = edge.is_sure ? edge.number : no_edge;
  const bool is_certain = (gain > rounding) | (gain < -rounding);
  if (edge.is_sure & is_certain & choices[0].is_sure & choices[1].is_sure) {
    seen.answer = Answer::touching;
  }
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
/// @tparam line its number, 0 or 1
template <std::size_t line, class FacesOther>
HWY_INLINE void look_at_line(const Cores& cores, const FacesOther& other, HullFaces (&faces)[2],
                             Glance& seen) {
  constexpr std::size_t count = FacesOther::count;
  const HullSource& core = line == 0 ? cores.a : cores.b;
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
  if (are_apart(cores, hn::Max(widest_line, widest_other), seen)) {
    return;
  }
  const double slack = cores.slack();
  const double rounding = seen.rounding;
  const std::size_t size = faces[1 - line].size;
  const Choice of_line = choose(on_line, faces_of_line, widest_line, slack, rounding);
  const Choice of_other = choose(on_other, size, widest_other, slack, rounding);
  // Where a rounded line lies flat on a face which features are the closest is up to rounding. A distance is
  // the same by all of them.
  if (seen.widest >= -rounding && std::fabs(cosines.at(of_other.face)) < more_than_rounding &&
      !seen.for_distance) {
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
  const bool is_clear = (on_line_itself & edge_of_other.is_sure) | (!on_line_itself & edge_of_line.is_sure);
  seen.edge = is_clear ? pick(on_line_itself, edge_of_line.number, edge_of_other.number) : no_edge;
  const bool is_certain = (gain > rounding) | (gain < -rounding);
  if (is_clear & is_certain & of_line.is_sure & of_other.is_sure) {
    seen.answer = Answer::touching;
  }
}

/// Looks at two cores, the first as a box or a polygon, the second a polygon.
template <class FacesA>
HWY_INLINE void look_at_polygon(const Cores& cores, const FacesA& on_a, HullFaces (&faces)[2], Glance& seen) {
  if (cores.b.size <= few_corners) {
    return look(cores, on_a, Faces<few_corners>::of_polygon(cores.b), faces, seen);
  }
  look(cores, on_a, Faces<many_corners>::of_polygon(cores.b), faces, seen);
}

HWY_INLINE void glance_at_box(const HullSource& box, const Standing& other, Point anchor,
                              HullFaces (&faces)[2], Glance& seen) {
  if (const Polygon* polygon = std::get_if<Polygon>(other.shape)) {
    const HullSource source = HullSource::of(*polygon, *other.at, anchor);
    const Cores cores{box, source};
    if (prepare(cores, faces, seen)) {
      look_at_polygon(cores, Faces<corners_of_box>::of_box(box), faces, seen);
    }
    return;
  }
  const HullSource line = HullSource::of_line(*other.shape, *other.at, anchor);
  const Cores cores{box, line};
  if (prepare(cores, faces, seen)) {
    look_at_line<1>(cores, Faces<corners_of_box>::of_box(box), faces, seen);
  }
}

HWY_INLINE void glance_at_polygon(const Standing& other, const HullSource& polygon, Point anchor,
                                  HullFaces (&faces)[2], Glance& seen) {
  if (const Polygon* shape = std::get_if<Polygon>(other.shape)) {
    const HullSource source = HullSource::of(*shape, *other.at, anchor);
    const Cores cores{source, polygon};
    if (!prepare(cores, faces, seen)) {
      return;
    }
    if (source.size <= few_corners) {
      return look_at_polygon(cores, Faces<few_corners>::of_polygon(source), faces, seen);
    }
    return look_at_polygon(cores, Faces<many_corners>::of_polygon(source), faces, seen);
  }
  const HullSource line = HullSource::of_line(*other.shape, *other.at, anchor);
  const Cores cores{line, polygon};
  if (!prepare(cores, faces, seen)) {
    return;
  }
  if (polygon.size <= few_corners) {
    return look_at_line<0>(cores, Faces<few_corners>::of_polygon(polygon), faces, seen);
  }
  look_at_line<0>(cores, Faces<many_corners>::of_polygon(polygon), faces, seen);
}

void glance(const Standing (&pair)[2], HullFaces (&faces)[2], Glance& seen) {
  const Transform& at_a = *pair[0].at;
  const Transform& at_b = *pair[1].at;
  seen.anchor = anchor_of(to_two(at_a.position), to_two(at_b.position));
  const Point anchor = to_point(seen.anchor);
  if (const Box* box = std::get_if<Box>(pair[0].shape)) {
    return glance_at_box(HullSource::of(*box, at_a, anchor), pair[1], anchor, faces, seen);
  }
  glance_at_polygon(pair[0], HullSource::of(*std::get_if<Polygon>(pair[1].shape), at_b, anchor), anchor,
                    faces, seen);
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(glance);

void glance(const Standing (&pair)[2], HullFaces (&faces)[2], Glance& seen) {
  HWY_DYNAMIC_DISPATCH(glance)(pair, faces, seen);
}

}  // namespace broadside::detail

#endif
