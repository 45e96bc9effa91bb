// The groups of bullets, compared with those that a search over all pairs finds.

#include "distributed/bullet_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "boxes.hpp"
#include "broadside/distributed/in_process.hpp"

namespace broadside::test::bullet_groups_test {
namespace {

using detail::BulletGroups;

std::vector<Aabb> draw_boxes(Random& random, std::uint32_t count, float size) {
  std::vector<Aabb> boxes;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec2 min{random.between(0.0F, 10.0F), random.between(0.0F, 10.0F)};
    boxes.push_back({min, min + Vec2{size * random.unit(), size * random.unit()}});
  }
  return boxes;
}

/// Returns the boxes around the groups, by bullet.
std::vector<Aabb> hulls_of(const std::vector<Aabb>& boxes) {
  std::vector<std::size_t> groups(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    groups[i] = i;
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (overlaps(boxes[i], boxes[j])) {
        std::replace(groups.begin(), groups.end(), groups[i], groups[j]);
      }
    }
  }
  std::vector<Aabb> hulls = boxes;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = 0; j < boxes.size(); ++j) {
      hulls[i] = groups[i] == groups[j] ? merge(hulls[i], boxes[j]) : hulls[i];
    }
  }
  return hulls;
}

TEST(BulletGroups, have_the_owners_that_a_search_over_all_pairs_finds) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    const int parts = 1 + static_cast<int>(random.below(8));
    const float size = random.between(0.0F, 4.0F);
    const std::vector<Aabb> bullets = draw_boxes(random, random.below(30), size);
    const std::vector<Aabb> others_boxes = draw_boxes(random, random.below(50), 2.0F);
    std::vector<WorkSample> samples;
    for (int i = 0; i < 50; ++i) {
      samples.push_back({{random.between(0.0F, 10.0F), random.between(0.0F, 10.0F)}, 1.0F});
    }
    const Partition partition = Partition::bisect(samples, parts).value();
    const std::vector<Aabb> hulls = hulls_of(bullets);
    std::vector<std::pair<std::uint32_t, int>> expected;
    for (std::uint32_t box = 0; box < others_boxes.size(); ++box) {
      for (std::size_t i = 0; i < bullets.size(); ++i) {
        if (overlaps(others_boxes[box], bullets[i])) {
          expected.emplace_back(box, partition.part_of(hulls[i].min));
        }
      }
    }
    std::sort(expected.begin(), expected.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    run_in_process(parts, [&](Communicator& others) {
      std::vector<BulletGroups::Bullet> own;
      for (std::size_t i = 0; i < bullets.size(); ++i) {
        if (static_cast<int>(i) % parts == others.rank()) {
          own.push_back({GlobalId::of(static_cast<int>(i % 3), i), bullets[i]});
        }
      }
      const BulletGroups groups = BulletGroups::gather(others, own, partition).value();
      for (std::size_t i = 0; i < bullets.size(); ++i) {
        EXPECT_EQ(groups.owner_of(GlobalId::of(static_cast<int>(i % 3), i)), partition.part_of(hulls[i].min))
            << "seed " << seed;
      }
      EXPECT_EQ(groups.find_owners(others_boxes), expected) << "seed " << seed;
    }).value();
  }
}

}  // namespace
}  // namespace broadside::test::bullet_groups_test
