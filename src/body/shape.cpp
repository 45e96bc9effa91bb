#include "broadside/body/shape.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numbers>

#include "base/rounding.hpp"
#include "base/tolerances.hpp"
#include "body/convex.hpp"

namespace broadside {

namespace {

using detail::cross;
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

// x and y in one register. These are vector types of the compiler, so they need no intrinsics.
using Both [[gnu::vector_size(2 * sizeof(double))]] = double;
using BothFloats [[gnu::vector_size(2 * sizeof(float))]] = float;
using BothBits [[gnu::vector_size(2 * sizeof(std::int32_t))]] = std::int32_t;

Both absolute(Both numbers) {
  using Bits [[gnu::vector_size(sizeof(Both))]] = std::int64_t;
  return reinterpret_cast<Both>(reinterpret_cast<Bits>(numbers) & std::numeric_limits<std::int64_t>::max());
}

/// Two numbers, x and y, with upper bounds of their rounding errors.
struct Bounded {
  Both value{};
  Both error{};
};

Bounded exactly(Vec2 v) {
  return {Both{static_cast<double>(v.x), static_cast<double>(v.y)}, Both{}};
}

// The relative rounding error that is assumed of each operation: twice that of double, since the narrow phase
// rounds in other places, and must not report contacts of shapes whose boxes do not touch.
constexpr double rounding = detail::epsilon;

/// Returns the sum, and adds twice its exact rounding error, which TwoSum finds: `of_b` is the part of b that
/// is in the sum.
/// @par Source
/// D. E. Knuth, The Art of Computer Programming 2, 1969, section 4.2.2.
Bounded operator+(const Bounded& a, const Bounded& b) {
  const Both sum = a.value + b.value;
  const Both of_b = sum - a.value;
  const Both lost = (a.value - (sum - of_b)) + (b.value - of_b);
  return {sum, a.error + b.error + 2.0 * absolute(lost)};
}

Bounded operator-(const Bounded& a) {
  return {-a.value, a.error};
}

/// The bounding box of some points, before it is rounded to float.
struct Range {
  Bounded low;
  Bounded high;
};

bool is_identity(Rotation rotation) {
  return (rotation.cos == 1.0F) & (rotation.sin == 0.0F);
}

bool is_quarter_turn(Rotation rotation) {
  const float c = std::fabs(rotation.cos);
  const float s = std::fabs(rotation.sin);
  return ((c == 0.0F) & (s == 1.0F)) | ((s == 0.0F) & (c == 1.0F));
}

/// Returns the range of rotated points (local). The products are exact in double, so only sums are rounded.
Range range_of(std::span<const Vec2> points, Rotation turn) {
  const auto c = static_cast<double>(turn.cos);
  const auto s = static_cast<double>(turn.sin);
  Both low = Both{} + std::numeric_limits<double>::infinity();
  Both high = -low;
  for (const Vec2 local : points) {
    const Point p = to_point(local);
    const Both turned = Both{c, s} * p.x + Both{-s, c} * p.y;
    low = turned < low ? turned : low;
    high = high < turned ? turned : high;
  }
  const Both far = absolute(low) < absolute(high) ? absolute(high) : absolute(low);
  const Both error = (is_quarter_turn(turn) ? 0.0 : rounding) * far;
  return {{low, error}, {high, error}};
}

/// Returns the largest floats that are not above the lower bounds of two numbers, like `detail::round_down`.
Vec2 round_down(const Bounded& numbers) {
  const Both most = Both{} + static_cast<double>(std::numeric_limits<float>::max());
  const Both bound = numbers.value - numbers.error;
  const Both below = bound - (numbers.error > 0.0 ? rounding * absolute(bound) : Both{});
  const Both not_above = below > most ? most : below;
  const Both number = not_above < -most ? -most : not_above;
  const auto nearest = __builtin_convertvector(number, BothFloats);
  const auto is_above = __builtin_convertvector(__builtin_convertvector(nearest, Both) > number, BothBits);
  // The next lower float has bits - 1, but bits + 1 if it is negative.
  const auto bits = reinterpret_cast<BothBits>(nearest);
  const BothBits step = (bits >> 31) | 1;
  const auto rounded = reinterpret_cast<BothFloats>(bits - (step & is_above)) + 0.0F;  // -0 becomes 0
  return {rounded[0], rounded[1]};
}

Vec2 round_up(const Bounded& numbers) {
  return Vec2{} - round_down(-numbers);
}

/// Returns the range of all points within `reach` of another range on both axes.
Range expand(const Range& range, const Bounded& reach) {
  return {range.low + -reach, range.high + reach};
}
Range expand(const Range& range, float radius) {
  return radius == 0.0F ? range : expand(range, exactly({radius, radius}));
}

/// Returns the box of a range (local, rotated), moved to its position.
Aabb bounds_at(Vec2 position, const Range& range) {
  const Bounded at = exactly(position);
  return {round_down(range.low + at), round_up(range.high + at)};
}

Aabb bounds_of(const Circle& circle, const Transform& transform) {
  return bounds_at(transform.position,
                   expand(range_of({&circle.center, 1}, transform.rotation), circle.radius));
}

Aabb bounds_of(const Box& box, const Transform& transform) {
  const Point axis = detail::rotate(
      transform.rotation, {static_cast<double>(box.rotation.cos), static_cast<double>(box.rotation.sin)});
  const Point half = to_point(box.half_size);
  Bounded reach{absolute(Both{axis.x, axis.y}) * half.x + absolute(Both{axis.y, axis.x}) * half.y, Both{}};
  if (!is_quarter_turn(transform.rotation) || !is_quarter_turn(box.rotation)) {
    // The axis, the products and their sum are rounded; a rotation may be a little longer than 1.
    reach.error += 4.0 * rounding * (half.x + half.y);
  }
  return bounds_at(transform.position, box.center == Vec2{}
                                           ? Range{-reach, reach}
                                           : expand(range_of({&box.center, 1}, transform.rotation), reach));
}

Aabb bounds_of(const Capsule& capsule, const Transform& transform) {
  const std::array ends = {capsule.a, capsule.b};
  return bounds_at(transform.position, expand(range_of(ends, transform.rotation), capsule.radius));
}

Aabb bounds_of(const Segment& segment, const Transform& transform) {
  const std::array ends = {segment.a, segment.b};
  return bounds_at(transform.position, range_of(ends, transform.rotation));
}

Aabb bounds_of(const Polygon& polygon, const Transform& transform) {
  return bounds_at(transform.position,
                   expand(range_of(polygon.vertices(), transform.rotation), polygon.radius()));
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
  constexpr float most = std::numeric_limits<float>::max();
  const auto fits = [](float position, float size) {
    const float far = std::fabs(position);
    return (far <= ratio * size) & ((size <= ratio * far) | (far == 0.0F)) & (far + size < most);
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
    const float of_reach = sum - positions[i];
    const float lost = (positions[i] - (sum - of_reach)) + (reaches[i] - of_reach);
    // The next lower float has bits - 1, but bits + 1 if it is negative.
    const auto bits = std::bit_cast<std::int32_t>(sum);
    const std::int32_t step = (bits >> 31) | 1;
    sides[i] = std::bit_cast<float>(lost < 0.0F ? bits - step : bits) + 0.0F;  // -0 becomes 0
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
constexpr Aabb no_box{{std::numeric_limits<float>::max(), std::numeric_limits<float>::max()},
                      {-std::numeric_limits<float>::max(), -std::numeric_limits<float>::max()}};

// Area.

double disc_area(float radius) {
  return pi * static_cast<double>(radius) * static_cast<double>(radius);
}

double distance_between(Vec2 a, Vec2 b) {
  return detail::length(to_point(b) - to_point(a));
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
  Error error = std::visit([](const auto& s) { return find_error(s); }, shape);
  return error ? Result<void>(std::move(error)) : Result<void>();
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
          return detail::is_valid(s) && detail::is_valid(transform) ? bounds_of(s, transform) : no_box;
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
  return std::visit(
      [&shape, &transform, point](const auto& s) {
        if constexpr (detail::is_convex<std::decay_t<decltype(s)>>) {
          detail::Convex placed;  // relative to the point, which is the origin then
          detail::place(s, transform, detail::to_point(point), placed);
          // Within rounding of the boundary the box decides, so that a query may test the box first.
          return detail::contains(placed, {}, placed.radius) && contains(bounds(shape, transform), point);
        } else {
          return contains(s, transform, point);
        }
      },
      shape);
}

}  // namespace broadside
