// Boxes are added and removed while neighbor lists are kept: slots are reused at once, with other boxes,
// types and filters. Stale entries of the lists must neither show in the pairs nor cost much.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/broad_phase/brute_force.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "model.hpp"

namespace broadside::churn_test {
namespace {

using test::Random;

constexpr BodyType types[] = {BodyType::static_body, BodyType::kinematic, BodyType::dynamic};

Aabb unit_square(Random& random, float world) {
  const float x = random.between(0.0F, world);
  const float y = random.between(0.0F, world);
  return {{x, y}, {x + 1.0F, y + 1.0F}};
}

Aabb shifted(const Aabb& box, float x, float y) {
  return {{box.min.x + x, box.min.y + y}, {box.max.x + x, box.max.y + y}};
}

struct Setup {
  const char* name;
  bool sorted;
  bool threads;
  bool filters;
  std::uint32_t static_share;  ///< one in this many boxes
};

constexpr Setup setups[] = {
    {"plain", false, false, false, 1000}, {"many_static", false, false, false, 2},
    {"filters", false, false, true, 3},   {"sorted", true, false, true, 3},
    {"threads", false, true, true, 3},
};

class Churn : public testing::TestWithParam<Setup> {};

INSTANTIATE_TEST_SUITE_P(Setups, Churn, testing::ValuesIn(setups),
                         [](const auto& setup) { return std::string(setup.param.name); });

/// Makes the same calls to the default technique and to brute force.
class Both {
 public:
  Both(const Setup& setup, std::uint64_t seed) : setup_(setup), random_(seed), pool_(2) {
    grid_.keep_sorted(setup.sorted);
    if (setup.threads) {
      grid_.use_threads(&pool_).value();
    }
  }

  void add_many(std::size_t count, float world) {
    std::vector<Aabb> boxes;
    std::vector<BoxKind> kinds;
    for (std::size_t i = 0; i < count; ++i) {
      boxes.push_back(unit_square(random_, world));
      const BodyType type = random_.below(setup_.static_share) == 0 ? BodyType::static_body
                                                                    : types[random_.below(8) == 0 ? 1 : 2];
      kinds.push_back({.type = type, .filter = some_filter()});
    }
    const auto indices = grid_.add(boxes, kinds).value();
    ASSERT_EQ(truth_.add(boxes, kinds).value(), indices);
    for (std::size_t i = 0; i < count; ++i) {
      note(indices[i], kinds[i].type);
    }
  }

  void remove_one() {
    const BoxIndex index = any();
    grid_.remove(index).value();
    truth_.remove(index).value();
    alive_.erase(std::find(alive_.begin(), alive_.end(), index));
    last_ = truth_.box_of(index);
  }

  /// Adds a box where the last one was removed, or anywhere.
  void add_one(float world) {
    const Aabb box = random_.below(2) == 0 ? last_ : unit_square(random_, world);
    const BodyType type = random_.below(2) == 0 ? BodyType::static_body : types[random_.below(3)];
    const Filter filter = some_filter();
    const BoxIndex index = grid_.add(box, type, filter).value();
    ASSERT_EQ(truth_.add(box, type, filter).value(), index);
    note(index, type);
  }

  void set_filter() {
    const BoxIndex index = any();
    const Filter filter = some_filter();
    grid_.set_filter(index, filter).value();
    truth_.set_filter(index, filter).value();
  }

  void move_one(float world) {
    const BoxIndex index = any();
    const Aabb box =
        random_.below(2) == 0 ? shifted(truth_.box_of(index), 0.4F, 0.2F) : unit_square(random_, world);
    grid_.move(index, box).value();
    truth_.move(index, box).value();
  }

  void move_all(float step) {
    std::vector<BoxIndex> indices;
    std::vector<Aabb> boxes;
    for (const BoxIndex index : alive_) {
      if (types_[index] != BodyType::static_body) {
        indices.push_back(index);
        const float way = index % 2 == 0 ? step : -step;
        boxes.push_back(shifted(truth_.box_of(index), way, 0.5F * way));
      }
    }
    grid_.move(indices, boxes).value();
    truth_.move(indices, boxes).value();
  }

  [[nodiscard]] testing::AssertionResult agree() {
    const auto found = test::sorted_pairs_of(grid_.find_pairs());
    const auto truth = test::sorted_pairs_of(truth_.find_pairs());
    if (found != truth) {
      return testing::AssertionFailure() << found.size() << " pairs instead of " << truth.size();
    }
    const auto as_found = grid_.find_pairs();
    if (setup_.sorted && !std::is_sorted(as_found.begin(), as_found.end(), [](const Pair& a, const Pair& b) {
          return a.a != b.a ? a.a < b.a : a.b < b.b;
        })) {
      return testing::AssertionFailure() << "not sorted";
    }
    std::vector<BoxIndex> some;
    for (std::size_t i = 0; i < alive_.size(); i += 5) {
      some.push_back(alive_[i]);
    }
    const auto of_some = test::sorted_pairs_of(grid_.find_pairs_of(some).value());
    if (of_some != test::sorted_pairs_of(truth_.find_pairs_of(some).value())) {
      return testing::AssertionFailure() << "other pairs of some";
    }
    return testing::AssertionSuccess();
  }

  [[nodiscard]] bool has_lists() const { return grid_.tuning().find("neighbor lists") != std::string::npos; }
  [[nodiscard]] bool is_empty() const { return alive_.empty(); }
  Random& random() { return random_; }

