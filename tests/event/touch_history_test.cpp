#include "broadside/event/touch_history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <random>
#include <set>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"

namespace broadside::touch_history_test {
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

/// The expected state of a history.
struct Expected {
  Pairs touching;
  std::set<Pair> begun;
  Pairs ended;
};

void expect_same(const TouchHistory& history, const Expected& expected) {
  ASSERT_EQ(pairs(history.touching()), expected.touching);
  ASSERT_EQ(pairs(history.ended()), expected.ended);
  Places begun;
  Places stayed;
  for (std::uint32_t at = 0; at < expected.touching.size(); ++at) {
    (expected.begun.contains(expected.touching[at]) ? begun : stayed).push_back(at);
  }
  ASSERT_EQ(places(history.begun()), begun);
  ASSERT_EQ(places(history.stayed()), stayed);
}

/// Returns the state after a step.
Expected advanced(const Expected& before, const Pairs& touching,
                  const std::vector<std::uint8_t>& reassigned) {
  const auto is_renewed = [&](Pair pair) {
    return !reassigned.empty() && (reassigned[pair.a] % 2 == 1 || reassigned[pair.b] % 2 == 1);
  };
  const std::set<Pair> now(touching.begin(), touching.end());
  const std::set<Pair> last(before.touching.begin(), before.touching.end());
  Expected after{touching, {}, {}};
  for (const Pair pair : now) {
    if (!last.contains(pair) || is_renewed(pair)) {
      after.begun.insert(pair);
    }
  }
  for (const Pair pair : last) {
    if (!now.contains(pair) || is_renewed(pair)) {
      after.ended.push_back(pair);
    }
  }
  return after;
}

// Steps of few and of many pairs, some without a change, without a commit or out of memory.
TEST(TouchHistory, agrees_with_sets_over_any_calls) {
  int failed = 0;
  int renewed = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    test::Random random(seed);
    const BoxIndex boxes = 2 + random.below(seed % 3 == 0 ? 60 : 6);
    TouchHistory history;
    Expected expected;
    for (int call = 0; call < 60; ++call) {
      const std::uint32_t action = random.below(12);
      if (action == 0) {
        const test::AllocationLimit none(0);
        history.clear();
        expected.touching.clear();
        expected.ended.clear();
        expected.begun.clear();
      } else if (action == 1) {
        const test::AllocationLimit none(0);
        history.advance_unchanged();
        expected.begun.clear();
        expected.ended.clear();
      } else {
        const std::uint32_t density = random.below(101);
        Pairs touching;
        for (BoxIndex a = 0; a < boxes; ++a) {
          for (BoxIndex b = a + 1; b < boxes && b < a + 6; ++b) {
            if (random.below(100) < density) {
              touching.push_back({a, b});
            }
          }
        }
        std::vector<std::uint8_t> reassigned;
        if (random.below(2) == 0) {
          for (BoxIndex box = 0; box < boxes; ++box) {
            reassigned.push_back(static_cast<std::uint8_t>(random.below(3) == 0 ? random.below(256) : 0));
          }
          ++renewed;
        }
        const Expected after = advanced(expected, touching, reassigned);
        for (std::size_t allowed = random.below(3) == 0 ? 0 : 1000;; ++allowed) {
          try {
            const test::AllocationLimit limit(allowed);
            history.prepare(touching, reassigned);
            break;
          } catch (const std::bad_alloc&) {
            ++failed;
          }
          ASSERT_NO_FATAL_FAILURE(expect_same(history, expected)) << "seed " << seed << ", call " << call;
        }
        ASSERT_EQ(pairs(history.ending()), after.ended) << "seed " << seed << ", call " << call;
        if (random.below(4) != 0) {
          {
            const test::AllocationLimit none(0);
            history.commit();
          }
          expected = after;
        } else if (random.below(2) == 0) {
          history.advance(touching, reassigned);
          expected = after;
        }
      }
      ASSERT_NO_FATAL_FAILURE(expect_same(history, expected)) << "seed " << seed << ", call " << call;
      ASSERT_GE(history.bytes(), expected.touching.size() * (sizeof(Pair) + 2 * sizeof(std::uint32_t)));
    }
  }
  EXPECT_GT(failed, 300);
  EXPECT_GT(renewed, 1000);
}

}  // namespace
}  // namespace broadside::touch_history_test
