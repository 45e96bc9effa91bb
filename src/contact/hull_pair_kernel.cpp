// Compiled once for each SIMD target by Highway, which picks the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/hull_pair_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "contact/hull_faces.hpp"

#ifndef BROADSIDE_HULL_PATTERNS
#define BROADSIDE_HULL_PATTERNS

namespace broadside::detail {

/// For the four corners and faces of a box, and of a line as a box of no height.
struct alignas(64) HullPattern {
  double values[4];
};

// Counter-clockwise from the lower left corner.
inline constexpr HullPattern to_the_right{{-1, 1, 1, -1}};
inline constexpr HullPattern upward{{-1, -1, 1, 1}};
// The normals of a box, and of a line: its right side, its left, its end, its start.
inline constexpr HullPattern box_along{{0, 1, 0, -1}};
inline constexpr HullPattern box_across{{-1, 0, 1, 0}};
inline constexpr HullPattern line_along{{0, 0, 1, -1}};
inline constexpr HullPattern line_across{{-1, 1, 0, 0}};

}  // namespace broadside::detail

#endif

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// All in registers of one width, and none wider than four corners need: what was stored in halves is not to
// be had as a whole before it has left the processor.
using D = hn::CappedTag<double, 4>;
using V = hn::Vec<D>;

constexpr std::size_t lanes = hn::MaxLanes(D());

constexpr std::size_t corners_of_line = 2;
constexpr std::size_t corners_of_box = 4;
constexpr std::size_t few_corners = EdgeLanes::size;
constexpr std::size_t many_corners = Polygon::most_vertices;

HWY_INLINE V set(double value) {
  return hn::Set(D(), value);
}

/// The corners and normals of a core in registers; the normals as long as its axis.
template <std::size_t size>
struct Faces {
  static constexpr std::size_t count = size / lanes;

  V x[count];
  V y[count];
  V normal_x[count];
  V normal_y[count];

  static HWY_INLINE V load(const HullPattern& pattern, std::size_t k) {
    return hn::Load(D(), pattern.values + k * lanes);
  }

  HWY_INLINE void set_normals(std::size_t k, const HullSource& core, V along, V across) {
    normal_x[k] = along * set(core.axis.x) - across * set(core.axis.y);
    normal_y[k] = along * set(core.axis.y) + across * set(core.axis.x);
  }

  HWY_INLINE void place_line(const HullSource& core) {
    for (std::size_t k = 0; k < count; ++k) {
      const auto is_end = hn::Gt(load(to_the_right, k), hn::Zero(D()));
      x[k] = hn::IfThenElse(is_end, set(core.way.x), set(core.origin.x));
      y[k] = hn::IfThenElse(is_end, set(core.way.y), set(core.origin.y));
      set_normals(k, core, load(line_along, k), load(line_across, k));
    }
  }

  HWY_INLINE void place_box(const HullSource& core) {
    for (std::size_t k = 0; k < count; ++k) {
      const V right = load(to_the_right, k);
      const V up = load(upward, k);
      x[k] = (set(core.origin.x) + right * set(core.way.x)) + up * set(core.up.x);
      y[k] = (set(core.origin.y) + right * set(core.way.y)) + up * set(core.up.y);
      set_normals(k, core, load(box_along, k), load(box_across, k));
    }
  }

  HWY_INLINE void place_polygon(const HullSource& core) {
    const D d;
    const hn::Rebind<float, D> narrow;
    const V c = set(core.way.x);
    const V s = set(core.way.y);
    for (std::size_t k = 0; k < count; ++k) {
      const EdgeLanes& edges = core.edges[k * lanes / EdgeLanes::size];
      const std::size_t lane = k * lanes % EdgeLanes::size;
      const V local_x = hn::PromoteTo(d, hn::LoadU(narrow, edges.x.data() + lane));
      const V local_y = hn::PromoteTo(d, hn::LoadU(narrow, edges.y.data() + lane));
      const V end_x = hn::PromoteTo(d, hn::LoadU(narrow, edges.end_x.data() + lane));
      const V end_y = hn::PromoteTo(d, hn::LoadU(narrow, edges.end_y.data() + lane));
      const V inverse_length = hn::LoadU(d, edges.inverse_length.data() + lane);
      x[k] = (c * local_x - s * local_y) + set(core.origin.x);
      y[k] = (s * local_x + c * local_y) + set(core.origin.y);
      set_normals(k, core, (end_y - local_y) * inverse_length, (local_x - end_x) * inverse_length);
    }
  }

