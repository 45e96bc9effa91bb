#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "broadside/contact/collide.hpp"
#include "broadside/contact/mask_overlap.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "shape_source.hpp"

// Any bytes are two shapes with transforms, a motion and a point. For any numbers: no crash, no hang, no NaN;
// for valid numbers, all answers agree with each other.

namespace {

using broadside::Aabb;
using broadside::Manifold;
using broadside::Mask;
using broadside::Shape;
using broadside::Transform;
using broadside::Vec2;

bool both_finite(Vec2 v) {
  return std::isfinite(v.x) && std::isfinite(v.y);
}

bool is_valid(const Transform& at) {
  const double c = at.rotation.cos;
  const double s = at.rotation.sin;
  return both_finite(at.position) && c * c + s * s >= 0.99 && c * c + s * s <= 1.01;
}

bool is_unit(Vec2 v) {
  const double x = v.x;
  const double y = v.y;
  return std::abs(std::sqrt(x * x + y * y) - 1.0) <= 1e-5;
}

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

bool same_bits(Vec2 a, Vec2 b) {
  return same_bits(a.x, b.x) && same_bits(a.y, b.y);
}

Vec2 turned(Vec2 v) {
  return {0.0F - v.x, 0.0F - v.y};
}

bool same_points(const Manifold& a, const Manifold& b) {
  bool same = a.size == b.size;
  for (std::uint32_t i = 0; same && i < a.size; ++i) {
    const broadside::ManifoldPoint& p = a.points[i];
    const broadside::ManifoldPoint& q = b.points[i];
    same =
        same_bits(p.position, q.position) && same_bits(p.separation, q.separation) && p.feature == q.feature;
  }
  return same;
}

double side_of(const Aabb& box) {
  return std::max(static_cast<double>(box.max.x) - box.min.x, static_cast<double>(box.max.y) - box.min.y);
}

double reach_of(Vec2 v) {
  return std::max(std::abs(static_cast<double>(v.x)), std::abs(static_cast<double>(v.y)));
}

/// Returns about the largest coordinate of a placed shape.
double reach_of(const Shape& shape, const Transform& at) {
  const Aabb local = bounds(shape, {});
  const Aabb box = bounds(shape, at);
  double most = std::max({reach_of(local.min), reach_of(local.max), reach_of(box.min), reach_of(box.max),
                          reach_of(at.position)});
  if (const Mask* mask = std::get_if<Mask>(&shape)) {
    most = std::max(most, reach_of(mask->origin()));
  }
  return most;
}

struct Placed {
  Shape shape;
  Transform at;
  bool valid = false;
  double reach = 0.0;
};

void print(Vec2 v) {
  std::fprintf(stderr, " {%.9g, %.9g}", static_cast<double>(v.x), static_cast<double>(v.y));
}

void print(const Shape& shape) {
  std::fprintf(stderr, "%s", std::string(name(shape)).c_str());
  const auto print_radius = [](float radius) {
    std::fprintf(stderr, " radius %.9g", static_cast<double>(radius));
  };
  if (const auto* circle = std::get_if<broadside::Circle>(&shape)) {
    print(circle->center);
    print_radius(circle->radius);
  } else if (const auto* box = std::get_if<broadside::Box>(&shape)) {
    print(box->half_size);
    print(box->center);
    print({box->rotation.cos, box->rotation.sin});
  } else if (const auto* capsule = std::get_if<broadside::Capsule>(&shape)) {
    print(capsule->a);
    print(capsule->b);
    print_radius(capsule->radius);
  } else if (const auto* segment = std::get_if<broadside::Segment>(&shape)) {
    print(segment->a);
    print(segment->b);
  } else if (const auto* polygon = std::get_if<broadside::Polygon>(&shape)) {
    std::ranges::for_each(polygon->vertices(), [](Vec2 v) { print(v); });
    print_radius(polygon->radius());
  } else if (const auto* mask = std::get_if<Mask>(&shape)) {
    print(mask->origin());
    std::fprintf(stderr, " pixel %.9g", static_cast<double>(mask->pixel_size()));
    for (std::uint32_t row = 0; row < mask->height(); ++row) {
      std::fprintf(stderr, "\n  \"");
      for (std::uint32_t column = 0; column < mask->width(); ++column) {
        std::fprintf(stderr, "%c", mask->at(column, row) ? '#' : '.');
      }
      std::fprintf(stderr, "\"");
    }
  }
}

/// The current input, printed if a check fails.
struct Question {
  std::array<Placed, 2> placed;
  Vec2 motion;
  Vec2 point;
};

Question question;

void require(bool holds, const char* what) {
  if (holds) {
    return;
  }
  std::fprintf(stderr, "does not hold: %s\n", what);
  for (const Placed& p : question.placed) {
    print(p.shape);
    std::fprintf(stderr, "\n  at");
    print(p.at.position);
    print({p.at.rotation.cos, p.at.rotation.sin});
    std::fprintf(stderr, "\n");
  }
  std::fprintf(stderr, "motion");
  print(question.motion);
  std::fprintf(stderr, ", point");
  print(question.point);
  std::fprintf(stderr, "\n");
  std::abort();
}

bool overlaps(const Placed& a, const Placed& b) {
  return broadside::overlaps(a.shape, a.at, b.shape, b.at);
}

Manifold collide(const Placed& a, const Placed& b) {
  return broadside::collide(a.shape, a.at, b.shape, b.at);
}

/// Returns the penetration depth of two shapes; of masks a mean, because their separation counts whole
/// pixels.
double depth(const Placed& a, const Placed& b) {
  for (const auto& [mask, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    if (const Mask* pixels = std::get_if<Mask>(&mask->shape)) {
      const auto shared = broadside::overlap(*pixels, mask->at, other->shape, other->at);
      return shared.area /
             (side_of(bounds(other->shape, other->at)) + side_of(bounds(mask->shape, mask->at)) + 1e-30);
    }
  }
  const Manifold manifold = collide(a, b);
  double deepest = 0.0;
  for (const auto& point : manifold.in_use()) {
    deepest = std::max(deepest, -static_cast<double>(point.separation));
  }
  return deepest;
}

// Rounding error at this magnitude, plus about the smallest normal float.
double rounding(double reach) {
  return 0x1p-22 * reach + 2e-38;
}

/// Returns whether the boxes of two shapes are equal within rounding.
bool same_place(const Placed& a, const Placed& b) {
  const Aabb box_a = bounds(a.shape, a.at);
  const Aabb box_b = bounds(b.shape, b.at);
  return std::max(reach_of(box_a.min - box_b.min), reach_of(box_a.max - box_b.max)) <=
         rounding(a.reach + b.reach);
}

void check_normal(Vec2 ab, Vec2 ba, const Placed& a, const Placed& b, const char* what) {
  require(is_unit(ab) && is_unit(ba), what);
  require(same_bits(ba, turned(ab)) || (same_place(a, b) && same_bits(ab, ba)), what);
}

void check_manifold(const Placed& a, const Placed& b, bool touching) {
  const Manifold manifold = collide(a, b);
  require(manifold.touching() == touching, "collide has points where shapes overlap, and only there");
  require(manifold.size <= 2, "two points at most");
  for (const auto& point : manifold.in_use()) {
    require(both_finite(point.position) && point.separation <= 0.0F && std::isfinite(point.separation),
            "a point is finite, its separation 0 or negative");
  }
  const Manifold swapped = collide(b, a);
  require(same_points(manifold, swapped), "swapped, the points of collide are the same");
  if (touching) {
    check_normal(manifold.normal, swapped.normal, a, b,
                 "collide: normals of unit length that turn when swapped");
  } else {
    require(manifold.normal == Vec2{}, "no normal without points");
  }

  const std::array<Shape, 2> shapes = {a.shape, b.shape};
  const std::array<Transform, 2> transforms = {a.at, b.at};
  std::array<broadside::Pair, 11> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i] = i % 3 == 1 ? broadside::Pair{1, 0} : broadside::Pair{0, 1};
  }
  broadside::NarrowPhase narrow_phase;
  const auto contacts = narrow_phase.find_contacts(pairs, shapes, transforms);
  require(contacts.has_value() && contacts->size() == (touching ? pairs.size() : 0),
          "bulk finds what collide does");
  for (std::size_t i = 0; i < contacts->size(); ++i) {
    const broadside::Contact& contact = (*contacts)[i];
    const Manifold& expected = contact.pair.a == 0 ? manifold : swapped;
    require(contact.pair == pairs[i] && same_points(contact.manifold, expected) &&
                same_bits(contact.manifold.normal, expected.normal),
            "bulk equals collide bit for bit");
  }
}

