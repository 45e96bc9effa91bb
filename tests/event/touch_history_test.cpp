#include "broadside/event/touch_history.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace broadside {
namespace {

using Pairs = std::vector<Pair>;
using Places = std::vector<std::uint32_t>;

Places places(std::span<const std::uint32_t> span) {
  return {span.begin(), span.end()};
}

Pairs pairs(std::span<const Pair> span) {
  return {span.begin(), span.end()};
}

TEST(TouchHistory, tells_what_begins_stays_and_ends) {
  TouchHistory history;
  history.advance(Pairs{{0, 2}, {1, 5}, {3, 4}});
  EXPECT_EQ(places(history.begun()), (Places{0, 1, 2}));
  EXPECT_TRUE(history.stayed().empty());
  history.advance(Pairs{{0, 2}, {0, 7}, {3, 4}});
  EXPECT_EQ(places(history.begun()), (Places{1}));
  EXPECT_EQ(places(history.stayed()), (Places{0, 2}));
  EXPECT_EQ(pairs(history.ended()), (Pairs{{1, 5}}));
  history.advance_unchanged();
  EXPECT_TRUE(history.begun().empty());
  EXPECT_EQ(places(history.stayed()), (Places{0, 1, 2}));
  EXPECT_TRUE(history.ended().empty());
  history.advance({});
  EXPECT_EQ(history.ended().size(), 3U);
}

TEST(TouchHistory, takes_a_renewed_box_for_another_one) {
  TouchHistory history;
  history.advance(Pairs{{0, 1}, {0, 2}});
  const std::vector<std::uint8_t> reassigned{0, 1, 2};
  history.advance(Pairs{{0, 1}, {0, 2}}, reassigned);
  EXPECT_EQ(places(history.begun()), (Places{0}));
  EXPECT_EQ(places(history.stayed()), (Places{1}));
  EXPECT_EQ(pairs(history.ended()), (Pairs{{0, 1}}));
}

TEST(TouchHistory, agrees_with_sets_of_pairs) {
  std::mt19937 random(11);  // NOLINT(cert-msc51-cpp): the same pairs in each run
  TouchHistory history;
  std::set<Pair> before;
  for (int step = 0; step < 500; ++step) {
    std::set<Pair> now;
    const std::size_t count = random() % 40;
    for (std::size_t i = 0; i < count; ++i) {
      now.insert(ordered_pair(random() % 8, random() % 8));
    }
    const Pairs touching(now.begin(), now.end());
    history.advance(touching);
    std::set<Pair> begun;
    std::set<Pair> stayed;
    for (const auto at : history.begun()) {
      begun.insert(history.touching()[at]);
    }
    for (const auto at : history.stayed()) {
      stayed.insert(history.touching()[at]);
    }
    for (const Pair pair : now) {
      EXPECT_EQ(before.contains(pair), stayed.contains(pair));
      EXPECT_NE(before.contains(pair), begun.contains(pair));
    }
    std::size_t ends = 0;
    for (const Pair pair : before) {
      ends += now.contains(pair) ? 0U : 1U;
    }
    EXPECT_EQ(history.ended().size(), ends);
    before = now;
  }
}

}  // namespace
}  // namespace broadside
