// Compiled once for each SIMD target by Highway, which picks the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/axes_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "contact/axes.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, Polygon::most_vertices / 2>;
using V = hn::Vec<D>;

/// The corners of a polygon, as they are placed; a lane for each.
struct Corners {
  V x;
  V y;
};

HWY_INLINE Corners load_corners(const Convex::Source& source, const float* x, const float* y) {
  const D d;
  const hn::Rebind<float, D> narrow;
  const V c = hn::Set(d, static_cast<double>(source.rotation.cos));
  const V s = hn::Set(d, static_cast<double>(source.rotation.sin));
  const V local_x = hn::PromoteTo(d, hn::LoadU(narrow, x));
  const V local_y = hn::PromoteTo(d, hn::LoadU(narrow, y));
  return {(c * local_x - s * local_y) + hn::Set(d, source.offset.x),
          (s * local_x + c * local_y) + hn::Set(d, source.offset.y)};
}

/// Takes all faces at once, in `count` registers.
template <std::size_t count>
HWY_INLINE Axis find_widest_of(const Convex& core, const Convex& other, double radius, double slack) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V zero = hn::Zero(d);
  const auto& edges = *core.source.edges;
  V normal_x[count];
  V normal_y[count];
  V start[count];
  V least[count];
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = k * lanes;
    const Corners p = load_corners(core.source, edges.x.data() + i, edges.y.data() + i);
    const Corners end = load_corners(core.source, edges.end_x.data() + i, edges.end_y.data() + i);
    normal_x[k] = end.y - p.y;
    normal_y[k] = p.x - end.x;
    start[k] = normal_x[k] * p.x + normal_y[k] * p.y;
    least[k] = normal_x[k] * hn::Set(d, other.points[0].x) + normal_y[k] * hn::Set(d, other.points[0].y);
  }
  for (std::size_t j = 1; j < other.size; ++j) {
    const V x = hn::Set(d, other.points[j].x);
    const V y = hn::Set(d, other.points[j].y);
    for (std::size_t k = 0; k < count; ++k) {
      least[k] = hn::Min(least[k], normal_x[k] * x + normal_y[k] * y);
    }
  }
  const V radius2 = hn::Set(d, radius * radius);
  auto far = hn::Gt(zero, zero);
  auto apart = far;
  const V turn = hn::Set(d, core.source.inverse_stretch);
  V separation[count];
  V widest = hn::Set(d, -std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < count; ++k) {
    least[k] = least[k] - start[k];
    const V length2 = normal_x[k] * normal_x[k] + normal_y[k] * normal_y[k];
    const auto in_front = hn::Gt(least[k], zero);
    apart = hn::Or(apart, in_front);
    far = hn::Or(far, hn::And(in_front, hn::Gt(least[k] * least[k], radius2 * length2)));
    separation[k] = least[k] * (turn * hn::LoadU(d, edges.inverse_length.data() + k * lanes));
    widest = hn::Max(widest, separation[k]);
  }
  Axis axis;
  if (!hn::AllFalse(d, far)) {
    axis.verdict = Verdict::far;
    return axis;
  }
  axis.verdict = hn::AllFalse(d, apart) ? Verdict::touching : Verdict::apart;
  const V enough = hn::MaxOfLanes(d, widest) - hn::Set(d, slack);
  double separations[Polygon::most_vertices];
  for (std::size_t k = count; k-- > 0;) {
    hn::StoreU(separation[k], d, separations + k * lanes);
    const auto first = hn::FindFirstTrue(d, hn::Ge(separation[k], enough));
    axis.face = first >= 0 ? k * lanes + static_cast<std::size_t>(first) : axis.face;
  }
  axis.separation = separations[axis.face];
  return axis;
}

template <std::size_t count>
HWY_INLINE Axis find_widest(const Convex& core, const Convex& other, double radius, double slack) {
  if constexpr (count * hn::MaxLanes(D()) < Polygon::most_vertices) {
    if (count * hn::Lanes(D()) < core.size) {
      return find_widest<2 * count>(core, other, radius, slack);
    }
  }
  return find_widest_of<count>(core, other, radius, slack);
}

Axis find_widest_edge(const Convex& core, const Convex& other, double radius, double slack) {
  return find_widest<1>(core, other, radius, slack);
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(find_widest_edge);

Axis find_widest_edge(const Convex& core, const Convex& other, double radius, double slack) {
  return HWY_DYNAMIC_DISPATCH(find_widest_edge)(core, other, radius, slack);
}

}  // namespace broadside::detail

#endif
