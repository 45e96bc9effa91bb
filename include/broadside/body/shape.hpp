#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"
#include "broadside/body/mask.hpp"
#include "broadside/body/transform.hpp"

namespace broadside {

class Polygon;
namespace detail {
struct Convex;
struct FacePrefilter;
struct Fetch;
struct HullLanes;
struct Point;
void place(const Polygon& shape, const Transform& transform, Point anchor, Convex& placed);

/// Some edges of a polygon, number by number as registers take them; after the last come copies of it.
struct EdgeLanes {
  static constexpr std::size_t size = 8;
  std::array<float, size> x;  ///< where it begins
  std::array<float, size> y;
  std::array<float, size> end_x;  ///< where the next begins
  std::array<float, size> end_y;
  std::array<double, size> inverse_length;
};

/// The lines of some faces, number by number: x * point.x + y * point.y - offset is how far a point is in
/// front, but for rounding in float. Those not in use have every point behind them.
struct FaceLanes {
  static constexpr std::size_t size = 8;
  std::array<float, size> x{};
  std::array<float, size> y{};
  std::array<float, size> offset{};
};
}  // namespace detail

// All shapes are closed sets in a frame of their own (local); a `Transform` puts them into the world. Their
// numbers are the caller's to fill in: `validate` tells whether they make sense, and every function here
// takes valid shapes. Others get "nothing touches" or an empty answer, never a crash and never a NaN.

/// A disc. Radius 0 is a point.
struct Circle {
  Vec2 center = {};     ///< (local; unit: length)
  float radius = 0.0F;  ///< 0 or more (unit: length)

  friend constexpr bool operator==(const Circle& a, const Circle& b) = default;
};

/// A rectangle, turned as its transform is and as told here.
struct Box {
  Vec2 half_size = {};  ///< 0 or more each (unit: length)
  Vec2 center = {};     ///< (local; unit: length)
  Rotation rotation = {};

  friend constexpr bool operator==(const Box& a, const Box& b) = default;
};

/// All points within `radius` of the segment from `a` to `b`, which may be one point.
struct Capsule {
  Vec2 a = {};          ///< (local; unit: length)
  Vec2 b = {};          ///< (local; unit: length)
  float radius = 0.0F;  ///< 0 or more (unit: length)

  friend constexpr bool operator==(const Capsule& a, const Capsule& b) = default;
};

/// A line from `a` to `b`, both included. They may be the same point.
struct Segment {
  Vec2 a = {};  ///< (local; unit: length)
  Vec2 b = {};  ///< (local; unit: length)

  friend constexpr bool operator==(const Segment& a, const Segment& b) = default;
};

/// A convex polygon of 3 to 16 corners, rounded by a radius: all points within `radius` of it.
///
/// Immutable; copies share the corners, so a thousand bodies may have one polygon for the price of one.
class Polygon {
 public:
  static constexpr std::size_t max_vertices = 16;

  /// Returns the convex hull of `points` [n], which may come in any order, with duplicates and points inside.
  /// Corners that lie on the line of their neighbors to within rounding (2^-24 of the largest coordinate) are
  /// left out.
  ///
  /// Errors: `not_finite`; `invalid_argument` for a negative radius, for points that span no area, and for
  /// more than `max_vertices` corners.
  /// Complexity: O(n log n); allocates.
  /// Source: A. M. Andrew, Another efficient algorithm for convex hulls in two dimensions, 1979.
  [[nodiscard]] static Result<Polygon> hull(std::span<const Vec2> points, float radius = 0.0F);

  /// Returns the corners [n], counter-clockwise where y points up, the lowest of the leftmost first (local;
  /// unit: length).
  ///
  /// Valid as long as this polygon or a copy lives; so not to be had of a temporary.
  [[nodiscard]] std::span<const Vec2> vertices() const& { return {data_->vertices.data(), data_->size}; }
  std::span<const Vec2> vertices() const&& = delete;
  /// Returns the outward unit normals [n]; normal i is that of the edge from vertex i to the next (local).
  ///
  /// Valid as long as this polygon or a copy lives; so not to be had of a temporary.
  [[nodiscard]] std::span<const Vec2> normals() const& { return {data_->normals.data(), data_->size}; }
  std::span<const Vec2> normals() const&& = delete;
  [[nodiscard]] float radius() const { return data_->radius; }

  /// Compares corners and radius.
  friend bool operator==(const Polygon& a, const Polygon& b);

 private:
  // In the order of how many read it, and what is read together begins with a line of memory.
  struct alignas(64) Data {
    std::size_t size = 0;
    double sound_within = 0.0;  ///< how far off the corners may be placed in double and keep their angles
    double reach = 0.0;         ///< how far any corner is from the origin, along the axes
    double extent = 0.0;        ///< how far any corner is from the first, along the axes
    double shortest = 0.0;      ///< length of the shortest edge
    float radius = 0.0F;
    float largest = 0.0F;                                 ///< coordinate of all corners, without its sign
    alignas(64) std::array<Vec2, max_vertices> vertices;  ///< beyond the last, copies of it
    alignas(64) std::array<detail::EdgeLanes, max_vertices / detail::EdgeLanes::size> edges;
    alignas(64) std::array<detail::FaceLanes, max_vertices / detail::FaceLanes::size> faces;
    // From face i on: the corner before it, where it begins, where it ends, and the corner after it.
    alignas(64) std::array<std::array<double, 2>, max_vertices + 3> around;
    std::array<Vec2, max_vertices> normals;
  };
  // An odd number of lines from one to the next: else all would want the same few sets of a cache.
  static_assert(sizeof(Data) % 128 == 64);
  friend void detail::place(const Polygon& shape, const Transform& transform, detail::Point anchor,
                            detail::Convex& placed);
  friend detail::FacePrefilter;
  friend detail::Fetch;
  friend detail::HullLanes;
  explicit Polygon(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

/// Any shape. 40 bytes at most; polygons and masks share what is larger.
using Shape = std::variant<Circle, Box, Capsule, Segment, Polygon, Mask>;

/// Returns the shape's name in lower case, such as "capsule".
[[nodiscard]] std::string_view name(const Shape& shape);

/// Tells whether the numbers of a shape make sense, else `not_finite` or `invalid_argument` with a sentence.
[[nodiscard]] Result<void> validate(const Shape& shape);

/// Returns the smallest box of floats that holds all of the shape in the world.
///
/// Exact where the sides are floats (circles, boxes at quarter turns, and such at coordinates that fit);
/// elsewhere rounded outwards to the next float, so nothing sticks out. (Where rounding in double, 2^-50 of
/// the numbers that went in, is more than that, by so much.) A side beyond the largest float is that float.
/// A shape that is not valid gets an inverted box: it overlaps nothing, and whatever takes boxes refuses it.
[[nodiscard]] Aabb bounds(const Shape& shape, const Transform& transform);

/// Returns the area (unit: length squared), at most the largest float; of a mask, that of its pixels that are
/// set.
[[nodiscard]] float area(const Shape& shape);

/// Tells whether a point of the world lies in the shape; its edge belongs to it.
[[nodiscard]] bool contains(const Shape& shape, const Transform& transform, Vec2 point);

}  // namespace broadside
