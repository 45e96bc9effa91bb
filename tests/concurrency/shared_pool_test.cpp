// One thread pool, many users at once: each gets the same result as alone, and none waits for ever.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/world/world.hpp"
#include "concurrency/side_by_side.hpp"
#include "watchdog.hpp"

namespace broadside::test {
namespace {

constexpr std::chrono::seconds patience{120};

TEST(SharedPool, runs_each_task_once_for_all_callers) {
  const Watchdog watchdog(patience);
  Random random(41);
  for (int round = 0; round < 40; ++round) {
    std::vector<std::unique_ptr<ThreadPool>> pools(1 + random.below(3));
    for (auto& pool : pools) {
      pool = std::make_unique<ThreadPool>(1 + random.below(5));
    }
    const std::size_t callers = 1 + random.below(6);
    const std::uint64_t seed = random.bits();
    std::atomic<int> wrong = 0;
    side_by_side(callers, [&](std::size_t caller) {
      Random draw(seed + caller);
      for (int call = 0; call < 30; ++call) {
        ThreadPool& pool = *pools[draw.below(static_cast<std::uint32_t>(pools.size()))];
        ThreadPool& inner = *pools[draw.below(static_cast<std::uint32_t>(pools.size()))];
        const std::size_t count = draw.below(4) == 0 ? draw.below(2000) : draw.below(9);
        const std::size_t nested = draw.below(3) == 0 ? 1 + draw.below(4) : 0;
        std::vector<std::atomic<int>> runs(count);
        const auto task = [&](std::size_t i) {
          const auto again = [&](std::size_t) { ++runs[i]; };
          ++runs[i];
          if (nested > 0 && i < 8) {
            inner.run(nested, TaskRef(again));
          }
        };
        pool.run(count, TaskRef(task));
        for (std::size_t i = 0; i < count; ++i) {
          wrong += runs[i] == 1 + static_cast<int>(i < 8 ? nested : 0) ? 0 : 1;
        }
      }
    });
    ASSERT_EQ(wrong, 0) << round;
  }
}

TEST(SharedPool, serves_find_pairs_side_by_side) {
  const Watchdog watchdog(patience);
  Random random(42);
  for (const std::size_t threads : {2U, 3U, 4U}) {
    ThreadPool pool(threads);
    std::vector<std::vector<Aabb>> boxes;
    std::vector<std::vector<Pair>> expected;
    std::vector<std::vector<Pair>> expected_between;
    for (int i = 0; i < 3; ++i) {
      boxes.push_back(make_boxes("scattered", 9000 + random.below(9000), random.bits()));
      expected.push_back(find_pairs(boxes.back()).value());
      expected_between.push_back(find_pairs(boxes.back(), boxes.front()).value());
    }
    std::atomic<int> wrong = 0;
    side_by_side(4, [&](std::size_t caller) {
      for (std::size_t call = 0; call < 3; ++call) {
        const std::size_t which = (caller + call) % boxes.size();
        wrong += find_pairs(boxes[which], {.tasks = &pool}).value() == expected[which] ? 0 : 1;
        const auto between = find_pairs(boxes[which], boxes.front(), {.tasks = &pool}).value();
        wrong += between == expected_between[which] ? 0 : 1;
      }
    });
    EXPECT_EQ(wrong, 0) << threads;
  }
}

// A thread without a call sleeps after a while. A call, or the end of the pool, may come just then.
TEST(SharedPool, wakes_threads_that_are_about_to_sleep) {
  const Watchdog watchdog(patience);
  Random random(43);
  for (int round = 0; round < 400; ++round) {
    ThreadPool pool(1 + random.below(4));
    for (std::uint32_t calls = random.below(4);; --calls) {
      yield_for(std::chrono::microseconds(random.below(500)));
      if (calls == 0) {
        break;
      }
      std::atomic<std::size_t> begun = 0;
      const auto wait_for_all = [&](std::size_t) {  // returns only if all threads have come
        ++begun;
        while (begun < pool.threads()) {
          std::this_thread::yield();
        }
      };
      pool.run(pool.threads(), TaskRef(wait_for_all));
      ASSERT_EQ(begun, pool.threads());
    }
  }
}

/// Returns a world that evolves in the same way for the same seed.
World make_world(std::uint64_t seed, std::size_t count = 6000) {
  World world =
      World::create({.response = Response::bounce, .restitution = 0.75F, .gravity = {0, 3}}).value();
  Random random(seed);
  const float side = 2.0F * std::sqrt(static_cast<float>(count));
  std::vector<BodyDef> bodies(count);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i] = {
        .shape = i % 3 == 0 ? Shape(Box::of_half_size({0.75F, 0.5F})) : Shape(Circle{.radius = 0.75F}),
        .type = i % 5 == 0 ? BodyType::static_body : BodyType::dynamic,
        .position = {random.between(0, side), random.between(0, side)}};
    if (i % 5 != 0) {
      bodies[i].velocity = {random.between(-9, 9), random.between(-9, 9)};
    }
  }
  world.add(bodies).value();
  return world;
}

