#include "contact/box/box_pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/to_vec2.hpp"
#include "contact/box/box_frames.hpp"
#include "contact/feature.hpp"

namespace broadside::inline v0_2::detail {

namespace {

/// A face of a box. Faces are numbered counter-clockwise from the lower; face i goes from corner i to i + 1.
struct Side {
  std::size_t index = 0;
  Point normal;        ///< outward, as long as the axis
  double half_normal;  ///< half the size along the normal
  double half_along;   ///< half the length of the face
};

/// Returns the index of the right or left face if `on_x`, else of the upper or lower one; right or upper if
/// `positive`.
std::size_t index_of(bool on_x, bool positive) {
  return on_x ? (positive ? 1 : 3) : (positive ? 2 : 0);
}

Side side_of(const BoxFrame& box, bool on_x, bool positive) {
  const Point axis = on_x ? box.axis : rotate_ccw(box.axis);
  return {index_of(on_x, positive), positive ? axis : -1.0 * axis, on_x ? box.half_x : box.half_y,
          on_x ? box.half_y : box.half_x};
}

/// Coordinates relative to a face of a box, scaled by the length of the box's axis.
struct InFront {
  double height;  ///< outward
  double along;   ///< counter-clockwise
};

/// Converts coordinates on the axes of a box to those relative to one of its faces.
InFront in_front(Point p, bool on_x, bool positive) {
  const double height = on_x ? p.x : p.y;
  const double along = on_x ? p.y : -p.x;
  return {positive ? height : -height, positive ? along : -along};
}

/// A point of the incident face, relative to the center of the reference face.
struct Cut {
  InFront at;
  std::uint32_t feature = 0;
};

/// The box with the reference face, and the other one.
struct Clip {
  Side side;       ///< of the box
  double length2;  ///< of the axis of the box
  InFront at;      ///< center of the other one, from that of the box
  InFront axis;    ///< of the other one
  double other_half_x;
  double other_half_y;
  bool is_second;  ///< the box is the second of the pair

  [[nodiscard]] std::uint32_t its(std::size_t corner_of_other) const {
    return feature_at_face(is_second, false, side.index, corner_of_other);
  }
};

/// Clips the incident face of the other box to the side planes of the reference face `clip.side`.
///
///        other  ------o=========o------      its face, from high to low
///                     |         |
///                     +---------+            the face, -half to half
///
/// Source: E. Catto, Contact manifolds, 2007.
void clip_face(const Clip& clip, std::array<Cut, 2>& kept, std::uint32_t& size) {
  // The incident face: how far its normal points back at the reference face, and how far it leans along it.
  const bool facing_on_x = std::abs(clip.axis.height) >= std::abs(clip.axis.along);
  const double turned_back = facing_on_x ? -clip.axis.height : clip.axis.along;
  const double aside = facing_on_x ? clip.axis.along : clip.axis.height;
  const bool facing_positive = turned_back > 0.0;
  const double back = std::abs(turned_back);
  const double lean = facing_positive ? aside : -aside;
  const std::size_t facing = index_of(facing_on_x, facing_positive);
  const double facing_half_normal = facing_on_x ? clip.other_half_x : clip.other_half_y;
  const double facing_half_along = facing_on_x ? clip.other_half_y : clip.other_half_x;

  const double half_along = clip.side.half_along * clip.length2;
  const double half_normal = clip.side.half_normal * clip.length2;
  const InFront middle{(clip.at.height - facing_half_normal * back) - half_normal,
                       clip.at.along + facing_half_normal * lean};
  const InFront half_face{facing_half_along * lean, facing_half_along * back};
  Cut low{{middle.height - half_face.height, middle.along - half_face.along}, clip.its((facing + 1) & 3U)};
  Cut high{{middle.height + half_face.height, middle.along + half_face.along}, clip.its(facing)};
  const Cut deepest = high.at.height < low.at.height ? high : low;
  if (low.at.along < high.at.along && low.at.along <= half_along && high.at.along >= -half_along) {
    const double slope = lean / back;
    const InFront from = low.at;
    const auto cut_at = [&](double end, std::size_t corner) {
      return Cut{{from.height + slope * (end - from.along), end},
                 feature_at_face(clip.is_second, true, corner, facing)};
    };
    if (low.at.along < -half_along) {
      low = cut_at(-half_along, clip.side.index);
    }
    if (high.at.along > half_along) {
      high = cut_at(half_along, (clip.side.index + 1) & 3U);
    }
    if (low.at.height <= 0.0) {
      kept[size++] = low;
    }
    if (high.at.height <= 0.0 && (size == 0 || low.at.along < high.at.along)) {
      kept[size++] = high;
    }
  }
  if (size == 0) {
    // The deepest corner is not in front of the face.
    kept[size++] = {{std::min(deepest.at.height, 0.0), deepest.at.along}, deepest.feature};
  }
}

}  // namespace

Touch collide_boxes(const Box& a, const Transform& at_a, const Box& b, const Transform& at_b,
                    Manifold& manifold) {
  const Boxes boxes{a, at_a, b, at_b};
  const BoxInFrame from_a = boxes.b_in_frame_of_a();
  const BoxInFrame from_b = boxes.a_in_frame_of_b();
  if (!(std::max({from_a.out.x, from_a.out.y, from_b.out.x, from_b.out.y}) <= 0.0 && is_valid(a) &&
        is_valid(at_a) && is_valid(b) && is_valid(at_b))) {
    return {};
  }
  const bool swapped = is_swapped(boxes, at_a, at_b);
  const BoxInFrame& from_first = swapped ? from_b : from_a;
  const BoxInFrame& from_last = swapped ? from_a : from_b;
  double separation;
  const std::size_t best = find_max_separation(from_first, from_last, slack_of(boxes), separation);
  const bool on_second = best >= 2;
  const bool on_x = (best & 1U) == 0;
  const bool is_b = on_second != swapped;
  const BoxFrame& box = is_b ? boxes.b : boxes.a;
  const BoxFrame& other = is_b ? boxes.a : boxes.b;
  const Transform& at = is_b ? at_b : at_a;
  const BoxInFrame& placed = is_b ? from_b : from_a;
  const bool positive = (on_x ? placed.at.x : placed.at.y) >= 0.0;
  const Side side = side_of(box, on_x, positive);
  const Clip clip{side,
                  placed.length2,
                  in_front(placed.at, on_x, positive),
                  in_front({boxes.cosine, is_b ? -boxes.sine : boxes.sine}, on_x, positive),
                  other.half_x,
                  other.half_y,
                  on_second};
  std::array<Cut, 2> kept;
  std::uint32_t size = 0;
  clip_face(clip, kept, size);
  const Point middle = to_point(at.position) + box.center;
  const Point along = rotate_ccw(side.normal);
  const double unit = 1.0 / std::sqrt(placed.length2);
  const double unit2 = unit * unit;
  manifold.normal = to_direction(unit * (is_b ? -1.0 * side.normal : side.normal));
  manifold.size = size;
  for (std::uint32_t i = 0; i < size; ++i) {
    const InFront& cut = kept[i].at;
    const Point surface =
        (cut.along * unit2) * along + (side.half_normal + (0.5 * cut.height) * unit2) * side.normal;
    manifold.points[i] = {to_vec2(middle + surface), to_number(cut.height * unit), kept[i].feature};
  }
  return {true, separation, boxes.reach()};
}

}  // namespace broadside::inline v0_2::detail
