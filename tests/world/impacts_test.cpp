#include "world/impacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "broadside/scene/random.hpp"

namespace broadside::impacts_test {
namespace {

using detail::Point;

std::uint32_t below(Random& random, std::uint32_t n) {
  return static_cast<std::uint32_t>(random.below(n));
}

// Random contacts between random bodies, some of which have infinite mass.
struct Pile {
  std::vector<double> inverse_masses;
  std::vector<Pair> pairs;

  Pile(Random& random, std::uint32_t bodies, std::uint32_t contacts) {
    for (std::uint32_t i = 0; i < bodies; ++i) {
      inverse_masses.push_back(
          below(random, 4) == 0 ? 0.0 : std::exp2(static_cast<double>(below(random, 20)) - 10.0));
    }
    std::set<Pair> drawn;
    for (std::uint32_t i = 0; i < contacts; ++i) {
      const std::uint32_t a = below(random, bodies);
      const std::uint32_t b = below(random, bodies);
      if (a != b && inverse_masses[a] + inverse_masses[b] > 0.0 && drawn.insert(ordered_pair(a, b)).second) {
        pairs.push_back(ordered_pair(a, b));
      }
    }
  }

  [[nodiscard]] std::pair<double, double> of(Pair pair) const {
    return {inverse_masses[pair.a], inverse_masses[pair.b]};
  }
};

Point drawn_normal(Random& random) {
  const double angle = 1e-3 * below(random, 6284);
  return {std::cos(angle), std::sin(angle)};
}

TEST(Impacts, move_bodies_apart_and_keep_the_center_of_mass_of_each_two) {
  Random random(1);
  Impacts impacts;
  for (int round = 0; round < 500; ++round) {
    const Pile pile(random, 2 + below(random, 30), 1 + below(random, 12));
    impacts.reset(pile.inverse_masses.size());
    double deepest = 0.0;
    for (const Pair pair : pile.pairs) {
      const double depth = 1e-3 * below(random, 1000);
      deepest = std::max(deepest, depth);
      impacts.add_or_update(pair, drawn_normal(random), -depth, pile.of(pair), below(random, 2) == 0);
    }
    ASSERT_EQ(impacts.all().size(), pile.pairs.size());
    ASSERT_TRUE(impacts.may_separate());
    impacts.separate();
    std::vector<Point> expected(pile.inverse_masses.size());
    for (const Impacts::Impact& impact : impacts.all()) {
      const auto [a, b] = impact.pair;
      EXPECT_GE(impact.correction, 0.0);
      EXPECT_NEAR(impact.share_a + impact.share_b, 1.0, 1e-15);
      EXPECT_NEAR(impact.share_a * pile.inverse_masses[b], impact.share_b * pile.inverse_masses[a],
                  1e-12 * (pile.inverse_masses[a] + pile.inverse_masses[b]));
      expected[a] = expected[a] - (impact.correction * impact.share_a) * impact.normal;
      expected[b] = expected[b] + (impact.correction * impact.share_b) * impact.normal;
    }
    std::vector<Point> shifts;
    for (std::uint32_t body = 0; body < pile.inverse_masses.size(); ++body) {
      shifts.push_back(impacts.take_shift(body));
      EXPECT_NEAR(shifts[body].x, expected[body].x, 1e-9);
      EXPECT_NEAR(shifts[body].y, expected[body].y, 1e-9);
      EXPECT_EQ(impacts.take_shift(body), Point{}) << "taken already";
      if (pile.inverse_masses[body] == 0.0) {
        EXPECT_EQ(shifts[body], Point{});
      }
    }
  }
}

// A chain can be solved exactly, in few iterations: no overlap remains.
TEST(Impacts, leave_no_overlap_in_a_chain) {
  Random random(2);
  Impacts impacts;
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t bodies = 2 + below(random, 5);
    const Point along = drawn_normal(random);
    impacts.reset(bodies);
    std::vector<double> depths;
    double deepest = 0.0;
    for (std::uint32_t i = 0; i + 1 < bodies; ++i) {
      depths.push_back(1e-3 * (1 + below(random, 1000)));
      deepest = std::max(deepest, depths[i]);
      const double heavier = 1.0 + below(random, 3);
      impacts.add_or_update({i, i + 1}, along, -depths[i], {1.0, 1.0 / heavier}, true);
    }
    impacts.separate();
    std::vector<Point> shifts;
    for (std::uint32_t body = 0; body < bodies; ++body) {
      shifts.push_back(impacts.take_shift(body));
    }
    for (std::uint32_t i = 0; i + 1 < bodies; ++i) {
      EXPECT_LE(depths[i] - dot(shifts[i + 1] - shifts[i], along), 0.02 * deepest) << bodies;
    }
  }
}

// Setting a contact again updates its normal and its separation, and adds no second contact.
TEST(Impacts, store_each_pair_of_bodies_once) {
  Random random(3);
  Impacts impacts;
  for (int round = 0; round < 200; ++round) {
    const Pile pile(random, 2 + below(random, 100), 1 + below(random, 300));
    impacts.reset(pile.inverse_masses.size());
    for (int again = 0; again < 3; ++again) {
      for (const Pair pair : pile.pairs) {
        const double separation = -1e-3 * below(random, 1000);
        const Point normal = drawn_normal(random);
        impacts.add_or_update(pair, normal, separation, pile.of(pair), again == 0);
      }
      ASSERT_EQ(impacts.all().size(), pile.pairs.size());
      for (std::size_t i = 0; i < pile.pairs.size(); ++i) {
        EXPECT_EQ(impacts.all()[i].pair, pile.pairs[i]);
        EXPECT_TRUE(impacts.all()[i].is_reported);
      }
    }
  }
}

TEST(Impacts, stop_when_their_work_in_one_step_is_done) {
  Random random(4);
  Impacts impacts;
  const Pile pile(random, 300, 5000);
  impacts.reset(pile.inverse_masses.size());
  for (const Pair pair : pile.pairs) {
    impacts.add_or_update(pair, drawn_normal(random), -1.0, pile.of(pair), true);
  }
  int calls = 0;
  for (; impacts.may_separate() && calls < 1000; ++calls) {
    impacts.separate();
    for (const Pair pair : pile.pairs) {
      impacts.add_or_update(pair, drawn_normal(random), -1.0, pile.of(pair), true);
    }
  }
  EXPECT_LT(calls, 1000);
  impacts.reset(pile.inverse_masses.size());
  EXPECT_TRUE(impacts.all().empty());
  EXPECT_TRUE(impacts.may_separate());
  for (std::uint32_t body = 0; body < 300; ++body) {
    EXPECT_EQ(impacts.take_shift(body), Point{});
  }
  EXPECT_GT(impacts.bytes(), 0U);
}

TEST(Impacts, separate_once_however_many_there_are) {
  constexpr std::uint32_t more_than_the_budget = 1'000'001;
  Impacts impacts;
  impacts.reset(std::size_t{2} * more_than_the_budget);
  for (std::uint32_t i = 0; i < more_than_the_budget; ++i) {
    impacts.add_or_update({2 * i, 2 * i + 1}, {1.0, 0.0}, -0.5, {1.0, 1.0}, true);
  }
  EXPECT_TRUE(impacts.may_separate());
  impacts.separate();
  EXPECT_FALSE(impacts.may_separate());
  for (std::uint32_t i = 0; i < more_than_the_budget; i += 1000) {
    EXPECT_EQ(impacts.take_shift(2 * i), (Point{-0.25, 0.0}));
    EXPECT_EQ(impacts.take_shift(2 * i + 1), (Point{0.25, 0.0}));
  }
}

}  // namespace
}  // namespace broadside::impacts_test
