// What a broad phase refuses: lists of indices and types that make no sense. They are drawn at random, and
// compared with a twin that never sees them: they must change nothing.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/brute_force.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/world/world.hpp"
#include "model.hpp"
#include "variants.hpp"

namespace broadside::test::refusal_test {
namespace {

class Refusal : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(BroadPhase, Refusal, testing::ValuesIn(variants()), variant_name);

/// A list of indices, and what is wrong with it.
struct List {
  std::vector<BoxIndex> indices;
  ErrorCode code = ErrorCode::none;
  BoxIndex bad = 0;
};

/// Draws a list: valid, or with an index that is repeated or stale, anywhere in it.
List draw_list(const Model& model, const std::vector<BoxIndex>& removed, Random& random) {
  List list;
  for (const auto& [index, body] : model.bodies()) {
    if (random.below(3) == 0) {
      list.indices.push_back(index);
    }
  }
  if (random.below(2) == 0) {  // in no order
    test::shuffle(list.indices, random);
  }
  const auto size = static_cast<std::uint32_t>(list.indices.size());
  const std::uint32_t wrong = random.below(4);
  if (wrong == 1 && size > 0) {
    list.code = ErrorCode::invalid_argument;
    list.bad = list.indices[random.below(size)];
  } else if (wrong == 2) {
    list.code = ErrorCode::stale_id;
    list.bad = random.below(2) == 0 ? 1000 + random.below(1000) : std::numeric_limits<BoxIndex>::max();
  } else if (wrong == 3 && !removed.empty()) {
    list.code = ErrorCode::stale_id;
    list.bad = removed[random.below(static_cast<std::uint32_t>(removed.size()))];
  }
  if (list.code != ErrorCode::none) {
    list.indices.insert(list.indices.begin() + random.below(size + 1), list.bad);
  }
  return list;
}

std::vector<BoxIndex> removed_of(const Model& model, BoxIndex end) {
  std::vector<BoxIndex> removed;
  for (BoxIndex index = 0; index < end; ++index) {
    if (model.bodies().count(index) == 0) {
      removed.push_back(index);
    }
  }
  return removed;
}

// A list may be a part of a longer array: the elements after it are not part of the list.
TEST_P(Refusal, a_repeated_index_is_refused_whatever_follows_the_list) {
  Random random(77);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const auto phase = GetParam().make();
    const std::size_t n = 2 + random.below(40);
    const auto boxes = box_makers().front().make(n, random);
    ASSERT_TRUE(phase->add(boxes).has_value());
    std::vector<BoxIndex> array(1 + random.below(static_cast<std::uint32_t>(n)));
    std::iota(array.begin(), array.end(), static_cast<BoxIndex>(n - array.size()));
    const std::uint32_t order = random.below(3);
    if (order > 0) {
      std::reverse(array.begin(), array.end());
    }
    if (order > 1) {
      std::rotate(array.begin(), array.begin() + random.below(static_cast<std::uint32_t>(array.size())),
                  array.end());
    }
    // Repeats an index at either end; then adds an index that is not part of the list.
    const BoxIndex twice = array[random.below(static_cast<std::uint32_t>(array.size()))];
    array.insert(random.below(2) == 0 ? array.begin() : array.end(), twice);
    array.push_back(random.below(2) == 0 ? 0 : random.below(1000));
    const auto list = std::span(array).first(array.size() - 1);
    const std::vector<Aabb> moved(list.size(), boxes[0]);
    const auto result = phase->move(list, moved);
    ASSERT_FALSE(result.has_value()) << twice << " of " << n;
    EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
    for (BoxIndex i = 0; i < n; ++i) {
      ASSERT_EQ(phase->box(i).value(), boxes[i]);
    }
  }
}

TEST_P(Refusal, of_lists_changes_nothing) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto phase = GetParam().make();
    const auto twin = GetParam().make();  // sees only accepted calls
    Model model;
    Random random(seed);
    std::set<ErrorCode> seen;
    for (int step = 0; step < 150; ++step) {
      const List list = draw_list(model, removed_of(model, phase->index_end()), random);
      Error error;
      const std::uint32_t what = model.bodies().size() < 10 ? 3 : random.below(4);
      if (what == 0) {
        error = phase->remove(list.indices).error();
      } else if (what == 1) {
        const auto boxes = make_boxes("scattered", list.indices.size(), random.bits());
        ASSERT_EQ(boxes.size(), list.indices.size());
        error = phase->move(list.indices, boxes).error();
        if (!error) {
          twin->move(list.indices, boxes).value();
          for (std::size_t i = 0; i < boxes.size(); ++i) {
            model.move(list.indices[i], boxes[i]);
          }
        }
      } else if (what == 2) {
        const auto found = phase->find_pairs_of(list.indices);
        error = found.error();
        if (!error) {
          std::vector<IndexPair> expected;
          for (const IndexPair& pair : model.pairs()) {
            const auto is_asked = [&](BoxIndex index) {
              return std::find(list.indices.begin(), list.indices.end(), index) != list.indices.end();
            };
            if (is_asked(pair.first) || is_asked(pair.second)) {
              expected.push_back(pair);
            }
          }
          ASSERT_EQ(sorted_pairs_of(found.value()), expected);
          static_cast<void>(twin->find_pairs_of(list.indices).value());
        }
      } else {
        const auto boxes = make_boxes("scattered", 1 + random.below(20), random.bits());
        const BodyType type = random_type(random);
        const auto added = phase->add(boxes, type).value();
        ASSERT_EQ(added, twin->add(boxes, type).value()) << "an index was lost, or given out twice";
        for (std::size_t i = 0; i < boxes.size(); ++i) {
          model.add(added[i], boxes[i], type);
        }
      }
      if (what < 3) {
        ASSERT_EQ(error.code, list.code) << "call " << what << ": " << error.message;
        ASSERT_TRUE(!error || mentions(error.message, "box " + std::to_string(list.bad) + " "))
            << error.message;
        seen.insert(error.code);
      }
      if (what == 0 && !error) {
        twin->remove(list.indices).value();
        for (const BoxIndex index : list.indices) {
          model.remove(index);
        }
      }
      ASSERT_TRUE(holds_the_same(*phase, model)) << "call " << what << ", step " << step;
      ASSERT_EQ(phase->size(), twin->size());
    }
    ASSERT_TRUE(agrees(*phase, model));
    EXPECT_EQ(seen.size(), 3U);
  }
}

