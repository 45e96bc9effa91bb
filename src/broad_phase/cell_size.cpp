#include "broadside/broad_phase/cell_size.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "broadside/base/validate.hpp"

namespace broadside::inline v0_2 {

Result<Aabb> bounding_box(std::span<const Aabb> boxes) {
  if (Error error = validate(boxes).error()) {
    return error;
  }
  Aabb bounds = boxes.empty() ? Aabb{} : boxes[0];
  for (const Aabb& box : boxes) {
    bounds = merge(bounds, box);
  }
  return bounds;
}

Result<float> suggest_cell_size(std::span<const Aabb> boxes) {
  if (Error error = validate(boxes).error()) {
    return error;
  }
  const auto n = static_cast<double>(std::max<std::size_t>(boxes.size(), 1));
  double sum = 0.0;
  for (const Aabb& box : boxes) {
    sum += std::max(double{box.max.x} - box.min.x, double{box.max.y} - box.min.y);
  }
  double size = 2.5 * sum / n;
  if (size <= 0.0) {
    // All boxes are points: the cells of a square grid, or of a line of cells, get about one point each.
    const Aabb bounds = bounding_box(boxes).value();
    const double width = double{bounds.max.x} - bounds.min.x;
    const double height = double{bounds.max.y} - bounds.min.y;
    size = width > 0.0 && height > 0.0 ? std::sqrt(width / n * height) : std::max(width, height) / n;
  }
  if (size <= 0.0) {
    // All points are the same, or there are no boxes.
    return 1.0F;
  }
  return static_cast<float>(
      std::clamp(size, double{std::numeric_limits<float>::min()}, double{std::numeric_limits<float>::max()}));
}

}  // namespace broadside::inline v0_2
