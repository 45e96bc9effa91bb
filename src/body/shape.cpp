#include "broadside/body/shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <span>

#include "base/rounding.hpp"
#include "base/tolerances.hpp"
#include "body/convex.hpp"
#include "broadside/base/bit_cast.hpp"

namespace broadside::inline v0_2 {

namespace {

using detail::Point;
using detail::to_point;

using std::numbers::pi;

// Validation.

struct Number {
  std::string_view name;
  float value;
  bool may_be_negative = true;
};

Error check(std::string_view shape, std::initializer_list<Number> numbers) {
  for (const Number& number : numbers) {
    const auto label = [&] { return std::string(shape) + ": " + std::string(number.name); };
    if (!is_finite(number.value)) {
      return {ErrorCode::not_finite, label() + " must be a finite number"};
    }
    if (!number.may_be_negative && number.value < 0.0F) {
      return {ErrorCode::invalid_argument, label() + " must be 0 or more"};
    }
  }
  return {};
}

Error find_error(const Circle& circle) {
  return check(
      "circle",
      {{"center.x", circle.center.x}, {"center.y", circle.center.y}, {"radius", circle.radius, false}});
}

Error find_error(const Box& box) {
  Error error = check("box", {{"half_size.x", box.half_size.x, false},
                              {"half_size.y", box.half_size.y, false},
                              {"center.x", box.center.x},
                              {"center.y", box.center.y},
                              {"rotation.cos", box.rotation.cos},
                              {"rotation.sin", box.rotation.sin}});
  if (!error && !detail::is_unit(box.rotation)) {
    return {ErrorCode::invalid_argument,
            "box: rotation must be a cosine and a sine, whose squares sum up to 1"};
  }
  return error;
}

Error find_error(const Capsule& capsule) {
  return check("capsule", {{"a.x", capsule.a.x},
                           {"a.y", capsule.a.y},
                           {"b.x", capsule.b.x},
                           {"b.y", capsule.b.y},
                           {"radius", capsule.radius, false}});
}

Error find_error(const Segment& segment) {
  return check("segment",
               {{"a.x", segment.a.x}, {"a.y", segment.a.y}, {"b.x", segment.b.x}, {"b.y", segment.b.y}});
}

// Polygons and masks are checked when they are constructed.
Error find_error(const Polygon&) {
  return {};
}
Error find_error(const Mask&) {
  return {};
}

// Bounds. `find_bounds` (body/bounds_kernel.cpp) does the same for many shapes at once: repeat changes there.

/// A number with an upper bound of its rounding error.
struct Bounded {
  double value;
  double error = 0.0;
};

// The relative rounding error that is assumed of each operation: twice that of double, since the narrow phase
// rounds in other places, and must not report contacts of shapes whose boxes do not touch.
constexpr double rounding = detail::epsilon;

/// Returns the sum, and adds twice its exact rounding error.
Bounded operator+(Bounded a, Bounded b) {
  const double sum = a.value + b.value;
  return {sum, a.error + b.error + 2.0 * std::fabs(detail::lost_in_sum(a.value, b.value, sum))};
}

Bounded operator-(Bounded a) {
  return {-a.value, a.error};
}

/// Returns the largest float that is not above the lower bound of a number; -0 becomes 0.
float round_down(Bounded number) {
  const double bound = number.value - number.error;
  return detail::round_down(bound - (number.error > 0.0 ? rounding * std::fabs(bound) : 0.0)) + 0.0F;
}

/// Returns the box of all points within a reach of some points (local) on both axes. The products are exact
/// in double, so only sums are rounded.
Aabb bounds_around(std::span<const Vec2> points, const Transform& transform, Bounded reach_x,
                   Bounded reach_y) {
  const double relative = detail::is_quarter_turn(transform.rotation) ? 0.0 : rounding;
  const auto find_sides = [&](double u, double v, Bounded reach, float position, float& min, float& max) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const Vec2 local : points) {
      const Point p = to_point(local);
      const double turned = u * p.x + v * p.y;
      low = std::min(low, turned);
      high = std::max(high, turned);
    }
    const double error = relative * std::max(std::fabs(low), std::fabs(high));
    const Bounded at{static_cast<double>(position)};
    min = round_down((Bounded{low, error} + -reach) + at);
    max = 0.0F - round_down(-((Bounded{high, error} + reach) + at));
  };
  const auto c = static_cast<double>(transform.rotation.cos);
  const auto s = static_cast<double>(transform.rotation.sin);
  Aabb box;
  find_sides(c, -s, reach_x, transform.position.x, box.min.x, box.max.x);
  find_sides(s, c, reach_y, transform.position.y, box.min.y, box.max.y);
  return box;
}

