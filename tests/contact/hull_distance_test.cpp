// The quick distances and casts of boxes, lines and polygons, against those of the engine that takes all
// shapes.

#include <hwy/targets.h>

#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "contact/box_pair.hpp"
#include "contact/hull_cast.hpp"
#include "contact/hull_pair.hpp"
#include "contact/placed.hpp"
#include "random_shapes.hpp"

namespace broadside {
namespace {

using detail::Answer;
using test::Family;
using test::Random;
using test::Standing;

constexpr std::size_t box = 1;
constexpr std::size_t capsule = 2;
constexpr std::size_t segment = 3;
constexpr std::size_t polygon = 4;

using Kinds = std::pair<std::size_t, std::size_t>;
constexpr Kinds of_hulls[] = {{box, box},         {box, capsule},     {box, segment},    {box, polygon},
                              {capsule, polygon}, {segment, polygon}, {polygon, polygon}};
constexpr Kinds of_lines[] = {{capsule, capsule}, {capsule, segment}, {segment, segment}};

struct Moving {
  Standing a;
  Vec2 motion;
  Standing b;
};

Moving random_moving(Family family, std::size_t kind_a, std::size_t kind_b, Random& random) {
  const Standing a{test::random_shape(family, kind_a, random), test::random_transform(family, random)};
  const Standing b{test::random_shape(family, kind_b, random), test::random_transform(family, random)};
  // To about where the other is.
  const Vec2 beyond = test::random_transform(family, random).position - a.at.position;
  return {a, b.at.position - a.at.position + 0.5F * beyond, b};
}

/// Returns how large the numbers are that take part.
double lengths_of(const Moving& two) {
  return detail::reach_of(two.a.at, two.b.at) +
         static_cast<double>(std::fabs(two.motion.x) + std::fabs(two.motion.y)) +
         detail::reach_of({bounds(two.a.shape, two.a.at).max, {}}, {bounds(two.b.shape, two.b.at).max, {}});
}

/// Calls `check` with pairs of some kinds.
template <class Check>
void for_pairs(std::span<const Kinds> kinds, Family family, int pairs, std::uint64_t seed, Check check) {
  Random random(seed);
  for (const auto& [one, other] : kinds) {
    for (int i = 0; i < pairs && !testing::Test::HasFatalFailure(); ++i) {
      check(random_moving(family, one, other, random));
    }
  }
}

/// The quick answer, by the kernel that two shapes have.
Answer quick_distance(const Standing& a, const Standing& b, Distance& found) {
  if (a.shape.index() != box || b.shape.index() != box) {
    return detail::distance_of_hulls(a.shape, a.at, b.shape, b.at, found);
  }
  detail::BoxDistance boxes;
  if (!detail::find_distance(std::get<Box>(a.shape), a.at, std::get<Box>(b.shape), b.at, boxes) ||
      !detail::is_clearly_apart(std::abs(boxes.distance), boxes.reach + detail::reach_of(a.at, b.at))) {
    return Answer::unsure;
  }
  found = {static_cast<float>(std::max(boxes.distance, 0.0)), detail::to_vec2(boxes.point_a),
           detail::to_vec2(boxes.point_b), detail::to_direction(boxes.normal)};
  return boxes.distance > 0.0 ? Answer::apart : Answer::touching;
}

struct Count {
  int pairs = 0;
  int sure = 0;
};

Count check_distances(Family family, int pairs, std::uint64_t seed) {
  Count count;
  for_pairs(of_hulls, family, pairs, seed, [&](const Moving& two) {
    ++count.pairs;
    Distance quick;
    const Answer answer = quick_distance(two.a, two.b, quick);
    if (answer == Answer::unsure) {
      return;
    }
    ++count.sure;
    const detail::Placed placed(two.a.shape, two.a.at, two.b.shape, two.b.at);
    const detail::ConvexDistance slow = detail::distance(placed.first(), placed.second());
    const std::string text = to_text(two.a) + "\n" + to_text(two.b);
    const double rounding = 1e-6 * lengths_of(two);
    ASSERT_EQ(answer == Answer::apart, slow.distance > 0.0) << text;
    ASSERT_NEAR(quick.distance, slow.distance, 1e-7 * slow.distance + 1e-9 * lengths_of(two)) << text;
    if (answer == Answer::apart) {
      const auto way = quick.point_b - quick.point_a;
      const auto length = static_cast<double>(quick.distance);
      ASSERT_NEAR(static_cast<double>(way.x), length * static_cast<double>(quick.normal.x), rounding) << text;
      ASSERT_NEAR(static_cast<double>(way.y), length * static_cast<double>(quick.normal.y), rounding) << text;
    } else {
      ASSERT_EQ(quick.normal, collide(two.a.shape, two.a.at, two.b.shape, two.b.at).normal) << text;
      ASSERT_EQ(quick.point_a, quick.point_b);
    }
    for (const auto& [point, standing] :
         {std::pair(quick.point_a, &two.a), std::pair(quick.point_b, &two.b)}) {
      ASSERT_LE(distance(Circle{}, {point, {}}, standing->shape, standing->at).distance, rounding) << text;
    }
  });
  return count;
}

Count check_casts(std::span<const Kinds> kinds, Family family, int pairs, std::uint64_t seed) {
  Count count;
  for_pairs(kinds, family, pairs, seed, [&](const Moving& two) {
    ++count.pairs;
    CastHit quick;
    const detail::Point motion = detail::to_point(two.motion);
    const Answer answer = detail::cast_hulls(two.a.shape, two.a.at, motion, two.b.shape, two.b.at, quick);
    if (answer == Answer::unsure) {
      return;
    }
    ++count.sure;
    const detail::Placed placed(two.a.shape, two.a.at, two.b.shape, two.b.at);
    const auto slow = detail::cast(placed.first(), detail::sign(placed.swapped()) * motion, placed.second());
    const std::string text = to_text(two.a) + "\n" + to_text(two.b) + "\n" + std::to_string(two.motion.x) +
                             " " + std::to_string(two.motion.y);
    ASSERT_EQ(answer == Answer::touching, slow.has_value()) << text;
    ASSERT_GT(distance(two.a.shape, two.a.at, two.b.shape, two.b.at).distance, 0.0F) << text;
    if (slow) {
      const double rounding = 1e-6 * lengths_of(two);
      ASSERT_NEAR(quick.time, slow->time, 1e-6) << text;
      const Vec2 normal = placed.from_a(slow->normal);
      ASSERT_NEAR(quick.normal.x, normal.x, 1e-5) << text;
      ASSERT_NEAR(quick.normal.y, normal.y, 1e-5) << text;
      ASSERT_LE(distance(Circle{}, {quick.point, {}}, two.b.shape, two.b.at).distance, rounding) << text;
    }
  });
  return count;
}

TEST(HullDistance, quick_answers_are_those_of_the_engine) {
  for (const Family family : test::families) {
    SCOPED_TRACE(name(family));
    check_distances(family, 1000, 1);
  }
}

TEST(HullDistance, most_answers_are_quick) {
  const Count count = check_distances(Family::ordinary, 300, 2);
  EXPECT_GE(count.sure, count.pairs - count.pairs / 25);  // not all that are deep inside each other
}

TEST(HullCast, quick_answers_are_those_of_the_engine) {
  for (const Family family : test::families) {
    SCOPED_TRACE(name(family));
    check_casts(of_hulls, family, 1000, 3);
    check_casts(of_lines, family, 1000, 4);
  }
}

TEST(HullCast, most_answers_are_quick_where_they_do_not_touch_at_the_start) {
  Count count;
  for_pairs(of_hulls, Family::ordinary, 300, 4, [&](const Moving& two) {
    if (overlaps(two.a.shape, two.a.at, two.b.shape, two.b.at)) {
      return;
    }
    CastHit hit;
    ++count.pairs;
    count.sure += detail::cast_hulls(two.a.shape, two.a.at, detail::to_point(two.motion), two.b.shape,
                                     two.b.at, hit) != Answer::unsure;
  });
  EXPECT_GE(count.sure, count.pairs - count.pairs / 50);
  EXPECT_GE(count.pairs, 500);
}

std::vector<std::uint32_t> bits_of_all(Family family) {
  std::vector<std::uint32_t> bits;
  const auto add = [&](auto... numbers) { (bits.push_back(std::bit_cast<std::uint32_t>(numbers)), ...); };
  for_pairs(of_hulls, family, 300, 5, [&](const Moving& two) {
    const Distance d = distance(two.a.shape, two.a.at, two.b.shape, two.b.at);
    add(d.distance, d.point_a.x, d.point_a.y, d.point_b.x, d.point_b.y, d.normal.x, d.normal.y);
    const auto hit = cast(two.a.shape, two.a.at, two.motion, two.b.shape, two.b.at);
    const CastHit h = hit.value_or(CastHit{-1.0F, {}, {}});
    add(h.time, h.point.x, h.point.y, h.normal.x, h.normal.y);
  });
  return bits;
}

TEST(HullDistance, all_bits_are_the_same_with_every_instruction_set) {
  for (const Family family : test::families) {
    SCOPED_TRACE(name(family));
    const std::vector<std::uint32_t> best = bits_of_all(family);
    for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
      hwy::SetSupportedTargetsForTest(rest & -rest);
      SCOPED_TRACE(hwy::TargetName(rest & -rest));
      EXPECT_EQ(bits_of_all(family), best);
      hwy::SetSupportedTargetsForTest(0);
    }
  }
}

TEST(HullDistance, rows_and_stacks_have_the_distance_between_their_faces) {
  const Polygon square = Polygon::hull(std::array<Vec2, 4>{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}}).value();
  const Shape shapes[] = {Box{{1, 1}, {}, {}}, square, Segment{{-1, 1}, {1, 1}},
                          Capsule{{-1, 0.5F}, {1, 0.5F}, 0.5F}};
  for (const Shape& low : shapes) {
    for (const float x : {-1.5F, -0.25F, 0.0F, 0.5F, 2.0F}) {
      for (const Shape& high : {shapes[0], shapes[1]}) {
        const Distance found = distance(low, {}, high, {{x, 2.5F}, {}});
        EXPECT_EQ(found.distance, 0.5F);
        EXPECT_EQ(found.normal, (Vec2{0, 1}));
        const auto hit = cast(high, {{x, 2.5F}, {}}, {0, -1}, low, {});
        ASSERT_TRUE(hit.has_value());
        EXPECT_EQ(hit->time, 0.5F);
        EXPECT_EQ(hit->normal, (Vec2{0, -1}));
      }
    }
  }
}

}  // namespace
}  // namespace broadside
