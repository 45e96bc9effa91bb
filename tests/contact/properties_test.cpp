// Properties of any two convex shapes, over random shapes of all families.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "broadside/contact/collide.hpp"
#include "contact/support_oracle.hpp"
#include "random_shapes.hpp"
#include "shape_truth.hpp"

namespace broadside::test::properties_test {
namespace {

struct Two {
  Family family = Family::ordinary;
  Standing a;
  Standing b;
};

std::string to_text(const Two& two) {
  std::string text{name(two.family)};
  text.append("\n  a: ").append(to_text(two.a)).append("\n  b: ").append(to_text(two.b)).append("\n");
  return text;
}

/// Draws pairs of shapes, and passes each to `check`.
template <typename Check>
void for_random_pairs(Check check) {
  constexpr int pairs_per_case = 100;
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const Family family = *rc::gen::elementOf(families);
  for (int i = 0; i < pairs_per_case; ++i) {
    const Two two{family, random_standing(family, random), random_standing(family, random)};
    try {
      check(two, random);
    } catch (...) {
      RC_LOG() << to_text(two);
      throw;
    }
  }
}

/// Draws one pair, and passes it to `check`.
template <typename Check>
void for_random_pair(Check check) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const Family family = *rc::gen::elementOf(families);
  const Two two{family, random_standing(family, random), random_standing(family, random)};
  RC_LOG() << to_text(two);
  check(two);
}

bool overlaps(const Two& t) {
  return broadside::overlaps(t.a.shape, t.a.at, t.b.shape, t.b.at);
}
Manifold collide(const Two& t) {
  return broadside::collide(t.a.shape, t.a.at, t.b.shape, t.b.at);
}
Distance distance(const Two& t) {
  return broadside::distance(t.a.shape, t.a.at, t.b.shape, t.b.at);
}
std::optional<Hit> cast(const Two& t, Vec2 motion) {
  return broadside::cast(t.a.shape, t.a.at, motion, t.b.shape, t.b.at);
}
Two swap(const Two& t) {
  return {t.family, t.b, t.a};
}

/// Returns the length that tolerances are relative to: sizes and positions. Floats far from the origin are
/// coarse.
double scale_of(const Two& t) {
  const auto far = [](const Standing& s) {
    const Aabb box = bounds(s.shape, s.at);
    double most = 0.0;
    for (const float side : {box.min.x, box.min.y, box.max.x, box.max.y}) {
      most = std::max(most, std::abs(static_cast<double>(side)));
    }
    return most;
  };
  return std::max(far(t.a), far(t.b));
}

/// A little more than half of the distance between neighboring floats, relative to the number.
constexpr double float_rounding = 1e-7;
/// For sums and products in double.
constexpr double double_rounding = 1e-14;

double product(Vec2 a, Vec2 b) {
  return static_cast<double>(a.x) * static_cast<double>(b.x) +
         static_cast<double>(a.y) * static_cast<double>(b.y);
}

bool is_unit(Vec2 v) {
  return std::abs(product(v, v) - 1.0) < 1e-6;
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

/// Returns whether both shapes are the same points of the world: then no side is preferred.
bool have_same_points(const Two& two) {
  const TrueShape a = truth_of(two.a.shape, two.a.at);
  const TrueShape b = truth_of(two.b.shape, two.b.at);
  const long double rounding = 0x1p-50L * std::max(a.reach(), b.reach());
  const auto is_corner_of = [rounding](const TrueShape& shape) {
    return [rounding, &shape](TruePoint point) {
      return std::ranges::any_of(shape.corners, [&](TruePoint corner) {
        return std::fabs(corner.x - point.x) <= rounding && std::fabs(corner.y - point.y) <= rounding;
      });
    };
  };
  return a.radius == b.radius && std::ranges::all_of(a.corners, is_corner_of(b)) &&
         std::ranges::all_of(b.corners, is_corner_of(a));
}

RC_GTEST_PROP(Convex, all_answers_agree, ()) {
  for_random_pairs([](const Two& two, Random& random) {
    const bool touching = overlaps(two);
    RC_ASSERT(collide(two).touching() == touching);
    RC_ASSERT((distance(two).distance == 0.0F) == touching);
    const float size = static_cast<float>(size_of(two.a) + size_of(two.b));
    const Vec2 motion{random.between(-size, size), random.between(-size, size)};
    const auto hit = cast(two, motion);
    RC_ASSERT((hit && hit->fraction == 0.0F) == touching);
    RC_ASSERT(cast(two, {}).has_value() == touching);
    if (touching) {
      RC_ASSERT(broadside::overlaps(bounds(two.a.shape, two.a.at), bounds(two.b.shape, two.b.at)));
    }
  });
}

RC_GTEST_PROP(Convex, swapping_turns_the_normal_and_nothing_else, ()) {
  for_random_pairs([](const Two& two, Random& random) {
    const Two swapped = swap(two);
    RC_ASSERT(overlaps(two) == overlaps(swapped));
    const Manifold there = collide(two);
    const Manifold back = collide(swapped);
    const bool ties = have_same_points(two);
    RC_ASSERT(ties || same_bits(there.normal, turned(back.normal)));
    RC_ASSERT(there.size == back.size);
    for (std::size_t i = 0; i < there.size; ++i) {
      RC_ASSERT(same_bits(there.points[i].position, back.points[i].position));
      RC_ASSERT(same_bits(there.points[i].separation, back.points[i].separation));
      RC_ASSERT(there.points[i].feature == back.points[i].feature);
    }
    const Distance far = distance(two);
    const Distance near = distance(swapped);
    RC_ASSERT(same_bits(far.distance, near.distance));
    RC_ASSERT(same_bits(far.point_a, near.point_b));
    RC_ASSERT(same_bits(far.point_b, near.point_a));
    RC_ASSERT(ties || same_bits(far.normal, turned(near.normal)));

    const float size = static_cast<float>(size_of(two.a) + size_of(two.b));
    const Vec2 motion{random.between(-size, size), random.between(-size, size)};
    const auto hit = cast(two, motion);
    const auto other = cast(swapped, turned(motion));
    RC_ASSERT(hit.has_value() == other.has_value());
    if (hit) {
      RC_ASSERT(same_bits(hit->fraction, other->fraction));
      RC_ASSERT(ties || same_bits(hit->normal, turned(other->normal)));
    }
  });
}

RC_GTEST_PROP(Convex, agrees_with_the_sweep_of_all_directions, ()) {
  for_random_pair([](const Two& two) {
    const Sweep truth = sweep(two.a, two.b);
    const auto separation = static_cast<double>(truth.separation);
    const double sizes = size_of(two.a) + size_of(two.b);
    const double rounding = 1e-9 * sizes + double_rounding * scale_of(two);
    const Distance found = distance(two);
    if (separation > rounding) {
      RC_ASSERT(!overlaps(two));
      RC_ASSERT(std::abs(static_cast<double>(found.distance) - separation) <=
                rounding + float_rounding * separation);
      return;
    }
    if (separation < -rounding) {
      RC_ASSERT(overlaps(two));
    }
    if (overlaps(two)) {
      // The normal is that of least penetration: no other separates the shapes by a shorter motion, except
      // for the slack in its choice.
      const Manifold manifold = collide(two);
      const auto x = static_cast<long double>(manifold.normal.x);
      const auto y = static_cast<long double>(manifold.normal.y);
      const auto along = static_cast<double>(-support(two.b, -x, -y) - support(two.a, x, y));
      const double slack = 1e-5 * std::min(size_of(two.a), size_of(two.b)) + 2e-7 * sizes +
                           4.0 * float_rounding * scale_of(two);
      RC_ASSERT(along >= separation - slack);
    }
  });
}

RC_GTEST_PROP(Convex, manifolds_are_sound, ()) {
  for_random_pairs([](const Two& two, Random&) {
    const Manifold manifold = collide(two);
    if (!manifold.touching()) {
      RC_ASSERT(manifold.normal == Vec2{});
      return;
    }
    RC_ASSERT(is_unit(manifold.normal));
    RC_ASSERT(manifold.size <= 2);
    for (const ManifoldPoint& point : manifold.in_use()) {
      RC_ASSERT(point.separation <= 0.0F);
      // Halfway between the surfaces: outside of either by at most half of the depth.
      const double room = -0.5 * static_cast<double>(point.separation) +
                          1e-6 * (size_of(two.a) + size_of(two.b)) + 4.0 * float_rounding * scale_of(two);
      for (const Standing& s : {two.a, two.b}) {
        const Standing spot{Circle{{}, 0.0F}, Transform{point.position, {}}};
        RC_ASSERT(static_cast<double>(distance({two.family, s, spot}).distance) <= room);
      }
    }
    if (manifold.size == 2) {
      RC_ASSERT(manifold.points[0].feature != manifold.points[1].feature);
      RC_ASSERT(manifold.points[0].feature < (1U << 24U));
    }
  });
}

RC_GTEST_PROP(Convex, closest_points_lie_on_both_shapes, ()) {
  for_random_pairs([](const Two& two, Random&) {
    const Distance found = distance(two);
    RC_ASSERT(is_unit(found.normal));
    const double sizes = size_of(two.a) + size_of(two.b);
    const double rounding = 1e-6 * sizes + 4.0 * float_rounding * scale_of(two);
    const Standing spot_a{Circle{{}, 0.0F}, Transform{found.point_a, {}}};
    const Standing spot_b{Circle{{}, 0.0F}, Transform{found.point_b, {}}};
    RC_ASSERT(static_cast<double>(distance({two.family, two.a, spot_a}).distance) <= rounding);
    RC_ASSERT(static_cast<double>(distance({two.family, two.b, spot_b}).distance) <= rounding);
    const double x = static_cast<double>(found.point_b.x) - static_cast<double>(found.point_a.x);
    const double y = static_cast<double>(found.point_b.y) - static_cast<double>(found.point_a.y);
    const auto length = static_cast<double>(found.distance);
    RC_ASSERT(std::abs(x - length * static_cast<double>(found.normal.x)) <=
              rounding + float_rounding * length);
    RC_ASSERT(std::abs(y - length * static_cast<double>(found.normal.y)) <=
              rounding + float_rounding * length);
  });
}

// Transformations of both shapes that keep every number exact, and how they change a vector.

Vec2 quarter(Vec2 v) {
  return {-v.y, v.x};
}
Standing quarter(const Standing& s) {
  return {s.shape, {quarter(s.at.position), {-s.at.rotation.sin, s.at.rotation.cos}}};
}

Vec2 mirror(Vec2 v) {
  return {-v.x, v.y};
}
Rotation mirror(Rotation r) {
  return {r.cos, -r.sin};
}

Vec2 scaled(Vec2 v, float by) {
  return {v.x * by, v.y * by};
}

Polygon each_vertex(const Polygon& s, float radius, Vec2 (*change)(Vec2)) {
  std::vector<Vec2> points;
  for (const Vec2 v : s.vertices()) {
    points.push_back(change(v));
  }
  return Polygon::hull(points, radius).value();
}

struct Mirrored {
  Shape operator()(const Circle& s) const { return Circle{mirror(s.center), s.radius}; }
  Shape operator()(const Box& s) const {
    return Box::of_half_size(s.half_size, mirror(s.center), mirror(s.rotation));
  }
  Shape operator()(const Capsule& s) const { return Capsule{mirror(s.a), mirror(s.b), s.radius}; }
  Shape operator()(const Segment& s) const { return Segment{mirror(s.a), mirror(s.b)}; }
  Shape operator()(const Polygon& s) const {
    return each_vertex(s, s.radius(), [](Vec2 v) { return mirror(v); });
  }
  Shape operator()(const Mask& s) const { return s; }
};

constexpr float larger = 0x1p7F;

struct Larger {
  Shape operator()(const Circle& s) const { return Circle{scaled(s.center, larger), larger * s.radius}; }
  Shape operator()(const Box& s) const {
    return Box::of_half_size(scaled(s.half_size, larger), scaled(s.center, larger), s.rotation);
  }
  Shape operator()(const Capsule& s) const {
    return Capsule{scaled(s.a, larger), scaled(s.b, larger), larger * s.radius};
  }
  Shape operator()(const Segment& s) const { return Segment{scaled(s.a, larger), scaled(s.b, larger)}; }
  Shape operator()(const Polygon& s) const {
    return each_vertex(s, larger * s.radius(), [](Vec2 v) { return scaled(v, larger); });
  }
  Shape operator()(const Mask& s) const { return s; }
};

/// Returns whether the verdict is certain: within rounding of 0 it may change if the picture is rotated.
bool is_clear(const Two& two) {
  const double separation = static_cast<double>(sweep(two.a, two.b).separation);
  return std::abs(separation) > 1e-9 * (size_of(two.a) + size_of(two.b)) + 1e-12 * scale_of(two);
}

/// Compares the answers before and after a transformation of both shapes that scales lengths by a factor.
void expect_same(const Two& before, const Two& after, double factor) {
  const bool exact = before.family == Family::lattice;
  if (!exact && !is_clear(before)) {
    return;
  }
  RC_ASSERT(overlaps(before) == overlaps(after));
  const double rounding = factor * (1e-5 * std::min(size_of(before.a), size_of(before.b)) +
                                    4.0 * float_rounding * scale_of(before));
  const auto was = static_cast<double>(distance(before).distance);
  const auto is = static_cast<double>(distance(after).distance);
  RC_ASSERT(std::abs(factor * was - is) <= rounding + factor * float_rounding * was);
}

RC_GTEST_PROP(Convex, a_quarter_turn_of_both_changes_nothing, ()) {
  for_random_pair([](const Two& two) {
    expect_same(two, {two.family, quarter(two.a), quarter(two.b)}, 1.0);
  });
}

RC_GTEST_PROP(Convex, a_mirror_image_touches_as_well, ()) {
  for_random_pair([](const Two& two) {
    const auto image = [](const Standing& s) {
      return Standing{std::visit(Mirrored{}, s.shape), {mirror(s.at.position), mirror(s.at.rotation)}};
    };
    expect_same(two, {two.family, image(two.a), image(two.b)}, 1.0);
  });
}

RC_GTEST_PROP(Convex, a_larger_picture_has_larger_distances, ()) {
  for_random_pairs([](const Two& two, Random&) {
    if (two.family == Family::tiny || two.family == Family::huge) {
      return;
    }
    const auto image = [](const Standing& s) {
      return Standing{std::visit(Larger{}, s.shape), {scaled(s.at.position, larger), s.at.rotation}};
    };
    const Two after{two.family, image(two.a), image(two.b)};
    // Powers of two change no bit of the results; only the hull may choose other corners on a line.
    const bool has_polygon =
        std::holds_alternative<Polygon>(two.a.shape) || std::holds_alternative<Polygon>(two.b.shape);
    if (!has_polygon) {
      const Manifold was = collide(two);
      const Manifold is = collide(after);
      RC_ASSERT(was.size == is.size);
      RC_ASSERT(was.normal == is.normal);
      for (std::size_t i = 0; i < was.size; ++i) {
        RC_ASSERT(larger * was.points[i].separation == is.points[i].separation);
        RC_ASSERT(was.points[i].feature == is.points[i].feature);
      }
      RC_ASSERT(overlaps(two) || larger * distance(two).distance == distance(after).distance);
    } else {
      RC_ASSERT(overlaps(two) == overlaps(after));
    }
  });
}

RC_GTEST_PROP(Convex, moving_both_along_the_lattice_changes_nothing, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  for (int i = 0; i < 100; ++i) {
    const Two two{Family::lattice, random_standing(Family::lattice, random),
                  random_standing(Family::lattice, random)};
    const Vec2 by{0.5F * static_cast<float>(random.below(4000)),
                  -0.5F * static_cast<float>(random.below(4000))};
    Two after = two;
    after.a.at.position = two.a.at.position + by;
    after.b.at.position = two.b.at.position + by;
    const Manifold was = collide(two);
    const Manifold is = collide(after);
    RC_ASSERT(was.normal == is.normal);
    RC_ASSERT(was.size == is.size);
    for (std::size_t k = 0; k < was.size; ++k) {
      RC_ASSERT(was.points[k].separation == is.points[k].separation);
      RC_ASSERT(was.points[k].feature == is.points[k].feature);
    }
    RC_ASSERT(distance(two).distance == distance(after).distance);
  }
}

}  // namespace
}  // namespace broadside::test::properties_test
