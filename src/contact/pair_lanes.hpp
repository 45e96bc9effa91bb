// Included once for each SIMD target, after Highway; the toggle lets it through each time.

#if defined(BROADSIDE_CONTACT_PAIR_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADSIDE_CONTACT_PAIR_LANES
#undef BROADSIDE_CONTACT_PAIR_LANES
#else
#define BROADSIDE_CONTACT_PAIR_LANES
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "base/box_lanes.hpp"
#include "broadside/contact/collide.hpp"
#include "contact/pair_kernels.hpp"

#ifndef BROADSIDE_LANES
#define BROADSIDE_LANES

namespace broadside::detail {

// Pairs are taken some at a time, and their numbers turned from one shape after the other to one number after
// the other. More of them than fit into a register: what was stored in parts is not to be had as a whole
// before it has left the processor.

inline constexpr std::size_t chunk = 32;
inline constexpr std::size_t widest = 8;  // lanes of any register

struct alignas(64) Lanes {
  float values[chunk];
};

/// Contacts, number by number, and a bit for each that is one, or may be one.
struct ContactLanes {
  struct Point {
    Lanes x, y, separation, feature;
  };
  Lanes name_a, name_b, normal_x, normal_y;
  Point points[2];
  Lanes size;
  std::uint32_t touching;
  std::uint32_t unsure;
};
static_assert(chunk <= 32, "a bit for each");

static_assert(sizeof(Contact) == 13 * sizeof(float), "contacts are written as 13 numbers of four bytes");
static_assert(sizeof(Transform) == 4 * sizeof(float), "transforms are read as four numbers");

}  // namespace broadside::detail

#endif

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using F = hn::Rebind<float, D>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

HWY_INLINE V set(double value) {
  return hn::Set(D(), value);
}
HWY_INLINE V load(const Lanes& lanes, std::size_t i) {
  return hn::PromoteTo(D(), hn::LoadU(F(), lanes.values + i));
}
HWY_INLINE V select(M mask, V yes, V no) {
  return hn::IfThenElse(mask, yes, no);
}

/// Divides; by 1 where the divisor is 0, which happens in lanes that do not count.
HWY_INLINE V divide(V a, V b) {
  return a / select(hn::Eq(b, hn::Zero(D())), set(1.0), b);
}

/// A point or direction in each lane.
struct P {
  V x;
  V y;
};
HWY_INLINE P operator+(P a, P b) {
  return {a.x + b.x, a.y + b.y};
}
HWY_INLINE P operator-(P a, P b) {
  return {a.x - b.x, a.y - b.y};
}
HWY_INLINE P operator*(V s, P p) {
  return {s * p.x, s * p.y};
}
HWY_INLINE P negative(P p) {
  return {hn::Neg(p.x), hn::Neg(p.y)};
}
HWY_INLINE V dot(P a, P b) {
  return a.x * b.x + a.y * b.y;
}
HWY_INLINE V cross(P a, P b) {
  return a.x * b.y - a.y * b.x;
}
HWY_INLINE P left_of(P p) {
  return {hn::Neg(p.y), p.x};
}
HWY_INLINE P select(M mask, P yes, P no) {
  return {select(mask, yes.x, no.x), select(mask, yes.y, no.y)};
}
HWY_INLINE P rotate(P rotation, P p) {
  return {rotation.x * p.x - rotation.y * p.y, rotation.y * p.x + rotation.x * p.y};
}
/// How far a point is from the origin, side by side: a length to compare rounding with.
HWY_INLINE V length_of(P p) {
  return hn::Abs(p.x) + hn::Abs(p.y);
}
HWY_INLINE M is_unit(P rotation) {
  const V length2 = dot(rotation, rotation);
  return hn::And(hn::Ge(length2, set(0.99)), hn::Le(length2, set(1.01)));
}

// As `to_number`: to the nearest float, the largest at most, 0 without a sign.
HWY_INLINE void store_number(V value, Lanes& lanes, std::size_t i) {
  const V most = set(std::numeric_limits<float>::max());
  const auto rounded = hn::DemoteTo(F(), hn::Min(hn::Max(value, hn::Neg(most)), most));
  hn::StoreU(rounded + hn::Zero(F()), F(), lanes.values + i);
}
/// A small whole number, as an integer.
HWY_INLINE void store_whole(V value, Lanes& lanes, std::size_t i) {
  const hn::Rebind<std::int32_t, D> di;
  hn::StoreU(hn::BitCast(F(), hn::DemoteTo(di, value)), F(), lanes.values + i);
}
HWY_INLINE void store_point(P position, V separation, V feature, ContactLanes::Point& point, std::size_t i) {
  store_number(position.x, point.x, i);
  store_number(position.y, point.y, i);
  store_number(separation, point.separation, i);
  store_whole(feature, point.feature, i);
}

HWY_INLINE std::uint32_t bits_of(M mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(D(), mask, bits);
  return bits[0];
}
HWY_INLINE void store_verdict(M apart, M touching, ContactLanes& found, std::size_t i) {
  found.touching |= bits_of(touching) << i;
  found.unsure |= bits_of(hn::Not(hn::Or(touching, apart))) << i;
}

// Deeper than any rounding, so that nobody has to ask the boxes; more than `is_confirmed` demands.
HWY_INLINE M is_certain(V separation, V lengths) {
  return hn::Lt(separation, set(-2e-12) * lengths);
}

#if HWY_TARGET == HWY_SCALAR

