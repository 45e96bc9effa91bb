// Included once for each SIMD target, after Highway; the toggle lets it through each time.

#if defined(BROADSIDE_CONTACT_CLIP_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADSIDE_CONTACT_CLIP_LANES
#undef BROADSIDE_CONTACT_CLIP_LANES
#else
#define BROADSIDE_CONTACT_CLIP_LANES
#endif

#include "contact/lanes/pair_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

/// The reference face and the incident edge, as in `clip` of engine/convex_pairs.cpp. Numbers are indices of
/// corners, except `face`.
struct Facing {
  M on_b;    ///< the face belongs to b
  M is_end;  ///< it is the end of a line
  V face;
  V face_start;
  V face_end;
  V edge;  ///< index of the edge and of its first corner
  V edge_end;
  P start;  ///< of the face
  P next;   ///< end of the face; for the end of a line, the other end
  P from;   ///< end of the edge
  P to;     ///< start of the edge
  V radius;
  V radius_of_other;
};

/// The edge in the frame of the face: `along` it from its start, and `height` in front of it.
struct EdgeInFaceFrame {
  P outward;  ///< unit vector
  V length;   ///< of the face
  V along_from, along_to;
  V height_from, height_to;
};

HWY_INLINE EdgeInFaceFrame edge_in_face_frame(const Facing& facing) {
  const P face_vector = facing.next - facing.start;
  const P right = select(facing.is_end, negative(face_vector), P{face_vector.y, hn::Neg(face_vector.x)});
  const V length = hn::Sqrt(dot(right, right));
  const P outward = divide(set(1.0), length) * right;
  const P along{hn::Neg(outward.y), outward.x};
  const P offset_from = facing.from - facing.start;
  const P offset_to = facing.to - facing.start;
  return {outward,
          select(facing.is_end, hn::Zero(D()), length),
          dot(offset_from, along),
          dot(offset_to, along),
          dot(offset_from, outward),
          dot(offset_to, outward)};
}

/// The contact of two cores, from the first to the second. `points` are relative to the anchor.
struct CoreContact {
  P normal;
  P points[2];
  V separations[2];
  V features[2];
  M are_two;   ///< there are two points
  M is_known;  ///< the contact exists and is final
};

/// Clips as `clip` of engine/convex_pairs.cpp does.
HWY_INLINE CoreContact clip(const Facing& facing, const EdgeInFaceFrame& in_frame) {
  const V zero = hn::Zero(D());
  const P outward = in_frame.outward;
  const V inward_y = hn::Neg(outward.y);
  const V rise = in_frame.height_to - in_frame.height_from;
  const V width = in_frame.along_to - in_frame.along_from;
  const M in_front =
      hn::And(hn::Lt(in_frame.along_from, in_frame.along_to),
              hn::And(hn::Ge(in_frame.along_to, zero), hn::Le(in_frame.along_from, in_frame.length)));
  const M from_is_cut = hn::Lt(in_frame.along_from, zero);
  const M to_is_cut = hn::Lt(in_frame.length, in_frame.along_to);
  const auto height_at = [&](V end) HWY_ATTR {
    return in_frame.height_from + divide(end - in_frame.along_from, width) * rise;
  };
  const V cut_along[] = {select(from_is_cut, zero, in_frame.along_from),
                         select(to_is_cut, in_frame.length, in_frame.along_to)};
  const V cut_height[] = {select(from_is_cut, height_at(zero), in_frame.height_from),
                          select(to_is_cut, height_at(in_frame.length), in_frame.height_to)};
  P points[2];
  V separations[2];
  for (std::size_t k = 0; k < 2; ++k) {
    separations[k] = cut_height[k] - facing.radius - facing.radius_of_other;
    const V between = set(0.5) * (facing.radius - cut_height[k] - facing.radius_of_other);
    points[k] = {
        ((facing.start.x + cut_along[k] * inward_y) + cut_height[k] * outward.x) + between * outward.x,
        ((facing.start.y + cut_along[k] * outward.x) + cut_height[k] * outward.y) + between * outward.y};
  }
  const M on_b = facing.on_b;
  const V features[] = {select(from_is_cut, feature_of(on_b, true, facing.face_start, facing.edge),
                               feature_of(on_b, false, facing.face, facing.edge_end)),
                        select(to_is_cut, feature_of(on_b, true, facing.face_end, facing.edge),
                               feature_of(on_b, false, facing.face, facing.edge))};
  const M is_line = hn::Lt(cut_along[0], cut_along[1]);
  const M first = hn::Le(separations[0], zero);
  const M second = hn::And(hn::Le(separations[1], zero), hn::Or(hn::Not(first), is_line));
  return {select(on_b, negative(outward), outward),
          {select(first, points[0], points[1]), points[1]},
          {select(first, separations[0], separations[1]), separations[1]},
          {select(first, features[0], features[1]), features[1]},
          hn::And(first, second),
          hn::And(in_front, hn::Or(first, second))};
}

/// Stores a contact.
/// @param sign -1 if the first core is that of the second shape of the pair
HWY_INLINE void store(const CoreContact& contact, P anchor, V sign, ContactLanes& found, std::size_t i) {
  store_number(sign * contact.normal.x, found.normal_x, i);
  store_number(sign * contact.normal.y, found.normal_y, i);
  store_point(anchor + contact.points[0], contact.separations[0], contact.features[0], found.points[0], i);
  store_second(contact.are_two, anchor + contact.points[1], contact.separations[1], contact.features[1],
               found, i);
}

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
