#include "contact/mask_pairs.hpp"

#include <algorithm>
#include <tuple>

#include "base/rounding.hpp"
#include "broadside/contact/mask_overlap.hpp"
#include "contact/convex_pairs.hpp"
#include "contact/mask_convex.hpp"
#include "contact/mask_mask.hpp"
#include "contact/mask_parts.hpp"

namespace broadside::detail {

namespace {

constexpr double no_direction = 1e-9;  // a push that is smaller, by all sides together, is rounding

Point center_of(const Mask& mask) {
  const PixelRectangle extent = mask.extent();
  const auto pixel = static_cast<double>(mask.pixel_size());
  return {(extent.column + 0.5 * extent.width) * pixel, (extent.row + 0.5 * extent.height) * pixel};
}

/// Returns what b's middle is in the frame of a.
Point center_of(const MaskPair& pair) {
  if (pair.mask_b == nullptr) {
    return pair.parts.middle();
  }
  const Point local = center_of(*pair.mask_b) + to_point(pair.mask_b->origin());
  const Point way = to_point(pair.at_b.position) - to_point(pair.frame.anchor());
  return pair.frame.from_world(rotate(pair.at_b.rotation, local) + way);
}

}  // namespace
}  // namespace broadside::detail