 private:
  BoxIndex any() { return alive_[random_.below(static_cast<std::uint32_t>(alive_.size()))]; }

  void note(BoxIndex index, BodyType type) {
    alive_.push_back(index);
    types_.resize(std::max<std::size_t>(types_.size(), index + 1));
    types_[index] = type;
  }

  Filter some_filter() {
    if (!setup_.filters) {
      return {};
    }
    Filter filter;
    filter.layer = std::uint64_t{1} << random_.below(3);
    filter.mask = random_.below(2) == 0 ? ~std::uint64_t{0} : std::uint64_t{3} << random_.below(2);
    return filter;
  }

  Setup setup_;
  Random random_;
  ThreadPool pool_;
  HierarchicalGrid grid_;
  BruteForce truth_;
  std::vector<BoxIndex> alive_;
  std::vector<BodyType> types_;
  Aabb last_{};
};

TEST_P(Churn, keeps_pairs_correct_whatever_is_added_and_removed) {
#ifdef BROADSIDE_FEW_CASES
  constexpr std::uint64_t programs = 10;
#else
  constexpr std::uint64_t programs = 60;
#endif
  std::size_t with_lists = 0;
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    Both both(GetParam(), 500 + seed);
    Random& random = both.random();
    const std::size_t n = 60 + random.below(300);
    const float world = std::sqrt(static_cast<float>(n));
    both.add_many(n, world);
    const std::uint32_t max_events = 1 + random.below(6);
    for (int frame = 0; frame < 30; ++frame) {
      for (std::uint32_t events = random.below(max_events + 1); events > 0 && !both.is_empty(); --events) {
        switch (random.below(7)) {
          case 0:
            both.remove_one();
            break;
          case 1:
          case 2:  // the slot is reused at once
            both.remove_one();
            both.add_one(world);
            break;
          case 3:
            both.add_one(world);
            break;
          case 4:
            both.set_filter();
            break;
          case 5:
            both.move_one(world);
            break;
          default:
            both.add_many(random.below(4), world);
        }
      }
      if (random.below(4) != 0) {
        both.move_all(random.below(12) == 0 ? 0.3F : 0.01F);
      }
      if (random.below(5) != 0) {
        ASSERT_TRUE(both.agree()) << "seed " << seed << ", frame " << frame;
        with_lists += both.has_lists() ? 1 : 0;
      }
    }
  }
  EXPECT_GT(with_lists, 8 * programs) << "this is about lists of neighbors";
}

/// Work of some frames in which `churn` boxes are removed and as many added; all others move slowly.
struct FrameWork {
  std::uint64_t pairs = 0;    ///< work of finding the pairs
  std::uint64_t updates = 0;  ///< work of updating the lists
};

FrameWork work_of_frames(std::size_t n, std::size_t churn, BodyType type) {
  constexpr int frames = 30;
  Random random(7);
  const float world = std::sqrt(static_cast<float>(n) / 0.75F);
  HierarchicalGrid grid;
  std::vector<BoxIndex> creeping;
  std::vector<Aabb> boxes;
  for (std::size_t i = 0; i < n; ++i) {
    boxes.push_back(unit_square(random, world));
  }
  creeping = grid.add(boxes).value();
  std::vector<BoxIndex> others;
  for (std::size_t i = 0; i < 1000; ++i) {
    others.push_back(grid.add(unit_square(random, world), type).value());
  }
  FrameWork work;
  for (int frame = 0; frame < frames + 3; ++frame) {
    for (Aabb& box : boxes) {
      box = shifted(box, 0.001F, 0.0F);
    }
    grid.move(creeping, boxes).value();
    for (std::size_t k = 0; k < churn && frame >= 3; ++k) {
      BoxIndex& index = others[random.below(1000)];
      grid.remove(index).value();
      index = grid.add(unit_square(random, world), type).value();
    }
    static_cast<void>(grid.find_pairs());
    if (frame >= 3) {  // the lists exist by then
      const Statistics statistics = grid.statistics();
      work.pairs += statistics.tests + 3 * statistics.cells_visited;
      work.updates += statistics.update_tests + 3 * statistics.update_cells_visited;
    }
  }
  EXPECT_NE(grid.tuning().find("neighbor lists"), std::string::npos) << grid.tuning();
  return work;
}

TEST(ChurnCost, boxes_that_come_and_go_cost_no_pass_over_all_candidates) {
  constexpr std::size_t n = 20'000;
  constexpr std::uint64_t frames = 30;
  for (const BodyType type : {BodyType::dynamic, BodyType::static_body}) {
    const FrameWork still = work_of_frames(n, 0, type);
    EXPECT_EQ(still.updates, 0U);
    for (const std::size_t churn : {1U, 4U}) {
      const FrameWork work = work_of_frames(n, churn, type);
      // On average half of the boxes added in these frames exist, and each is looked up in each frame.
      const std::uint64_t looked_up = frames * churn * frames / 2;
      EXPECT_LE(work.pairs, still.pairs + 100 * looked_up) << churn << ", type " << static_cast<int>(type);
      EXPECT_LE(work.updates, 2 * still.pairs / frames + 100 * frames * churn)
          << churn << ", type " << static_cast<int>(type);
    }
  }
}

}  // namespace
}  // namespace broadside::churn_test