TEST_P(Refusal, of_kinds_changes_nothing) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const auto phase = GetParam().make();
  Model model;
  fill(*phase, model, make_boxes("scattered", 30, 4));
  const BoxIndex gone = 3;
  phase->remove(gone).value();
  model.remove(gone);
  const auto no_type = static_cast<BodyType>(7);
  for (std::size_t n = 1; n < 6; ++n) {
    for (std::size_t bad = 0; bad < n; ++bad) {
      auto boxes = make_boxes("scattered", n, n);
      std::vector<BoxKind> kinds(n, BoxKind{BodyType::kinematic, {.layer = 2}});
      EXPECT_EQ(phase->add(boxes, std::span(kinds).first(bad)).error().code, ErrorCode::invalid_argument);
      EXPECT_EQ(phase->add(std::span(boxes).first(bad), kinds).error().code, ErrorCode::invalid_argument);
      kinds[bad].type = no_type;
      EXPECT_EQ(phase->add(boxes, kinds).error().code, ErrorCode::invalid_argument);
      EXPECT_EQ(phase->set_kind(static_cast<BoxIndex>(bad == gone ? n : bad), kinds[bad]).error().code,
                ErrorCode::invalid_argument);
      kinds[bad].type = BodyType::dynamic;
      boxes[bad].min.y = nan;
      EXPECT_EQ(phase->add(boxes, kinds).error().code, ErrorCode::not_finite);
    }
  }
  EXPECT_EQ(phase->set_kind(gone, {}).error().code, ErrorCode::stale_id);
  EXPECT_EQ(phase->set_filter(gone, {}).error().code, ErrorCode::stale_id);
  EXPECT_TRUE(holds_the_same(*phase, model));
  EXPECT_TRUE(agrees(*phase, model));
}

