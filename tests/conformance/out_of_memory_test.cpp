// A broad phase when memory runs out: every call of a random program is tried with no allocation allowed,
// then with one, with two, and so on until it succeeds.

#include <new>
#include <optional>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "each_allocation.hpp"
#include "model.hpp"
#include "variants.hpp"

namespace broadside::test::out_of_memory_test {
namespace {

/// Lets `call` fail at each allocation in turn; calls `check` after each failure, and returns the result of
/// `call` once it succeeds.
template <typename Call, typename Check>
auto with_each_allocation_failing(const Call& call, const Check& check) {
  std::optional<decltype(call())> result;
  fail_each_allocation([&] { result.emplace(call()); }, check);
  return result ? *std::move(result) : call();  // none after a fatal assertion
}

class OutOfMemory : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(BroadPhase, OutOfMemory, testing::ValuesIn(variants()), variant_name);

TEST_P(OutOfMemory, leaves_the_boxes_as_they_were) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto phase = GetParam().make();
    const auto untroubled = GetParam().make();  // has enough memory, and returns the same indices
    Model model;
    Random random(seed);
    const auto check = [&] {
      ASSERT_TRUE(holds_the_same(*phase, model));
      for (const auto& cells : {phase->cells(), phase->query_cells()}) {
        for (const Cell& cell : cells) {
          ASSERT_TRUE(cell.boxes >= 1 && cell.boxes <= phase->index_end()) << cell.boxes;
        }
      }
    };
    const auto random_filter = [&] {
      return Filter{.layer = std::uint64_t{1} << random.below(40),
                    .group = static_cast<int>(random.below(3))};
    };
    for (int step = 0; step < 60; ++step) {
      const std::uint32_t what = model.bodies().size() < 5 ? random.below(2) : random.below(7);
      if (what == 0) {
        const auto boxes = make_boxes("scattered", 1 + random.below(60), random.bits());
        const BodyType type = random_type(random);
        const auto added =
            with_each_allocation_failing([&] { return phase->add(boxes, type).value(); }, check);
        ASSERT_EQ(added, untroubled->add(boxes, type).value());
        for (std::size_t i = 0; i < boxes.size(); ++i) {
          model.add(added[i], boxes[i], type);
        }
      } else if (what == 1) {
        const auto boxes = make_boxes("scattered", 1 + random.below(20), random.bits());
        std::vector<BoxKind> kinds;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
          kinds.push_back({random_type(random), {.group = step % 2}});  // such groups filter out no pair
        }
        const auto added =
            with_each_allocation_failing([&] { return phase->add(boxes, kinds).value(); }, check);
        ASSERT_EQ(added, untroubled->add(boxes, kinds).value());
        for (std::size_t i = 0; i < boxes.size(); ++i) {
          model.add(added[i], boxes[i], kinds[i].type);
        }
      } else if (what == 2) {
        std::vector<BoxIndex> some;
        for (const auto& [index, body] : model.bodies()) {
          if (random.below(3) == 0) {
            some.push_back(index);
          }
        }
        static_cast<void>(
            with_each_allocation_failing([&] { return phase->remove(some).has_value(); }, check));
        untroubled->remove(some).value();
        for (const BoxIndex index : some) {
          model.remove(index);
        }
      } else if (what == 3) {
        std::vector<BoxIndex> indices;
        std::vector<Aabb> boxes;
        for (const auto& [index, body] : model.bodies()) {
          const Vec2 way{random.between(-1, 1), random.between(-1, 1)};
          indices.push_back(index);
          boxes.push_back({body.box.min + way, body.box.max + way});
        }
        static_cast<void>(
            with_each_allocation_failing([&] { return phase->move(indices, boxes).has_value(); }, check));
        untroubled->move(indices, boxes).value();
        for (std::size_t i = 0; i < indices.size(); ++i) {
          model.move(indices[i], boxes[i]);
        }
      } else if (what == 4) {
        const BoxIndex index = model.pick(random.bits());
        const Filter before = phase->filter(index).value();
        const Filter filter = random_filter();
        const auto set = [&](const Filter& wanted) {
          with_each_allocation_failing([&] { return phase->set_filter(index, wanted).has_value(); },
                                       [&] {
                                         check();
                                         ASSERT_EQ(phase->filter(index).value(),
                                                   wanted == filter ? before : filter);
                                       });
        };
        set(filter);
        ASSERT_EQ(phase->filter(index).value(), filter);
        set(before);
      } else if (what == 5) {
        with_each_allocation_failing(
            [&] {
              phase->update();
              return true;
            },
            check);
      } else {
        const auto found = with_each_allocation_failing([&] { return phase->find_pairs().size(); }, check);
        ASSERT_EQ(found, model.pairs().size());
      }
      ASSERT_TRUE(holds_the_same(*phase, model));
    }
    ASSERT_TRUE(agrees(*phase, model));
  }
}

