#include "world/own_broad_phase.hpp"
#include "broad_phase/tracking_technique.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broad_phase/pair_workers.hpp"
#include "each_allocation.hpp"

namespace broadside::test::own_broad_phase_test {
namespace {

/// A runner whose number of threads may change after it was set.
class CountingRunner final : public TaskRunner {
 public:
  explicit CountingRunner(std::size_t threads) : threads_(threads) {}
  [[nodiscard]] std::size_t threads() const override { return threads_; }
  void run(std::size_t count, TaskRef task) override {
    ++runs;
    for (std::size_t i = 0; i < count; ++i) {
      task(i);
    }
  }
  void set_threads(std::size_t threads) { threads_ = threads; }

  int runs = 0;

 private:
  std::size_t threads_;
};

/// The settings of the broad phase that a technique saw in its last search for pairs.
struct Seen {
  bool is_sorted = false;
  bool is_watched = false;
  std::size_t threads = 0;
};

/// A technique that tests all boxes, and tells its settings.
class Probe final : public detail::TrackingTechnique {
 public:
  Probe(std::string_view name, Seen& seen) : name_(name), seen_(seen) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] bool are_valid(const detail::Moves& moves) override {
    return detail::are_valid(moves.boxes, workers());
  }
  void before_move(const detail::Moves& /*moves*/) override {}
  void add_query_cost(std::size_t /*cost*/) const override {}
  [[nodiscard]] bool visit_nearest(const detail::NearQuery& /*query*/, detail::NearestScratch& /*scratch*/,
                                   detail::VisitNear /*visit*/) const override {
    return false;
  }
  void visit_along_path(const detail::SweptBox& /*path*/, std::uint64_t /*layers*/,
                        detail::SweptBoxScratch& /*scratch*/, detail::VisitSwept /*visit*/) const override {}

 private:
  void update() override {}
  void clear() override {}
  [[nodiscard]] bool is_stale() const override { return false; }
  [[nodiscard]] std::size_t bytes() const override { return 1000; }
  void collect_pairs(PairBuffer& pairs) override {
    seen_ = {wants_sorted(), is_watched(), workers().threads()};
    if (seen_.threads > 1) {
      workers().for_chunks(128, 2, [](std::size_t, std::size_t, std::size_t) {});
    }
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() == begin) {  // so that it takes some time
    }
    std::vector<BoxIndex> before;
    store().for_each([&](BoxIndex b) {
      for (auto a = before.rbegin(); a != before.rend(); ++a) {
        if (overlaps(store().box(*a), store().box(b))) {
          pairs.push_back({*a, b});
        }
      }
      before.push_back(b);
    });
  }
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override {
    store().append_overlapping(area, hits);
  }

  std::string_view name_;
  Seen& seen_;
};

constexpr std::array<std::string_view, 3> names = {"first", "second", "third"};
constexpr std::size_t by_default = names.size();

std::string_view name_of(std::size_t technique) {
  return technique == by_default ? default_technique().name : names[technique];
}

/// The settings that a broad phase of a world should have.
struct Settings {
  std::size_t make = by_default;  ///< the technique of a new one
  std::size_t runner = 0;         ///< 0 for none
  std::size_t threads = 1;
  bool measures = false;
  bool watches = false;
};

/// A broad phase of a world, and its expected state.
struct Tested {
  OwnBroadPhase own;
  Settings settings;
  std::size_t technique = by_default;
  std::vector<Aabb> boxes;
  bool is_up_to_date = false;
  bool are_filters_outdated = false;
};

class Program {
 public:
  explicit Program(std::uint64_t seed) : random_(seed) {}

  void run(int calls) {
    for (int call = 0; call < calls; ++call) {
      Tested& one = tested_[random_.below(2)];
      ASSERT_NO_FATAL_FAILURE(do_one(one)) << "call " << call;
      for (Tested& each : tested_) {
        ASSERT_NO_FATAL_FAILURE(expect_same(each)) << "call " << call;
      }
    }
  }

  int failed = 0;
  int refused = 0;

 private:
  void do_one(Tested& one);
  void set_technique(Tested& one);
  void replace(Tested& one, bool takes_settings);
  void expect_same(Tested& one);
  void expect_settings(Tested& one);
  void expect_makes(Tested& one);

  OwnBroadPhase::Make make(std::size_t technique) {
    // Too large for the small buffer of a function, so that copies of it allocate.
    std::array<std::size_t, 8> padding{};
    return [this, technique, padding]() -> Result<std::unique_ptr<Technique>> {
      static_cast<void>(padding);
      ++made_;
      if (refuses_) {
        return Error{ErrorCode::invalid_argument, "refused"};
      }
      return std::unique_ptr<Technique>(std::make_unique<Probe>(names[technique], seen_));
    };
  }

