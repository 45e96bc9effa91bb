// Calls of a thread pool from within its tasks, and a system that has no more memory or threads.

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <limits>
#include <new>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/broad_phase/find_pairs.hpp"

#ifndef BROADSIDE_UNDER_SANITIZER  // the sanitizers replace pthread_create themselves

namespace {

std::atomic<int> allowed_threads = std::numeric_limits<int>::max();

}  // namespace

// Replaces the system's function, which refuses threads only when the system is nearly exhausted.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) noexcept {
  static const auto create = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return allowed_threads.fetch_sub(1) > 0 ? create(thread, attributes, start, argument) : EAGAIN;
}

#endif

namespace broadside::test::thread_pool_test {
namespace {

/// Returns how many threads this process has.
std::size_t running_threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

/// Waits for this number of threads: the system takes a moment to remove a joined thread.
bool come_to_be(std::size_t threads) {
  for (int i = 0; i < 5000 && running_threads() != threads; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return running_threads() == threads;
}

void expect_works(ThreadPool& pool) {
  std::vector<std::atomic<int>> runs(100);
  const auto task = [&](std::size_t i) { ++runs[i]; };
  pool.run(runs.size(), TaskRef(task));
  EXPECT_TRUE(std::all_of(runs.begin(), runs.end(), [](const auto& one) { return one == 1; }));
}

TEST(ThreadPool, runs_a_call_from_within_a_task_in_the_thread_of_that_task) {
  for (std::size_t threads = 1; threads <= 4; ++threads) {
    ThreadPool pool(threads);
    constexpr std::size_t tasks = 20;
    std::vector<std::atomic<int>> runs(tasks * tasks);
    std::atomic<int> strangers = 0;
    const auto outer = [&](std::size_t i) {
      const std::thread::id mine = std::this_thread::get_id();
      const auto inner = [&](std::size_t k) {
        ++runs[i * tasks + k];
        strangers += std::this_thread::get_id() == mine ? 0 : 1;
      };
      pool.run(tasks, TaskRef(inner));
    };
    pool.run(tasks, TaskRef(outer));
    EXPECT_TRUE(std::all_of(runs.begin(), runs.end(), [](const auto& one) { return one == 1; }));
    EXPECT_EQ(strangers, 0);
    expect_works(pool);
  }
}

TEST(ThreadPool, runs_as_many_tasks_at_a_time_as_it_has_threads) {
  for (std::size_t threads = 1; threads <= 4; ++threads) {
    ThreadPool pool(threads);
    for (int call = 0; call < 20; ++call) {
      std::atomic<std::size_t> begun = 0;
      std::atomic<std::size_t> met = 0;
      const auto wait_for_all = [&](std::size_t) {
        ++begun;
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (begun < threads && std::chrono::steady_clock::now() < end) {
          std::this_thread::yield();
        }
        met += begun == threads ? 1U : 0U;
      };
      pool.run(threads, TaskRef(wait_for_all));
      ASSERT_EQ(met, threads);
    }
  }
}

TEST(ThreadPool, that_runs_out_of_memory_throws_and_leaves_no_thread_behind) {
  const std::size_t before = running_threads();
  for (const std::size_t threads : {1U, 2U, 3U, 4U, 8U}) {
    for (const Failing failing : {Failing::once, Failing::from_there_on}) {
      std::size_t failures = 0;
      for (bool struck = true; struck; ++failures) {
        std::optional<ThreadPool> pool;
        {
          const SharedAllocationLimit limit(failures, failing);
          try {
            pool.emplace(threads);
          } catch (const std::bad_alloc&) {
          }
          struck = limit.struck();
        }
        EXPECT_EQ(pool.has_value(), !struck) << failures;
        if (pool) {
          EXPECT_EQ(pool->threads(), threads);
          expect_works(*pool);
        } else {
          EXPECT_TRUE(come_to_be(before)) << threads << " threads, allocation " << failures;
        }
      }
      EXPECT_GE(failures, threads);  // at least one per thread
    }
  }
}

#ifndef BROADSIDE_UNDER_SANITIZER

TEST(ThreadPool, has_fewer_threads_where_the_system_refuses_them) {
  const auto boxes = make_boxes("scattered", 20000, 5);
  const auto expected = find_pairs(boxes).value();
  for (int threads = 1; threads <= 5; ++threads) {
    for (int allowed = 0; allowed <= 5; ++allowed) {
      allowed_threads = allowed;
      std::optional<ThreadPool> pool;
      pool.emplace(threads);
      allowed_threads = allowed;
      const auto found = find_pairs(boxes, {.threads = static_cast<std::size_t>(threads)}).value();
      allowed_threads = std::numeric_limits<int>::max();
      EXPECT_EQ(pool->threads(), static_cast<std::size_t>(std::min(threads, allowed + 1)));
      expect_works(*pool);
      EXPECT_EQ(found, expected);
    }
  }
}

#endif

}  // namespace
}  // namespace broadside::test::thread_pool_test
