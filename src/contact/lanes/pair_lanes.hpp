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

#include "base/tolerances.hpp"
#include "body/shape_lanes.hpp"
#include "broadside/base/bit_cast.hpp"
#include "broadside/contact/collide.hpp"
#include "contact/feature.hpp"
#include "contact/lanes/pair_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

/// Contacts as a structure of arrays, and a bit for each pair that touches, or may touch.
struct ContactLanes {
  struct Point {
    Lanes x, y, separation, feature;
  };
  Lanes name_a, name_b, normal_x, normal_y;
  Point points[2];
  Lanes size;
  std::uint32_t touching;
  std::uint32_t inconclusive;
};
static_assert(chunk <= 32, "a bit for each");

/// If the lengths of a contact are below this, none of its numbers can exceed the largest float. Other lanes
/// are passed to `collide`.
inline constexpr double max_lengths_of_lanes = 1e37;

static_assert(sizeof(Contact) == 13 * sizeof(float), "contacts are written as 13 numbers of four bytes");

/// Divides. A divisor of 0, which occurs only in lanes whose result is not used, counts as 1.
HWY_INLINE V divide(V a, V b) {
  return a / select(hn::Eq(b, hn::Zero(D())), set(1.0), b);
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
HWY_INLINE P rotate_ccw(P p) {
  return {hn::Neg(p.y), p.x};
}
HWY_INLINE P select(M mask, P yes, P no) {
  return {select(mask, yes.x, no.x), select(mask, yes.y, no.y)};
}
/// Returns the L1 norm of a point: a magnitude for rounding bounds.
HWY_INLINE V length_of(P p) {
  return hn::Abs(p.x) + hn::Abs(p.y);
}
HWY_INLINE M is_unit(P rotation) {
  const V length2 = dot(rotation, rotation);
  return hn::And(hn::Ge(length2, set(0.99)), hn::Le(length2, set(1.01)));
}

/// Does what `feature_at_face` does.
HWY_INLINE V feature_of(M on_b, bool is_corner, V own, V of_other) {
  const V at_a = set(feature(Meeting::face_of_a, 0, 0));
  const V at_b = set(feature(Meeting::face_of_b, 0, 0));
  const V one = set(1.0);
  const V shift = set(feature(Meeting::corners, 1, 0));
  const V kind = is_corner ? select(on_b, at_a, at_b) : select(on_b, at_b, at_a);
  return kind + own * select(on_b, one, shift) + of_other * select(on_b, shift, one);
}

HWY_INLINE V number_after(V number, V last) {
  return select(hn::Eq(number, last), hn::Zero(D()), number + set(1.0));
}

// As `to_number`: rounds to the nearest float, and -0 to 0. Results that are used are within the range of
// float.
HWY_INLINE void store_number(V value, Lanes& lanes, std::size_t i) {
  hn::StoreU(hn::DemoteTo(F(), value) + hn::Zero(F()), F(), lanes.values + i);
}
/// Stores a small whole number as an integer.
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

/// Stores the second point, zeros if there is none, and the number of points: contacts are equal to the last
/// byte with every instruction set.
HWY_INLINE void store_second(M are_two, P position, V separation, V feature, ContactLanes& found,
                             std::size_t i) {
  const V zero = hn::Zero(D());
  store_point(select(are_two, position, {zero, zero}), select(are_two, separation, zero),
              select(are_two, feature, zero), found.points[1], i);
  store_whole(select(are_two, set(2.0), set(1.0)), found.size, i);
}

HWY_INLINE std::uint32_t bits_of(M mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(D(), mask, bits);
  return bits[0];
}
HWY_INLINE void store_verdict(M apart, M touching, ContactLanes& found, std::size_t i) {
  found.touching |= bits_of(touching) << i;
  found.inconclusive |= bits_of(hn::Not(hn::Or(touching, apart))) << i;
}

// Deeper than any rounding, so that the bounds need no test; stricter than `is_confirmed`.
HWY_INLINE M is_certain(V separation, V lengths) {
  return hn::Lt(separation, set(-2.0 * rounding_of_verdict) * lengths);
}

/// Calls `collide` for the lanes without a certain verdict.
HWY_INLINE void resolve_inconclusive(std::span<const Pair> pairs, const Shape* shapes,
                                     const Transform* transforms, ContactLanes& found) {
  for (std::uint32_t rest = found.inconclusive; rest != 0; rest &= rest - 1) {
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
      found.points[k].feature.values[i] = detail::bit_cast<float>(point.feature);
    }
    found.size.values[i] = detail::bit_cast<float>(manifold.size);
    found.touching |= (manifold.touching() ? 1U : 0U) << i;
  }
}

