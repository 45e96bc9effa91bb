#include "world/fixed_threads.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "boxes.hpp"

namespace broadside::test::fixed_threads_test {
namespace {

/// A runner that draws its number of threads at each call, and runs its tasks in a drawn order.
class DrawnRunner final : public TaskRunner {
 public:
  [[nodiscard]] std::size_t threads() const override { return random_.below(9); }
  void run(std::size_t count, TaskRef task) override {
    ++runs;
    const std::size_t first = count == 0 ? 0 : random_.below(static_cast<std::uint32_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
      task((first + i) % count);
    }
  }

  int runs = 0;

 private:
  mutable Random random_{3};
};

TEST(FixedThreads, have_the_number_that_was_set_and_the_runner_that_was_set) {
  Random random(5);
  std::array<DrawnRunner, 3> runners;
  struct Expected {
    std::size_t runner = 0;  ///< 0 for none
    std::size_t threads = 1;
  };
  std::array<FixedThreads, 3> fixed;
  std::array<Expected, 3> expected;
  for (int call = 0; call < 20'000; ++call) {
    const std::size_t at = random.below(3);
    if (random.below(4) == 0) {
      const std::size_t from = random.below(3);
      fixed[at].set(fixed[from]);
      expected[at] = expected[from];
    } else {
      expected[at] = {random.below(4), 1 + random.below(40)};
      TaskRunner* runner = expected[at].runner == 0 ? nullptr : &runners[expected[at].runner - 1];
      fixed[at].set(runner, expected[at].threads);
    }
    for (std::size_t i = 0; i < fixed.size(); ++i) {
      TaskRunner* const runner = fixed[i].get();
      ASSERT_EQ(runner, expected[i].runner == 0 ? nullptr : &fixed[i]);
      ASSERT_EQ(fixed[i].threads(), expected[i].threads);
      if (runner == nullptr) {
        continue;
      }
      ASSERT_EQ(runner->threads(), expected[i].threads);
      DrawnRunner& behind = runners[expected[i].runner - 1];
      const int before = behind.runs;
      std::vector<int> times(random.below(6));
      const auto task = [&](std::size_t number) { ++times[number]; };
      runner->run(times.size(), TaskRef(task));
      ASSERT_EQ(times, std::vector<int>(times.size(), 1));
      ASSERT_EQ(behind.runs, before + 1);
    }
  }
}

}  // namespace
}  // namespace broadside::test::fixed_threads_test