void check_distance(const Placed& a, const Placed& b, bool touching) {
  const auto ab = broadside::distance(a.shape, a.at, b.shape, b.at);
  const auto ba = broadside::distance(b.shape, b.at, a.shape, a.at);
  require(!std::isnan(ab.distance) && both_finite(ab.point_a) && both_finite(ab.point_b) &&
              both_finite(ab.normal),
          "distance has no NaN");
  require((ab.distance == 0.0F) == touching, "distance is 0 where shapes overlap, and only there");
  if (a.valid && b.valid) {
    require(same_bits(ab.distance, ba.distance), "swapped, the distance is the same");
    require(same_bits(ab.point_a, ba.point_b) && same_bits(ab.point_b, ba.point_a),
            "swapped, the closest points change places");
    check_normal(ab.normal, ba.normal, a, b, "distance: normals of unit length that turn when swapped");
    const double slack = rounding(a.reach + b.reach);
    const double x = static_cast<double>(ab.point_b.x) - ab.point_a.x;
    const double y = static_cast<double>(ab.point_b.y) - ab.point_a.y;
    require(a.reach + b.reach > 1e37 ||
                std::abs(std::sqrt(x * x + y * y) - ab.distance) <= 4 * slack + 1e-6 * ab.distance,
            "the closest points are as far apart as the distance");
  } else {
    require(ab.distance == std::numeric_limits<float>::max(), "shapes that are not valid are far apart");
  }
}