// Queries build the tree; without memory for it they work without a tree, and a later query builds it.
TEST(OutOfMemoryOfQueries, leaves_the_tree_to_a_later_query) {
  const auto boxes = make_boxes("scattered", 3000, 12);
  const Aabb area{{0.0F, 0.0F}, {50.0F, 50.0F}};
  for (const Failing failing : {Failing::once, Failing::from_there_on}) {
    for (std::size_t allowed = 0; allowed < 6; ++allowed) {
      HierarchicalGrid grid;
      const auto indices = grid.add(boxes).value();
      grid.update();
      const auto ask = [&](std::vector<BoxIndex>& hits) { grid.query_area(area, hits).value(); };
      std::vector<BoxIndex> expected;
      ask(expected);
      std::vector<BoxIndex> hits;
      hits.reserve(4 * boxes.size());  // answers are written as whole vectors, past their end
      const std::size_t bytes = grid.statistics().bytes;
      {
        const SharedAllocationLimit limit(allowed, failing);
        for (int i = 0; i < 3000 && !limit.struck(); ++i) {
          ask(hits);
          ASSERT_EQ(hits, expected);
        }
        ASSERT_EQ(limit.struck(), allowed < 5) << "a tree has five arrays";
      }
      for (int i = 0; i < 3000; ++i) {
        ask(hits);
        ASSERT_EQ(hits, expected);
      }
      EXPECT_FALSE(grid.query_cells().empty()) << "no later query has made the tree; failed at " << allowed;
      EXPECT_GT(grid.statistics().bytes, bytes + 54 * boxes.size() / 2);
    }
  }
}

// If there is a tree, an update enlarges its arrays; this may fail as well.
TEST(OutOfMemoryOfQueries, leaves_no_half_built_tree) {
  const Aabb area{{0.0F, 0.0F}, {50.0F, 50.0F}};
  for (std::size_t allowed = 0; allowed < 60; ++allowed) {
    HierarchicalGrid grid;
    grid.add(make_boxes("scattered", 100, 12)).value();
    grid.update();
    std::vector<BoxIndex> hits;
    for (int i = 0; i < 3000; ++i) {
      grid.query_area(area, hits).value();
    }
    ASSERT_FALSE(grid.query_cells().empty());
    grid.add(make_boxes("scattered", 3000, 13)).value();
    try {
      const AllocationLimit limit(allowed);
      grid.update();
    } catch (const std::bad_alloc&) {
      for (const Cell& cell : grid.query_cells()) {
        ASSERT_LE(cell.boxes, grid.size());
      }
    }
    std::vector<BoxIndex> expected;
    for (BoxIndex i = 0; i < grid.index_end(); ++i) {
      if (overlaps(grid.box_of(i), area)) {
        expected.push_back(i);
      }
    }
    grid.query_area(area, hits).value();
    ASSERT_EQ(hits, expected) << allowed;
  }
}

/// Lets `call` fail at each allocation of any thread in turn, until it succeeds.
template <typename Call>
void with_each_shared_allocation_failing(Failing failing, const Call& call) {
  bool struck = true;
  for (std::size_t allowed = 0; struck; ++allowed) {
    const SharedAllocationLimit limit(allowed, failing);
    try {
      call();
    } catch (const std::bad_alloc&) {
    }
    struck = limit.struck();
  }
}

TEST(OutOfMemoryWithThreads, leaves_the_boxes_as_they_were) {
  for (const Failing failing : {Failing::once, Failing::from_there_on}) {
    ThreadPool pool(3);
    HierarchicalGrid grid;
    HierarchicalGrid untroubled;
    grid.use_threads(&pool).value();
    auto boxes = make_boxes("mixed_sizes", 20000, 14);
    const auto indices = grid.add(boxes).value();
    ASSERT_EQ(untroubled.add(boxes).value(), indices);
    grid.keep_sorted(true);
    untroubled.keep_sorted(true);
    for (int frame = 0; frame < 4; ++frame) {
      for (Aabb& box : boxes) {
        box.min.x += 0.125F;
        box.max.x += 0.125F;
      }
      with_each_shared_allocation_failing(failing, [&] { grid.move(indices, boxes).value(); });
      std::span<const Pair> found;
      with_each_shared_allocation_failing(failing, [&] { found = grid.find_pairs(); });
      untroubled.move(indices, boxes).value();
      const auto expected = untroubled.find_pairs();
      ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end())) << frame;
    }
  }
}

}  // namespace
}  // namespace broadside::test::out_of_memory_test
