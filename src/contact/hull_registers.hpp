// Included once for each SIMD target, after Highway; the toggle lets it through each time.

#if defined(BROADSIDE_CONTACT_HULL_REGISTERS) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADSIDE_CONTACT_HULL_REGISTERS
#undef BROADSIDE_CONTACT_HULL_REGISTERS
#else
#define BROADSIDE_CONTACT_HULL_REGISTERS
#endif

#include <hwy/highway.h>

#include <bit>

#include "contact/hull_source.hpp"

#ifndef BROADSIDE_HULL_PATTERNS
#define BROADSIDE_HULL_PATTERNS

namespace broadside::detail {

/// For the four corners of a box, and the four faces of a box or a line.
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
// Of the two sides of a line alone, with copies.
inline constexpr HullPattern from_side_to_side{{-1, 1, -1, 1}};

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

constexpr std::size_t faces_of_line = 4;
constexpr std::size_t corners_of_box = 4;
constexpr std::size_t few_corners = EdgeLanes::size;
constexpr std::size_t many_corners = Polygon::most_vertices;

HWY_INLINE V set(double value) {
  return hn::Set(D(), value);
}

/// Returns the dot product where its last bits do not matter: rounded once less where that is one step.
HWY_INLINE V rough_dot(V a_x, V a_y, V b_x, V b_y) {
  return hn::MulAdd(a_x, b_x, a_y * b_y);
}

/// The corners and normals of a core in registers.
template <std::size_t size_>
struct Faces {
  static constexpr std::size_t size = size_;
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

  /// Without its ends.
  static HWY_INLINE Faces of_line(const HullSource& core) {
    Faces faces;
    for (std::size_t k = 0; k < count; ++k) {
      const V across = load(from_side_to_side, k);
      const auto is_end = hn::Gt(across, hn::Zero(D()));
      faces.x[k] = hn::IfThenElse(is_end, set(core.way.x), set(core.origin.x));
      faces.y[k] = hn::IfThenElse(is_end, set(core.way.y), set(core.origin.y));
      faces.set_normals(k, core, hn::Zero(D()), across * set(core.inverse_length));
    }
    return faces;
  }

  static HWY_INLINE Faces of_box(const HullSource& core) {
    Faces faces;
    for (std::size_t k = 0; k < count; ++k) {
      const V right = load(to_the_right, k);
      const V up = load(upward, k);
      faces.x[k] = (set(core.origin.x) + right * set(core.way.x)) + up * set(core.up.x);
      faces.y[k] = (set(core.origin.y) + right * set(core.way.y)) + up * set(core.up.y);
      faces.set_normals(k, core, load(box_along, k), load(box_across, k));
    }
    return faces;
  }

  static HWY_INLINE Faces of_polygon(const HullSource& core) {
    Faces faces;
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
      faces.x[k] = (c * local_x - s * local_y) + set(core.origin.x);
      faces.y[k] = (s * local_x + c * local_y) + set(core.origin.y);
      faces.set_normals(k, core, (end_y - local_y) * inverse_length, (local_x - end_x) * inverse_length);
    }
    return faces;
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
  HWY_INLINE void store_normals(HullFaces& faces) const {
    for (std::size_t k = 0; k < count; ++k) {
      hn::Store(normal_x[k], D(), faces.normal_x + k * lanes);
      hn::Store(normal_y[k], D(), faces.normal_y + k * lanes);
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

  /// Returns the largest, in all lanes.
  [[nodiscard]] HWY_INLINE V most() const {
    V largest = values[0];
    for (std::size_t k = 1; k < count; ++k) {
      largest = hn::Max(largest, values[k]);
    }
    return hn::MaxOfLanes(D(), largest);
  }

  /// Returns a bit for each that is no less than `least`.
  [[nodiscard]] HWY_INLINE std::uint32_t at_least(V least) const {
    std::uint32_t bits = 0;
    for (std::size_t k = count; k-- > 0;) {
      std::uint8_t part[8] = {};
      hn::StoreMaskBits(D(), hn::Ge(values[k], least), part);
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
HWY_INLINE Numbers<Faces<size>::count> separations_of(const Faces<size>& faces, const HullFaces& other) {
  constexpr std::size_t count = Faces<size>::count;
  Numbers<count> even;
  V odd[count];
  const auto out = [&](std::size_t k, std::size_t j) HWY_ATTR {
    return rough_dot(faces.normal_x[k], faces.normal_y[k], set(other.x[j]), set(other.y[j]));
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
    const V start = rough_dot(faces.normal_x[k], faces.normal_y[k], faces.x[k], faces.y[k]);
    even.values[k] = hn::Min(even.values[k], odd[k]) - start;
  }
  return even;
}

/// Returns the number of the lowest bit.
HWY_INLINE std::uint32_t first_of(std::uint32_t bits) {
  return static_cast<std::uint32_t>(std::countr_zero(bits | 0x10000U)) & 15U;
}

/// @param size how many faces there are; beyond come copies

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
