// Bullets against everything that moves. `BROADSIDE_BULLET_CASES=1000000` draws a million pairs.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "boxes.hpp"
#include "broadside/world/world.hpp"
#include "world/drawn_movers.hpp"
#include "world/sweep_reference.hpp"

namespace broadside::test {
namespace {

/// Draws a bullet and a target near its path.
std::array<Mover, 2> draw_pair(Random& random) {
  std::array<Mover, 2> pair;
  const float large = drawn_scale(0.1F, 100.0F, random);
  const float small = large * drawn_scale(1e-3F, 1.0F, random);
  const bool is_first_large = random.below(2) == 0;
  pair[0].size = is_first_large ? large : small;
  pair[1].size = is_first_large ? small : large;
  const float unit = random.below(2) == 0 ? large : small;
  for (Mover& mover : pair) {
    mover.body.shape = drawn_shape(mover.size, random);
    mover.body.rotation = drawn_rotation(random);
    const float length = drawn_length(unit, random);
    mover.motion = length * drawn_direction(random);
  }
  switch (random.below(8)) {
    case 0:
      pair[1].motion = pair[0].motion;
      break;
    case 1:
      pair[1].motion = -pair[0].motion;
      break;
    case 2:
      pair[1].motion = random.between(-2.0F, 2.0F) * pair[0].motion;
      break;
    default:
      break;
  }
  constexpr std::array types{BodyType::static_body, BodyType::kinematic, BodyType::dynamic};
  pair[0].body.bullet = true;
  pair[1].body.bullet = random.below(4) == 0;
  pair[1].body.type = types[random.below(3)];
  pair[0].body.type = pair[1].body.type == BodyType::dynamic ? types[random.below(3)] : BodyType::dynamic;
  pair[0].body.sensor = random.below(8) == 0;
  // At some time of the step they are about to touch.
  const float origin = random.below(4) == 0 ? 0.0F : drawn_scale(1.0F, 1e4F, random);
  const Vec2 there = origin * drawn_direction(random);
  const float apart = random.between(0.0F, 0.75F) * (large + small);
  const Vec2 offset = apart * drawn_direction(random);
  const float time = random.unit();
  pair[0].body.position = there + offset - time * pair[0].motion;
  pair[1].body.position = there - time * pair[1].motion;
  for (Mover& mover : pair) {
    draw_drive(mover, random);
  }
  return pair;
}

TEST(WorldBullets, hit_exactly_what_comes_into_their_path) {
  constexpr std::size_t pairs_of_a_world = 64;  // layers keep them apart
  Random random(18);
  std::size_t cases = 0;
  std::size_t hits = 0;
  std::size_t unsure = 0;
  std::size_t missed = 0;
  std::size_t wrong = 0;
  std::size_t late = 0;
  std::string first;
  const auto count = [&first, &cases](std::size_t& number, const Mover& a, const Mover& b,
                                      const Meeting& expected, float time) {
    if (++number == 1) {
      first += std::string(name(a.body.shape)) + " of " + std::to_string(a.size) + " and " +
               std::string(name(b.body.shape)) + " of " + std::to_string(b.size) + " in case " +
               std::to_string(cases) + ": start " + std::to_string(expected.start) + ", least " +
               std::to_string(expected.least) + ", time " + std::to_string(expected.time) + ", not " +
               std::to_string(time) + "\n";
    }
  };
  while (cases < cases_to_draw()) {
    World world;
    // Where few of many bodies move, the step looks at these alone.
    const bool is_quiet = random.below(32) == 0;
    const std::size_t pairs = is_quiet ? 2 : pairs_of_a_world;
    for (int i = 0; i < 60 && is_quiet; ++i) {
      const Vec2 far{2e4F + 3.0F * static_cast<float>(i), 0};
      world.add({.shape = Circle{.radius = 1}, .position = far}).value();
    }
    std::vector<Mover> movers;
    for (std::size_t i = 0; i < pairs; ++i) {
      auto pair = draw_pair(random);
      const std::uint64_t layer = std::uint64_t{1} << i;
      for (Mover& mover : pair) {
        mover.body.filter = {.layer = layer, .mask = layer};
      }
      const bool is_swapped = random.below(2) == 0;
      movers.push_back(pair[is_swapped ? 1 : 0]);
      movers.push_back(pair[is_swapped ? 0 : 1]);
    }
    std::vector<BodyId> ids;
    const std::vector<Path> paths = set_going(world, movers, ids);
    world.step(0).value();
    std::vector<float> times(pairs, -1.0F);
    for (const BodyContact& contact : world.contacts()) {
      times[(contact.a.index - ids[0].index) / 2] = contact.time;
    }
    for (std::size_t i = 0; i < pairs; ++i, ++cases) {
      const Mover& a = movers[2 * i];
      const Mover& b = movers[2 * i + 1];
      const Path& path_a = paths[2 * i];
      const Path& path_b = paths[2 * i + 1];
      const SweepReference reference(a.body.shape, a.end_rotation, b.body.shape, b.end_rotation);
      const Meeting expected = reference.meet(path_a.from - path_b.from, path_a.to - path_b.to);
      const Real slack = rim * std::min<Real>(a.size, b.size);
      const Real end = reference.separation(path_a.to - path_b.to);
      if (std::abs(expected.start) < slack || std::abs(expected.least) < slack) {
        ++unsure;
      } else if (expected.start < 0) {
        // Those that come closer touch at once, those that leave if they still touch at the end.
        if (times[i] < 0 ? end < -slack : times[i] > 0 && end > slack) {
          count(times[i] < 0 ? missed : wrong, a, b, expected, times[i]);
        }
      } else if (expected.least > 0) {
        if (times[i] >= 0) {
          count(wrong, a, b, expected, times[i]);
        }
      } else {
        ++hits;
        if (times[i] < 0) {
          count(missed, a, b, expected, times[i]);
        } else if (std::abs(static_cast<Real>(times[i]) - expected.time) > 1e-3L) {
          count(late, a, b, expected, times[i]);
        }
      }
    }
  }
  RecordProperty("hits", static_cast<int>(hits));
  EXPECT_GT(hits, cases / 4);
  EXPECT_LT(unsure, cases / 10);
  EXPECT_EQ(missed, 0U) << "of " << hits << " in " << cases << "\n" << first;
  EXPECT_EQ(wrong, 0U) << "of " << cases - hits << " in " << cases << "\n" << first;
  EXPECT_EQ(late, 0U) << "of " << hits << " in " << cases << "\n" << first;
}

}  // namespace
}  // namespace broadside::test
