#include "base/workers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <new>
#include <numeric>
#include <vector>

#include "boxes.hpp"

namespace broadside::detail::workers_test {
namespace {

using test::Random;

/// Calls all tasks on the caller's thread, in any order.
class ShuffledRunner final : public TaskRunner {
 public:
  explicit ShuffledRunner(std::uint64_t seed) : random_(seed) {}
  [[nodiscard]] std::size_t threads() const override { return 2; }
  void run(std::size_t count, TaskRef task) override {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    test::shuffle(order, random_);
    for (const std::size_t i : order) {
      task(i);
    }
  }

 private:
  Random random_;
};

TEST(Workers, divide_a_range_among_two_and_more_threads_only_if_it_is_large_enough) {
  Random random(20261129);
  for (int round = 0; round < 20000; ++round) {
    ShuffledRunner runner(0);
    Workers workers;
    const std::size_t threads =
        random.below(20) == 0 ? std::numeric_limits<std::size_t>::max() : 1 + random.below(9);
    workers.use(&runner, threads);
    const std::size_t least = 1 + random.below(1000);
    const std::size_t n = random.below(20000);
    const std::size_t chunks = workers.chunks(n, least);
    ASSERT_GE(chunks, 1U);
    ASSERT_LE(chunks, 4 * std::min(threads, std::max<std::size_t>(n, 1)));
    if (threads == 1 || n < least) {
      ASSERT_EQ(chunks, 1U) << threads << ' ' << n << ' ' << least;
    } else if (n >= 2 * least) {
      ASSERT_GE(chunks, 2U) << threads << ' ' << n << ' ' << least;
    }
  }
}

TEST(Workers, visit_each_element_once_in_chunks_that_begin_at_multiples_of_64) {
  Random random(20261130);
  for (int round = 0; round < 2000; ++round) {
    ShuffledRunner runner(static_cast<std::uint64_t>(round));
    Workers workers;
    workers.use(&runner, 1 + random.below(9));
    const std::size_t n = random.below(3000);
    const std::size_t count = workers.chunks(n, 1 + random.below(100));
    std::vector<int> visits(n);
    std::vector<int> chunks(count);
    workers.for_chunks(n, count, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      ++chunks.at(chunk);
      EXPECT_TRUE(begin == end || begin % 64 == 0);
      for (std::size_t i = begin; i < end; ++i) {
        ++visits.at(i);
      }
    });
    ASSERT_TRUE(std::all_of(visits.begin(), visits.end(), [](int times) { return times == 1; }))
        << n << ' ' << count;
    ASSERT_TRUE(std::all_of(chunks.begin(), chunks.end(), [](int times) { return times == 1; }))
        << n << ' ' << count;
  }
}

TEST(Workers, make_the_other_chunks_if_memory_runs_out_in_one_and_report_it) {
  Random random(20261131);
  for (int round = 0; round < 200; ++round) {
    ShuffledRunner runner(static_cast<std::uint64_t>(round));
    Workers workers;
    workers.use(&runner, 4);
    const std::size_t count = workers.chunks(1000, 10);
    const std::size_t failing = random.below(static_cast<std::uint32_t>(count));
    std::size_t made = 0;
    EXPECT_THROW(workers.for_chunks(1000, count,
                                    [&](std::size_t chunk, std::size_t, std::size_t) {
                                      if (chunk == failing) {
                                        throw std::bad_alloc();
                                      }
                                      ++made;
                                    }),
                 std::bad_alloc);
    EXPECT_EQ(made, count - 1);
  }
}

}  // namespace
}  // namespace broadside::detail::workers_test