Placed moved(Placed shape, Vec2 motion, float time) {
  shape.at.position = shape.at.position + time * motion;
  return shape;
}

void check_cast(const Placed& a, Vec2 motion, const Placed& b, bool touching) {
  const auto hit = broadside::cast(a.shape, a.at, motion, b.shape, b.at);
  require(!hit || (hit->fraction >= 0.0F && hit->fraction <= 1.0F && is_unit(hit->normal) &&
                   both_finite(hit->point)),
          "a cast's hit is a fraction in [0, 1], a unit normal and a point");
  require(!hit || (a.valid && b.valid), "a shape that is not valid hits nothing");
  if (!both_finite(motion)) {
    return;
  }
  require(touching == (hit && hit->fraction == 0.0F), "shapes that overlap hit at fraction 0, and no others");
  const auto at_rest = broadside::cast(a.shape, a.at, {}, b.shape, b.at);
  require(at_rest.has_value() == touching, "without a motion only shapes that overlap hit");
  const auto swapped = broadside::cast(b.shape, b.at, turned(motion), a.shape, a.at);
  require(hit.has_value() == swapped.has_value(), "swapped, a cast hits alike");
  if (hit) {
    require(same_bits(hit->fraction, swapped->fraction), "swapped, a cast hits at the same fraction");
    check_normal(hit->normal, swapped->normal, a, b, "cast: normals that turn when swapped");
  }
  const double reach = a.reach + b.reach + reach_of(motion);
  if (!a.valid || !b.valid || reach > 1e37 || (hit && hit->fraction == 0.0F)) {
    return;
  }
  const double size = std::min(side_of(bounds(a.shape, a.at)), side_of(bounds(b.shape, b.at)));
  // The tolerance that `cast` documents.
  const auto slack_at = [&](double time) {
    return 1e-5 * size + 4.0 * rounding(a.reach + b.reach + 2.0 * time * reach_of(motion)) +
           0x1p-148 * reach_of(motion);
  };
  const float end = hit ? hit->fraction : 1.0F;
  for (const float share : {0.25F, 0.5F, 0.75F, 1.0F}) {
    require(depth(moved(a, motion, share * end), b) <= slack_at(share * end), "a cast is never late");
  }
  if (hit) {
    const Placed there = moved(a, motion, end);
    require(broadside::distance(there.shape, there.at, b.shape, b.at).distance <= slack_at(end),
            "a cast is never early");
  }
}

