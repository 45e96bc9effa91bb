#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include "broadside/base/aabb.hpp"
#include "broadside/base/export.h"
#include "broadside/base/result.hpp"
#include "broadside/body/mask.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::inline v0_2 {

class Polygon;
namespace detail {
struct PolygonAccess;
struct PolygonData;
}  // namespace detail

// All shapes are closed sets in their own frame (local); a `Transform` places them in the world. The caller
// sets the numbers, and `validate` checks them. The functions here expect valid shapes: for others they
// return "nothing touches" or an empty result, but never crash and never return a NaN.

/// A disc. Radius 0 is a point.
struct Circle {
  Vec2 center = {};     ///< (local; unit: length)
  float radius = 0.0F;  ///< 0 or more (unit: length)

  friend constexpr bool operator==(const Circle& a, const Circle& b) = default;
};

/// A rectangle, rotated by `rotation` and then by its transform. Made by name, since other libraries differ
/// in what their boxes take: `Box::of_size({30, 20})` is 30 wide, as in scenes, ECS colliders and JavaScript.
struct Box {
  Vec2 half_size = {};  ///< 0 or more each (unit: length)
  Vec2 center = {};     ///< (local; unit: length)
  Rotation rotation = {};

  /// A point.
  constexpr Box() = default;

  /// Returns a box of this width and height. Halving is exact for sizes of 1e-37 and more.
  [[nodiscard]] static constexpr Box of_size(Vec2 size, Vec2 center = {}, Rotation rotation = {}) {
    return {0.5F * size, center, rotation};
  }

  /// Returns a box that extends by `half_size` from its center.
  [[nodiscard]] static constexpr Box of_half_size(Vec2 half_size, Vec2 center = {}, Rotation rotation = {}) {
    return {half_size, center, rotation};
  }

  friend constexpr bool operator==(const Box& a, const Box& b) = default;

 private:
  constexpr Box(Vec2 half_size_in, Vec2 center_in, Rotation rotation_in)
      : half_size(half_size_in), center(center_in), rotation(rotation_in) {}
};

/// All points within `radius` of the segment from `a` to `b`, which may be one point.
struct Capsule {
  Vec2 a = {};          ///< (local; unit: length)
  Vec2 b = {};          ///< (local; unit: length)
  float radius = 0.0F;  ///< 0 or more (unit: length)

  friend constexpr bool operator==(const Capsule& a, const Capsule& b) = default;
};

/// A line segment from `a` to `b`, both included. They may be the same point.
struct Segment {
  Vec2 a = {};  ///< (local; unit: length)
  Vec2 b = {};  ///< (local; unit: length)

  friend constexpr bool operator==(const Segment& a, const Segment& b) = default;
};

/// A convex polygon with 3 to 16 corners, rounded by a radius: all points within `radius` of it.
///
/// Immutable; copies share the corners, so a thousand bodies with the same polygon store it once.
class BROADSIDE_API Polygon {
 public:
  static constexpr std::size_t max_vertices = 16;

  /// Returns the convex hull of `points` [n], in any order, with duplicates and interior points allowed.
  ///
  /// Drops corners that are collinear with their neighbors to within rounding (2^-24 of the largest
  /// coordinate).
  ///
  /// @par Errors
  /// `not_finite`; `invalid_argument` for a negative radius, for points that span no area, and for more than
  /// `max_vertices` corners.
  /// @par Complexity
  /// O(n log n); allocates.
  /// @par Source
  /// A. M. Andrew, Another efficient algorithm for convex hulls in two dimensions, 1979.
  [[nodiscard]] static Result<Polygon> hull(std::span<const Vec2> points, float radius = 0.0F);

  /// Returns the corners [n] (local; unit: length).
  ///
  /// Counter-clockwise where y points up, starting with the lowest of the leftmost corners. Valid as long as
  /// this polygon or a copy lives; therefore deleted for temporaries.
  [[nodiscard]] std::span<const Vec2> vertices() const& { return {data_->vertices.data(), data_->size}; }
  std::span<const Vec2> vertices() const&& = delete;
  /// Returns the outward unit normals [n]; normal i belongs to the edge from vertex i to the next (local).
  ///
  /// Valid as long as this polygon or a copy lives; therefore deleted for temporaries.
  [[nodiscard]] std::span<const Vec2> normals() const& { return {data_->normals.data(), data_->size}; }
  std::span<const Vec2> normals() const&& = delete;
  [[nodiscard]] float radius() const { return data_->radius; }

  /// Compares corners and radius.
  friend BROADSIDE_API bool operator==(const Polygon& a, const Polygon& b);

 private:
  // Ordered by how much code reads a member; members that are read together start on a cache line.
  struct alignas(64) Corners {
    std::size_t size = 0;
    double well_conditioned_within =
        0.0;                ///< max distance from the anchor at which corners keep their angles
    double reach = 0.0;     ///< largest |x| + |y| of all corners
    double extent = 0.0;    ///< largest |x| + |y| of all corners, relative to the first
    double shortest = 0.0;  ///< length of the shortest edge
    float radius = 0.0F;
    float largest = 0.0F;                                 ///< largest absolute coordinate of all corners
    alignas(64) std::array<Vec2, max_vertices> vertices;  ///< padded with copies of the last
    std::array<Vec2, max_vertices> normals;
  };
  friend detail::PolygonAccess;
  friend detail::PolygonData;
  explicit Polygon(std::shared_ptr<const Corners> data) : data_(std::move(data)) {}

  std::shared_ptr<const Corners> data_;  ///< a `detail::PolygonData`
};

/// Any shape, in at most 40 bytes: polygons and masks share their larger data.
using Shape = std::variant<Circle, Box, Capsule, Segment, Polygon, Mask>;

/// Returns the shape's name in lower case, such as "capsule".
[[nodiscard]] BROADSIDE_API std::string_view name(const Shape& shape);

/// Checks the numbers of a shape; the error is `not_finite` or `invalid_argument`.
[[nodiscard]] BROADSIDE_API Result<void> validate(const Shape& shape);

/// Returns a box of floats that contains the whole shape (world).
///
/// Exact if its sides are floats and double loses nothing, as for circles and for boxes at quarter turns.
/// Otherwise each side is moved outward by the rounding error in double, at most 2^-49 of the inputs, and
/// then to the next float. A side beyond the largest float becomes the largest float. An invalid shape gets
/// an inverted box: it overlaps nothing, and functions that take boxes refuse it.
[[nodiscard]] BROADSIDE_API Aabb bounds(const Shape& shape, const Transform& transform);

/// Returns the area (unit: length squared), at most the largest float; for a mask, that of its set pixels.
[[nodiscard]] BROADSIDE_API float area(const Shape& shape);

/// Tells whether a point of the world lies in the shape, boundary included.
[[nodiscard]] BROADSIDE_API bool contains(const Shape& shape, const Transform& transform, Vec2 point);

}  // namespace broadside::inline v0_2
