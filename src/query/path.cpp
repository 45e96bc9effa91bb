#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/by_key.hpp"
#include "broad_phase/box_search.hpp"
#include "broad_phase/swept_box.hpp"
#include "broadside/contact/collide.hpp"
#include "broadside/query/cast.hpp"
#include "broadside/query/ray.hpp"
#include "query/checks.hpp"
#include "query/scratch.hpp"

namespace broadside::inline v0_2 {

namespace {

using detail::SweptBox;

/// Orders hits by (fraction, index).
bool is_earlier(const ShapeHit& a, const ShapeHit& b) {
  return a.fraction < b.fraction || (a.fraction == b.fraction && a.index < b.index);
}

/// Calls `take` with each hit on a path, roughly by entry time; `take` returns the time beyond which hits are
/// no longer wanted. `test(index)` returns the `Hit` of a shape, or nothing.
template <typename Test, typename Take>
void for_each_hit(const ShapeSet& set, const SweptBox& path, Accept accept, const Test& test,
                  const Take& take) {
  const detail::BoxSearch boxes(set.boxes);
  double limit = 1.0;
  detail::Scratch<detail::SweptBoxScratch> scratch;
  const auto visit = [&](std::span<detail::BoxHit> hits) {
    std::sort(hits.begin(), hits.end(), detail::by_key(&detail::BoxHit::entry));
    for (const detail::BoxHit& one : hits) {
      if (one.entry > limit) {
        break;
      }
      if (boxes.is_on(one.index, set.layers) && accept(one.index)) {
        if (const std::optional<Hit> hit = test(one.index)) {
          limit = take(ShapeHit{*hit, one.index});
        }
      }
    }
    return limit;
  };
  boxes.visit_along_path(path, set.layers, *scratch, visit);
}

/// Returns the first hit by (fraction, index).
template <typename Test>
std::optional<ShapeHit> find_first(const ShapeSet& set, const SweptBox& path, Accept accept,
                                   const Test& test) {
  std::optional<ShapeHit> first;
  for_each_hit(set, path, accept, test, [&](const ShapeHit& hit) {
    if (!first || is_earlier(hit, *first)) {
      first = hit;
    }
    // A box with an entry time after the next float cannot be hit earlier, however its fraction is rounded.
    return std::nextafter(first->fraction, std::numeric_limits<float>::max());
  });
  return first;
}

/// Visits all hits by (fraction, index), until `visit` returns false.
template <typename Test>
void visit_all(const ShapeSet& set, const SweptBox& path, Accept accept, const Test& test, VisitHit visit) {
  detail::Scratch<std::vector<ShapeHit>> hits;
  hits->clear();
  for_each_hit(set, path, accept, test, [&](const ShapeHit& hit) {
    hits->push_back(hit);
    return 1.0;
  });
  std::sort(hits->begin(), hits->end(), is_earlier);
  static_cast<void>(std::all_of(hits->begin(), hits->end(), visit));
}

/// Checks the arguments of the functions that cast a ray.
Error find_error(const ShapeSet& set, Vec2 start, Vec2 motion) {
  Error error = detail::find_error(set, start, "start of the ray");
  return error ? error : detail::find_error(motion, "motion of the ray");
}

/// Returns the test of one shape against a ray.
auto ray_test(const ShapeSet& set, Vec2 start, Vec2 motion) {
  return [&set, start, motion](BoxIndex index) {
    return cast_ray(start, motion, set.shapes[index], set.transforms[index]);
  };
}

/// Checks the arguments of the functions that cast a shape.
Error find_error(const ShapeSet& set, const Shape& shape, const Transform& transform, Vec2 motion) {
  Error error = detail::find_error(set, shape, transform);
  return error ? error : detail::find_error(motion, "motion");
}

/// Returns the test of one shape against a moving shape.
auto cast_test(const ShapeSet& set, const Shape& shape, const Transform& transform, Vec2 motion) {
  return [&set, &shape, &transform, motion](BoxIndex index) {
    return cast(shape, transform, motion, set.shapes[index], set.transforms[index]);
  };
}

}  // namespace

Result<std::optional<ShapeHit>> cast_ray(const ShapeSet& set, Vec2 start, Vec2 motion, Accept accept) {
  if (Error error = find_error(set, start, motion)) {
    return error;
  }
  return find_first(set, SweptBox({start, start}, motion), accept, ray_test(set, start, motion));
}

Result<void> visit_ray(const ShapeSet& set, Vec2 start, Vec2 motion, VisitHit visit, Accept accept) {
  if (Error error = find_error(set, start, motion)) {
    return error;
  }
  visit_all(set, SweptBox({start, start}, motion), accept, ray_test(set, start, motion), visit);
  return {};
}

Result<std::optional<ShapeHit>> cast_shape(const ShapeSet& set, const Shape& shape,
                                           const Transform& transform, Vec2 motion, Accept accept) {
  if (Error error = find_error(set, shape, transform, motion)) {
    return error;
  }
  return find_first(set, SweptBox(bounds(shape, transform), motion), accept,
                    cast_test(set, shape, transform, motion));
}

Result<void> visit_cast(const ShapeSet& set, const Shape& shape, const Transform& transform, Vec2 motion,
                        VisitHit visit, Accept accept) {
  if (Error error = find_error(set, shape, transform, motion)) {
    return error;
  }
  visit_all(set, SweptBox(bounds(shape, transform), motion), accept, cast_test(set, shape, transform, motion),
            visit);
  return {};
}

}  // namespace broadside::inline v0_2
