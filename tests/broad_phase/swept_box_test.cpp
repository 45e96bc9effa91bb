#include "broad_phase/swept_box.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "boxes.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/contact/collide.hpp"

namespace broadside::detail::swept_box_test {
namespace {

using test::Random;

/// A box that moves, at any scale and in any direction; a third of them are points.
struct Moving {
  Aabb start;
  Vec2 motion;
  float scale;

  explicit Moving(Random& random) : scale(std::ldexp(1.0F, static_cast<int>(random.below(200)) - 100)) {
    const auto length = [&](float most) { return scale * random.between(0.0F, most); };
    const Vec2 corner{scale * random.between(-10, 10), scale * random.between(-10, 10)};
    const bool is_point = random.below(3) == 0;
    start = {corner, corner + (is_point ? Vec2{} : Vec2{length(3), length(3)})};
    const auto along = [&] {
      return random.below(5) == 0
                 ? 0.0F
                 : scale * std::ldexp(random.between(-1, 1), static_cast<int>(random.below(8)));
    };
    motion = {along(), along()};
  }

  /// Returns the box after a part of the motion, rounded inwards by no more than a float is exact.
  [[nodiscard]] Aabb at(double time) const {
    const auto move = [time](float from, float by) {
      return static_cast<float>(static_cast<double>(from) + time * static_cast<double>(by));
    };
    return {{move(start.min.x, motion.x), move(start.min.y, motion.y)},
            {move(start.max.x, motion.x), move(start.max.y, motion.y)}};
  }
};

double drawn_time(Random& random) {
  const std::uint32_t kind = random.below(10);
  return kind == 0 ? 0.0 : kind == 1 ? 1.0 : static_cast<double>(random.unit());
}

/// Returns whether boxes overlap by clearly more than rounding.
bool overlap_clearly(const Aabb& a, const Aabb& b, float margin) {
  return a.min.x + margin <= b.max.x && b.min.x + margin <= a.max.x && a.min.y + margin <= b.max.y &&
         b.min.y + margin <= a.max.y;
}

TEST(SweptBox, enters_a_box_no_later_than_any_time_at_which_they_overlap) {
  Random random(20261134);
  int hits = 0;
  int misses = 0;
  for (int round = 0; round < 100000; ++round) {
    const Moving moving(random);
    const SweptBox path(moving.start, moving.motion);
    const Vec2 corner{moving.scale * random.between(-12, 12), moving.scale * random.between(-12, 12)};
    const Aabb box{corner, corner + moving.scale * Vec2{random.between(0, 4), random.between(0, 4)}};
    const double entry = path.entry(box);
    ASSERT_TRUE((entry >= 0.0 && entry <= 1.0) || entry == SweptBox::never);
    const float margin = 1e-4F * moving.scale;
    const double time = drawn_time(random);
    if (overlap_clearly(moving.at(time), box, margin)) {
      ASSERT_LE(entry, time) << round;
      ++hits;
    }
    if (entry == SweptBox::never) {
      ASSERT_FALSE(overlap_clearly(moving.at(time), box, margin)) << round;
      ++misses;
    } else {
      const Aabb then = moving.at(entry);
      const Aabb wider{then.min - Vec2{margin, margin}, then.max + Vec2{margin, margin}};
      ASSERT_TRUE(overlaps(wider, box)) << round;
    }
  }
  EXPECT_GT(hits, 1000);
  EXPECT_GT(misses, 10000);
}

TEST(SweptBox, has_bounds_that_contain_it_between_two_times) {
  Random random(20261135);
  for (int round = 0; round < 50000; ++round) {
    const Moving moving(random);
    const SweptBox path(moving.start, moving.motion);
    double from = drawn_time(random);
    double to = drawn_time(random);
    if (from > to) {
      std::swap(from, to);
    }
    const Aabb bounds = path.bounds(from, to);
    const Aabb box = moving.at(from + (to - from) * drawn_time(random));
    ASSERT_TRUE(bounds.min.x <= box.min.x && bounds.min.y <= box.min.y && bounds.max.x >= box.max.x &&
                bounds.max.y >= box.max.y)
        << round;
  }
}

TEST(SweptBox, is_in_a_row_between_the_times_at_which_it_enters_and_leaves_it) {
  Random random(20261136);
  int inside = 0;
  for (int round = 0; round < 100000; ++round) {
    const Moving moving(random);
    if (moving.motion.y == 0.0F) {
      continue;
    }
    const SweptBox path(moving.start, moving.motion);
    const double low = static_cast<double>(moving.scale * random.between(-20, 20));
    const double pitch = static_cast<double>(moving.scale * random.between(0.01F, 3));
    const double size = pitch * static_cast<double>(random.between(1, 2));
    const SweptBox::RowTimes times = path.rise(low, pitch, size);
    ASSERT_LE(times.first_in, times.first_out);
    const double row = static_cast<double>(random.below(21)) - 10.0;
    const double time = drawn_time(random);
    const Aabb box = moving.at(time);
    const double begin = low + row * pitch;
    if (static_cast<double>(box.max.y) >= begin && static_cast<double>(box.min.y) <= begin + size) {
      // Far rows are rounded by a little more than the slack of the path.
      const double rounding = 1e-6 * (1.0 + std::abs(row * times.step));
      ASSERT_LE(times.first_in + row * times.step, time + rounding) << round;
      ASSERT_GE(times.first_out + row * times.step, time - rounding) << round;
      ++inside;
    }
  }
  EXPECT_GT(inside, 1000);
}

/// Returns a point of a lattice near an origin.
Vec2 lattice_point(Random& random, Vec2 origin, float pitch) {
  const auto steps = [&] { return pitch * (static_cast<float>(random.below(17)) - 8.0F); };
  return origin + Vec2{steps(), steps()};
}

// On a lattice, paths touch corners exactly, and bounds are not rounded outwards. Far from the origin, what
// the path is enlarged by is less than the precision of its coordinates.
TEST(SweptBox, meets_every_shape_that_the_exact_tests_hit_wherever_they_are) {
  Random random(20261137);
  int grazing = 0;
  for (int round = 0; round < 200000; ++round) {
    const float pitch = std::ldexp(1.0F, static_cast<int>(random.below(40)) - 20);
    const float far = pitch * std::ldexp(1.0F, static_cast<int>(random.below(21)));
    const Vec2 origin{far * (static_cast<float>(random.below(3)) - 1.0F),
                      far * (static_cast<float>(random.below(3)) - 1.0F)};
    const Transform at{lattice_point(random, origin, pitch), {}};
    const Vec2 half{pitch * static_cast<float>(random.below(4)), pitch * static_cast<float>(random.below(4))};
    const Shape shape = Box::of_half_size(half);
    const Vec2 start = lattice_point(random, origin, pitch);
    // Towards a corner, and beyond it by a drawn factor.
    const Vec2 to_corner = at.position - half - start;
    const Vec2 motion = (1.0F + 0.25F * static_cast<float>(random.below(9))) * to_corner;
    const auto hit = broadside::cast_ray(start, motion, shape, at);
    if (!hit) {
      continue;
    }
    const double entry = SweptBox({start, start}, motion).entry(bounds(shape, at));
    ASSERT_LE(entry, std::nextafter(hit->fraction, std::numeric_limits<float>::max())) << round;
    grazing += hit->fraction > 0.0F ? 1 : 0;
    const auto touch = broadside::cast(Box::of_half_size(half), {start - half, {}}, motion, shape, at);
    if (touch) {
      const SweptBox path(bounds(Shape(Box::of_half_size(half)), {start - half, {}}), motion);
      ASSERT_LE(path.entry(bounds(shape, at)),
                std::nextafter(touch->fraction, std::numeric_limits<float>::max()))
          << round;
    }
  }
  EXPECT_GT(grazing, 100000);
}

}  // namespace
}  // namespace broadside::detail::swept_box_test