TEST(SharedPool, serves_worlds_side_by_side) {
  const Watchdog watchdog(patience);
  constexpr std::size_t worlds = 3;
  constexpr int steps = 8;
  std::vector<std::uint64_t> expected;
  for (std::size_t i = 0; i < worlds; ++i) {
    World alone = make_world(i);
    for (int step = 0; step < steps; ++step) {
      alone.step(1.0F / 60).value();
    }
    expected.push_back(alone.hash());
  }
  ThreadPool pool(3);
  std::vector<std::uint64_t> hashes(worlds);
  side_by_side(worlds, [&](std::size_t caller) {
    World world = make_world(caller);
    world.use_threads(&pool).value();
    for (int step = 0; step < steps; ++step) {
      world.step(1.0F / 60).value();
    }
    hashes[caller] = world.hash();
  });
  EXPECT_EQ(hashes, expected);
}

/// Counts its calls, and those that come while another is running or from within a task.
class WatchedRunner final : public TaskRunner {
 public:
  [[nodiscard]] std::size_t threads() const override { return 3; }
  void run(std::size_t count, TaskRef task) override {
    ++calls;
    wrong += in_task ? 1 : 0;
    wrong += running.exchange(true) ? 1 : 0;
    for (std::size_t i = 0; i < count; ++i) {
      in_task = true;
      task(i);
      in_task = false;
    }
    running = false;
  }

  std::atomic<int> calls = 0;
  std::atomic<int> wrong = 0;

 private:
  static thread_local bool in_task;
  std::atomic<bool> running = false;
};

thread_local bool WatchedRunner::in_task = false;

// Each object has a runner of its own. Objects are used side by side, and so are the const calls of each.
TEST(RunnerOfOneObject, is_called_by_one_thread_at_a_time_and_never_by_a_task) {
  const Watchdog watchdog(patience);
  constexpr std::size_t worlds = 3;
  std::vector<WatchedRunner> runners(2 * worlds);
  side_by_side(worlds, [&](std::size_t caller) {
    Random random(caller);
    World world = make_world(caller, 18'000);
    world.use_threads(&runners[caller]).value();
    for (int step = 0; step < 3; ++step) {
      const std::vector<BodyId> bodies = world.bodies();
      for (int k = 0; k < 50; ++k) {
        const BodyId body = bodies[random.below(static_cast<std::uint32_t>(bodies.size()))];
        world.move(body, Vec2{random.between(0, 200), 50}).value();
      }
      side_by_side(2, [&](std::size_t asking) {
        for (std::size_t k = 0; k < 20; ++k) {
          const auto at = static_cast<float>(10 * k + asking);
          static_cast<void>(world.query_area({{at, at}, {at + 20, at + 20}}).value());
          static_cast<void>(world.nearest({at, at}, 3).value());
          static_cast<void>(world.cast_ray({at, 0}, {20, 200}).value());
        }
      });
      world.step(1.0F / 60).value();
    }
    const std::size_t count = 17'000 + random.below(5000);
    const std::vector<Aabb> boxes = make_boxes("touching_edges", count / 40, caller);
    std::vector<Aabb> many;
    for (std::size_t i = 0; many.size() < count; ++i) {  // copies of the boxes, far from each other
      Aabb box = boxes[i % boxes.size()];
      const auto shift = 100.0F * static_cast<float>(i / boxes.size());
      box.min.x += shift;
      box.max.x += shift;
      many.push_back(box);
    }
    static_cast<void>(find_pairs(many, {.tasks = &runners[worlds + caller]}).value());
  });
  for (const WatchedRunner& runner : runners) {
    EXPECT_EQ(runner.wrong, 0);
    EXPECT_GT(runner.calls, 0);
  }
}

}  // namespace
}  // namespace broadside::test
