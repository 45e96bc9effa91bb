// Scenes and recorded traces: all parts together find in each step what one BroadPhase finds.

#include <gtest/gtest.h>

#include <filesystem>
#include <mutex>

#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/distributed/broad_phase.hpp"
#include "broadside/distributed/in_process.hpp"
#include "broadside/distributed/world.hpp"
#include "broadside/scene/frames.hpp"
#include "fnv_hash.hpp"
#include "recorded_traces.hpp"
#include "watchdog.hpp"

namespace broadside::test::distributed_recorded_boxes_test {
namespace {

constexpr std::chrono::seconds patience{240};

/// The boxes of some steps, and hashes of their pairs.
struct Recorded {
  std::vector<BoxKind> kinds;
  std::vector<std::vector<Aabb>> steps;
  std::vector<std::vector<BoxIndex>> changed;
  std::vector<std::uint64_t> hashes;
};

/// A hash of pairs in any order.
class PairSum {
 public:
  void add(GlobalPair pair) {
    FnvHash hash;
    hash.add(pair.a.value);
    hash.add(pair.b.value);
    sum_ += hash.value() * 0x9E3779B97F4A7C15U;
  }
  void add(const PairSum& other) { sum_ += other.sum_; }
  [[nodiscard]] std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

GlobalId id_of(BoxIndex box) {
  return GlobalId::of(0, box);
}

Recorded record(Frames& frames, std::size_t steps) {
  frames.limit_steps(steps);
  Recorded recorded;
  HierarchicalGrid grid;
  grid.keep_sorted(true);
  NarrowPhase narrow_phase;
  while (frames.advance()) {
    recorded.steps.emplace_back(frames.boxes().begin(), frames.boxes().end());
    recorded.changed.emplace_back(frames.changed().begin(), frames.changed().end());
    std::vector<Aabb> moved;
    for (const BoxIndex i : frames.changed()) {
      moved.push_back(frames.boxes()[i]);
    }
    if (recorded.kinds.empty()) {
      for (BoxIndex i = 0; i < frames.boxes().size(); ++i) {
        recorded.kinds.push_back({frames.types()[i], frames.filter(i)});
      }
      (void)grid.add(moved, recorded.kinds).value();
    } else {
      grid.move(frames.changed(), moved).value();
    }
    const auto pairs = grid.find_pairs();
    PairSum sum;
    for (const Pair pair : pairs) {
      sum.add(ordered_pair(id_of(pair.a), id_of(pair.b)));
    }
    recorded.hashes.push_back(sum.value());
    frames.respond(narrow_phase.find_contacts(pairs, frames.shapes(), frames.transforms()).value());
  }
  return recorded;
}

void replay(const Recorded& recorded, int parts, const std::string& name) {
  std::vector<PairSum> sums(recorded.steps.size());
  std::mutex mutex;
  run_in_process(parts, [&](Communicator& others) {
    DistributedBroadPhase part(others);
    part.set_rebalance({.max_imbalance = 1.0F, .interval = 1, .max_share = 0.3F}).value();
    for (std::size_t step = 0; step < sums.size(); ++step) {
      std::vector<GlobalId> ids;
      std::vector<Aabb> boxes;
      std::vector<BoxKind> kinds;
      for (const BoxIndex i : recorded.changed[step]) {
        // At first, each part adds a share of the boxes, wherever they are.
        if (step == 0 ? static_cast<int>(i) % parts == others.rank() : part.owns(id_of(i))) {
          ids.push_back(id_of(i));
          boxes.push_back(recorded.steps[step][i]);
          kinds.push_back(recorded.kinds[i]);
        }
      }
      (step == 0 ? part.add(ids, boxes, kinds) : part.move(ids, boxes)).value();
      PairSum sum;
      for (const GlobalPair pair : part.find_pairs().value()) {
        sum.add(pair);
      }
      const std::lock_guard lock(mutex);
      sums[step].add(sum);
    }
  }).value();
  for (std::size_t step = 0; step < sums.size(); ++step) {
    ASSERT_EQ(sums[step].value(), recorded.hashes[step]) << name << ", " << parts << " parts, step " << step;
  }
}

/// The shapes of some steps in one World, and its hashes.
struct RecordedShapes {
  std::vector<BodyDef> bodies;
  std::vector<std::vector<std::pair<BoxIndex, BodyDef>>> changed;
  std::vector<std::uint64_t> hashes;
};

Result<void> set(World& world, BodyId body, const BodyDef& to) {
  if (auto changed = world.set_shape(body, to.shape); !changed.has_value()) {
    return changed;
  }
  return world.move(body, to.position, to.rotation);
}

RecordedShapes record_shapes(Frames& frames, std::size_t steps) {
  frames.rewind();
  RecordedShapes recorded;
  World world;
  std::vector<BodyId> bodies;
  std::vector<GlobalId> ids;
  HierarchicalGrid grid;
  for (std::size_t step = 0; step < steps && frames.advance(); ++step) {
    auto& changed = recorded.changed.emplace_back();
    for (BoxIndex i = 0; i < frames.boxes().size(); ++i) {
      BodyDef def{.shape = frames.shapes()[i], .type = frames.types()[i]};
      def.position = frames.transforms()[i].position;
      def.rotation = frames.transforms()[i].rotation;
      def.filter = frames.filter(i);
      if (step == 0) {
        recorded.bodies.push_back(def);
        bodies.push_back(world.add(def).value());
        ids.push_back(id_of(i));
        (void)grid.add(frames.boxes()[i], def.type, def.filter).value();
      }
    }
    for (const BoxIndex i : frames.changed()) {
      BodyDef def{.shape = frames.shapes()[i]};
      def.position = frames.transforms()[i].position;
      def.rotation = frames.transforms()[i].rotation;
      set(world, bodies[i], def).value();
      changed.emplace_back(i, def);
      grid.move(i, frames.boxes()[i]).value();
    }
    world.step(0.0F).value();
    recorded.hashes.push_back(DistributedWorld::hash_of(world, bodies, ids).value());
    NarrowPhase narrow_phase;
    const auto pairs = grid.find_pairs();
    sort_pairs(pairs);
    frames.respond(narrow_phase.find_contacts(pairs, frames.shapes(), frames.transforms()).value());
  }
  return recorded;
}

void replay_shapes(const RecordedShapes& recorded, int parts, const std::string& name) {
  run_in_process(parts, [&](Communicator& others) {
    auto part = DistributedWorld::create(others).value();
    part->set_rebalance({.max_imbalance = 1.0F, .interval = 1, .max_share = 0.3F}).value();
    for (BoxIndex i = 0; i < recorded.bodies.size(); ++i) {
      if (static_cast<int>(i) % parts == others.rank()) {
        part->add(id_of(i), recorded.bodies[i]).value();
      }
    }
    for (std::size_t step = 0; step < recorded.hashes.size(); ++step) {
      for (const auto& [i, to] : recorded.changed[step]) {
        if (part->owns(id_of(i))) {
          const BodyDef& next = to;
          part->change(id_of(i), [&](World& world, BodyId body) { return set(world, body, next); }).value();
        }
      }
      part->step(0.0F).value();
      ASSERT_EQ(part->hash().value(), recorded.hashes[step])
          << name << ", " << parts << " parts, step " << step;
    }
  }).value();
}

class RecordedBoxes : public testing::TestWithParam<const char*> {};

TEST_P(RecordedBoxes, have_the_same_pairs_and_contacts_with_1_to_16_parts) {
  const Watchdog watchdog(patience);
  const std::string input = GetParam();
  if (input.find('/') != std::string::npos && !std::filesystem::exists(input)) {
    GTEST_SKIP() << input << " is not here";
  }
  auto frames = open_frames(input);
  ASSERT_TRUE(frames.has_value()) << frames.error().message;
  const Recorded recorded = record(**frames, input.find('/') != std::string::npos ? 6 : 25);
  for (const int parts : {1, 2, 3, 5, 7, 11, 16}) {
    replay(recorded, parts, input);
  }
  const RecordedShapes shapes = record_shapes(**frames, 3);
  for (const int parts : {1, 3, 16}) {
    replay_shapes(shapes, parts, input);
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, RecordedBoxes,
                         testing::Values("chapter10", "circles", "pinball", "rings", "shapes"));
INSTANTIATE_TEST_SUITE_P(Traces, RecordedBoxes, test::recorded_traces());

}  // namespace
}  // namespace broadside::test::distributed_recorded_boxes_test