Aabb bounds_around(std::span<const Vec2> points, const Transform& transform, float radius) {
  const Bounded reach{static_cast<double>(radius)};
  return bounds_around(points, transform, reach, reach);
}

Aabb bounds_of(const Circle& circle, const Transform& transform) {
  return bounds_around({&circle.center, 1}, transform, circle.radius);
}

Aabb bounds_of(const Box& box, const Transform& transform) {
  const Point axis = detail::rotate(
      transform.rotation, {static_cast<double>(box.rotation.cos), static_cast<double>(box.rotation.sin)});
  const Point half = to_point(box.half_size);
  const Point size{std::fabs(axis.x), std::fabs(axis.y)};
  const bool is_exact = detail::is_quarter_turn(transform.rotation) && detail::is_quarter_turn(box.rotation);
  // The axis, the products and their sum are rounded; a rotation may be a little longer than 1.
  const double error = is_exact ? 0.0 : 4.0 * rounding * (half.x + half.y);
  return bounds_around({&box.center, 1}, transform, {size.x * half.x + size.y * half.y, error},
                       {size.y * half.x + size.x * half.y, error});
}

Aabb bounds_of(const Capsule& capsule, const Transform& transform) {
  return bounds_around(std::array{capsule.a, capsule.b}, transform, capsule.radius);
}

Aabb bounds_of(const Segment& segment, const Transform& transform) {
  return bounds_around(std::array{segment.a, segment.b}, transform, 0.0F);
}

Aabb bounds_of(const Polygon& polygon, const Transform& transform) {
  return bounds_around(polygon.vertices(), transform, polygon.radius());
}

bool is_identity(Rotation rotation) {
  return (rotation.cos == 1.0F) & (rotation.sin == 0.0F);
}

/// A fast path: computes the box of all points within `reach` of `center` (world) on both axes, if double
/// would hold the sums exactly, which is nearly always so. Then the box is that of `bounds_of` to the bit.
/// Otherwise, and for invalid numbers, returns false, and the box is unspecified.
///
/// Two floats of 24 bits, one at most 2^28 times as large as the other, have a sum of 53 bits. The sum is
/// computed in float, without double: its rounding error (TwoSum) decides in which direction to round.
/// @par Source
/// D. E. Knuth, The Art of Computer Programming 2, 1969, section 4.2.2.
bool find_plain_bounds(Vec2 center, Vec2 reach, Aabb& box) {
  constexpr float ratio = 0x1p28F;
  constexpr float max_float = std::numeric_limits<float>::max();
  const auto fits = [](float position, float size) {
    const float far = std::fabs(position);
    return (far <= ratio * size) & ((size <= ratio * far) | (far == 0.0F)) & (far + size < max_float);
  };
  if (!(fits(center.x, reach.x) & fits(center.y, reach.y))) {
    return false;
  }
  // The upper sides are negated, so that all four are rounded in the same direction.
  const std::array<float, 4> positions = {center.x, center.y, -center.x, -center.y};
  const std::array<float, 4> reaches = {-reach.x, -reach.y, -reach.x, -reach.y};
  std::array<float, 4> sides{};
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const float sum = positions[i] + reaches[i];
    const float lost = detail::lost_in_sum(positions[i], reaches[i], sum);
    // The next lower float has bits - 1, but bits + 1 if it is negative.
    const auto bits = detail::bit_cast<std::int32_t>(sum);
    const std::int32_t step = (bits >> 31) | 1;
    sides[i] = detail::bit_cast<float>(lost < 0.0F ? bits - step : bits) + 0.0F;  // -0 becomes 0
  }
  box = {{sides[0], sides[1]}, {0.0F - sides[2], 0.0F - sides[3]}};
  return true;
}

