// Included once for each SIMD target, after Highway; the toggle lets it through each time.

#if defined(BROADSIDE_CONTACT_CLIP_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADSIDE_CONTACT_CLIP_LANES
#undef BROADSIDE_CONTACT_CLIP_LANES
#else
#define BROADSIDE_CONTACT_CLIP_LANES
#endif

#include "contact/feature.hpp"
#include "contact/pair_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

/// `feature_at_face`: of a face, or its corner, and what meets it.
HWY_INLINE V feature_of(M on_b, bool is_corner, V own, V of_other) {
  const V at_a = set(feature(Meeting::face_of_a, 0, 0));
  const V at_b = set(feature(Meeting::face_of_b, 0, 0));
  const V one = set(1.0);
  const V shift = set(feature(Meeting::corners, 1, 0));
  const V kind = is_corner ? select(on_b, at_a, at_b) : select(on_b, at_b, at_a);
  return kind + own * select(on_b, one, shift) + of_other * select(on_b, shift, one);
}

/// Two cores where their faces tell which features meet.
struct Facing {
  M on_b;  ///< the face is of b
  V face;
  V face_end;  ///< the number of the corner
  V edge;
  V edge_end;
  P start;  ///< of the face
  P end;
  P from;  ///< where the edge ends
  P to;    ///< where it begins
  V radius;
  V radius_of_other;
};

/// Clips as `clip_edge` does, and stores what is found. Returns whether there is a contact.
/// @param sign -1 where the first core is of the second shape of the pair
HWY_INLINE M clip(const Facing& facing, P anchor, V sign, ContactLanes& found, std::size_t i) {
  const V zero = hn::Zero(D());
  const P way = facing.end - facing.start;
  const P right{way.y, hn::Neg(way.x)};
  const V length = hn::Sqrt(dot(right, right));
  const P outward = divide(set(1.0), length) * right;
  const V inward_y = hn::Neg(outward.y);
  const auto along_of = [&](P corner) HWY_ATTR { return corner.x * inward_y + corner.y * outward.x; };
  const P way_from = facing.from - facing.start;
  const P way_to = facing.to - facing.start;
  const V along_from = along_of(way_from);
  const V along_to = along_of(way_to);
  const V height_from = dot(way_from, outward);
  const V rise = dot(way_to, outward) - height_from;
  const V width = along_to - along_from;
  const M in_front =
      hn::And(hn::Lt(along_from, along_to), hn::And(hn::Ge(along_to, zero), hn::Le(along_from, length)));
  const M from_is_cut = hn::Lt(along_from, zero);
  const M to_is_cut = hn::Lt(length, along_to);
  const auto height_at = [&](V end) HWY_ATTR { return height_from + divide(end - along_from, width) * rise; };
  const V cut_along[] = {select(from_is_cut, zero, along_from), select(to_is_cut, length, along_to)};
  const V cut_height[] = {select(from_is_cut, height_at(zero), height_from),
                          select(to_is_cut, height_at(length), dot(way_to, outward))};
  P points[2];
  V separations[2];
  for (std::size_t k = 0; k < 2; ++k) {
    separations[k] = cut_height[k] - facing.radius - facing.radius_of_other;
    const V between = set(0.5) * (facing.radius - cut_height[k] - facing.radius_of_other);
    const P at{
        ((facing.start.x + cut_along[k] * inward_y) + cut_height[k] * outward.x) + between * outward.x,
        ((facing.start.y + cut_along[k] * outward.x) + cut_height[k] * outward.y) + between * outward.y};
    points[k] = anchor + at;
  }
  const M on_b = facing.on_b;
  const V features[] = {select(from_is_cut, feature_of(on_b, true, facing.face, facing.edge),
                               feature_of(on_b, false, facing.face, facing.edge_end)),
                        select(to_is_cut, feature_of(on_b, true, facing.face_end, facing.edge),
                               feature_of(on_b, false, facing.face, facing.edge))};
  const M is_line = hn::Lt(cut_along[0], cut_along[1]);
  const M first = hn::Le(separations[0], zero);
  const M second = hn::And(hn::Le(separations[1], zero), hn::Or(hn::Not(first), is_line));
  const V normal_sign = select(on_b, hn::Neg(sign), sign);
  store_number(normal_sign * outward.x, found.normal_x, i);
  store_number(normal_sign * outward.y, found.normal_y, i);
  store_point(select(first, points[0], points[1]), select(first, separations[0], separations[1]),
              select(first, features[0], features[1]), found.points[0], i);
  store_point(points[1], separations[1], features[1], found.points[1], i);
  store_whole(select(hn::And(first, second), set(2.0), set(1.0)), found.size, i);
  return hn::And(in_front, hn::Or(first, second));
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
