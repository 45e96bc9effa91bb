// Included once for each SIMD target, after Highway; the toggle lets it through each time.

#if defined(BROADSIDE_CONTACT_CORE_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADSIDE_CONTACT_CORE_LANES
#undef BROADSIDE_CONTACT_CORE_LANES
#else
#define BROADSIDE_CONTACT_CORE_LANES
#endif

#include "base/tolerances.hpp"
#include "contact/lanes/pair_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

/// Polygons of up to `corners` corners, with their transforms. Lanes with more corners are not supported.
struct HullLanes {
  static constexpr std::size_t corners = 8;

  Lanes position_x, position_y, cos, sin;
  Lanes x_and_y[2 * corners];           ///< x and y of each corner in turn (local)
  DoubleLanes inverse_length[corners];  ///< of the edges
  Lanes last;                           ///< index of the last corner
  Lanes radius;
  // As in `Polygon`, except that `well_conditioned_within` is negative if the polygon has too many corners:
  // no distance is below it.
  DoubleLanes reach, extent, shortest, well_conditioned_within;

  /// Sets all members except the transform and the corners.
  void set(std::size_t i, const Polygon& polygon) {
    const auto& data = PolygonAccess::data(polygon);
    for (std::size_t k = 0; k < corners; ++k) {
      inverse_length[k].values[i] = data.inverse_length[k];
    }
    last.values[i] = static_cast<float>(data.size - 1);
    radius.values[i] = data.radius;
    reach.values[i] = data.reach;
    extent.values[i] = data.extent;
    shortest.values[i] = data.shortest;
    well_conditioned_within.values[i] = data.size <= corners ? data.well_conditioned_within : -1.0;
  }
};

// Which features touch is decided only where rounding cannot change it, so the order of operations does not
// matter there. Corners, and what is computed from them, equal those of body/convex.cpp bit for bit.

constexpr std::size_t max_corners = HullLanes::corners;

HWY_INLINE V load(const DoubleLanes& lanes, std::size_t i) {
  return hn::Load(D(), lanes.values + i);
}
/// Returns a small whole number in each lane.
HWY_INLINE V whole(std::size_t number) {
  return set(static_cast<double>(number));
}

/// A core in each lane, relative to an anchor. If it has fewer than `corner_count` corners, copies of its
/// last corner and face follow. The ends of a line are its faces 2 and 3.
template <std::size_t corner_count_, std::size_t face_count_>
struct Core {
  static constexpr std::size_t corner_count = corner_count_;
  static constexpr std::size_t face_count = face_count_;

  P corners[face_count];  ///< start of each face
  P normals[face_count];  ///< unit vectors, except for rounding
  V last;                 ///< index of the last corner
  V radius;
  V reach;         ///< upper bound of the distance from the anchor to any point of it
  V extent;        ///< rough diameter
  V shortest;      ///< length of the shortest edge, or less: at least half of it
  M is_supported;  ///< the bounds for rounding hold; other lanes are passed to `collide`
};

/// Returns a rotation scaled to length 1, to within 1e-12 if it `is_rigid`: a Newton step for 1 / length.
HWY_INLINE P unit(P axis) {
  return (set(1.5) - set(0.5) * dot(axis, axis)) * axis;
}
/// Tells whether a rotation keeps lengths, except for rounding to float.
HWY_INLINE M is_rigid(P axis) {
  return hn::Lt(hn::Abs(dot(axis, axis) - set(1.0)), set(rotation_slack));
}

// Each places a core relative to `anchor` (world).

// The normals are computed from the placed edge, so the rotation need not be rigid.
HWY_INLINE Core<2, 4> place(const LineLanes& line, P anchor, std::size_t i) {
  Core<2, 4> core;
  const P rotation{load(line.cos, i), load(line.sin, i)};
  const P offset = P{load(line.position_x, i), load(line.position_y, i)} - anchor;
  const P start = rotate(rotation, {load(line.start_x, i), load(line.start_y, i)}) + offset;
  const P end = rotate(rotation, {load(line.end_x, i), load(line.end_y, i)}) + offset;
  const P edge = end - start;
  const V along_axes = length_of(edge);
  core.corners[0] = core.corners[3] = start;
  core.corners[1] = core.corners[2] = end;
  const P along = divide(set(1.0), hn::Sqrt(dot(edge, edge))) * edge;
  core.normals[0] = negative(rotate_ccw(along));
  core.normals[1] = rotate_ccw(along);
  core.normals[2] = along;
  core.normals[3] = negative(along);
  core.last = whole(1);
  core.radius = load(line.radius, i);
  core.reach = length_of(start) + along_axes + core.radius;
  core.extent = along_axes + core.radius;
  core.shortest = set(0.5) * along_axes;
  core.is_supported = hn::And(is_unit(rotation), hn::Ge(core.radius, hn::Zero(D())));
  return core;
}

