// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "body/bounds_kernel.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "base/tolerances.hpp"
#include "body/bounds_kernel.hpp"
#include "body/prefetch.hpp"
#include "body/shape_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

/// The index of a shape, and that of its box in the result.
struct BoundsJob {
  BoxIndex place;
  std::uint32_t box;
};

/// Polygons with their transforms, by the ranges of their rotated corners.
struct PolygonLanes {
  Lanes position_x, position_y, cos, sin;
  Lanes radius;
  DoubleLanes low_x, low_y, high_x, high_y;
};
struct AabbLanes {
  Lanes min_x, min_y, max_x, max_y;
};

static_assert(sizeof(Aabb) == 4 * sizeof(float), "bounds are written as four numbers");

#if HWY_TARGET == HWY_SCALAR

void find_bounds(std::span<const BoxIndex> places, std::span<const Shape> shapes,
                 std::span<const Transform> transforms, std::span<Aabb> boxes) {
  std::transform(places.begin(), places.end(), boxes.begin(),
                 [&](BoxIndex place) { return bounds(shapes[place], transforms[place]); });
}

#else

/// As in `bounds`: numbers with upper bounds of their rounding errors.
struct Bounded {
  V value;
  V error;
};

constexpr double rounding = epsilon;

HWY_INLINE Bounded operator+(Bounded a, Bounded b) {
  const V sum = a.value + b.value;
  const V of_b = sum - a.value;
  const V lost = (a.value - (sum - of_b)) + (b.value - of_b);
  return {sum, a.error + b.error + set(2.0) * hn::Abs(lost)};
}
HWY_INLINE Bounded operator-(Bounded a) {
  return {hn::Neg(a.value), a.error};
}
HWY_INLINE Bounded exactly(V value) {
  return {value, hn::Zero(D())};
}

struct Range {
  Bounded low;
  Bounded high;
};

HWY_INLINE Range expand(const Range& range, Bounded reach) {
  return {range.low + -reach, range.high + reach};
}

HWY_INLINE hn::Vec<F> round_down(Bounded number) {
  const V zero = hn::Zero(D());
  const V max_float = set(std::numeric_limits<float>::max());
  const V bound = number.value - number.error;
  const V below = bound - select(hn::Gt(number.error, zero), set(rounding) * hn::Abs(bound), zero);
  const V within = hn::Min(hn::Max(below, hn::Neg(max_float)), max_float);
  const auto nearest = hn::DemoteTo(F(), within);
  const hn::Rebind<std::int32_t, D> di;
  const auto is_above =
      hn::DemoteTo(di, select(hn::Gt(hn::PromoteTo(D(), nearest), within), set(-1.0), zero));
  // The next lower float has bits - 1, but bits + 1 if it is negative.
  const auto bits = hn::BitCast(di, nearest);
  const auto step = hn::Or(hn::ShiftRight<31>(bits), hn::Set(di, 1));
  return hn::BitCast(F(), bits - hn::And(step, is_above)) + hn::Zero(F());  // -0 becomes 0
}

/// Stores the boxes of ranges (local, rotated), moved to their positions.
template <class L>
HWY_INLINE void store_bounds(const Range& x, const Range& y, const L& lanes, std::size_t i,
                             AabbLanes& boxes) {
  const Bounded at_x = exactly(load(lanes.position_x, i));
  const Bounded at_y = exactly(load(lanes.position_y, i));
  const auto zero = hn::Zero(F());
  hn::StoreU(round_down(x.low + at_x), F(), boxes.min_x.values + i);
  hn::StoreU(round_down(y.low + at_y), F(), boxes.min_y.values + i);
  hn::StoreU(zero - round_down(-(x.high + at_x)), F(), boxes.max_x.values + i);
  hn::StoreU(zero - round_down(-(y.high + at_y)), F(), boxes.max_y.values + i);
}

HWY_INLINE M is_quarter_turn(P turn) {
  const V c = hn::Abs(turn.x);
  const V s = hn::Abs(turn.y);
  const V zero = hn::Zero(D());
  const V one = set(1.0);
  return hn::Or(hn::And(hn::Eq(c, zero), hn::Eq(s, one)), hn::And(hn::Eq(s, zero), hn::Eq(c, one)));
}

