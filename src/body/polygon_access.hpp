#pragma once

#include <hwy/base.h>

#include <array>
#include <cstddef>

#include "broadside/body/shape.hpp"

namespace broadside::inline v0_2::detail {

/// The lines of some faces, one array per coordinate (SoA): x * point.x + y * point.y - offset is the signed
/// distance of a point from the line of a face, positive outside, up to float rounding. For unused lanes it
/// is negative for every point.
struct FaceLanes {
  static constexpr std::size_t size = 8;
  std::array<float, size> x{};
  std::array<float, size> y{};
  std::array<float, size> offset{};
};

/// What a polygon holds for the kernels besides its corners.
struct PolygonData : Polygon::Corners {
  // Of the edges; then copies of the last.
  alignas(64) std::array<double, Polygon::max_vertices> inverse_length;
  alignas(64) std::array<FaceLanes, Polygon::max_vertices / FaceLanes::size> faces;
  // From element i on: the corner before face i, its start, its end, and the corner after it.
  alignas(64) std::array<std::array<double, 2>, Polygon::max_vertices + 3> around;
};
// An odd number of cache lines: otherwise polygons would compete for the same few sets of a cache.
static_assert(sizeof(PolygonData) % 128 == 64);

/// Gives the kernels access to the data of a polygon.
struct PolygonAccess {
  HWY_INLINE static const PolygonData& data(const Polygon& polygon) {
    return static_cast<const PolygonData&>(*polygon.data_);
  }
};

}  // namespace broadside::inline v0_2::detail