  HWY_INLINE void store_corners(HullFaces& faces) const {
    for (std::size_t k = 0; k < count; ++k) {
      hn::Store(x[k], D(), faces.x + k * lanes);
      hn::Store(y[k], D(), faces.y + k * lanes);
    }
  }

  /// Fills `registers` of them, those that it has not with 0: what lies there by chance may be numbers that
  /// take a hundred times as long.
  template <std::size_t registers>
  HWY_INLINE void store_normals(double inverse_length, HullFaces& faces) const {
    for (std::size_t k = 0; k < count; ++k) {
      hn::Store(set(inverse_length) * normal_x[k], D(), faces.normal_x + k * lanes);
      hn::Store(set(inverse_length) * normal_y[k], D(), faces.normal_y + k * lanes);
    }
    for (std::size_t k = count; k < registers; ++k) {
      hn::Store(hn::Zero(D()), D(), faces.normal_x + k * lanes);
      hn::Store(hn::Zero(D()), D(), faces.normal_y + k * lanes);
    }
  }
};

/// A number for each face of a core.
template <std::size_t count>
struct Numbers {
  V values[count];

  [[nodiscard]] HWY_INLINE double most() const {
    V largest = values[0];
    for (std::size_t k = 1; k < count; ++k) {
      largest = hn::Max(largest, values[k]);
    }
    return hn::GetLane(hn::MaxOfLanes(D(), largest));
  }

  /// Returns a bit for each that is no less than `least`.
  [[nodiscard]] HWY_INLINE std::uint32_t at_least(double least) const {
    std::uint32_t bits = 0;
    for (std::size_t k = count; k-- > 0;) {
      std::uint8_t part[8] = {};
      hn::StoreMaskBits(D(), hn::Ge(values[k], set(least)), part);
      bits = (bits << lanes) | part[0];
    }
    return bits;
  }

  [[nodiscard]] HWY_INLINE double at(std::uint32_t face) const {
    alignas(64) double stored[count * lanes];
    for (std::size_t k = 0; k < count; ++k) {
      hn::Store(values[k], D(), stored + k * lanes);
    }
    return stored[face];
  }
};