/// Returns the range between two rotated coordinates, with rounding errors.
HWY_INLINE Range range_of(V low, V high, M is_exact) {
  const V far = hn::Max(hn::Abs(low), hn::Abs(high));
  const V error = select(is_exact, hn::Zero(D()), set(rounding) * far);
  return {{low, error}, {high, error}};
}

template <class L>
HWY_INLINE P load_turn(const L& lanes, std::size_t i) {
  return {load(lanes.cos, i), load(lanes.sin, i)};
}

/// Computes the boxes of circles and boxes: of everything within `reach` of their centers.
template <class L>
HWY_INLINE void find_around(const L& lanes, Bounded reach_x, Bounded reach_y, std::size_t i,
                            AabbLanes& boxes) {
  const P turn = load_turn(lanes, i);
  const M is_exact = is_quarter_turn(turn);
  const P center = rotate(turn, {load(lanes.center_x, i), load(lanes.center_y, i)});
  store_bounds(expand(range_of(center.x, center.x, is_exact), reach_x),
               expand(range_of(center.y, center.y, is_exact), reach_y), lanes, i, boxes);
}

HWY_INLINE void find_lanes(const CircleLanes& circles, std::size_t i, AabbLanes& boxes) {
  const Bounded radius = exactly(load(circles.radius, i));
  find_around(circles, radius, radius, i, boxes);
}

HWY_INLINE void find_lanes(const BoxLanes& shapes, std::size_t i, AabbLanes& boxes) {
  const P turn = load_turn(shapes, i);
  const P own{load(shapes.own_cos, i), load(shapes.own_sin, i)};
  const P half{load(shapes.half_x, i), load(shapes.half_y, i)};
  const P axis = rotate(turn, own);
  const P size{hn::Abs(axis.x), hn::Abs(axis.y)};
  const V error = select(hn::And(is_quarter_turn(turn), is_quarter_turn(own)), hn::Zero(D()),
                         set(4.0 * rounding) * (half.x + half.y));
  find_around(shapes, {size.x * half.x + size.y * half.y, error}, {size.y * half.x + size.x * half.y, error},
              i, boxes);
}

HWY_INLINE void find_lanes(const PolygonLanes& polygons, std::size_t i, AabbLanes& boxes) {
  const M is_exact = is_quarter_turn(load_turn(polygons, i));
  const auto range = [&](const auto& low, const auto& high) HWY_ATTR {
    return range_of(hn::LoadU(D(), low.values + i), hn::LoadU(D(), high.values + i), is_exact);
  };
  const Bounded radius = exactly(load(polygons.radius, i));
  store_bounds(expand(range(polygons.low_x, polygons.high_x), radius),
               expand(range(polygons.low_y, polygons.high_y), radius), polygons, i, boxes);
}

template <class PlaceOf>
HWY_INLINE void fill(PolygonLanes& lanes, std::size_t count, const Shape* shapes, const Transform* transforms,
                     PlaceOf place_of) {
  const D d;
  const F f;
  constexpr std::size_t few = 8;                // corners: more are rare
  constexpr std::size_t prefetch_distance = 8;  // shapes that are prefetched ahead
  for (std::size_t i = 0; i < prefetch_distance; ++i) {
    Prefetch::for_bounds(shapes[place_of(i)]);
  }
  fill_transforms(lanes, count, transforms, place_of);
  for (std::size_t i = 0; i < count; ++i) {
    Prefetch::for_bounds(shapes[place_of(i + prefetch_distance)]);
    const Polygon& polygon = *std::get_if<Polygon>(&shapes[place_of(i)]);
    const P turn{set(static_cast<double>(lanes.cos.values[i])),
                 set(static_cast<double>(lanes.sin.values[i]))};
    const std::span<const Vec2> corners = polygon.vertices();
    const auto corners_at = [&](std::size_t first) HWY_ATTR {
      hn::Vec<F> x;
      hn::Vec<F> y;
      hn::LoadInterleaved2(f, &corners.data()[first].x, x, y);
      return rotate(turn, {hn::PromoteTo(d, x), hn::PromoteTo(d, y)});
    };
    P low = corners_at(0);
    P high = low;
    const std::size_t end = corners.size() > few ? Polygon::max_vertices : few;
    for (std::size_t k = hn::Lanes(d); k < end; k += hn::Lanes(d)) {
      const P p = corners_at(k);
      low = {hn::Min(low.x, p.x), hn::Min(low.y, p.y)};
      high = {hn::Max(high.x, p.x), hn::Max(high.y, p.y)};
    }
    lanes.low_x.values[i] = hn::GetLane(hn::MinOfLanes(d, low.x));
    lanes.low_y.values[i] = hn::GetLane(hn::MinOfLanes(d, low.y));
    lanes.high_x.values[i] = hn::GetLane(hn::MaxOfLanes(d, high.x));
    lanes.high_y.values[i] = hn::GetLane(hn::MaxOfLanes(d, high.y));
    lanes.radius.values[i] = polygon.radius();
  }
}