void check_ray(Vec2 start, Vec2 way, const Placed& shape) {
  const auto hit = broadside::cast_ray(start, way, shape.shape, shape.at);
  const bool within = contains(shape.shape, shape.at, start);
  if (hit) {
    require(shape.valid, "a shape that is not valid is not hit");
    require(hit->fraction >= 0.0F && hit->fraction <= 1.0F && is_unit(hit->normal) && both_finite(hit->point),
            "a ray's hit is a fraction in [0, 1], a unit normal and a point");
    const double reach = shape.reach + reach_of(start);
    const auto off = broadside::distance(broadside::Circle{}, {hit->point, {}}, shape.shape, shape.at);
    require(reach > 1e37 || off.distance <= rounding(reach), "a ray's point lies on the shape");
  }
  if (within && both_finite(way)) {
    require(hit && hit->fraction == 0.0F, "a ray that starts inside hits at once");
  }
}

void check_point(Vec2 point, const Placed& shape) {
  const bool within = contains(shape.shape, shape.at, point);
  const Placed dot{broadside::Circle{}, {point, {}}, both_finite(point), reach_of(point)};
  require(!within || (shape.valid && dot.valid), "a shape that is not valid contains nothing");
  if (!shape.valid || !dot.valid) {
    return;
  }
  require(!within || broadside::overlaps(bounds(shape.shape, shape.at), {point, point}),
          "what a shape contains lies in its box");
  const double slack = 1e-9 * (shape.reach + dot.reach) + 2e-38;
  if (within) {
    require(broadside::distance(dot.shape, dot.at, shape.shape, shape.at).distance <= slack,
            "a point inside overlaps");
  } else {
    require(depth(dot, shape) <= slack, "a point outside does not overlap");
  }
}

void check_mask(const Placed& a, const Placed& b, bool touching) {
  const Mask* mask = std::get_if<Mask>(&a.shape);
  if (mask == nullptr) {
    return;
  }
  const auto found = broadside::overlap(*mask, a.at, b.shape, b.at);
  require(found.touching == touching, "a mask's overlap touches where overlaps says so");
  require(found.area >= 0.0F && std::isfinite(found.area), "an area is finite");
  require(!touching || mask->at(found.column, found.row), "the first touching pixel is set");
  require(touching || (found.area == 0.0F && found.column == 0 && found.row == 0),
          "nothing where nothing touches");
  if (a.valid && b.valid) {
    // A valid rotation may be off unit length by 1 %, and the area by as much.
    const double most = 1.03 * std::min<double>(area(a.shape), area(b.shape));
    const double lengths = a.reach + b.reach;
    require(found.area <= most + 1e-9 * lengths * lengths, "no more area than either has");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  broadside::fuzz::Source source({data, size});
  question = {};
  for (Placed& p : question.placed) {
    const std::optional<Shape> shape = make_shape(source);
    if (!shape) {
      return 0;
    }
    p.shape = *shape;
    p.at = source.transform();
    p.valid = validate(p.shape).has_value() && is_valid(p.at);
    p.reach = reach_of(p.shape, p.at);
  }
  question.motion = source.vec2();
  question.point = source.vec2();
  const auto& [placed, motion, point] = question;
  const auto& [a, b] = placed;

  const bool touching = overlaps(a, b);
  require(touching == overlaps(b, a), "overlaps is symmetric");
  require(!touching || (a.valid && b.valid), "a shape that is not valid touches nothing");
  require(!touching || broadside::overlaps(bounds(a.shape, a.at), bounds(b.shape, b.at)),
          "shapes that overlap have boxes that do");
  check_manifold(a, b, touching);
  check_distance(a, b, touching);
  check_cast(a, motion, b, touching);
  check_mask(a, b, touching);
  check_mask(b, a, touching);
  for (const Placed& p : placed) {
    const Aabb box = bounds(p.shape, p.at);
    require(both_finite(box.min) && both_finite(box.max), "bounds are finite");
    require(p.valid == (box.min.x <= box.max.x && box.min.y <= box.max.y),
            "bounds are inverted where not valid");
    require(area(p.shape) >= 0.0F && std::isfinite(area(p.shape)), "an area is finite");
    check_ray(point, motion, p);
    check_point(point, p);
    check_point(box.min, p);
  }
  return 0;
}