bool find_plain_bounds(const Circle& circle, const Transform& transform, Aabb& box) {
  return circle.center == Vec2{} && detail::is_unit(transform.rotation) &&
         find_plain_bounds(transform.position, {circle.radius, circle.radius}, box);
}

bool find_plain_bounds(const Box& shape, const Transform& transform, Aabb& box) {
  return shape.center == Vec2{} && is_identity(shape.rotation) && is_identity(transform.rotation) &&
         find_plain_bounds(transform.position, shape.half_size, box);
}

// The other shapes have no fast path.
template <typename Other>
bool find_plain_bounds(const Other& /*shape*/, const Transform& /*transform*/, Aabb& /*box*/) {
  return false;
}

/// An inverted box: it overlaps nothing, and functions that take boxes refuse it.
constexpr Aabb bounds_of_invalid{{std::numeric_limits<float>::max(), std::numeric_limits<float>::max()},
                                 {-std::numeric_limits<float>::max(), -std::numeric_limits<float>::max()}};

// Area.

double disc_area(float radius) {
  return pi * static_cast<double>(radius) * static_cast<double>(radius);
}

double distance_between(Vec2 a, Vec2 b) {
  return length(to_point(b) - to_point(a));
}

double area_of(const Circle& circle) {
  return disc_area(circle.radius);
}

double area_of(const Box& box) {
  return 4.0 * static_cast<double>(box.half_size.x) * static_cast<double>(box.half_size.y);
}

double area_of(const Capsule& capsule) {
  return disc_area(capsule.radius) +
         2.0 * static_cast<double>(capsule.radius) * distance_between(capsule.a, capsule.b);
}

double area_of(const Segment&) {
  return 0.0;
}

// The polygon without its radius, a strip along each edge, and a sector at each corner, which make one disc.
double area_of(const Polygon& polygon) {
  const std::span<const Vec2> corners = polygon.vertices();
  double doubled_area = 0.0;
  double perimeter = distance_between(corners.back(), corners.front());
  for (std::size_t i = 1; i < corners.size(); ++i) {
    doubled_area +=
        cross(to_point(corners[i - 1]) - to_point(corners[0]), to_point(corners[i]) - to_point(corners[0]));
    perimeter += distance_between(corners[i - 1], corners[i]);
  }
  return 0.5 * doubled_area + perimeter * static_cast<double>(polygon.radius()) + disc_area(polygon.radius());
}

}  // namespace

std::string_view name(const Shape& shape) {
  // In the order of `Shape`.
  constexpr std::array<std::string_view, std::variant_size_v<Shape>> names = {"circle",  "box",     "capsule",
                                                                              "segment", "polygon", "mask"};
  return names[shape.index()];
}

Result<void> validate(const Shape& shape) {
  return std::visit([](const auto& s) { return find_error(s); }, shape);
}

// The overloads for masks that these functions call are in body/mask.cpp.

Aabb bounds(const Shape& shape, const Transform& transform) {
  return std::visit(
      [&transform](const auto& s) {
        if constexpr (detail::is_convex<std::decay_t<decltype(s)>>) {
          Aabb box;
          if (find_plain_bounds(s, transform, box)) {
            return box;
          }
          return detail::is_valid(s) && detail::is_valid(transform) ? bounds_of(s, transform)
                                                                    : bounds_of_invalid;
        } else {
          return bounds(s, transform);
        }
      },
      shape);
}

float area(const Shape& shape) {
  return std::visit(
      [](const auto& s) {
        if constexpr (detail::is_convex<std::decay_t<decltype(s)>>) {
          return detail::is_valid(s) ? detail::to_float(area_of(s)) : 0.0F;
        } else {
          return area(s);
        }
      },
      shape);
}

bool contains(const Shape& shape, const Transform& transform, Vec2 point) {
  if (const Mask* mask = std::get_if<Mask>(&shape)) {
    return contains(*mask, transform, point);
  }
  detail::Convex placed;  // relative to the point, which is the origin then
  detail::place(shape, transform, to_point(point), placed);
  // Within rounding of the boundary the box decides, so that a query may test the box first.
  return detail::contains(placed, {}, placed.radius) && contains(bounds(shape, transform), point);
}

}  // namespace broadside::inline v0_2
