// A technique that a user wrote, given to a world as an object.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <new>
#include <vector>

#include "boxes.hpp"
#include "broad_phase_twins.hpp"
#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/brute_force.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "broadside/world/world.hpp"

namespace broadside::test::user_technique_test {
namespace {

/// Sorts the boxes by their lower ends and sweeps.
class SortByY final : public Technique {
 public:
  [[nodiscard]] std::string_view name() const override { return "sort-by-y"; }

 private:
  void clear() override { order_.clear(); }
  [[nodiscard]] bool is_stale() const override { return false; }
  [[nodiscard]] std::size_t bytes() const override { return order_.capacity() * sizeof(BoxIndex); }

  void update() override {
    order_.clear();
    store().for_each([this](BoxIndex index) { order_.push_back(index); });
    std::ranges::sort(order_, {}, [this](BoxIndex i) { return store().box(i).min.y; });
  }

  void collect_pairs(PairBuffer& pairs) override {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Aabb box = store().box(order_[i]);
      for (std::size_t j = i + 1; j < order_.size() && store().box(order_[j]).min.y <= box.max.y; ++j) {
        ++statistics_.tests;
        const bool may = can_touch(store().type(order_[i]), store().type(order_[j]));
        if (may && overlaps(box, store().box(order_[j]))) {
          pairs.push_back(ordered_pair(order_[i], order_[j]));
        }
      }
    }
  }

  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override {
    store().append_overlapping(area, hits);
  }

  std::vector<BoxIndex> order_;
};

/// The same with a shortage of memory: every function that changes it fails at drawn calls. Checks the order
/// in which changes are reported.
class Forgetful final : public Technique {
 public:
  explicit Forgetful(std::uint32_t seed) : random_(seed) {}
  [[nodiscard]] std::string_view name() const override { return "forgetful"; }

 private:
  void on_added(std::span<const BoxIndex> indices) override {
    EXPECT_FALSE(has_failed_);
    if (is_cleared_) {
      EXPECT_EQ(indices.size(), store().size());
    }
    is_cleared_ = false;
    for (const BoxIndex index : indices) {
      may_fail();
      EXPECT_TRUE(store().contains(index));
      EXPECT_FALSE(holds(index));
      boxes_.push_back(index);
    }
  }
  void on_moved(std::span<const BoxIndex> indices) override {
    EXPECT_FALSE(has_failed_);
    for (const BoxIndex index : indices) {
      EXPECT_TRUE(holds(index));
    }
    may_fail();
  }
  void on_removed(BoxIndex index) override {
    EXPECT_FALSE(has_failed_);
    EXPECT_TRUE(holds(index));
    EXPECT_FALSE(store().contains(index));
    EXPECT_TRUE(is_valid(store().box(index)) && is_valid(store().type(index)));
    const auto is_removed = [this](BoxIndex one) { return !store().contains(one); };
    EXPECT_EQ(std::count_if(boxes_.begin(), boxes_.end(), is_removed), 1) << "the next one is still there";
    may_fail();
    boxes_.erase(std::find(boxes_.begin(), boxes_.end(), index));
  }
  void on_filter_changed(BoxIndex index) override {
    EXPECT_FALSE(has_failed_);
    EXPECT_TRUE(holds(index));
    may_fail();
  }
  void clear() override {
    boxes_.clear();
    has_failed_ = false;
    is_cleared_ = true;
  }
  void update() override {
    EXPECT_FALSE(has_failed_);
    EXPECT_EQ(boxes_.size(), store().size());
    const auto used = store().used();
    for (BoxIndex i = 0; i < used.size(); ++i) {
      EXPECT_EQ(used[i], holds(i) ? 1 : 0);
    }
    may_fail();
  }
  [[nodiscard]] bool is_stale() const override { return false; }
  [[nodiscard]] std::size_t bytes() const override { return 0; }
  [[nodiscard]] bool holds(BoxIndex index) const {
    return std::find(boxes_.begin(), boxes_.end(), index) != boxes_.end();
  }

  void collect_pairs(PairBuffer& pairs) override {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      may_fail();
      for (std::size_t j = i + 1; j < boxes_.size(); ++j) {
        const bool may = can_touch(store().type(boxes_[i]), store().type(boxes_[j]));
        if (may && overlaps(store().box(boxes_[i]), store().box(boxes_[j]))) {
          pairs.push_back(ordered_pair(boxes_[i], boxes_[j]));
        }
      }
    }
  }

  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override {
    std::copy_if(boxes_.begin(), boxes_.end(), std::back_inserter(hits),
                 [&](BoxIndex index) { return overlaps(store().box(index), area); });
  }

  void may_fail() {
    if (random_.below(40) == 0) {
      has_failed_ = true;
      throw std::bad_alloc();
    }
  }

  Random random_;
  bool has_failed_ = false;
  bool is_cleared_ = false;
  std::vector<BoxIndex> boxes_;
};

BodyDef drawn_body(Random& random) {
  BodyDef body{.shape = Circle{.radius = random.between(0.1F, 1.5F)},
               .type = random.below(4) == 0 ? BodyType::static_body : BodyType::dynamic,
               .position = {random.between(0, 20), random.between(0, 20)}};
  body.filter.layer = std::uint64_t{1} << random.below(3);
  body.filter.mask = random.below(3) == 0 ? 3 : ~std::uint64_t{0};
  if (body.type == BodyType::dynamic) {
    body.velocity = {random.between(-5, 5), random.between(-5, 5)};
  }
  return body;
}