  /// Adds drawn boxes.
  static void add_boxes(BroadPhase& phase, std::vector<Aabb>& boxes, Random& random) {
    for (std::uint32_t i = random.below(4); i > 0 && boxes.size() < 20; --i) {
      const Vec2 min{random.between(0, 8), random.between(0, 8)};
      boxes.push_back({min, {min.x + random.between(0, 3), min.y + random.between(0, 3)}});
      phase.add(boxes.back()).value();
    }
  }

  Random random_;
  Seen seen_;
  int made_ = 0;
  bool refuses_ = false;
  std::array<CountingRunner, 3> runners_ = {CountingRunner(1), CountingRunner(2), CountingRunner(5)};
  std::array<Tested, 2> tested_;
};

void Program::set_technique(Tested& one) {
  const std::size_t technique = random_.below(3);
  refuses_ = random_.below(4) == 0;
  Result<void> done;
  const BroadPhase* before = &*one.own;
  failed += fail_each_allocation(
      [&] {
        OwnBroadPhase::Make function = make(technique);
        done = one.own.set_technique(std::move(function));
      },
      [&] { expect_same(one); });
  ASSERT_EQ(done.has_value(), !refuses_);
  ASSERT_EQ(&*one.own, before) << "the boxes are in it";
  refused += refuses_ ? 1 : 0;
  if (!refuses_) {
    one.technique = one.settings.make = technique;
    one.is_up_to_date = false;
  }
  refuses_ = false;
}

/// Replaces the broad phase, as when the technique changes the order of boxes or a world is restored.
void Program::replace(Tested& one, bool takes_settings) {
  if (takes_settings) {
    const Tested& other = tested_[&one == tested_.data() ? 1 : 0];
    failed += fail_each_allocation([&] { one.own.take_settings(other.own); }, [&] { expect_same(one); });
    one.settings = other.settings;
  }
  std::unique_ptr<BroadPhase> made;
  std::size_t technique = one.settings.make;
  if (random_.below(3) == 0) {
    technique = random_.below(3);
    made = std::make_unique<BroadPhase>(std::make_unique<Probe>(names[technique], seen_));
  } else {
    made = one.own.make_empty().value();
  }
  std::vector<Aabb> boxes;
  add_boxes(*made, boxes, random_);
  const BroadPhase* address = made.get();
  {
    const AllocationLimit none(0);
    one.own.adopt(std::move(made));
  }
  ASSERT_EQ(&*one.own, address);
  one.technique = technique;
  one.boxes = boxes;
  one.is_up_to_date = false;
}

void Program::do_one(Tested& one) {
  const bool on = random_.below(2) == 0;
  switch (random_.below(11)) {
    case 0:
    case 1:
      set_technique(one);
      break;
    case 2:
      replace(one, false);
      break;
    case 3:
      replace(one, true);
      break;
    case 4:
      one.own.measure_times(on);
      one.settings.measures = on;
      break;
    case 5:
      one.own.watch_queries(on);
      one.settings.watches = on;
      break;
    case 6: {
      one.settings.runner = random_.below(4);
      one.settings.threads = one.settings.runner == 0 ? 1 : 1 + random_.below(4);
      TaskRunner* runner = one.settings.runner == 0 ? nullptr : &runners_[one.settings.runner - 1];
      one.own.use_threads(runner, one.settings.threads);
      for (CountingRunner& each : runners_) {  // which is never read again
        each.set_threads(random_.below(9));
      }
      break;
    }
    case 7:
      add_boxes(*one.own.operator->(), one.boxes, random_);
      break;
    case 8:
      on ? one.own.mark_outdated() : one.own.mark_up_to_date();
      one.is_up_to_date = !on;
      break;
    case 9:
      one.own.set_filters_outdated(on);
      one.are_filters_outdated = on;
      break;
    default: {
      const std::size_t places = one.own.places().capacity() + random_.below(20);
      failed += fail_each_allocation([&] { one.own.reserve(places); }, [&] { expect_same(one); });
      const AllocationLimit none(0);
      one.own.places().resize(places);
      one.own.boxes().resize(places);
      one.own.places().clear();
      one.own.boxes().clear();
      break;
    }
  }
}

