#include <algorithm>
#include <cmath>

#include "base/to_vec2.hpp"
#include "contact/mask/local_box.hpp"
#include "contact/mask/mask_collide.hpp"
#include "contact/touch.hpp"

namespace broadside::inline v0_2::detail {

namespace {

struct LocalHit {
  double time = never;
  Point normal;
};

/// Returns the time at which a ray that starts outside all pixels hits the first one.
/// Source: T. Kay, J. Kajiya, Ray tracing complex scenes, 1986 (slabs).
LocalHit first_hit(const Mask& mask, Point start, Point motion) {
  const auto pixel = static_cast<double>(mask.pixel_size());
  LocalHit first;
  for (const PixelRectangle& r : mask.rectangles()) {
    const LocalBox box = box_around(r, pixel);
    const Passage x = pass(start.x, motion.x, box.low.x, box.high.x);
    const Passage y = pass(start.y, motion.y, box.low.y, box.high.y);
    const double in = std::max({0.0, x.in, y.in});
    if (!(in <= std::min({x.out, y.out, 1.0}) && in < first.time)) {
      continue;
    }
    // At a corner, take the vertical side: a rectangle consists of whole runs, so no neighbor covers that
    // side. The horizontal side may be the seam of two rectangles.
    const bool upright = x.in >= y.in;
    first = {in, upright ? Point{motion.x > 0.0 ? -1.0 : 1.0, 0.0} : Point{0.0, motion.y > 0.0 ? -1.0 : 1.0}};
  }
  return first;
}

}  // namespace

std::optional<Hit> cast_ray_at_mask(Vec2 start, Vec2 motion, const Mask& mask, const Transform& transform) {
  const MaskFrame frame(mask, transform);
  if (!frame.valid()) {
    return std::nullopt;
  }
  const Point world_motion = to_point(motion);
  if (contains(mask, transform, start)) {
    const double length = std::sqrt(dot(world_motion, world_motion));
    const Point against = length > 0.0 ? (-1.0 / length) * world_motion : Point{1.0, 0.0};
    return Hit{0.0F, to_vec2(against), start};
  }
  const LocalHit hit = first_hit(mask, frame.from_world(to_point(start) - to_point(frame.anchor())),
                                 frame.vector_from_world(world_motion));
  if (hit.time == never) {
    return std::nullopt;
  }
  return Hit{to_ray_time(hit.time), to_vec2((1.0 / frame.length()) * frame.vector_to_world(hit.normal)),
             to_vec2(to_point(start) + hit.time * world_motion)};
}

}  // namespace broadside::inline v0_2::detail
