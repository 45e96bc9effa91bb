#include "contact/circle/point_distance.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <variant>

#include "base/select.hpp"
#include "base/vec2d.hpp"

namespace broadside::detail {

namespace {

bool is_identity(const Rotation& rotation) {
  return std::bit_cast<std::uint64_t>(rotation) == std::bit_cast<std::uint64_t>(Rotation{});
}

/// Does what is done for any box without the products with 1 and 0, as nothing is rotated: the results are
/// equal bit for bit.
bool find_point_distance_unturned(const Box& box, const Transform& at, const Transform& at_point,
                                  PointDistance& found) {
  const Vec2d half = to_vec2d(box.half_size);
  const Vec2d center = to_vec2d(box.center);
  const Vec2d position = to_vec2d(at.position);
  const Vec2d point = to_vec2d(at_point.position);
  const Vec2d way = (point - position) - center;
  const Vec2d out = absolute(way) - half;
  const Vec2d beyond = 0.5 * (out + absolute(out));
  const double square = dot(beyond, beyond);
  // Not less than the lengths that decide for any box.
  const Vec2d all = 2.0 * (absolute(point) + absolute(position) + absolute(center)) + half;
  const double lengths = all[0] + all[1];
  if (!(half[0] >= 0.0 && half[1] >= 0.0)) {
    return false;
  }
  if (square == 0.0) {
    found = {0.0F, to_vec2(to_point(point))};
    return is_sure(larger(out[0], out[1]), lengths);
  }
  const double unit = 1.0 / std::sqrt(square);
  const double distance = square * unit;
  const Vec2d normal = unit * Vec2d{std::copysign(beyond[0], way[0]), std::copysign(beyond[1], way[1])};
  found = {to_distance(distance), to_vec2(to_point(point - distance * normal))};
  return is_clearly_apart(distance, lengths);
}

bool find_point_distance(const Box& box, const Transform& at, const Transform& at_point,
                         PointDistance& found) {
  return (is_identity(at.rotation) && is_identity(box.rotation) &&
          find_point_distance_unturned(box, at, at_point, found)) ||
         find_point_distance<Box>(box, at, at_point, found);
}

bool find_point_distance(const Circle& circle, const Transform& at, const Transform& at_point,
                         PointDistance& found) {
  return take_point_distance(distance_of_circles(circle, at, Circle{}, at_point), at, at_point, found);
}

bool find_point_distance(const Mask& /*mask*/, const Transform& /*at*/, const Transform& /*at_point*/,
                         PointDistance& /*found*/) {
  return false;
}

}  // namespace

PointDistance distance_to_point(const Shape& shape, const Transform& at, const Transform& at_point) {
  PointDistance found;
  const auto find = [&](const auto& s) { return find_point_distance(s, at, at_point, found); };
  if (!std::visit(find, shape)) {
    const Distance exact = distance(shape, at, Circle{}, at_point);
    found = {exact.distance, exact.point_a};
  }
  return found;
}

}  // namespace broadside::detail