TEST(RefusalOfFilters, beyond_65_000_different_ones_changes_nothing) {
  constexpr std::size_t most = 65'000;
  BruteForce phase;
  const Aabb box{{0, 0}, {1, 1}};
  const auto filter = [](std::size_t i) { return Filter{.layer = i + 1, .mask = i}; };
  const std::size_t plain = 3;  // the default filter of each type exists already
  for (std::size_t i = 0; i + plain < most; ++i) {
    ASSERT_EQ(phase.add(box, BodyType::static_body, filter(i)).value(), i);
  }
  const std::size_t size = phase.size();
  const Filter one_more = filter(most);
  const BoxKind kind{BodyType::static_body, one_more};
  EXPECT_EQ(phase.add(box, BodyType::static_body, one_more).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(phase.add({&box, 1}, BodyType::static_body, one_more).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(phase.add({&box, 1}, {&kind, 1}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(phase.set_kind(5, kind).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(phase.size(), size);
  EXPECT_EQ(phase.filter(5).value(), filter(5));
  EXPECT_TRUE(phase.add(box, BodyType::static_body, filter(9)).has_value()) << "a filter that is known";
  phase.remove(7).value();
  EXPECT_TRUE(phase.add(box, BodyType::static_body, one_more).has_value()) << "one is free again";
}

TEST_P(Refusal, of_lists_allocates_nothing_if_they_are_valid) {
  const auto phase = GetParam().make();
  const auto boxes = make_boxes("scattered", 500, 3);
  auto indices = phase->add(boxes).value();
  std::reverse(indices.begin(), indices.end());
  const auto frame = [&] {
    phase->move(indices, boxes).value();
    static_cast<void>(phase->find_pairs());
    static_cast<void>(phase->find_pairs_of(indices).value());
  };
  for (int i = 0; i < 20; ++i) {
    frame();
  }
  const AllocationWatch watch;
  phase->move(indices, boxes).value();
  EXPECT_EQ(watch.count(), 0U);
}

TEST_P(Refusal, of_types_covers_all_256_bytes) {
  const auto phase = GetParam().make();
  const Aabb box{{0, 0}, {1, 1}};
  for (int byte = 0; byte < 256; ++byte) {
    const auto type = static_cast<BodyType>(byte);
    const bool valid = byte < 3;
    const std::vector<Aabb> boxes(3, box);
    for (const std::size_t at : {0U, 2U}) {
      std::vector<BoxKind> kinds(3, BoxKind{BodyType::kinematic, {.layer = 2}});
      kinds[at].type = type;
      const std::vector<Result<std::vector<BoxIndex>>> answers{
          phase->add(boxes, type), phase->add(boxes, type, {.layer = 4}), phase->add(boxes, kinds)};
      for (const auto& answer : answers) {
        ASSERT_EQ(answer.error().code, valid ? ErrorCode::none : ErrorCode::invalid_argument) << byte;
        ASSERT_EQ(mentions(answer.error().message, "type " + std::to_string(byte) + " "), !valid)
            << answer.error().message;
      }
      ASSERT_EQ(mentions(answers[2].error().message, "box " + std::to_string(at)), !valid);
    }
    ASSERT_EQ(phase->add(box, type).error().code, valid ? ErrorCode::none : ErrorCode::invalid_argument);
    ASSERT_EQ(phase->size(), static_cast<std::size_t>(std::min(byte, 2) + 1) * 19);
  }
}

/// Claims to have no threads, or more threads each time that it is asked.
class StrangeRunner final : public TaskRunner {
 public:
  explicit StrangeRunner(std::size_t threads) : threads_(threads) {}
  [[nodiscard]] std::size_t threads() const override { return threads_ == 0 ? 0 : threads_++; }
  [[nodiscard]] bool has_run() const { return has_run_; }
  void run(std::size_t count, TaskRef task) override {
    has_run_ = true;
    for (std::size_t i = 0; i < count; ++i) {
      task(i);
    }
  }

 private:
  mutable std::size_t threads_;
  bool has_run_ = false;
};

TEST(RefusalOfRunners, without_threads_keeps_the_previous_runner) {
  for (const TechniqueEntry& technique : techniques()) {
    const auto phase = technique.create({}).value();
    StrangeRunner none(0);
    StrangeRunner two(2);
    EXPECT_EQ(phase->use_threads(&none).error().code, ErrorCode::invalid_argument);
    phase->use_threads(&two).value();
    EXPECT_EQ(phase->use_threads(&none).error().code, ErrorCode::invalid_argument);
    const bool uses_threads = technique.name == "hierarchical-grid";
    phase->add(make_boxes("scattered", uses_threads ? 40000 : 4000, 8)).value();
    static_cast<void>(phase->find_pairs());
    EXPECT_EQ(two.has_run(), uses_threads) << technique.name;
    phase->use_threads(nullptr).value();
  }
  NarrowPhase narrow_phase;
  StrangeRunner none(0);
  EXPECT_EQ(narrow_phase.use_threads(&none).error().code, ErrorCode::invalid_argument);
  World world;
  EXPECT_EQ(world.use_threads(&none).error().code, ErrorCode::invalid_argument);
}

// The number is read once: what is allocated per thread must not be too small.
TEST(RefusalOfRunners, is_not_needed_if_the_number_of_threads_changes_later) {
  const auto boxes = make_boxes("mixed_sizes", 20000, 8);
  for (const std::size_t threads :
       {std::size_t{1}, std::size_t{2}, std::numeric_limits<std::size_t>::max() / 2}) {
    HierarchicalGrid grid;
    HierarchicalGrid alone;
    StrangeRunner runner(threads);
    grid.use_threads(&runner).value();
    const auto indices = grid.add(boxes).value();
    ASSERT_EQ(alone.add(boxes).value(), indices);
    for (int frame = 0; frame < 3; ++frame) {
      grid.move(indices, boxes).value();
      alone.move(indices, boxes).value();
      const auto found = grid.find_pairs();
      const auto expected = alone.find_pairs();
      ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
    }
  }
}

/// Says a drawn number of threads each time, none among them; at least 1 at first.
class FickleRunner final : public TaskRunner {
 public:
  explicit FickleRunner(std::uint64_t seed) : random_(seed) {}
  [[nodiscard]] std::size_t threads() const override {
    constexpr std::array<std::size_t, 5> numbers{0, 1, 2, 5, std::numeric_limits<std::size_t>::max()};
    return std::exchange(is_first_, false) ? 1 : numbers[random_.below(5)];
  }
  void run(std::size_t count, TaskRef task) override {
    for (std::size_t i = 0; i < count; ++i) {
      task(i);
    }
  }

 private:
  mutable Random random_;
  mutable bool is_first_ = true;
};

TEST(RefusalOfRunners, treats_a_number_of_threads_that_becomes_0_as_1) {
#ifdef BROADSIDE_FEW_CASES
  constexpr std::uint64_t seeds = 3;
#else
  constexpr std::uint64_t seeds = 12;
#endif
  const auto many = make_boxes("mixed_sizes", 20000, 8);
  const auto few = make_boxes("mixed_sizes", 2000, 8);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    for (const TechniqueEntry& technique : techniques()) {
      if (technique.name == "brute-force") {
        continue;
      }
      const auto& boxes = technique.name == "hierarchical-grid" ? many : few;  // the others use no threads
      FickleRunner runner(seed);
      const auto phase = technique.create({}).value();
      const auto alone = technique.create({}).value();
      phase->use_threads(&runner).value();
      phase->add(boxes).value();
      alone->add(boxes).value();
      const auto found = phase->find_pairs();
      const auto expected = alone->find_pairs();
      ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end())) << technique.name;
    }
    FickleRunner runner(seed);
    FindPairsOptions options;
    options.tasks = &runner;
    ASSERT_EQ(find_pairs(many, options).value(), find_pairs(many, FindPairsOptions{}).value());
  }
}

}  // namespace
}  // namespace broadside::test::refusal_test
