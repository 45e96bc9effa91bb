// Any number of threads, and any order in which tasks run: the same pairs in the same order.

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "model.hpp"
#include "oracle.hpp"

namespace broadside::threads_test {
namespace {

/// Claims to have many threads, and runs the tasks in reverse.
class Backwards final : public TaskRunner {
 public:
  [[nodiscard]] std::size_t threads() const override { return 7; }
  void run(std::size_t count, TaskRef task) override {
    ++rounds;
    for (std::size_t i = count; i > 0; --i) {
      task(i - 1);
    }
  }
  std::size_t rounds = 0;
};

TEST(ThreadPool, takes_no_more_threads_than_a_machine_may_have) {
  const ThreadPool pool(std::numeric_limits<std::size_t>::max());
  EXPECT_GT(pool.threads(), 1U);
  EXPECT_LE(pool.threads(), 1024U);
}

TEST(ThreadPool, runs_each_task_once) {
  for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
    ThreadPool pool(threads);
    EXPECT_GE(pool.threads(), 1U);
    EXPECT_LE(pool.threads(), threads);
    for (const std::size_t count : {0U, 1U, 2U, 100U, 1000U}) {
      std::vector<std::atomic<int>> runs(count);
      const auto task = [&](std::size_t i) { ++runs[i]; };
      pool.run(count, TaskRef(task));
      EXPECT_TRUE(std::all_of(runs.begin(), runs.end(), [](const auto& one) { return one == 1; })) << count;
    }
  }
}

TEST(ThreadPool, has_as_many_threads_as_the_machine_by_default) {
  EXPECT_GE(ThreadPool().threads(), 1U);
}

TEST(ThreadPool, can_be_used_again_after_it_slept) {
  ThreadPool pool(3);
  std::atomic<int> sum = 0;
  const auto task = [&](std::size_t i) { sum += static_cast<int>(i); };
  for (int round = 0; round < 200; ++round) {
    pool.run(5, TaskRef(task));
  }
  EXPECT_EQ(sum, 200 * 10);
}

class Threads : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Kinds, Threads,
                         testing::Values("scattered", "clustered", "mixed_sizes", "giant_among_tiny",
                                         "all_floats", "on_a_line_in_x", "on_a_line_in_y", "zero_size",
                                         "all_the_same"),
                         [](const auto& kind) { return std::string(kind.param); });

TEST_P(Threads, change_neither_pairs_nor_order) {
  const bool all_overlap =
      std::string(GetParam()) == "all_the_same" || std::string(GetParam()) == "all_floats";
  for (const std::size_t n : {std::size_t{0}, std::size_t{70}, std::size_t{all_overlap ? 1000U : 40000U}}) {
    const auto boxes = test::make_boxes(GetParam(), n, 31);
    const auto others = test::make_boxes(GetParam(), n / 3, 32);
    const auto expected = find_pairs(boxes).value();
    const auto expected_between = find_pairs(boxes, others).value();
    for (const std::size_t threads : {2U, 4U}) {
      EXPECT_EQ(find_pairs(boxes, {.threads = threads}).value(), expected) << threads;
      EXPECT_EQ(find_pairs(boxes, others, {.threads = threads}).value(), expected_between) << threads;
    }
    Backwards backwards;
    EXPECT_EQ(find_pairs(boxes, {.tasks = &backwards}).value(), expected);
    EXPECT_EQ(find_pairs(boxes, others, {.tasks = &backwards}).value(), expected_between);
    if (n == 40000) {
      EXPECT_GT(backwards.rounds, 0U) << "nothing was dealt out";
    }
  }
}

TEST_P(Threads, change_nothing_over_many_frames) {
  const bool all_overlap =
      std::string(GetParam()) == "all_the_same" || std::string(GetParam()) == "all_floats";
  const auto still = test::make_boxes(GetParam(), all_overlap ? 100 : 10000, 33);
  auto boxes = test::make_boxes(GetParam(), all_overlap ? 300 : 20000, 34);
  HierarchicalGrid alone;
  HierarchicalGrid together;
  HierarchicalGrid backwards;
  ThreadPool pool(4);
  Backwards runner;
  together.use_threads(&pool).value();
  backwards.use_threads(&runner).value();
  std::vector<BoxIndex> indices;
  for (HierarchicalGrid* grid : {&alone, &together, &backwards}) {
    ASSERT_TRUE(grid->add(still, BodyType::static_body).has_value());
    indices = grid->add(boxes).value();
  }
  for (int frame = 0; frame < 12; ++frame) {
    for (Aabb& box : boxes) {
      const float step = (frame < 6 ? 0.05F : 0.4F) * (box.max.x - box.min.x);
      const Aabb next{{box.min.x + step, box.min.y}, {box.max.x + step, box.max.y}};
      box = is_valid(next) ? next : box;
    }
    std::vector<Pair> expected;
    for (HierarchicalGrid* grid : {&alone, &together, &backwards}) {
      ASSERT_TRUE(grid->move(indices, boxes).has_value());
      const auto found = grid->find_pairs();
      if (grid == &alone) {
        expected.assign(found.begin(), found.end());
      }
      ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end())) << frame;
      ASSERT_EQ(grid->statistics().tests, alone.statistics().tests);
      ASSERT_EQ(grid->statistics().cells_visited, alone.statistics().cells_visited);
      ASSERT_EQ(grid->statistics().update_tests, alone.statistics().update_tests);
      ASSERT_EQ(grid->statistics().update_cells_visited, alone.statistics().update_cells_visited);
    }
  }
}

}  // namespace
}  // namespace broadside::threads_test
