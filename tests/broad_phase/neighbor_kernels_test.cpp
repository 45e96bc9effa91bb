// The kernels of neighbor lists with each instruction set, compared with the contract in their header.
// Elements beyond the ends of arrays would change the result if they were read, and must not be written.

#include "broad_phase/neighbor_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/rounding.hpp"
#include "boxes.hpp"
#include "instruction_sets.hpp"

namespace broadside::detail::neighbor_kernels_test {
namespace {

using test::Random;

constexpr std::size_t beyond = 20;

/// Returns a box on a lattice, so that many boxes touch exactly, or are points.
Aabb lattice_box(Random& random) {
  const Vec2 low{static_cast<float>(random.below(8)), static_cast<float>(random.below(8))};
  return {low, low + Vec2{static_cast<float>(random.below(3)), static_cast<float>(random.below(3))}};
}

std::vector<Aabb> lattice_boxes(std::size_t n, Random& random) {
  std::vector<Aabb> boxes;
  for (std::size_t i = 0; i < n; ++i) {
    boxes.push_back(lattice_box(random));
  }
  return boxes;
}

/// Returns the numbers of pairs to try: all around the widths of vectors and how far ahead boxes are
/// prefetched.
std::vector<std::size_t> counts() {
  std::vector<std::size_t> all;
  for (std::size_t n = 0; n <= 130; ++n) {
    all.push_back(n);
  }
  all.push_back(5000);
  return all;
}

TEST(NeighborKernels, keep_the_pairs_that_overlap) {
  Random random(1);
  for (const std::uint32_t boxes_there : {100U, 29'999U, 30'000U}) {  // from 30,000 on, boxes are prefetched
    const auto boxes = lattice_boxes(boxes_there, random);
    for (const std::size_t n : counts()) {
      std::vector<Pair> pairs;
      std::vector<Pair> expected;
      for (std::size_t i = 0; i < n; ++i) {
        pairs.push_back({random.below(boxes_there), random.below(boxes_there)});
        if (overlaps(boxes[pairs[i].a], boxes[pairs[i].b])) {
          expected.push_back(pairs[i]);
        }
      }
      pairs.resize(n + beyond, {7, 7});  // each of these would be kept
      test::for_instruction_sets([&](const char* set) {
        for (const bool in_place : {false, true}) {
          const Pair untouched{8, 9};
          std::vector<Pair> out = in_place ? pairs : std::vector<Pair>(n + beyond, untouched);
          const auto read = std::span<const Pair>(in_place ? out : pairs).first(n);
          const std::size_t kept = keep_overlapping(read, boxes, out.data());
          ASSERT_EQ(kept, expected.size()) << n << " with " << set;
          EXPECT_TRUE(std::equal(expected.begin(), expected.end(), out.begin())) << n << " with " << set;
          for (std::size_t i = n; i < n + beyond; ++i) {
            ASSERT_EQ(out[i], (in_place ? Pair{7, 7} : untouched)) << n << " with " << set;
          }
        }
      });
    }
  }
}

TEST(NeighborKernels, find_the_boxes_that_leave_their_grown_boxes) {
  constexpr std::uint8_t here = 3;
  Random random(2);
  for (std::size_t round = 0; round < 1000; ++round) {
    const std::size_t n = 1 + round % 40;
    const std::size_t boxes_there = n + 10;
    const std::uint32_t one_in = std::array{2U, 10U, 100U}[random.below(3)];  // one in this many leaves
    std::vector<Aabb> grown = lattice_boxes(boxes_there, random);
    std::vector<std::uint8_t> places(boxes_there, here);
    std::vector<BoxIndex> indices;
    std::vector<Aabb> boxes;
    const bool consecutive = random.below(2) == 0;
    const BoxIndex first = random.below(10);
    for (std::size_t i = 0; i < n; ++i) {
      indices.push_back(consecutive ? first + static_cast<BoxIndex>(i)
                                    : random.below(static_cast<std::uint32_t>(boxes_there)));
      Aabb box = grown[indices[i]];
      if (random.below(one_in) == 0) {
        std::array sides{&box.min.x, &box.min.y, &box.max.x, &box.max.y};
        *sides[random.below(4)] += random.below(2) == 0 ? -0.5F : 0.5F;
      }
      boxes.push_back(box);
      if (random.below(2 * one_in) == 0) {
        places[indices[i]] = here + 1;
      }
    }
    // With a drift, the sums round at times, and boxes must not touch the sides of their grown boxes.
    const Vec2 drift = std::array{Vec2{}, Vec2{1, -2}, Vec2{0, 1e-3F}, Vec2{1e8F, 0}}[random.below(4)];
    const bool drifts = drift != Vec2{};
    for (std::size_t i = 0; drifts && i < n; ++i) {
      boxes[i] = {boxes[i].min + drift + Vec2{0.25F, 0.25F}, boxes[i].max + drift - Vec2{0.25F, 0.25F}};
    }
    std::vector<std::uint32_t> expected;
    for (std::size_t i = 0; i < n; ++i) {
      const Aabb& box = boxes[i];
      const Aabb outer{grown[indices[i]].min + drift, grown[indices[i]].max + drift};
      const auto below = [drifts](float a, float b) { return drifts ? a < b : a <= b; };
      const bool is_in = box.min.x <= box.max.x && box.min.y <= box.max.y && below(outer.min.x, box.min.x) &&
                         below(outer.min.y, box.min.y) && below(box.max.x, outer.max.x) &&
                         below(box.max.y, outer.max.y);
      if (!is_in || places[indices[i]] != here) {
        expected.push_back(static_cast<std::uint32_t>(i));
      }
    }
    test::for_instruction_sets([&](const char* set) {
      std::vector<std::uint32_t> out(n + beyond, 12345);
      const std::size_t count =
          find_leavers({indices, boxes, consecutive}, grown.data(), drift, places.data(), here, out.data());
      ASSERT_TRUE(std::all_of(out.begin() + static_cast<std::ptrdiff_t>(n), out.end(),
                              [](std::uint32_t value) { return value == 12345; }))
          << set;
      out.resize(count);
      EXPECT_EQ(out, expected) << "round " << round << " with " << set;
    });
  }
}

TEST(NeighborKernels, a_box_in_the_frame_of_the_build_contains_the_box) {
  Random random(4);
  NeighborList list({});
  for (std::size_t round = 0; round < 3000; ++round) {
    const auto number = [&] { return random.between(-1, 1) * std::pow(10.0F, random.between(-9, 9)); };
    const Vec2 drift{number(), number()};
    list.set_drift(drift);
    const Vec2 low{number(), number()};
    const Aabb box{low, low + Vec2{std::abs(number()), std::abs(number())}};
    const Aabb moved = list.in_frame_of_build(box);
    // Compares a + by with b, exactly: what the sum lost decides if they seem equal.
    const auto difference = [](float a, float b, float by) {
      const double sum = double{a} + double{by};
      return sum == double{b} ? lost_in_sum(double{a}, double{by}, sum) : sum - double{b};
    };
    EXPECT_LE(difference(moved.min.x, box.min.x, drift.x), 0.0) << "round " << round;
    EXPECT_LE(difference(moved.min.y, box.min.y, drift.y), 0.0) << "round " << round;
    EXPECT_GE(difference(moved.max.x, box.max.x, drift.x), 0.0) << "round " << round;
    EXPECT_GE(difference(moved.max.y, box.max.y, drift.y), 0.0) << "round " << round;
  }
}

TEST(NeighborKernels, a_grown_box_contains_the_box) {
  Random random(3);
  for (std::size_t round = 0; round < 3000; ++round) {
    const float small_size = random.between(0.1F, 10.0F);
    const float scale = random.below(10) == 0 ? 1e35F : 1.0F;
    const Vec2 low{scale * random.between(-9, 9), scale * random.between(-9, 9)};
    const Aabb before{low, low + Vec2{scale * random.between(0, 3), scale * random.between(0, 3)}};
    const Vec2 way{random.below(3) == 0 ? 0.0F : random.between(-0.5F, 0.5F) * scale,
                   random.below(3) == 0 ? 0.0F : random.between(-0.5F, 0.5F) * scale};
    const Aabb now{before.min + way, before.max + way};
    const Aabb untouched{{7, 7}, {7, 7}};
    Aabb grown = untouched;
    if (grow_box(before, now, small_size, grown)) {
      EXPECT_TRUE(grown.min.x <= now.min.x && grown.min.y <= now.min.y && now.max.x <= grown.max.x &&
                  now.max.y <= grown.max.y)
          << round;
    } else {
      EXPECT_EQ(grown, untouched) << round;
    }
    const auto turned = [](const Aabb& box) { return Aabb{{box.min.y, box.min.x}, {box.max.y, box.max.x}}; };
    Aabb grown_when_turned = turned(untouched);
    grow_box(turned(before), turned(now), small_size, grown_when_turned);
    EXPECT_EQ(turned(grown_when_turned), grown) << "both axes count the same, round " << round;
  }
}

}  // namespace
}  // namespace broadside::detail::neighbor_kernels_test
