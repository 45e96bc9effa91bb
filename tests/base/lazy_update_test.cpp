#include "base/lazy_update.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "boxes.hpp"
#include "concurrency/side_by_side.hpp"
#include "watchdog.hpp"

namespace broadside::test {
namespace {

TEST(LazyUpdate, runs_once_and_is_seen_by_all_threads) {
  for (int repetition = 0; repetition < 50; ++repetition) {
    const LazyUpdate update;
    std::array<std::atomic<bool>, 3> is_built{};
    std::array<int, 3> made{};
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        for (std::size_t i = 0; i < made.size(); ++i) {
          const std::size_t which = (i + thread) % made.size();
          update.ensure(is_built[which], [&] { ++made[which]; });
          EXPECT_EQ(made[which], 1);
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  }
}

TEST(LazyUpdate, waits_for_the_holder_of_the_lock) {
  const Watchdog watchdog(std::chrono::seconds(120));
  Random random(44);
  for (int repetition = 0; repetition < 400; ++repetition) {
    const LazyUpdate update;
    std::atomic<bool> is_built = false;
    bool is_unlocked = false;
    std::vector<std::thread> others;
    {
      const auto locked = update.lock();
      for (std::uint32_t left = random.below(4); left > 0; --left) {
        others.emplace_back([&] { update.ensure(is_built, [&] { EXPECT_TRUE(is_unlocked); }); });
      }
      yield_for(std::chrono::microseconds(random.below(200)));
      EXPECT_FALSE(is_built.load());
      is_unlocked = true;
    }
    for (std::thread& other : others) {
      other.join();
    }
    EXPECT_EQ(is_built.load(), !others.empty());
  }
}

TEST(LazyUpdate, that_throws_is_run_by_the_next_call) {
  const LazyUpdate update;
  std::atomic<bool> is_built = false;
  EXPECT_THROW(update.ensure(is_built, [] { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_FALSE(is_built.load());
  int made = 0;
  update.ensure(is_built, [&] { ++made; });
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace broadside::test
