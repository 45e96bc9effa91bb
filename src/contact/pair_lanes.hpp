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

// Pairs are taken eight by eight, whatever fits into a register, and their numbers turned from one shape
// after the other to one number after the other.

inline constexpr std::size_t chunk = 8;

struct alignas(64) Lanes {
  float values[chunk];
};

/// A contact, number by number, and whether it is one.
struct ContactLanes {
  struct Point {
    Lanes x, y, separation, feature;
  };
  Lanes name_a, name_b, normal_x, normal_y;
  Point points[2];
  Lanes size;
  bool touching[chunk];
  bool unsure[chunk];
};

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

HWY_INLINE void store_verdict(M apart, M touching, ContactLanes& found, std::size_t i) {
  HWY_ALIGN double of_touching[HWY_LANES(double)];
  HWY_ALIGN double of_apart[HWY_LANES(double)];
  hn::Store(select(touching, set(1.0), set(0.0)), D(), of_touching);
  hn::Store(select(apart, set(1.0), set(0.0)), D(), of_apart);
  for (std::size_t lane = 0; lane < hn::Lanes(D()); ++lane) {
    found.touching[i + lane] = of_touching[lane] > 0.0;
    found.unsure[i + lane] = of_touching[lane] + of_apart[lane] == 0.0;
  }
}

// Deeper than any rounding, so that nobody has to ask the boxes; more than `is_confirmed` demands.
HWY_INLINE M is_certain(V separation, V lengths) {
  return hn::Lt(separation, set(-2e-12) * lengths);
}

#if HWY_TARGET == HWY_SCALAR

/// Turns four numbers of each of four lanes, from `from(lane)` to `to`.
template <class From>
HWY_INLINE void turn_in(From from, std::size_t first, Lanes* to) {
  for (std::size_t lane = 0; lane < 4; ++lane) {
    for (std::size_t k = 0; k < 4; ++k) {
      to[k].values[first + lane] = from(first + lane)[k];
    }
  }
}
/// Turns them back: all four numbers of one lane, to `to`.
HWY_INLINE void turn_out(const Lanes* from, std::size_t lane, float* to) {
  for (std::size_t k = 0; k < 4; ++k) {
    to[k] = from[k].values[lane];
  }
}
template <class Out>
HWY_INLINE void turn_out_four(const Lanes* from, std::size_t first, Out out) {
  for (std::size_t lane = 0; lane < 4; ++lane) {
    turn_out(from, first + lane, out(lane));
  }
}

#else

using F4 = hn::FixedTag<float, 4>;
/// Turns four numbers of each of four lanes, from `from(lane)` to `to`.
template <class From>
HWY_INLINE void turn_in(From from, std::size_t first, Lanes* to) {
  const F4 d;
  const Four columns = turned({{hn::LoadU(d, from(first)), hn::LoadU(d, from(first + 1)),
                                hn::LoadU(d, from(first + 2)), hn::LoadU(d, from(first + 3))}});
  for (std::size_t k = 0; k < 4; ++k) {
    hn::StoreU(columns.of[k], d, to[k].values + first);
  }
}
/// Turns them back, to `out(lane)`.
template <class Out>
HWY_INLINE void turn_out_four(const Lanes* from, std::size_t first, Out out) {
  const F4 d;
  const Four rows = turned({{hn::LoadU(d, from[0].values + first), hn::LoadU(d, from[1].values + first),
                             hn::LoadU(d, from[2].values + first), hn::LoadU(d, from[3].values + first)}});
  for (std::size_t lane = 0; lane < 4; ++lane) {
    hn::StoreU(rows.of[lane], d, out(lane));
  }
}

#endif

/// Finds the contacts among pairs. `fill(lanes, name_of)` brings the shapes of one side into lanes `L`, and
/// `collide_lanes(a, b, found)` collides them.
template <class L, class Fill, class Collide>
HWY_INLINE std::size_t collide_pairs(std::span<const Pair> pairs, const Shape* shapes,
                                     const Transform* transforms, Contact* out, Fill fill,
                                     Collide collide_lanes) {
  L a{};
  L b{};
  ContactLanes found{};
  std::size_t count = 0;
  for (std::size_t first = 0; first < pairs.size(); first += chunk) {
    const std::size_t n = std::min(chunk, pairs.size() - first);
    const auto pair_at = [&](std::size_t i) HWY_ATTR { return pairs[first + std::min(i, n - 1)]; };
    fill(a, [&](std::size_t i) HWY_ATTR { return pair_at(i).a; });
    fill(b, [&](std::size_t i) HWY_ATTR { return pair_at(i).b; });
    collide_lanes(a, b, found);
    for (std::size_t i = 0; i < chunk; ++i) {
      found.name_a.values[i] = std::bit_cast<float>(pair_at(i).a);
      found.name_b.values[i] = std::bit_cast<float>(pair_at(i).b);
    }
    // No branch on what touches: it is written anyhow, and the place moves on by one or by nothing.
    float turned_back[chunk][12];
    for (std::size_t four = 0; four < chunk; four += 4) {
      const Lanes* groups[] = {&found.name_a, &found.points[0].x, &found.points[1].x};
      for (std::size_t group = 0; group < 3; ++group) {
        turn_out_four(groups[group], four,
                      [&](std::size_t lane) HWY_ATTR { return turned_back[four + lane] + 4 * group; });
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      Contact& contact = out[count];
      std::memcpy(static_cast<void*>(&contact), turned_back[i], sizeof(turned_back[i]));
      contact.manifold.size = std::bit_cast<std::uint32_t>(found.size.values[i]);
      bool touching = found.touching[i];
      if (found.unsure[i]) {
        const Pair pair = pair_at(i);
        contact.manifold = collide(shapes[pair.a], transforms[pair.a], shapes[pair.b], transforms[pair.b]);
        touching = contact.manifold.touching();
      }
      count += touching ? 1U : 0U;
    }
  }
  return count;
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