/// Computes the boxes of at most a chunk of shapes of one kind.
template <class L>
HWY_INLINE void find_chunk(std::span<const BoundsJob> jobs, const Shape* shapes, const Transform* transforms,
                           Aabb* boxes) {
  L lanes;
  AabbLanes found;
  const std::size_t filled = (jobs.size() + max_lanes - 1) / max_lanes * max_lanes;
  fill(lanes, filled, shapes, transforms,
       [&](std::size_t i) HWY_ATTR { return jobs[std::min(i, jobs.size() - 1)].place; });
  for (std::size_t i = 0; i < filled; i += hn::Lanes(D())) {
    find_lanes(lanes, i, found);
  }
  Aabb discarded;
  for (std::size_t first = 0; first < jobs.size(); first += rows_at_once) {
    transpose_out(&found.min_x, first, [&](std::size_t lane) HWY_ATTR {
      return first + lane < jobs.size() ? &boxes[jobs[first + lane].box] : &discarded;
    });
  }
}

void find_bounds(std::span<const BoxIndex> places, std::span<const Shape> shapes,
                 std::span<const Transform> transforms, std::span<Aabb> boxes) {
  constexpr std::size_t kinds = std::variant_size_v<Shape>;
  std::array<std::array<BoundsJob, chunk>, kinds> waiting;
  std::array<std::size_t, kinds> counts{};
  const auto find = [&](std::size_t kind) HWY_ATTR {
    const std::span<const BoundsJob> jobs(waiting[kind].data(), counts[kind]);
    counts[kind] = 0;
    if (jobs.empty()) {
      return;
    }
    const Shape& first = shapes[jobs[0].place];
    if (std::holds_alternative<Circle>(first)) {
      find_chunk<CircleLanes>(jobs, shapes.data(), transforms.data(), boxes.data());
    } else if (std::holds_alternative<Box>(first)) {
      find_chunk<BoxLanes>(jobs, shapes.data(), transforms.data(), boxes.data());
    } else if (std::holds_alternative<Polygon>(first)) {
      find_chunk<PolygonLanes>(jobs, shapes.data(), transforms.data(), boxes.data());
    } else {
      for (const BoundsJob& one : jobs) {
        boxes[one.box] = bounds(shapes[one.place], transforms[one.place]);
      }
    }
  };
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t kind = shapes[places[i]].index();
    waiting[kind][counts[kind]++] = {places[i], static_cast<std::uint32_t>(i)};
    if (counts[kind] == chunk) {
      find(kind);
    }
  }
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    find(kind);
  }
}

#endif

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::inline v0_2::detail {

HWY_EXPORT(find_bounds);

void find_bounds(std::span<const BoxIndex> places, std::span<const Shape> shapes,
                 std::span<const Transform> transforms, std::span<Aabb> boxes) {
  HWY_DYNAMIC_DISPATCH(find_bounds)(places, shapes, transforms, boxes);
}

}  // namespace broadside::inline v0_2::detail

#endif
