// Compiled once for each SIMD target by Highway, which picks the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/hull_cast_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "contact/hull_registers.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

/// When each face of a core is reached.
template <std::size_t count>
struct Times {
  Numbers<count> values;
  bool passes;
};

/// @param motion of the core towards the other
template <class FacesOf, std::size_t count>
HWY_INLINE Times<count> times_of(const FacesOf& faces, const Numbers<count>& separations, Point motion,
                                 double radius, double clear) {
  Times<count> times;
  auto passes = hn::FirstN(D(), 0);
  for (std::size_t k = 0; k < count; ++k) {
    const V gap = separations.values[k] - set(radius);
    const V nearing = rough_dot(faces.normal_x[k], faces.normal_y[k], set(motion.x), set(motion.y));
    const V nearest = hn::Min(gap, gap - nearing);
    passes = hn::Or(passes, hn::Gt(nearest, set(clear)));
    const auto is_nearing = hn::Gt(nearing, hn::Zero(D()));
    const V time = gap / hn::IfThenElse(is_nearing, nearing, set(1.0));
    times.values.values[k] = hn::IfThenElse(is_nearing, time, set(-1.0));
  }
  times.passes = !hn::AllFalse(D(), passes);
  return times;
}

/// Returns the first corner that is the furthest against a direction, or as good as.
template <class FacesOf>
HWY_INLINE std::uint32_t deepest_corner(const FacesOf& faces, double x, double y, double clear) {
  Numbers<FacesOf::count> depths;
  for (std::size_t k = 0; k < FacesOf::count; ++k) {
    depths.values[k] = hn::Neg(rough_dot(faces.x[k], faces.y[k], set(x), set(y)));
  }
  return first_of(depths.at_least(depths.most() - set(share_of_clear * clear)));
}

template <class FacesA, class FacesB>
HWY_INLINE void enter(const HullSource (&cores)[2], Point motion, double clear, const FacesA& on_a,
                      const FacesB& on_b, HullFaces (&faces)[2], Entrance& found) {
  on_a.store_corners(faces[0]);
  on_b.store_corners(faces[1]);
  on_a.template store_normals<FacesA::count>(faces[0]);
  on_b.template store_normals<FacesB::count>(faces[1]);
  const double radius = cores[0].radius + cores[1].radius;
  const auto of_a = times_of(on_a, separations_of<FacesB::size>(on_a, faces[1]), motion, radius, clear);
  const auto of_b =
      times_of(on_b, separations_of<FacesA::size>(on_b, faces[0]), -1.0 * motion, radius, clear);
  found.passes = of_a.passes | of_b.passes;
  if (found.passes) {
    return;
  }
  const V last_of_a = of_a.values.most();
  const V last_of_b = of_b.values.most();
  const std::uint32_t face_of_a = first_of(of_a.values.at_least(last_of_a));
  const std::uint32_t face_of_b = first_of(of_b.values.at_least(last_of_b));
  const double time_a = hn::GetLane(last_of_a);
  const double time_b = hn::GetLane(last_of_b);
  // By its number, as which one it is cannot be guessed.
  const std::size_t core = is_later(time_b, time_a, motion, clear) ? 1 : 0;
  found.on_b = core == 1;
  found.face = std::array{face_of_a, face_of_b}[core];
  const double x = faces[core].normal_x[found.face];
  const double y = faces[core].normal_y[found.face];
  found.corner = std::array{deepest_corner(on_b, x, y, clear), deepest_corner(on_a, x, y, clear)}[core];
}

/// Places a box or a line.
HWY_INLINE Faces<corners_of_box> place_few(const HullSource& core) {
  return core.size == 2 ? Faces<corners_of_box>::of_line(core) : Faces<corners_of_box>::of_box(core);
}

template <class FacesA>
HWY_INLINE void enter_second(const HullSource (&cores)[2], Point motion, double clear, const FacesA& on_a,
                             HullFaces (&faces)[2], Entrance& found) {
  if (cores[1].edges == nullptr) {
    return enter(cores, motion, clear, on_a, place_few(cores[1]), faces, found);
  }
  if (cores[1].size <= few_corners) {
    return enter(cores, motion, clear, on_a, Faces<few_corners>::of_polygon(cores[1]), faces, found);
  }
  enter(cores, motion, clear, on_a, Faces<many_corners>::of_polygon(cores[1]), faces, found);
}

void find_entrance(const HullSource (&cores)[2], Point motion, double clear, HullFaces (&faces)[2],
                   Entrance& found) {
  if (cores[0].edges == nullptr) {
    return enter_second(cores, motion, clear, place_few(cores[0]), faces, found);
  }
  if (cores[0].size <= few_corners) {
    return enter_second(cores, motion, clear, Faces<few_corners>::of_polygon(cores[0]), faces, found);
  }
  enter_second(cores, motion, clear, Faces<many_corners>::of_polygon(cores[0]), faces, found);
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(find_entrance);

void find_entrance(const HullSource (&cores)[2], Point motion, double clear, HullFaces (&faces)[2],
                   Entrance& found) {
  HWY_DYNAMIC_DISPATCH(find_entrance)(cores, motion, clear, faces, found);
}

}  // namespace broadside::detail

#endif
