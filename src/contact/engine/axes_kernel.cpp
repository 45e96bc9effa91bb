// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/engine/axes_kernel.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include "contact/engine/axes.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, EdgeLanes::size>;
using V = hn::Vec<D>;

/// The placed corners of a polygon, one per lane.
struct Corners {
  V x;
  V y;
};

HWY_INLINE Corners place_corners(const Convex::Source& source, const float* x, const float* y) {
  const D d;
  const hn::Rebind<float, D> narrow;
  const V c = hn::Set(d, static_cast<double>(source.rotation.cos));
  const V s = hn::Set(d, static_cast<double>(source.rotation.sin));
  const V local_x = hn::PromoteTo(d, hn::LoadU(narrow, x));
  const V local_y = hn::PromoteTo(d, hn::LoadU(narrow, y));
  return {(c * local_x - s * local_y) + hn::Set(d, source.offset.x),
          (s * local_x + c * local_y) + hn::Set(d, source.offset.y)};
}

// The corners are placed again from the polygon: those of `core` were just stored in pieces of another size,
// and a load of them would stall on store forwarding. A single lane reads them; they are equal bit for bit
// (`place` computes the same sums).
constexpr bool has_one_lane = HWY_TARGET == HWY_SCALAR;

/// Returns the corners from index `i` on.
HWY_INLINE Corners load_corners(const Convex& core, std::size_t i) {
  if constexpr (has_one_lane) {
    return {hn::Set(D(), core.points[i].x), hn::Set(D(), core.points[i].y)};
  }
  const EdgeLanes& edges = core.source.edges[i / EdgeLanes::size];
  const std::size_t lane = i % EdgeLanes::size;
  return place_corners(core.source, edges.x.data() + lane, edges.y.data() + lane);
}

/// Returns the successors of those corners.
HWY_INLINE Corners load_ends(const Convex& core, std::size_t i) {
  if constexpr (has_one_lane) {
    return load_corners(core, next(core, i));
  }
  const EdgeLanes& edges = core.source.edges[i / EdgeLanes::size];
  const std::size_t lane = i % EdgeLanes::size;
  return place_corners(core.source, edges.end_x.data() + lane, edges.end_y.data() + lane);
}

/// Returns the smaller number. Highway's scalar version also tests for NaN, which is not needed here.
HWY_INLINE V smaller(V a, V b) {
#if HWY_TARGET == HWY_SCALAR
  return V(a.raw < b.raw ? a.raw : b.raw);
#else
  return hn::Min(a, b);
#endif
}

HWY_INLINE V larger(V a, V b) {
#if HWY_TARGET == HWY_SCALAR
  return V(a.raw > b.raw ? a.raw : b.raw);
#else
  return hn::Max(a, b);
#endif
}

/// Tests all faces at once, in `count` registers. Lanes beyond the last face hold copies of it.
template <std::size_t count>
HWY_INLINE Axis find_widest_of(const Convex& core, const Convex& other, double radius, double slack) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t used = has_one_lane ? core.size : count;
  const V zero = hn::Zero(d);
  V normal_x[count];
  V normal_y[count];
  V start[count];
  V least[count];
  for (std::size_t k = 0; k < used; ++k) {
    const std::size_t i = k * lanes;
    const Corners p = load_corners(core, i);
    const Corners end = load_ends(core, i);
    normal_x[k] = end.y - p.y;
    normal_y[k] = p.x - end.x;
    start[k] = normal_x[k] * p.x + normal_y[k] * p.y;
    least[k] = normal_x[k] * hn::Set(d, other.points[0].x) + normal_y[k] * hn::Set(d, other.points[0].y);
  }
  for (std::size_t j = 1; j < other.size; ++j) {
    const V x = hn::Set(d, other.points[j].x);
    const V y = hn::Set(d, other.points[j].y);
    for (std::size_t k = 0; k < used; ++k) {
      least[k] = smaller(least[k], normal_x[k] * x + normal_y[k] * y);
    }
  }
  const V radius2 = hn::Set(d, radius * radius);
  auto far = hn::Gt(zero, zero);
  auto apart = far;
  const V turn = hn::Set(d, core.source.inverse_stretch);
  V separation[count];
  V widest = hn::Set(d, -std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < used; ++k) {
    least[k] = least[k] - start[k];
    const V length2 = normal_x[k] * normal_x[k] + normal_y[k] * normal_y[k];
    const auto in_front = hn::Gt(least[k], zero);
    apart = hn::Or(apart, in_front);
    far = hn::Or(far, hn::And(in_front, hn::Gt(least[k] * least[k], radius2 * length2)));
    const std::size_t i = k * lanes;
    const double* inverse_length = core.source.edges[i / EdgeLanes::size].inverse_length.data();
    separation[k] = least[k] * (turn * hn::LoadU(d, inverse_length + i % EdgeLanes::size));
    widest = larger(widest, separation[k]);
  }
  Axis axis;
  if (!hn::AllFalse(d, far)) {
    axis.verdict = Verdict::far;
    return axis;
  }
  axis.verdict = hn::AllFalse(d, apart) ? Verdict::touching : Verdict::apart;
  const V enough = hn::MaxOfLanes(d, widest) - hn::Set(d, slack);
  double separations[Polygon::max_vertices];
  for (std::size_t k = used; k-- > 0;) {
    hn::StoreU(separation[k], d, separations + k * lanes);
    const auto first = hn::FindFirstTrue(d, hn::Ge(separation[k], enough));
    axis.face = first >= 0 ? k * lanes + static_cast<std::size_t>(first) : axis.face;
  }
  axis.separation = separations[axis.face];
  return axis;
}

