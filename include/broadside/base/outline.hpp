#pragma once

#include <vector>

#include "broadside/base/shape.hpp"
#include "broadside/base/transform.hpp"

namespace broadside::app {

/// A point in double, so that small shapes far from the origin keep their form.
struct Point {
  double x = 0.0;
  double y = 0.0;
};

/// Returns the outlines of a shape in the world: closed lines that do not cross each other. A mask has one
/// for each pixel, or for each of its rectangles where there are thousands of pixels.
///
/// @param scale pixels of the picture to a unit of length: as many chords as it takes to look round
[[nodiscard]] std::vector<std::vector<Point>> outlines(const Shape& shape, const Transform& transform,
                                                       double scale);

}  // namespace broadside::app
