// The scenes of broadside-bench, and the hash grid that races there.

#include "course.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "contender.hpp"

namespace broadside::bench {
namespace {

bool comes_first(const Aabb& a, const Aabb& b) {
  return std::tie(a.min.x, a.min.y, a.max.x, a.max.y) < std::tie(b.min.x, b.min.y, b.max.x, b.max.y);
}

std::vector<Aabb> sorted(std::span<const Aabb> boxes) {
  std::vector<Aabb> copy(boxes.begin(), boxes.end());
  std::sort(copy.begin(), copy.end(), comes_first);
  return copy;
}

/// Returns a trace of drawn boxes with one frame.
Trace draw_trace(test::Random& random) {
  const auto makers = test::box_makers();
  const auto draw = [&] {
    return makers[random.below(static_cast<std::uint32_t>(makers.size()))].make(random.below(300), random);
  };
  Trace trace;
  trace.static_boxes = draw();
  trace.moving_boxes = draw();
  trace.body_ids.resize(trace.static_boxes.size() + trace.moving_boxes.size());
  trace.profiles.resize(1);
  return trace;
}

TEST(BenchOrders, are_the_same_boxes_and_each_box_stays_in_its_place) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    test::Random random(seed);
    Trace trace = draw_trace(random);
    const std::size_t n = trace.moving_count();
    for (std::size_t frame = 1; frame < 4; ++frame) {
      for (std::size_t i = 0; i < n; ++i) {
        const auto name = static_cast<float>(i);
        trace.moving_boxes.push_back({{name, static_cast<float>(frame)}, {name, static_cast<float>(frame)}});
      }
    }
    trace.profiles.resize(4);
    for (const Order order : {Order::given, Order::sorted, Order::shuffled, Order::alternating}) {
      Trace ordered = trace;
      reorder(ordered, order);
      for (std::size_t frame = 0; frame < 4; ++frame) {
        ASSERT_EQ(sorted(ordered.frame(frame)), sorted(trace.frame(frame))) << name_of(order);
      }
      for (std::size_t i = 0; i < n; ++i) {
        const auto name = static_cast<std::size_t>(ordered.frame(1)[i].min.x);
        ASSERT_EQ(ordered.frame(0)[i], trace.frame(0)[name]) << name_of(order);
        ASSERT_EQ(ordered.frame(3)[i], trace.frame(3)[name]) << name_of(order);
        if (order == Order::sorted && i > 0) {
          ASSERT_LE(ordered.frame(0)[i - 1].min.x, ordered.frame(0)[i].min.x);
        }
        if (order == Order::alternating && i % 2 == 1) {
          const auto area = [&](std::size_t k) {
            const Aabb& box = ordered.frame(0)[k];
            return (double{box.max.x} - box.min.x) * (double{box.max.y} - box.min.y);
          };
          ASSERT_LE(area(i), area(i - 1));
        }
      }
    }
  }
}

TEST(BenchMotions, begin_with_the_workload_and_stay_valid) {
  std::size_t moving = 0;
  for (Course course : generated_courses()) {
    if (course.motion.empty()) {
      continue;
    }
    EXPECT_EQ(course.frames, 1000U);
    course.count = 200;
    const Trace trace = boxes_of(course, 1000).value();
    ASSERT_EQ(trace.frame_count(), 1000U);
    ASSERT_EQ(trace.moving_count(), 200U);
    ASSERT_TRUE(validate(trace.moving_boxes).has_value()) << course.name;
    course.motion.clear();
    const Trace still = boxes_of(course, 1).value();
    ASSERT_TRUE(std::equal(still.moving_boxes.begin(), still.moving_boxes.end(), trace.frame(0).begin()));
    ASSERT_NE(sorted(trace.frame(999)), sorted(trace.frame(0))) << course.name;
    ++moving;
  }
  EXPECT_EQ(moving, 10U);
}

TEST(BenchHashGrid, is_exact) {
  const auto peer = make_hierarchical_hash_grid();
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    test::Random random(seed);
    Trace trace;
    const char* kinds[] = {"scattered", "mixed_sizes", "clustered", "giant_among_tiny", "all_the_same"};
    const auto draw = [&] {
      return test::make_boxes(kinds[random.below(5)], random.below(200), random.bits());
    };
    trace.static_boxes = draw();
    trace.moving_boxes = draw();
    const std::size_t n = trace.moving_boxes.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Aabb box = trace.moving_boxes[i];
      const Vec2 by{random.between(-30.0F, 30.0F), random.between(-1.0F, 1.0F)};
      trace.moving_boxes.push_back({box.min + by, box.max + by});
    }
    trace.body_ids.resize(trace.static_boxes.size() + n);
    trace.profiles.resize(2);
    peer->load(trace);
    for (std::size_t frame = 0; frame < 2; ++frame) {
      std::vector<Aabb> boxes = trace.static_boxes;
      boxes.insert(boxes.end(), trace.frame(frame).begin(), trace.frame(frame).end());
      std::vector<std::uint8_t> is_static(boxes.size(), 0);
      std::fill_n(is_static.begin(), trace.static_count(), std::uint8_t{1});
      const auto found = peer->step(trace.frame(frame));
      std::vector<Pair> pairs(found.begin(), found.end());
      sort_pairs(pairs);
      ASSERT_EQ(pairs, find_pairs(boxes, {.sorted = true, .is_static = is_static}).value()) << seed;
    }
  }
}

}  // namespace
}  // namespace broadside::bench
