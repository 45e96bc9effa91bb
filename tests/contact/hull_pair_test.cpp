// The quick answers for boxes, lines and polygons, against those of the engine that takes all shapes.

#include <hwy/targets.h>

#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include "contact/convex_pairs.hpp"
#include "contact/hull_pair.hpp"
#include "contact/order.hpp"
#include "contact/to_vec2.hpp"
#include "random_shapes.hpp"

namespace broadside {
namespace {

using test::Family;
using test::Random;
using test::Standing;

constexpr std::size_t box = 1;
constexpr std::size_t capsule = 2;
constexpr std::size_t segment = 3;
constexpr std::size_t polygon = 4;

constexpr std::pair<std::size_t, std::size_t> kinds[] = {{box, capsule},     {box, segment},
                                                         {box, polygon},     {capsule, polygon},
                                                         {segment, polygon}, {polygon, polygon}};

void place(const Standing& standing, Vec2 anchor, detail::Convex& placed) {
  std::visit(
      [&](const auto& shape) {
        if constexpr (detail::is_convex<std::decay_t<decltype(shape)>>) {
          detail::place(shape, standing.at, detail::to_point(anchor), placed);
        }
      },
      standing.shape);
}

/// What `collide` said before there were quick answers, where the order of the shapes is told by their kind
/// or by where they stand.
Manifold collide_slowly(const Standing& a, const Standing& b) {
  const Vec2 p = a.at.position;
  const Vec2 q = b.at.position;
  const Vec2 anchor = p.x < q.x || (p.x == q.x && p.y < q.y) ? p : q;
  const bool swapped = a.shape.index() != b.shape.index()
                           ? b.shape.index() < a.shape.index()
                           : detail::order(detail::to_point(q) - detail::to_point(p)) < 0.0;
  detail::Convex first;
  detail::Convex second;
  place(swapped ? b : a, anchor, first);
  place(swapped ? a : b, anchor, second);
  const detail::ConvexManifold found = detail::collide(first, second);
  Manifold manifold;
  manifold.normal = detail::to_direction(swapped ? -1.0 * found.normal : found.normal);
  manifold.size = found.size;
  for (std::uint32_t i = 0; i < found.size; ++i) {
    const detail::ConvexPoint& point = found.points[i];
    manifold.points[i] = {detail::to_vec2(detail::to_point(anchor) + point.position),
                          detail::to_number(point.separation), point.feature};
  }
  return manifold;
}

bool are_same(const Manifold& a, const Manifold& b) {
  return a.normal == b.normal && a.points == b.points && a.size == b.size;
}

struct Count {
  int pairs = 0;
  int sure = 0;
  int touching = 0;
};

/// Checks the quick answers of a pair, where there are any.
void check(const Standing& a, const Standing& b, Count& count) {
  Manifold quick;
  const detail::Answer answer = detail::collide_hulls(a.shape, a.at, b.shape, b.at, quick);
  const detail::Answer touch = detail::touch_hulls(a.shape, a.at, b.shape, b.at);
  const Manifold slow = collide_slowly(a, b);
  if (answer != detail::Answer::unsure) {
    ++count.sure;
    ASSERT_EQ(answer == detail::Answer::touching, slow.touching()) << to_text(a) << "\n" << to_text(b);
  }
  if (answer == detail::Answer::touching) {
    ++count.touching;
    ASSERT_TRUE(are_same(quick, slow)) << to_text(a) << "\n" << to_text(b);
    ASSERT_TRUE(overlaps(bounds(a.shape, a.at), bounds(b.shape, b.at)));
  }
  if (touch != detail::Answer::unsure) {
    ASSERT_EQ(touch == detail::Answer::touching, slow.touching()) << to_text(a) << "\n" << to_text(b);
  }
  ++count.pairs;
}

Count check_random_pairs(Family family, int pairs, std::uint64_t seed) {
  Random random(seed);
  Count count;
  for (const auto& [one, other] : kinds) {
    for (int i = 0; i < pairs; ++i) {
      const Standing a{test::random_shape(family, one, random), test::random_transform(family, random)};
      const Standing b{test::random_shape(family, other, random), test::random_transform(family, random)};
      check(a, b, count);
      check(b, a, count);
      if (testing::Test::HasFatalFailure()) {
        return count;
      }
    }
  }
  return count;
}

TEST(HullPair, quick_answers_are_those_of_the_engine_to_the_bit) {
  for (const Family family : test::families) {
    check_random_pairs(family, 500, 1);
  }
}

TEST(HullPair, quick_answers_are_the_same_with_every_instruction_set) {
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    hwy::SetSupportedTargetsForTest(rest & -rest);
    SCOPED_TRACE(hwy::TargetName(rest & -rest));
    check_random_pairs(Family::ordinary, 200, 2);
    check_random_pairs(Family::lattice, 200, 3);
    hwy::SetSupportedTargetsForTest(0);
  }
}

TEST(HullPair, most_answers_are_quick) {
  const Count count = check_random_pairs(Family::ordinary, 300, 4);
  EXPECT_GE(count.sure, count.pairs - count.pairs / 100);
  EXPECT_GE(count.touching, count.pairs / 5);
}

TEST(HullPair, quick_answers_hold_where_shapes_just_touch_rest_on_each_other_or_stand_in_line) {
  const Polygon octagon =
      Polygon::hull(
          std::array<Vec2, 8>{{{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}}})
          .value();
  const Polygon house =
      Polygon::hull(std::array<Vec2, 5>{{{-1, -1}, {1, -1}, {1, 1}, {0, 2}, {-1, 1}}}, 0.5F).value();
  const Shape shapes[] = {Box{{2, 1}, {}, {}},
                          Box{{1, 1}, {0.5F, 0}, Rotation::by(0.785398F)},
                          Capsule{{-1, 0}, {1, 0}, 0.5F},
                          Segment{{-2, -1}, {1, 2}},
                          octagon,
                          house};
  constexpr float nudges[] = {0.0F, 1e-7F, -1e-7F, 1e-5F, -1e-5F, 0.25F};
  Count count;
  for (const Shape& one : shapes) {
    for (const Shape& other : shapes) {
      const bool are_taken = std::any_of(std::begin(kinds), std::end(kinds), [&](const auto& kind) {
        return kind == std::pair{std::min(one.index(), other.index()), std::max(one.index(), other.index())};
      });
      for (int x = -8; x <= 8 && are_taken; ++x) {
        for (int y = -8; y <= 8; ++y) {
          for (const float nudge : nudges) {
            const Vec2 way{0.5F * static_cast<float>(x), 0.5F * static_cast<float>(y) + nudge};
            if (detail::order(detail::to_point(way)) == 0.0) {
              continue;  // the order is told by numbers that this test does not look at
            }
            for (const float angle : {0.0F, 1.5707964F, nudge}) {
              check({one, {{}, Rotation{}}}, {other, {way, Rotation::by(angle)}}, count);
              ASSERT_FALSE(HasFatalFailure());
            }
          }
        }
      }
    }
  }
  EXPECT_GE(count.touching, count.pairs / 5);
}

TEST(HullPair, quick_answers_hold_near_the_largest_float) {
  Count count;
  for (const float size : {1e36F, 1e37F, 1e38F, 2.5e38F}) {
    const Polygon triangle =
        Polygon::hull(std::array<Vec2, 3>{{{-size, -size}, {size, 0}, {0, size}}}).value();
    const Shape shapes[] = {Box{{size, 0.5F * size}, {}, {}}, Capsule{{-size, 0}, {size, 0}, 0.5F * size},
                            Segment{{-size, 0}, {size, size}}, triangle};
    for (const auto& [one, other] : kinds) {
      for (const float far : {0.0F, 1e37F, 1e38F, 3.3e38F}) {
        for (const float way : {0.25F, 0.75F, 1.25F}) {
          const Standing a{shapes[one - box], {{far, -far}, Rotation::by(0.25F)}};
          const Standing b{shapes[other - box], {{far - way * size, 0.5F * way * size - far}, Rotation{}}};
          check(a, b, count);
          check(b, a, count);
          ASSERT_FALSE(HasFatalFailure());
        }
      }
    }
  }
  EXPECT_GT(count.touching, 0);
}

TEST(HullPair, there_is_no_quick_answer_to_numbers_that_are_none) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Shape good = Box{{1, 1}, {}, {}};
  Manifold manifold;
  for (const float bad : {infinity, -infinity, nan}) {
    for (const Shape& shape : {Shape(Capsule{{bad, 0}, {1, 0}, 1}), Shape(Capsule{{0, 0}, {1, 0}, bad}),
                               Shape(Segment{{0, bad}, {1, 0}}), Shape(Segment{{0, 0}, {0, bad}})}) {
      EXPECT_EQ(detail::collide_hulls(good, {}, shape, {}, manifold), detail::Answer::unsure);
    }
    const Shape line = Segment{{-1, 0}, {1, 0}};
    for (const Transform& at : {Transform{{bad, 0}, {}}, Transform{{0, bad}, {}}, Transform{{}, {bad, 0}},
                                Transform{{}, {0, bad}}}) {
      EXPECT_EQ(detail::collide_hulls(good, at, line, {}, manifold), detail::Answer::unsure);
      EXPECT_EQ(detail::collide_hulls(good, {}, line, at, manifold), detail::Answer::unsure);
    }
    EXPECT_EQ(detail::collide_hulls(Box{{bad, 1}, {}, {}}, {}, line, {}, manifold), detail::Answer::unsure);
    EXPECT_EQ(detail::collide_hulls(Box{{1, 1}, {bad, 0}, {}}, {}, line, {}, manifold),
              detail::Answer::unsure);
  }
  EXPECT_EQ(detail::collide_hulls(good, {}, Capsule{{0, 0}, {1, 0}, -1}, {}, manifold),
            detail::Answer::unsure);
  EXPECT_EQ(detail::collide_hulls(Box{{-1, -1}, {}, {}}, {}, Segment{{-1, 0}, {1, 0}}, {}, manifold),
            detail::Answer::unsure);
}

}  // namespace
}  // namespace broadside