/// Turns `count` numbers of each of four lanes, from `from(lane)` to `to`.
template <std::size_t count, class From>
HWY_INLINE void turn_in(From from, std::size_t first, Lanes* to) {
  for (std::size_t lane = 0; lane < 4; ++lane) {
    for (std::size_t k = 0; k < count; ++k) {
      to[k].values[first + lane] = from(first + lane)[k];
    }
  }
}
/// Turns four numbers of each of four lanes back, to `out(lane)`.
template <class Out>
HWY_INLINE void turn_out(const Lanes* from, std::size_t first, Out out) {
  for (std::size_t lane = 0; lane < 4; ++lane) {
    for (std::size_t k = 0; k < 4; ++k) {
      out(lane)[k] = from[k].values[first + lane];
    }
  }
}

#else

using F4 = hn::FixedTag<float, 4>;
/// Turns `count` numbers of each of four lanes, from `from(lane)` to `to`.
template <std::size_t count, class From>
HWY_INLINE void turn_in(From from, std::size_t first, Lanes* to) {
  const F4 d;
  const auto row = [&](std::size_t lane) HWY_ATTR {
    return count == 4 ? hn::LoadU(d, from(lane)) : hn::MaskedLoad(hn::FirstN(d, count), d, from(lane));
  };
  const Four columns = turned({{row(first), row(first + 1), row(first + 2), row(first + 3)}});
  for (std::size_t k = 0; k < count; ++k) {
    hn::StoreU(columns.of[k], d, to[k].values + first);
  }
}
/// Turns four numbers of each of four lanes back, to `out(lane)`.
template <class Out>
HWY_INLINE void turn_out(const Lanes* from, std::size_t first, Out out) {
  const F4 d;
  const Four rows = turned({{hn::LoadU(d, from[0].values + first), hn::LoadU(d, from[1].values + first),
                             hn::LoadU(d, from[2].values + first), hn::LoadU(d, from[3].values + first)}});
  for (std::size_t lane = 0; lane < 4; ++lane) {
    hn::StoreU(rows.of[lane], d, out(lane));
  }
}

#endif

/// Asks `collide` where the lanes are not sure.
HWY_INLINE void make_sure(std::span<const Pair> pairs, const Shape* shapes, const Transform* transforms,
                          ContactLanes& found) {
  for (std::uint32_t rest = found.unsure; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    if (i >= pairs.size()) {
      return;
    }
    const Pair pair = pairs[i];
    const Manifold manifold = collide(shapes[pair.a], transforms[pair.a], shapes[pair.b], transforms[pair.b]);
    found.normal_x.values[i] = manifold.normal.x;
    found.normal_y.values[i] = manifold.normal.y;
    for (std::size_t k = 0; k < 2; ++k) {
      const ManifoldPoint& point = manifold.points[k];
      found.points[k].x.values[i] = point.position.x;
      found.points[k].y.values[i] = point.position.y;
      found.points[k].separation.values[i] = point.separation;
      found.points[k].feature.values[i] = std::bit_cast<float>(point.feature);
    }
    found.size.values[i] = std::bit_cast<float>(manifold.size);
    found.touching |= (manifold.touching() ? 1U : 0U) << i;
  }
}

/// Writes what touches among at most a chunk of pairs; returns how many. No branch on what touches: it is
/// written anyhow, and the place moves on by one or by nothing.
HWY_INLINE std::size_t write(std::span<const Pair> pairs, ContactLanes& found, Contact* out) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    found.name_a.values[i] = std::bit_cast<float>(pairs[i].a);
    found.name_b.values[i] = std::bit_cast<float>(pairs[i].b);
  }
  std::size_t count = 0;
  Contact of_none;
  for (std::size_t four = 0; four < pairs.size(); four += 4) {
    Contact* to[4];
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const bool is_pair = four + lane < pairs.size();
      to[lane] = is_pair ? out + count : &of_none;
      count += is_pair ? (found.touching >> (four + lane)) & 1U : 0U;
    }
    const Lanes* groups[] = {&found.name_a, &found.points[0].x, &found.points[1].x};
    for (std::size_t group = 0; group < 3; ++group) {
      turn_out(groups[group], four,
               [&](std::size_t lane) HWY_ATTR { return reinterpret_cast<float*>(to[lane]) + 4 * group; });
    }
    for (std::size_t lane = 0; lane < 4; ++lane) {
      to[lane]->manifold.size = std::bit_cast<std::uint32_t>(found.size.values[four + lane]);
    }
  }
  return count;
}

/// Finds the contacts among pairs. `fill(lanes, count, name_of)` brings the shapes of one side into `count`
/// lanes `L`, and `collide_lanes(a, b, i, found)` collides a register full of them.
template <class L, class Fill, class Collide>
HWY_INLINE std::size_t collide_pairs(std::span<const Pair> pairs, const Shape* shapes,
                                     const Transform* transforms, Ahead& ahead, Contact* out, Fill fill,
                                     Collide collide_lanes) {
  L a{};
  L b{};
  ContactLanes found{};
  std::size_t count = 0;
  for (std::size_t first = 0; first < pairs.size(); first += chunk) {
    const auto some = pairs.subspan(first, std::min(chunk, pairs.size() - first));
    ahead.call(some.size());
    const std::size_t filled = (some.size() + widest - 1) / widest * widest;
    const auto pair_at = [&](std::size_t i) HWY_ATTR { return some[std::min(i, some.size() - 1)]; };
    fill(a, filled, [&](std::size_t i) HWY_ATTR { return pair_at(i).a; });
    fill(b, filled, [&](std::size_t i) HWY_ATTR { return pair_at(i).b; });
    found.touching = 0;
    found.unsure = 0;
    for (std::size_t i = 0; i < filled; i += hn::Lanes(D())) {
      collide_lanes(a, b, i, found);
    }
    make_sure(some, shapes, transforms, found);
    count += write(some, found, out + count);
  }
  return count;
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