HWY_INLINE Core<4, 4> place(const BoxLanes& box, P anchor, std::size_t i) {
  Core<4, 4> core;
  const P rotation{load(box.cos, i), load(box.sin, i)};
  const P axis = rotate(rotation, {load(box.own_cos, i), load(box.own_sin, i)});
  const P offset = P{load(box.position_x, i), load(box.position_y, i)} - anchor;
  const P center = rotate(rotation, {load(box.center_x, i), load(box.center_y, i)}) + offset;
  const V half_x = load(box.half_x, i);
  const V half_y = load(box.half_y, i);
  const P to_right = half_x * axis;
  const P to_top = half_y * rotate_ccw(axis);
  core.corners[0] = (center - to_right) - to_top;
  core.corners[1] = (center + to_right) - to_top;
  core.corners[2] = (center + to_right) + to_top;
  core.corners[3] = (center - to_right) + to_top;
  const P right = unit(axis);
  core.normals[0] = negative(rotate_ccw(right));
  core.normals[1] = right;
  core.normals[2] = rotate_ccw(right);
  core.normals[3] = negative(right);
  core.last = whole(3);
  core.radius = hn::Zero(D());
  core.reach = length_of(center) + set(max_rotation_stretch) * (half_x + half_y);
  core.extent = set(2.0) * (half_x + half_y);
  core.shortest = hn::Min(half_x, half_y);
  core.is_supported = hn::And(is_unit(rotation), is_rigid(axis));
  return core;
}

HWY_INLINE Core<max_corners, max_corners> place(const HullLanes& polygon, P anchor, std::size_t i) {
  Core<max_corners, max_corners> core;
  const P rotation{load(polygon.cos, i), load(polygon.sin, i)};
  const P axis = unit(rotation);
  const P offset = P{load(polygon.position_x, i), load(polygon.position_y, i)} - anchor;
  core.last = load(polygon.last, i);
  const auto local_at = [&](std::size_t k) HWY_ATTR {
    return P{load(polygon.x_and_y[2 * k], i), load(polygon.x_and_y[2 * k + 1], i)};
  };
  const P first = local_at(0);
  P local = first;
  for (std::size_t k = 0; k < max_corners; ++k) {
    core.corners[k] = rotate(rotation, local) + offset;
    const P after = local_at(k + 1 < max_corners ? k + 1 : 0);
    const P edge = select(hn::Ge(whole(k), core.last), first, after) - local;
    const P normal = load(polygon.inverse_length[k], i) * P{edge.y, hn::Neg(edge.x)};
    core.normals[k] = rotate(axis, normal);
    local = after;
  }
  const V distance = length_of(offset);  // of the transform from the anchor
  core.radius = load(polygon.radius, i);
  core.reach = distance + set(max_rotation_stretch) * load(polygon.reach, i) + core.radius;
  core.extent = load(polygon.extent, i) + core.radius;
  core.shortest = load(polygon.shortest, i);
  core.is_supported = hn::And(is_rigid(rotation), hn::Le(distance, load(polygon.well_conditioned_within, i)));
  return core;
}

template <class PlaceOf>
HWY_INLINE void fill(HullLanes& lanes, std::size_t count, const Shape* shapes, const Transform* transforms,
                     PlaceOf place_of) {
  fill_transforms(lanes, count, transforms, place_of);
  const Vec2* corners[chunk];
  for (std::size_t i = 0; i < count; ++i) {
    const Polygon& polygon = *std::get_if<Polygon>(&shapes[place_of(i)]);
    corners[i] = polygon.vertices().data();
    lanes.set(i, polygon);
  }
  for (std::size_t k = 0; k < max_corners; k += 2) {
    transpose_in<4>([&](std::size_t i) HWY_ATTR { return &corners[i][k].x; }, count, &lanes.x_and_y[2 * k]);
  }
}

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