/// Writes the contacts of at most a chunk of pairs; returns how many. Branch-free: each pair is written, and
/// the output index advances by 0 or 1.
HWY_INLINE std::size_t write(std::span<const Pair> pairs, ContactLanes& found, Contact* out) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    found.name_a.values[i] = detail::bit_cast<float>(pairs[i].a);
    found.name_b.values[i] = detail::bit_cast<float>(pairs[i].b);
  }
  std::size_t count = 0;
  Contact of_none;
  for (std::size_t first = 0; first < pairs.size(); first += rows_at_once) {
    Contact* to[rows_at_once];
    for (std::size_t lane = 0; lane < rows_at_once; ++lane) {
      const bool is_pair = first + lane < pairs.size();
      to[lane] = is_pair ? out + count : &of_none;
      Prefetch::line_of(out, count + lead_of_writing);
      count += is_pair ? (found.touching >> (first + lane)) & 1U : 0U;
    }
    const Lanes* groups[] = {&found.name_a, &found.points[0].x, &found.points[1].x};
    for (std::size_t group = 0; group < 3; ++group) {
      transpose_out(groups[group], first, [&](std::size_t lane) HWY_ATTR {
        return reinterpret_cast<std::byte*>(to[lane]) + 16 * group;
      });
    }
    for (std::size_t lane = 0; lane < rows_at_once; ++lane) {
      to[lane]->manifold.size = detail::bit_cast<std::uint32_t>(found.size.values[first + lane]);
    }
  }
  return count;
}

/// Finds the contacts among pairs of the shapes that lanes `A` and `B` hold.
/// @param order called as `order(lane, pair)`: returns the pair with the shape for `A` first
/// @param collide_chunk called as `collide_chunk(ordered, a, b, found)`: collides as many lanes as there are
/// `ordered` pairs; advances the prefetcher
template <class A, class B, class Order, class CollideChunk>
HWY_INLINE std::size_t collide_pairs(std::span<const Pair> pairs, const Prefetcher& prefetcher, Contact* out,
                                     Order order, CollideChunk collide_chunk) {
  const Shape* shapes = prefetcher.shapes();
  const Transform* transforms = prefetcher.transforms();
  A a;
  B b;
  ContactLanes found;
  found.points[1] = {};  // contacts of one point leave it unset
  Pair ordered[chunk];
  std::size_t count = 0;
  for (std::size_t first = 0; first < pairs.size(); first += chunk) {
    const auto some = pairs.subspan(first, std::min(chunk, pairs.size() - first));
    const std::size_t filled = (some.size() + max_lanes - 1) / max_lanes * max_lanes;
    for (std::size_t i = 0; i < filled; ++i) {
      ordered[i] = order(i, some[std::min(i, some.size() - 1)]);
    }
    fill(a, filled, shapes, transforms, [&](std::size_t i) HWY_ATTR { return ordered[i].a; });
    fill(b, filled, shapes, transforms, [&](std::size_t i) HWY_ATTR { return ordered[i].b; });
    found.touching = 0;
    found.inconclusive = 0;
    collide_chunk(std::span<const Pair>(ordered, filled), a, b, found);
    resolve_inconclusive(some, shapes, transforms, found);
    count += write(some, found, out + count);
  }
  return count;
}

/// Does the same for two shapes of one kind, in any order.
/// @param collide_lanes called as `collide_lanes(a, b, i, found)`: collides one register of pairs
template <class L, class Collide>
HWY_INLINE std::size_t collide_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out,
                                     Collide collide_lanes) {
  return collide_pairs<L, L>(
      pairs, prefetcher, out, [](std::size_t /*i*/, Pair pair) HWY_ATTR { return pair; },
      [&](std::span<const Pair> ordered, const L& a, const L& b, ContactLanes& found) HWY_ATTR {
        for (std::size_t i = 0; i < ordered.size(); i += hn::Lanes(D())) {
          prefetcher.advance(hn::Lanes(D()));
          collide_lanes(a, b, i, found);
        }
      });
}

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