// The same drawn calls to two worlds, one with a technique of the user: the same hashes, contacts and
// answers, also after snapshots, which the user's world restores into a new object of the same technique.
TEST(UserTechnique, gives_the_same_results_as_the_built_in_ones) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    World ours = World::create({.response = seed % 2 == 0 ? Response::none : Response::bounce}).value();
    World theirs = World::create({.response = seed % 2 == 0 ? Response::none : Response::bounce}).value();
    int made = 0;
    theirs
        .set_technique([&made] {
          ++made;
          return std::make_unique<SortByY>();
        })
        .value();
    std::vector<std::pair<BodyId, BodyId>> ids;
    for (int step = 0; step < 60; ++step) {
      if (ids.size() < 5 || random.below(2) == 0) {
        const BodyDef body = drawn_body(random);
        ids.emplace_back(ours.add(body).value(), theirs.add(body).value());
      } else {
        const std::size_t which = random.below(static_cast<std::uint32_t>(ids.size()));
        ours.remove(ids[which].first).value();
        theirs.remove(ids[which].second).value();
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(which));
      }
      if (random.below(10) == 0) {
        const int before = made;
        theirs.restore(theirs.snapshot()).value();
        EXPECT_EQ(made, before + 1);
      }
      ours.step(1.0F / 30).value();
      theirs.step(1.0F / 30).value();
      ASSERT_EQ(ours.hash(), theirs.hash()) << "seed " << seed << ", step " << step;
      ASSERT_EQ(ours.contacts().size(), theirs.contacts().size());
      const Aabb area{{random.between(0, 10), random.between(0, 10)}, {15, 15}};
      ASSERT_EQ(ours.query_area(area).value().size(), theirs.query_area(area).value().size());
      const auto ray = ours.cast_ray({0, 0}, {20, 20}).value();
      const auto same = theirs.cast_ray({0, 0}, {20, 20}).value();
      ASSERT_EQ(ray.has_value(), same.has_value());
      ASSERT_TRUE(!ray || ray->fraction == same->fraction);
    }
    EXPECT_EQ(theirs.broad_phase().name(), "sort-by-y");
  }
}

TEST(UserTechnique, may_run_out_of_memory_anywhere) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    BroadPhase forgetful(std::make_unique<Forgetful>(seed));
    BruteForce reference;
    BroadPhaseTwins twins(forgetful, reference, random);
    for (int call = 0; call < 60; ++call) {
      ASSERT_NO_FATAL_FAILURE(twins.change()) << seed << ", call " << call;
      if (random.below(3) == 0) {
        ASSERT_NO_FATAL_FAILURE(twins.compare()) << seed << ", call " << call;
      }
    }
  }
}

/// Finds no pairs: the first search for those of some boxes runs out of memory.
class FailsOnce final : public Technique {
 public:
  [[nodiscard]] std::string_view name() const override { return "fails-once"; }

 private:
  void update() override {}
  void clear() override {}
  void collect_pairs(PairBuffer& /*pairs*/) override { throw std::bad_alloc(); }
  void collect_area(const Aabb& /*area*/, std::vector<BoxIndex>& /*hits*/) const override {}
  [[nodiscard]] bool is_stale() const override { return false; }
  [[nodiscard]] std::size_t bytes() const override { return 0; }
};

TEST(UserTechnique, leaves_no_marks_of_a_search_that_failed) {
  BroadPhase boxes(std::make_unique<FailsOnce>());
  const Aabb box{{0, 0}, {1, 1}};
  for (BoxIndex i = 0; i < 3; ++i) {
    ASSERT_EQ(boxes.add(box).value(), i);
  }
  EXPECT_THROW(static_cast<void>(boxes.find_pairs_of(std::vector<BoxIndex>{0})), std::bad_alloc);
  boxes.remove(std::vector<BoxIndex>{2, 1, 0}).value();
  boxes.set_technique(BruteForce::technique());
  for (BoxIndex i = 0; i < 3; ++i) {
    ASSERT_EQ(boxes.add(box).value(), i);
  }
  const auto pairs = boxes.find_pairs_of(std::vector<BoxIndex>{1}).value();
  EXPECT_EQ(std::vector<Pair>(pairs.begin(), pairs.end()), (std::vector<Pair>{{0, 1}, {1, 2}}));
}

TEST(UserTechnique, is_refused_if_it_is_empty) {
  World world;
  world.add({.shape = Circle{.radius = 1}}).value();
  const std::uint64_t before = world.hash();
  const auto refused = [&](auto make) {
    const auto result = world.set_technique(std::function<std::unique_ptr<Technique>()>(make));
    EXPECT_EQ(result.error().code, ErrorCode::invalid_argument) << result.error().message;
    EXPECT_EQ(world.broad_phase().name(), default_technique().name);
    EXPECT_EQ(world.hash(), before);
  };
  refused(std::function<std::unique_ptr<Technique>()>());
  refused([] { return std::unique_ptr<Technique>(); });
}

}  // namespace
}  // namespace broadside::test::user_technique_test
