#pragma once

#include <array>
#include <span>

#include "contact/mask/mask_frame.hpp"

namespace broadside::detail {

/// The outline of a convex shape, ready to be cut by lines along the axes.
class Outline {
 public:
  /// @pre the shape has points
  explicit Outline(const Convex& shape);

  [[nodiscard]] Interval x_range() const { return x_range_; }
  [[nodiscard]] Interval y_range() const { return y_range_; }

  /// Returns what the shape covers of the line at height y.
  [[nodiscard]] Interval across(double y) const;

  /// Returns what the shape covers of the upright line at x.
  [[nodiscard]] Interval upright(double x) const;

  /// Returns the range of x that the shape covers between two heights, given what it covers of both lines.
  [[nodiscard]] Interval between(double low, Interval at_low, double high, Interval at_high) const;

  /// Returns how far along a unit vector that reaches which the shape covers of a box; empty if it covers no
  /// area.
  [[nodiscard]] Interval along(Point normal, Point low, Point high) const;

  /// Returns a point of the shape in a box that it touches.
  [[nodiscard]] Point point_in(Point low, Point high) const;

 private:
  struct Edge {
    Point from;
    Point to;
  };
  template <double Point::*Along, double Point::*Upon>
  [[nodiscard]] Interval cut(double at) const;

  // Not cleared: of most shapes few are used.
  union {
    std::array<Point, Polygon::max_vertices> points_;
  };
  union {
    std::array<Edge, Polygon::max_vertices> edges_;  ///< moved outward by the radius
  };
  std::size_t corners_ = 0;
  std::size_t edge_count_ = 0;
  double radius_ = 0.0;
  Interval x_range_;
  Interval y_range_;
};

/// A polygon without radius for the measuring of areas: arcs become chords, 128 to the circle, inside the
/// shape.
class Chords {
 public:
  explicit Chords(const Convex& shape);

  /// Returns the corners [n], counter-clockwise.
  [[nodiscard]] std::span<const Point> points() const { return {points_.data(), size_}; }

  static constexpr std::size_t to_the_circle = 128;
  static constexpr std::size_t max_points = to_the_circle + 2 * Polygon::max_vertices;

 private:
  void add(Point p) { points_[size_++] = p; }

  union {  // not cleared, as above
    std::array<Point, max_points> points_;
  };
  std::size_t size_ = 0;
};

}  // namespace broadside::detail
