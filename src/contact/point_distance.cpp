#include "contact/point_distance.hpp"

namespace broadside::detail {

namespace {

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