template <std::size_t count>
HWY_INLINE Axis find_widest(const Convex& core, const Convex& other, double radius, double slack) {
  if constexpr (has_one_lane) {
    return find_widest_of<Polygon::max_vertices>(core, other, radius, slack);
  } else if constexpr (count * hn::MaxLanes(D()) < Polygon::max_vertices) {
    if (count * hn::Lanes(D()) < core.size) {
      return find_widest<2 * count>(core, other, radius, slack);
    }
  }
  return find_widest_of<count>(core, other, radius, slack);
}

Axis find_widest_edge(const Convex& core, const Convex& other, double radius, double slack) {
  return find_widest<1>(core, other, radius, slack);
}

void find_ranges(const Convex& core, Point start, Point first, Point second, Range& on_first,
                 Range& on_second) {
  const D d;
  V low_first = hn::Set(d, on_first.low);
  V low_second = low_first;
  V high_first = hn::Set(d, on_first.high);
  V high_second = high_first;
  for (std::size_t i = 0; i < core.size; i += hn::Lanes(d)) {
    const Corners corners = load_corners(core, i);
    const V x = corners.x - hn::Set(d, start.x);
    const V y = corners.y - hn::Set(d, start.y);
    const V along_first = hn::Set(d, first.x) * x + hn::Set(d, first.y) * y;
    const V along_second = hn::Set(d, second.x) * x + hn::Set(d, second.y) * y;
    low_first = smaller(low_first, along_first);
    high_first = larger(high_first, along_first);
    low_second = smaller(low_second, along_second);
    high_second = larger(high_second, along_second);
  }
  on_first.low = hn::GetLane(hn::MinOfLanes(d, low_first));
  on_first.high = hn::GetLane(hn::MaxOfLanes(d, high_first));
  on_second.low = hn::GetLane(hn::MinOfLanes(d, low_second));
  on_second.high = hn::GetLane(hn::MaxOfLanes(d, high_second));
}

std::size_t find_deepest(const Convex& core, Point start, Point normal) {
  const D d;
  double least = std::numeric_limits<double>::infinity();
  std::size_t corner = 0;
  for (std::size_t i = 0; i < core.size; i += hn::Lanes(d)) {
    const Corners corners = load_corners(core, i);
    const V out = hn::Set(d, normal.x) * (corners.x - hn::Set(d, start.x)) +
                  hn::Set(d, normal.y) * (corners.y - hn::Set(d, start.y));
    const V lowest = hn::MinOfLanes(d, out);
    const double low = hn::GetLane(lowest);
    const auto at = static_cast<std::size_t>(hn::FindFirstTrue(d, hn::Eq(out, lowest)));
    corner = low < least ? i + at : corner;
    least = low < least ? low : least;
  }
  return corner;
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(find_widest_edge);
HWY_EXPORT(find_ranges);
HWY_EXPORT(find_deepest);

Axis find_widest_edge(const Convex& core, const Convex& other, double radius, double slack) {
  return HWY_DYNAMIC_DISPATCH(find_widest_edge)(core, other, radius, slack);
}

void find_ranges(const Convex& core, Point start, Point first, Point second, Range& on_first,
                 Range& on_second) {
  HWY_DYNAMIC_DISPATCH(find_ranges)(core, start, first, second, on_first, on_second);
}

std::size_t find_deepest(const Convex& core, Point start, Point normal) {
  return HWY_DYNAMIC_DISPATCH(find_deepest)(core, start, normal);
}

}  // namespace broadside::detail

#endif