/// Returns how far the deepest corner of the other core is in front of each face.
template <std::size_t corners, std::size_t size>
HWY_INLINE Numbers<Faces<size>::count> separations_of(const Faces<size>& faces, double inverse_length,
                                                      const HullFaces& other) {
  constexpr std::size_t count = Faces<size>::count;
  Numbers<count> even;
  V odd[count];
  const auto out = [&](std::size_t k, std::size_t j) HWY_ATTR {
    return faces.normal_x[k] * set(other.x[j]) + faces.normal_y[k] * set(other.y[j]);
  };
  // Two at a time, as each minimum has to wait for the one before.
  for (std::size_t k = 0; k < count; ++k) {
    even.values[k] = out(k, 0);
    odd[k] = out(k, 1);
  }
  for (std::size_t j = 2; j < corners; j += 2) {
    for (std::size_t k = 0; k < count; ++k) {
      even.values[k] = hn::Min(even.values[k], out(k, j));
      odd[k] = hn::Min(odd[k], out(k, j + 1));
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    const V start = faces.normal_x[k] * faces.x[k] + faces.normal_y[k] * faces.y[k];
    even.values[k] = set(inverse_length) * (hn::Min(even.values[k], odd[k]) - start);
  }
  return even;
}

/// The first face that no other beats by more than the slack.
struct Choice {
  std::uint32_t face;
  double separation;
  bool is_sure;
};

template <class N>
HWY_INLINE Choice choose(const N& separations, double widest, double slack, double rounding) {
  const std::uint32_t perhaps = separations.at_least((widest - slack) - rounding);
  const std::uint32_t surely = separations.at_least((widest - slack) + rounding) | 0x10000U;
  const auto face = static_cast<std::uint32_t>(std::countr_zero(perhaps | 0x10000U)) & 15U;
  return {face, separations.at(face), (perhaps & (0U - perhaps)) == (surely & (0U - surely))};
}

/// Sets the edge of a core that faces a direction the most; returns whether it does by more than rounding.
template <std::size_t count>
HWY_INLINE bool find_facing_edge(const HullFaces& other, std::size_t edges, double x, double y,
                                 std::uint32_t& edge) {
  constexpr double more_than_rounding = 1e-9;
  alignas(32) static constexpr double numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  Numbers<count> against;
  for (std::size_t k = 0; k < count; ++k) {
    const auto used = hn::Lt(hn::Load(D(), numbers + k * lanes), set(static_cast<double>(edges)));
    const auto cosine = hn::Load(D(), other.normal_x + k * lanes) * set(x) +
                        hn::Load(D(), other.normal_y + k * lanes) * set(y);
    against.values[k] = hn::IfThenElse(used, hn::Neg(cosine), set(-2.0));
  }
  const std::uint32_t best = against.at_least(against.most() - more_than_rounding);
  edge = static_cast<std::uint32_t>(std::countr_zero(best | 0x10000U)) & 15U;
  return std::has_single_bit(best);
}

/// Looks from each core at the other. Each has at least two corners, copies among them.
template <std::size_t corners_a, std::size_t corners_b, class FacesA, class FacesB>
HWY_INLINE void look(const HullSource (&cores)[2], double slack, double rounding, double most,
                     const FacesA& on_a, const FacesB& on_b, HullFaces (&faces)[2], Glance& seen) {
  on_a.store_corners(faces[0]);
  on_b.store_corners(faces[1]);
  const auto from_a = separations_of<corners_b>(on_a, cores[0].inverse_length, faces[1]);
  const auto from_b = separations_of<corners_a>(on_b, cores[1].inverse_length, faces[0]);
  const double widest_a = from_a.most();
  const double widest_b = from_b.most();
  seen.widest = std::max(widest_a, widest_b);
  seen.is_sure = false;
  if (seen.widest > most) {
    return;
  }
  constexpr std::size_t count = std::max(FacesA::count, FacesB::count);
  on_a.template store_normals<count>(cores[0].inverse_length, faces[0]);
  on_b.template store_normals<count>(cores[1].inverse_length, faces[1]);
  const Choice choices[] = {choose(from_a, widest_a, slack, rounding),
                            choose(from_b, widest_b, slack, rounding)};
  const double gain = choices[1].separation - choices[0].separation - slack;
  // By its number, as which one it is cannot be guessed.
  const std::size_t core = gain > 0.0 ? 1 : 0;
  seen.on_b = core == 1;
  seen.face = choices[core].face;
  seen.is_clear =
      find_facing_edge<count>(faces[1 - core], cores[1 - core].size, faces[core].normal_x[seen.face],
                              faces[core].normal_y[seen.face], seen.edge);
  const bool is_certain = (gain > rounding) | (gain < -rounding);
  seen.is_sure = seen.is_clear & is_certain & choices[0].is_sure & choices[1].is_sure;
}

/// Looks at a polygon from a core of `corners` corners.
template <std::size_t corners, class FacesA>
HWY_INLINE void look_at_polygon(const HullSource (&cores)[2], double slack, double rounding, double most,
                                const FacesA& on_a, HullFaces (&faces)[2], Glance& seen) {
  if (cores[1].size <= few_corners) {
    Faces<few_corners> on_b;
    on_b.place_polygon(cores[1]);
    return look<corners, few_corners>(cores, slack, rounding, most, on_a, on_b, faces, seen);
  }
  Faces<many_corners> on_b;
  on_b.place_polygon(cores[1]);
  look<corners, many_corners>(cores, slack, rounding, most, on_a, on_b, faces, seen);
}

void glance(const HullSource (&cores)[2], double slack, double rounding, double most, HullFaces (&faces)[2],
            Glance& seen) {
  if (cores[0].kind == HullSource::Kind::polygon) {
    if (cores[0].size <= few_corners) {
      Faces<few_corners> on_a;
      on_a.place_polygon(cores[0]);
      return look_at_polygon<few_corners>(cores, slack, rounding, most, on_a, faces, seen);
    }
    Faces<many_corners> on_a;
    on_a.place_polygon(cores[0]);
    return look_at_polygon<many_corners>(cores, slack, rounding, most, on_a, faces, seen);
  }
  Faces<corners_of_box> on_a;
  if (cores[0].kind == HullSource::Kind::line) {
    on_a.place_line(cores[0]);
    return look_at_polygon<corners_of_line>(cores, slack, rounding, most, on_a, faces, seen);
  }
  on_a.place_box(cores[0]);
  if (cores[1].kind == HullSource::Kind::polygon) {
    return look_at_polygon<corners_of_box>(cores, slack, rounding, most, on_a, faces, seen);
  }
  Faces<corners_of_box> on_b;
  on_b.place_line(cores[1]);
  look<corners_of_box, corners_of_line>(cores, slack, rounding, most, on_a, on_b, faces, seen);
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
