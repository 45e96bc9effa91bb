#include "broadside/distributed/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "boxes.hpp"

namespace broadside::test::distributed_partition_test {
namespace {

std::vector<WorkSample> samples_of(std::span<const Aabb> boxes, Random& random) {
  std::vector<WorkSample> samples;
  const bool is_weighted = random.below(2) == 0;
  for (const Aabb& box : boxes) {
    samples.push_back({box.min, is_weighted ? random.unit() : 1.0F});
  }
  return samples;
}

std::vector<int> parts_of(const Partition& partition, const Aabb& box) {
  std::vector<int> parts;
  partition.parts_of(box, [&](int part) { parts.push_back(part); });
  return parts;
}

/// The same from the regions: a part has the points from its min corner up to its max corner.
std::vector<int> parts_by_regions(const Partition& partition, const Aabb& box) {
  std::vector<int> parts;
  for (int part = 0; part < partition.parts(); ++part) {
    const Aabb region = partition.region(part);
    const bool is_empty = region.min.x >= region.max.x || region.min.y >= region.max.y;
    if (!is_empty && box.min.x < region.max.x && box.min.y < region.max.y && box.max.x >= region.min.x &&
        box.max.y >= region.min.y) {
      parts.push_back(part);
    }
  }
  return parts;
}

/// Boxes of all kinds, and the partitions of 1 to 40 parts that their corners give.
template <typename Check>
void for_drawn_partitions(const Check& check) {
  std::uint64_t seed = 0;
  for (const BoxMaker& maker : box_makers()) {
    for (const int parts : {1, 2, 3, 4, 7, 16, 40}) {
      Random random(++seed);
      const std::vector<Aabb> boxes = maker.make(60, random);
      const auto samples = samples_of(boxes, random);
      auto partition = Partition::bisect(samples, parts).value();
      if (random.below(2) == 0) {
        const auto others = samples_of(maker.make(60, random), random);
        partition = partition.rebalanced(others, 0.01F + 0.99F * random.unit()).value();
      }
      ASSERT_EQ(partition.parts(), parts);
      check(partition, boxes);
    }
  }
}

TEST(Partition, has_each_point_in_one_part) {
  for_drawn_partitions([](const Partition& partition, std::span<const Aabb> boxes) {
    for (const Aabb& box : boxes) {
      for (const Vec2 point : {box.min, box.max, Vec2{box.min.x, box.max.y}}) {
        const std::vector<int> own{partition.part_of(point)};
        ASSERT_EQ(parts_of(partition, {point, point}), own);
        ASSERT_EQ(parts_by_regions(partition, {point, point}), own);
      }
    }
  });
}

TEST(Partition, visits_the_parts_whose_regions_a_box_meets) {
  for_drawn_partitions([](const Partition& partition, std::span<const Aabb> boxes) {
    for (const Aabb& box : boxes) {
      ASSERT_EQ(parts_of(partition, box), parts_by_regions(partition, box));
    }
  });
}

TEST(Partition, two_boxes_that_touch_meet_the_part_of_their_larger_min_corner) {
  std::size_t touching = 0;
  for_drawn_partitions([&](const Partition& partition, std::span<const Aabb> boxes) {
    for (const Aabb& a : boxes) {
      for (const Aabb& b : boxes) {
        if (overlaps(a, b)) {
          ++touching;
          const int owner = partition.part_of({std::max(a.min.x, b.min.x), std::max(a.min.y, b.min.y)});
          for (const Aabb& box : {a, b}) {
            const std::vector<int> met = parts_of(partition, box);
            ASSERT_TRUE(std::binary_search(met.begin(), met.end(), owner));
          }
        }
      }
    }
  });
  EXPECT_GT(touching, 1000U);
}

/// Returns the work of the part that has the most, divided by the mean.
double imbalance_of(const Partition& partition, std::span<const WorkSample> samples) {
  std::vector<double> work(static_cast<std::size_t>(partition.parts()));
  double all = 0.0;
  for (const WorkSample& sample : samples) {
    work[static_cast<std::size_t>(partition.part_of(sample.point))] += static_cast<double>(sample.work);
    all += static_cast<double>(sample.work);
  }
  return *std::max_element(work.begin(), work.end()) * static_cast<double>(partition.parts()) / all;
}

std::vector<WorkSample> drawn_samples(std::size_t count, Random& random) {
  std::vector<WorkSample> samples;
  for (std::size_t i = 0; i < count; ++i) {
    const float x = random.unit();
    samples.push_back({{1000.0F * x * x, 10.0F * random.unit()}, 0.5F + random.unit()});
  }
  return samples;
}

TEST(Partition, has_about_the_same_work_in_each_part) {
  Random random(1);
  for (int parts = 1; parts <= 16; ++parts) {
    const auto samples = drawn_samples(4000, random);
    const auto partition = Partition::bisect(samples, parts).value();
    EXPECT_LT(imbalance_of(partition, samples), 1.03) << parts;
    EXPECT_EQ(Partition::bisect(samples, parts).value(), partition);
  }
}

TEST(Partition, moves_its_cuts_in_small_steps_to_where_the_work_is) {
  Random random(2);
  for (int parts = 2; parts <= 16; ++parts) {
    const auto before = drawn_samples(2000, random);
    auto samples = drawn_samples(2000, random);
    for (WorkSample& sample : samples) {
      sample.work = sample.point.x > 300.0F ? 5.0F : 1.0F;
    }
    Partition partition = Partition::bisect(before, parts).value();
    const double first = imbalance_of(partition, samples);
    for (int step = 0; step < 60; ++step) {
      const Partition next = partition.rebalanced(samples, 0.05F).value();
      double passed = 0.0;
      double all = 0.0;
      for (const WorkSample& sample : samples) {
        all += static_cast<double>(sample.work);
        const bool has_passed = partition.part_of(sample.point) != next.part_of(sample.point);
        passed += has_passed ? static_cast<double>(sample.work) : 0.0;
      }
      // At most the share at each of the cuts above a part, and one sample more.
      EXPECT_LE(passed / all, std::ceil(std::log2(parts)) * 0.055) << parts;
      partition = next;
    }
    EXPECT_LT(imbalance_of(partition, samples), 1.05) << parts;
    EXPECT_GT(first, 1.1) << parts;
  }
}

TEST(Partition, may_have_empty_parts) {
  const std::vector<WorkSample> equal(50, {{3.0F, 4.0F}, 1.0F});
  for (const int parts : {1, 2, 5, 16}) {
    const auto partition = Partition::bisect(equal, parts).value();
    EXPECT_EQ(parts_of(partition, {{3.0F, 4.0F}, {3.0F, 4.0F}}).size(), 1U);
    EXPECT_EQ(Partition::bisect({}, parts).value().parts(), parts);
  }
  const std::vector<WorkSample> idle(50, {{3.0F, 4.0F}, 0.0F});
  EXPECT_EQ(Partition::bisect(idle, 4).value(), Partition::bisect(equal, 4).value());
}

TEST(Partition, refuses_what_has_no_meaning) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const int parts : {-3, 0, Partition::max_parts + 1}) {
    EXPECT_EQ(Partition::bisect({}, parts).error().code, ErrorCode::invalid_argument);
  }
  const Partition partition = Partition::bisect({}, 3).value();
  const auto code_of = [&](const WorkSample& sample) {
    const std::vector<WorkSample> samples{{{1.0F, 1.0F}}, sample};
    const ErrorCode code = Partition::bisect(samples, 2).error().code;
    EXPECT_EQ(partition.rebalanced(samples, 0.5F).error().code, code);
    return code;
  };
  for (const float bad : {infinity, -infinity, nan}) {
    EXPECT_EQ(code_of({{bad, 0.0F}, 1.0F}), ErrorCode::not_finite);
    EXPECT_EQ(code_of({{0.0F, bad}, 1.0F}), ErrorCode::not_finite);
    EXPECT_EQ(code_of({{0.0F, 0.0F}, bad}), ErrorCode::not_finite);
  }
  EXPECT_EQ(code_of({{0.0F, 0.0F}, -1.0F}), ErrorCode::invalid_argument);
  for (const float share : {0.0F, -1.0F, 1.01F, nan}) {
    EXPECT_EQ(partition.rebalanced({}, share).error().code, ErrorCode::invalid_argument);
  }
}

}  // namespace
}  // namespace broadside::test::distributed_partition_test
