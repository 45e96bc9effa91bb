#include "broadside/event/touch_history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <vector>

#include "allocation_watch.hpp"

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

TEST(TouchHistory, reports_what_begins_stays_and_ends) {
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

TEST(TouchHistory, treats_a_reassigned_box_as_another_one) {
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

// Steps with drawn numbers of pairs. The buffers take turns; each keeps the pairs of a step and those that
// ended.
TEST(TouchHistory, allocates_only_until_both_buffers_have_held_as_many_pairs) {
  std::minstd_rand random(5);
  int without = 0;
  for (int round = 0; round < 50; ++round) {
    TouchHistory history;
    std::array<std::size_t, 2> held = {0, 0};       // by each buffer: pairs of a step
    std::array<std::size_t, 2> held_ends = {0, 0};  // and space for those that ended
    for (std::size_t step = 0; step < 100; ++step) {
      const std::size_t most = std::max(held[0], held[1]);
      Pairs now(random() % (random() % 20 == 0 ? 2000 : most + 2));
      for (std::uint32_t i = 0; i < now.size(); ++i) {
        now[i] = {i, i + 1 + static_cast<std::uint32_t>(random() % 3)};
      }
      const std::size_t before = history.touching().size();
      std::size_t& held_now = held[step % 2];
      std::size_t& held_ends_now = held_ends[step % 2];
      const test::AllocationWatch watch;
      history.advance(now);
      if (now.size() <= held_now && before <= held_ends_now) {
        EXPECT_EQ(watch.count(), 0U) << round << ", step " << step;
        ++without;
      }
      held_now = std::max(held_now, now.size());
      held_ends_now = std::max(held_ends_now, before);
    }
  }
  EXPECT_GT(without, 3000);
}

}  // namespace
}  // namespace broadside
