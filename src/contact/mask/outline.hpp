#pragma once

#include <array>
#include <optional>
#include <span>

#include "contact/mask/mask_frame.hpp"

namespace broadside::inline v0_2::detail {

/// The outline of a convex shape, prepared for intersections with lines along the axes.
class Outline {
 public:
  /// @pre the shape has points
  explicit Outline(const Convex& shape);

  [[nodiscard]] Interval y_range() const { return y_range_; }

  /// Returns the interval of the horizontal line at y that the shape covers.
  [[nodiscard]] Interval across(double y) const;

  /// Returns the interval of the vertical line at x that the shape covers.
  [[nodiscard]] Interval upright(double x) const;

  /// Returns the range of x that the shape covers between two heights, given its intervals on both lines.
  [[nodiscard]] Interval between(double low, Interval at_low, double high, Interval at_high) const;

  /// Returns the extent along a unit vector of the part of the shape in a box; empty if that part has no
  /// area.
  [[nodiscard]] Interval along(Point normal, Point low, Point high) const;

  /// Returns a point of the shape in a box that it touches; none if the shape only touches by rounding.
  [[nodiscard]] std::optional<Point> point_in(Point low, Point high) const;

 private:
  struct Edge {
    Point from;
    Point to;
  };
  template <double Point::*Along, double Point::*Upon>
  [[nodiscard]] Interval cut(double at) const;

  // A union, so that the arrays are not cleared: most shapes use few elements.
  union {
    std::array<Point, Polygon::max_vertices> points_;
  };
  union {
    std::array<Edge, Polygon::max_vertices> edges_;  ///< moved outward by the radius
  };
  std::size_t corners_ = 0;
  std::size_t edge_count_ = 0;
  double radius_ = 0.0;
  Interval y_range_;
};

/// A polygon without radius for computing areas: arcs become chords, 128 to the circle, inside the shape.
class Chords {
 public:
  explicit Chords(const Convex& shape);

  /// Returns the corners [n], counter-clockwise.
  [[nodiscard]] std::span<const Point> points() const { return {points_.data(), size_}; }

  static constexpr std::size_t to_the_circle = 128;
  static constexpr std::size_t max_points = to_the_circle + 2 * Polygon::max_vertices;

 private:
  void add(Point p) { points_[size_++] = p; }

  union {  // a union, as above
    std::array<Point, max_points> points_;
  };
  std::size_t size_ = 0;
};

}  // namespace broadside::inline v0_2::detail
