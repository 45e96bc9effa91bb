#include "contact/mask/mask_collide.hpp"

#include <algorithm>
#include <limits>

#include "base/rounding.hpp"
#include "base/to_vec2.hpp"
#include "base/tolerances.hpp"
#include "broadside/contact/mask_overlap.hpp"
#include "contact/engine/convex_pairs.hpp"
#include "contact/mask/mask_early_out.hpp"
#include "contact/mask/mask_pair.hpp"

namespace broadside::inline v0_2 {

namespace detail {

namespace {

/// A direction from a to b, and their penetration depth along it.
struct Penetration {
  Point normal;
  double depth = 0.0;
};

/// Finds the deepest contact between b and one of a's rectangles. Used if no side of a is inside b: if they
/// only touch, if b has no area, or if b is completely inside a.
std::optional<Penetration> deepest_rectangle(const Mask& a, const MaskPair& pair) {
  const auto pixel = static_cast<double>(a.pixel_size());
  std::optional<Penetration> deepest;
  pair.for_each_part([&](const Convex& part, const LocalBox& box) {
    for (const PixelRectangle& r : a.rectangles()) {
      if (!box_around(r, pixel).touches(box)) {
        continue;
      }
      const ConvexManifold found = collide(to_convex(r, pixel), part);
      if (found.size > 0 && (!deepest || -found.deepest > deepest->depth)) {
        deepest = Penetration{found.normal, -found.deepest};
      }
    }
    return true;
  });
  return deepest;
}

Penetration find_penetration(const Mask& a, const MaskPair& pair, const SharedRegion& region,
                             bool b_is_mask) {
  const double push = length(region.push);
  if (push > clear_of_rounding * region.side) {
    const Point normal = (1.0 / push) * region.push;
    return {normal, pair.depth(normal)};
  }
  if (!b_is_mask) {
    if (const auto deepest = deepest_rectangle(a, pair)) {
      return *deepest;
    }
  }
  const Point offset = pair.center_offset();
  const double distance = length(offset);
  const Point normal = distance > 0.0 ? (1.0 / distance) * offset : Point{1.0, 0.0};
  return {normal, pair.depth(normal)};
}

Vec2 direction_in_world(const MaskFrame& frame, Point normal) {
  return to_vec2((1.0 / frame.length()) * frame.vector_to_world(normal));
}

Vec2 point_in_world(const MaskFrame& frame, Point point) {
  return to_vec2(to_point(frame.anchor()) + frame.to_world(point));
}

Manifold collide_in_order(const Mask& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  const MaskPair pair(a, at_a, b, at_b);
  const SharedRegion region = pair.shared();
  Manifold manifold;
  if (!region.touching) {
    return manifold;
  }
  const Penetration penetration = find_penetration(a, pair, region, std::holds_alternative<Mask>(b));
  const MaskFrame& frame = pair.frame();
  manifold.normal = direction_in_world(frame, penetration.normal);
  manifold.points[0].position = point_in_world(frame, 0.5 * (region.low + region.high));
  manifold.points[0].separation = to_number(-penetration.depth * frame.length());
  manifold.size = 1;
  return manifold;
}

bool overlaps_in_order(const Mask& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  const EarlyOut result = early_out(a, at_a, b, at_b);
  return result == EarlyOut::inconclusive ? MaskPair(a, at_a, b, at_b).touching()
                                          : result == EarlyOut::touching;
}

/// Returns whether b is the only mask, or a mask that precedes a. Then a and b are swapped, so that the first
/// is a mask, and the result does not depend on the order.
bool is_turned(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  const Mask* mask_a = std::get_if<Mask>(&a);
  const Mask* mask_b = std::get_if<Mask>(&b);
  return mask_a == nullptr || (mask_b != nullptr && !precedes(*mask_a, at_a, *mask_b, at_b));
}

/// Returns a lower bound of the squared distance of the shapes in two boxes.
double squared_gap(const LocalBox& a, const LocalBox& b) {
  const double x = std::max({0.0, a.low.x - b.high.x, b.low.x - a.high.x});
  const double y = std::max({0.0, a.low.y - b.high.y, b.low.y - a.high.y});
  return x * x + y * y;
}

/// Visits each rectangle of a with each part of b whose boxes have a `key` below `limit()`; first those of
/// the part with the smallest key.
template <typename Key, typename Limit, typename Visit>
void for_each_below(const Mask& a, const MaskPair& pair, Key key, Limit limit, Visit visit) {
  const auto pixel = static_cast<double>(a.pixel_size());
  const LocalBox all = box_around(a.extent(), pixel);
  const auto key_of_all = [&](const LocalBox& box) { return key(all, box); };
  pair.for_each_smallest_first(key_of_all, [&](const Convex& part, const LocalBox& box) {
    if (key(all, box) >= limit()) {
      return true;
    }
    for (const PixelRectangle& r : a.rectangles()) {
      if (!(key(box_around(r, pixel), box) >= limit())) {
        visit(to_convex(r, pixel), part);
      }
    }
    return true;
  });
}

/// Result for invalid shapes: as far apart as possible.
constexpr Distance no_distance{std::numeric_limits<float>::max(), {}, {}, {1.0F, 0.0F}};

Distance distance_apart(const Mask& a, const MaskPair& pair) {
  ConvexDistance nearest;
  nearest.distance = std::numeric_limits<double>::infinity();
  const auto limit = [&] { return nearest.distance * nearest.distance; };
  for_each_below(a, pair, squared_gap, limit, [&](const Convex& rectangle, const Convex& part) {
    const ConvexDistance found = distance(rectangle, part);
    if (found.distance < nearest.distance) {
      nearest = found;
    }
  });
  if (nearest.distance == std::numeric_limits<double>::infinity()) {
    return no_distance;
  }
  // Shapes that do not touch never have distance 0.
  const MaskFrame& frame = pair.frame();
  return {to_distance(nearest.distance * frame.length()), point_in_world(frame, nearest.point_a),
          point_in_world(frame, nearest.point_b), direction_in_world(frame, nearest.normal)};
}

Distance distance_in_order(const Mask& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  const MaskPair pair(a, at_a, b, at_b);
  if (!pair.frame().valid()) {
    return no_distance;
  }
  if (!pair.touching()) {
    return distance_apart(a, pair);
  }
  const Vec2 common = point_in_world(pair.frame(), pair.point_of_both());
  return {0.0F, common, common, collide_in_order(a, at_a, b, at_b).normal};
}

/// Returns a lower bound of the time at which a moving box touches another; above 1 if it does not.
double earliest(const LocalBox& moving, Point motion, const LocalBox& other) {
  const Passage x = pass(0.0, motion.x, other.low.x - moving.high.x, other.high.x - moving.low.x);
  const Passage y = pass(0.0, motion.y, other.low.y - moving.high.y, other.high.y - moving.low.y);
  const double begin = std::max({0.0, x.in, y.in});
  return begin <= std::min({x.out, y.out, 1.0}) + rounding_of_verdict ? begin - rounding_of_verdict : 2.0;
}

/// Casts shapes that do not touch at the start.
std::optional<Hit> cast_in_order(const Mask& a, const Transform& at_a, Point motion, const Shape& b,
                                 const Transform& at_b) {
  const MaskPair pair(a, at_a, b, at_b);
  const MaskFrame& frame = pair.frame();
  if (!frame.valid()) {
    return std::nullopt;
  }
  const Point local_motion = frame.vector_from_world(motion);
  std::optional<ConvexHit> first;
  const auto time = [&](const LocalBox& moving, const LocalBox& box) {
    return earliest(moving, local_motion, box);
  };
  const auto limit = [&] { return first ? first->time : 1.5; };
  for_each_below(a, pair, time, limit, [&](const Convex& rectangle, const Convex& part) {
    double distance_at_start = 0.0;
    const auto hit = cast(rectangle, local_motion, part, distance_at_start);
    // Shapes that only their boxes separate may hit at time 0, but not if they rest or move apart.
    const bool comes = hit && (hit->time > 0.0 || dot(local_motion, hit->normal) > 0.0);
    if (comes && (!first || hit->time < first->time)) {
      first = hit;
    }
  });
  if (!first) {
    return std::nullopt;
  }
  // The shapes do not touch at the start, so the time must not be 0.
  const float fraction = std::max(round_down(first->time), std::numeric_limits<float>::min());
  return Hit{fraction, -direction_in_world(frame, first->normal), point_in_world(frame, first->point)};
}

}  // namespace

bool overlaps_mask(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  return is_turned(a, at_a, b, at_b) ? overlaps_in_order(std::get<Mask>(b), at_b, a, at_a)
                                     : overlaps_in_order(std::get<Mask>(a), at_a, b, at_b);
}

Manifold collide_mask(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  return is_turned(a, at_a, b, at_b) ? swapped(collide_in_order(std::get<Mask>(b), at_b, a, at_a))
                                     : collide_in_order(std::get<Mask>(a), at_a, b, at_b);
}

Distance distance_to_mask(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  if (is_turned(a, at_a, b, at_b)) {
    const Distance found = distance_in_order(std::get<Mask>(b), at_b, a, at_a);
    return {found.distance, found.point_b, found.point_a, -found.normal};
  }
  return distance_in_order(std::get<Mask>(a), at_a, b, at_b);
}

std::optional<Hit> cast_mask(const Shape& a, const Transform& at_a, Point motion, const Shape& b,
                             const Transform& at_b) {
  if (overlaps_mask(a, at_a, b, at_b)) {
    const Distance start = distance_to_mask(a, at_a, b, at_b);
    return Hit{0.0F, -start.normal, start.point_a};
  }
  if (!is_turned(a, at_a, b, at_b)) {
    return cast_in_order(std::get<Mask>(a), at_a, motion, b, at_b);
  }
  // Relative to a, the other mask moves in the opposite direction, and the point moves along with a.
  std::optional<Hit> hit = cast_in_order(std::get<Mask>(b), at_b, -1.0 * motion, a, at_a);
  if (hit) {
    hit->normal = -hit->normal;
    hit->point = to_vec2(to_point(hit->point) + static_cast<double>(hit->fraction) * motion);
  }
  return hit;
}

}  // namespace detail

MaskOverlap overlap(const Mask& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  const auto found = [](const detail::MaskFrame& frame, PixelCorner first, double area) {
    return MaskOverlap{true, first.column, first.row,
                       detail::to_number(area * frame.length() * frame.length())};
  };
  const Mask* other = std::get_if<Mask>(&b);
  if (other != nullptr && detail::are_parallel(a, at_a, *other, at_b)) {
    // Without a `MaskPair`: this call is frequent. Swapping the masks negates the offset and changes no bit.
    const auto offset = detail::offset_of(a, at_a, *other, at_b);
    const auto first = offset ? detail::first_touching(a, *other, *offset) : std::nullopt;
    return first ? found(detail::MaskFrame(a, at_a), *first, detail::shared_area(a, *other, *offset))
                 : MaskOverlap{};
  }
  const Shape shape_a(a);  // must outlive the pair, which refers to it
  if (detail::is_turned(shape_a, at_a, b, at_b)) {
    const detail::MaskPair pair(*other, at_b, shape_a, at_a);
    return pair.touching() ? found(pair.frame(), *pair.first_touching_of_b(), pair.shared_area())
                           : MaskOverlap{};
  }
  const detail::MaskPair pair(a, at_a, b, at_b);
  return pair.touching() ? found(pair.frame(), *pair.first_touching(), pair.shared_area()) : MaskOverlap{};
}

}  // namespace broadside::inline v0_2