void Program::expect_same(Tested& one) {
  const OwnBroadPhase& own = one.own;
  ASSERT_EQ(own->name(), name_of(one.technique));
  ASSERT_EQ((*own).size(), one.boxes.size());
  ASSERT_EQ(own.are_filters_outdated(), one.are_filters_outdated);
  ASSERT_EQ(own.bytes(), own->statistics().bytes + one.own.places().capacity() * sizeof(BoxIndex) +
                             one.own.boxes().capacity() * sizeof(Aabb));
  ASSERT_EQ(one.own.runner() == nullptr, one.settings.runner == 0);
  if (one.own.runner() != nullptr) {
    ASSERT_EQ(one.own.runner()->threads(), one.settings.threads);
  }
  if (random_.below(4) == 0) {
    ASSERT_NO_FATAL_FAILURE(expect_settings(one));
  }
  if (random_.below(4) == 0) {
    ASSERT_NO_FATAL_FAILURE(expect_makes(one));
  }
  if (random_.below(4) == 0) {
    int updates = 0;
    const auto update = [&] {
      ++updates;
      throw std::runtime_error("");
    };
    if (one.is_up_to_date) {
      own.ensure_up_to_date(update);
    } else {  // an update that fails is repeated
      ASSERT_THROW(own.ensure_up_to_date(update), std::runtime_error);
      ASSERT_THROW(own.ensure_up_to_date(update), std::runtime_error);
      own.ensure_up_to_date([&] { ++updates; });
    }
    ASSERT_EQ(updates, one.is_up_to_date ? 0 : 3);
    own.ensure_up_to_date(update);
    ASSERT_EQ(updates, one.is_up_to_date ? 0 : 3);
    const auto locked = own.lock_updates();
    own.ensure_up_to_date(update);  // nothing to wait for
    one.is_up_to_date = true;
  }
}

/// Searches for pairs, and compares these and what the technique saw.
void Program::expect_settings(Tested& one) {
  const std::array<int, 3> before = {runners_[0].runs, runners_[1].runs, runners_[2].runs};
  const std::span<Pair> found = one.own->find_pairs();
  std::vector<Pair> expected;
  for (BoxIndex a = 0; a < one.boxes.size(); ++a) {
    for (BoxIndex b = a + 1; b < one.boxes.size(); ++b) {
      if (overlaps(one.boxes[a], one.boxes[b])) {
        expected.push_back({a, b});
      }
    }
  }
  ASSERT_TRUE(std::ranges::equal(found, expected)) << "sorted by pair";
  if (one.technique == by_default) {
    return;
  }
  ASSERT_TRUE(seen_.is_sorted);
  ASSERT_EQ(seen_.is_watched, one.settings.watches);
  ASSERT_EQ(seen_.threads, one.settings.threads);
  ASSERT_EQ(one.own->statistics().pairs_seconds > 0.0, one.settings.measures);
  for (std::size_t i = 0; i < runners_.size(); ++i) {
    const bool runs = one.settings.runner == i + 1 && one.settings.threads > 1;
    ASSERT_EQ(runners_[i].runs - before[i], runs ? 1 : 0) << "runner " << i;
  }
}

void Program::expect_makes(Tested& one) {
  const bool refused_before = std::exchange(refuses_, false);
  const int before = made_;
  const auto made = one.own.make_empty();
  ASSERT_EQ(made.value()->name(), name_of(one.settings.make));
  ASSERT_EQ(made.value()->size(), 0U);
  ASSERT_EQ(made_ - before, one.settings.make == by_default ? 0 : 1);
  if (one.settings.make != by_default) {
    refuses_ = true;
    ASSERT_FALSE(one.own.make_empty().has_value());
  }
  refuses_ = refused_before;
}

TEST(OwnBroadPhase, has_the_settings_that_it_was_given_over_any_calls) {
  int failed = 0;
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Program program(seed);
    ASSERT_NO_FATAL_FAILURE(program.run(200)) << "seed " << seed;
    failed += program.failed;
    refused += program.refused;
  }
  EXPECT_GT(failed, 2000);
  EXPECT_GT(refused, 500);
}

TEST(OwnBroadPhase, updates_nothing_while_updates_are_locked) {
  for (int round = 0; round < 5; ++round) {
    OwnBroadPhase own;
    std::atomic<bool> begins = false;
    std::atomic<bool> is_updated = false;
    std::thread other;
    {
      const auto locked = own.lock_updates();
      other = std::thread([&] {
        begins = true;
        own.ensure_up_to_date([&] { is_updated = true; });
      });
      while (!begins) {
        std::this_thread::yield();
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      EXPECT_FALSE(is_updated);
    }
    other.join();
    EXPECT_TRUE(is_updated);
  }
}

}  // namespace
}  // namespace broadside::test::own_broad_phase_test
