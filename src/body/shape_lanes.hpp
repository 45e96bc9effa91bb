// Included once per SIMD target, after Highway; a toggle that follows Highway's replaces the include guard.

#if defined(BROADSIDE_BODY_SHAPE_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADSIDE_BODY_SHAPE_LANES
#undef BROADSIDE_BODY_SHAPE_LANES
#else
#define BROADSIDE_BODY_SHAPE_LANES
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstring>

#include "base/box_lanes.hpp"
#include "broadside/body/shape.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Shapes, or pairs of them, are processed in chunks and transposed to a structure of arrays. A chunk is
// larger than a register: a load of numbers that were just stored in parts would stall (no store forwarding).

inline constexpr std::size_t chunk = 32;
inline constexpr std::size_t max_lanes = 8;  // lanes of the widest register

struct alignas(64) Lanes {
  float values[chunk];
};

struct alignas(64) DoubleLanes {
  double values[chunk];
};

/// Circles with their transforms.
struct CircleLanes {
  Lanes position_x, position_y, cos, sin;
  Lanes center_x, center_y, radius;
};

/// Boxes with their transforms.
struct BoxLanes {
  Lanes position_x, position_y, cos, sin;
  Lanes half_x, half_y, center_x, center_y;
  Lanes unused_x, unused_y, own_cos, own_sin;
};

/// Capsules or segments with their transforms.
struct LineLanes {
  Lanes position_x, position_y, cos, sin;
  Lanes start_x, start_y, end_x, end_y;
  Lanes radius;
};

static_assert(sizeof(Circle) == 3 * sizeof(float), "circles are read as three numbers");
static_assert(sizeof(Box) == 6 * sizeof(float), "boxes are read as six numbers");
static_assert(offsetof(Capsule, radius) == 4 * sizeof(float) && sizeof(Segment) == 4 * sizeof(float),
              "lines are read as four numbers");
static_assert(sizeof(Transform) == 4 * sizeof(float), "transforms are read as four numbers");

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
HWY_INLINE P rotate(P rotation, P p) {
  return {rotation.x * p.x - rotation.y * p.y, rotation.y * p.x + rotation.x * p.y};
}

#if HWY_TARGET == HWY_SCALAR

inline constexpr std::size_t rows_at_once = 4;

/// Transposes `count` numbers of each of some lanes, from `from(lane)` to `to`.
template <std::size_t count, class From>
HWY_INLINE void transpose_in(From from, std::size_t filled, Lanes* to) {
  for (std::size_t lane = 0; lane < filled; ++lane) {
    for (std::size_t k = 0; k < count; ++k) {
      to[k].values[lane] = from(lane)[k];
    }
  }
}
/// Transposes four numbers of each of some lanes back, to the bytes at `out(lane)`, in lane order.
template <class Out>
HWY_INLINE void transpose_out(const Lanes* from, std::size_t first, Out out) {
  for (std::size_t lane = 0; lane < rows_at_once; ++lane) {
    const float row[] = {from[0].values[first + lane], from[1].values[first + lane],
                         from[2].values[first + lane], from[3].values[first + lane]};
    std::memcpy(out(lane), row, sizeof(row));
  }
}

#else

using F4 = hn::FixedTag<float, 4>;

// A register holds a row of four numbers, or the rows of two lanes that are four apart.
#if HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE

inline constexpr std::size_t rows_at_once = 8;
using Rows = hn::FixedTag<float, rows_at_once>;

template <class Load>
HWY_INLINE hn::Vec<Rows> load_rows(std::size_t lane, Load load) {
  return hn::Combine(Rows(), load(lane + 4), load(lane));
}
template <class Store>
HWY_INLINE void store_rows(const Four<hn::Vec<Rows>>& rows, Store store) {
  for (std::size_t lane = 0; lane < 4; ++lane) {
    store(hn::LowerHalf(F4(), rows.of[lane]), lane);
  }
  for (std::size_t lane = 0; lane < 4; ++lane) {
    store(hn::UpperHalf(F4(), rows.of[lane]), lane + 4);
  }
}

#else

inline constexpr std::size_t rows_at_once = 4;
using Rows = F4;

template <class Load>
HWY_INLINE hn::Vec<Rows> load_rows(std::size_t lane, Load load) {
  return load(lane);
}
template <class Store>
HWY_INLINE void store_rows(const Four<hn::Vec<Rows>>& rows, Store store) {
  for (std::size_t lane = 0; lane < 4; ++lane) {
    store(rows.of[lane], lane);
  }
}

#endif

/// Transposes `count` numbers of each of some lanes, from `from(lane)` to `to`.
template <std::size_t count, class From>
HWY_INLINE void transpose_in(From from, std::size_t filled, Lanes* to) {
  HWY_DASSERT(filled % rows_at_once == 0);
  const auto rows = [&](std::size_t lane) HWY_ATTR {
    return load_rows(lane, [&](std::size_t i) HWY_ATTR {
      const F4 d;
      return count == 4 ? hn::LoadU(d, from(i)) : hn::MaskedLoad(hn::FirstN(d, count), d, from(i));
    });
  };
  for (std::size_t first = 0; first < filled; first += rows_at_once) {
    const auto columns =
        turned(Four<hn::Vec<Rows>>{{rows(first), rows(first + 1), rows(first + 2), rows(first + 3)}});
    for (std::size_t k = 0; k < count; ++k) {
      hn::StoreU(columns.of[k], Rows(), to[k].values + first);
    }
  }
}
/// Transposes four numbers of each of some lanes back, to the bytes at `out(lane)`, in lane order.
template <class Out>
HWY_INLINE void transpose_out(const Lanes* from, std::size_t first, Out out) {
  const auto column = [&](std::size_t k) HWY_ATTR { return hn::LoadU(Rows(), from[k].values + first); };
  const auto rows = turned(Four<hn::Vec<Rows>>{{column(0), column(1), column(2), column(3)}});
  store_rows(rows, [&](hn::Vec<F4> numbers, std::size_t lane) HWY_ATTR {
    float row[4];
    hn::StoreU(numbers, F4(), row);
    std::memcpy(out(lane), row, sizeof(row));
  });
}

#endif

/// Loads `count` transforms into lanes; `fill` loads the shapes, too. Lane i has index `place_of(i)`.
/// @pre count is a multiple of `rows_at_once`, at most `chunk`
template <class L, class PlaceOf>
HWY_INLINE void fill_transforms(L& lanes, std::size_t count, const Transform* transforms, PlaceOf place_of) {
  transpose_in<4>([&](std::size_t i) HWY_ATTR { return &transforms[place_of(i)].position.x; }, count,
                  &lanes.position_x);
}
template <class PlaceOf>
HWY_INLINE void fill(CircleLanes& lanes, std::size_t count, const Shape* shapes, const Transform* transforms,
                     PlaceOf place_of) {
  fill_transforms(lanes, count, transforms, place_of);
  transpose_in<3>([&](std::size_t i)
                      HWY_ATTR { return &std::get_if<Circle>(&shapes[place_of(i)])->center.x; },
                  count, &lanes.center_x);
}
template <class PlaceOf>
HWY_INLINE void fill(BoxLanes& lanes, std::size_t count, const Shape* shapes, const Transform* transforms,
                     PlaceOf place_of) {
  fill_transforms(lanes, count, transforms, place_of);
  const auto box_of = [&](std::size_t i) HWY_ATTR { return std::get_if<Box>(&shapes[place_of(i)]); };
  transpose_in<4>([&](std::size_t i) HWY_ATTR { return &box_of(i)->half_size.x; }, count, &lanes.half_x);
  transpose_in<4>([&](std::size_t i) HWY_ATTR { return &box_of(i)->center.x; }, count, &lanes.unused_x);
}
template <class PlaceOf>
HWY_INLINE void fill(LineLanes& lanes, std::size_t count, const Shape* shapes, const Transform* transforms,
                     PlaceOf place_of) {
  fill_transforms(lanes, count, transforms, place_of);
  const float* numbers[chunk];
  for (std::size_t i = 0; i < count; ++i) {
    const Shape& shape = shapes[place_of(i)];
    const auto* capsule = std::get_if<Capsule>(&shape);
    numbers[i] = capsule != nullptr ? &capsule->a.x : &std::get_if<Segment>(&shape)->a.x;
    lanes.radius.values[i] = capsule != nullptr ? capsule->radius : 0.0F;
  }
  transpose_in<4>([&](std::size_t i) HWY_ATTR { return numbers[i]; }, count, &lanes.start_x);
}

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
