// Every technique compared with the oracle: on all kinds of boxes, under random changes, with mixed body
// types.

#include <algorithm>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "boxes.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "model.hpp"
#include "variants.hpp"

namespace broadside::test::broad_phase_differential_test {
namespace {

class Differential : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(BroadPhase, Differential, testing::ValuesIn(variants()), variant_name);

/// Changes a broad phase and its model at random; new boxes come from a list of one kind.
class RandomChanges {
 public:
  RandomChanges(BroadPhase& phase, Model& model, std::vector<Aabb> stock, std::uint64_t seed)
      : phase_(phase), model_(model), stock_(std::move(stock)), random_(seed) {}

  void change() {
    switch (random_.below(8)) {
      case 0:
      case 1:
        return add();
      case 2:
        return add_many();
      case 3:
      case 4:
        return remove();
      case 5:
        return move_many();
      default:
        return move();
    }
  }

  const Aabb& next_box() { return stock_[random_.below(static_cast<std::uint32_t>(stock_.size()))]; }

 private:
  void add() {
    const BodyType type = random_type(random_);
    const Aabb box = next_box();
    model_.add(phase_.add(box, type).value(), box, type);
  }

  void add_many() {
    const BodyType type = random_type(random_);
    std::vector<Aabb> boxes;
    for (std::uint32_t i = random_.below(5); i > 0; --i) {
      boxes.push_back(next_box());
    }
    const auto indices = phase_.add(boxes, type).value();
    ASSERT_EQ(indices.size(), boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      model_.add(indices[i], boxes[i], type);
    }
  }

  void remove() {
    if (model_.bodies().empty()) {
      return;
    }
    const BoxIndex index = model_.pick(random_.bits());
    ASSERT_TRUE(phase_.remove(index).has_value());
    model_.remove(index);
  }

  void move() {
    if (model_.bodies().empty()) {
      return;
    }
    const BoxIndex index = model_.pick(random_.bits());
    const Aabb box = next_box();
    ASSERT_TRUE(phase_.move(index, box).has_value());
    model_.move(index, box);
  }

  void move_many() {
    std::vector<BoxIndex> indices;
    std::vector<Aabb> boxes;
    for (const auto& [index, body] : model_.bodies()) {
      if (random_.below(3) == 0) {
        indices.push_back(index);
        boxes.push_back(next_box());
      }
    }
    ASSERT_TRUE(phase_.move(indices, boxes).has_value());
    for (std::size_t i = 0; i < indices.size(); ++i) {
      model_.move(indices[i], boxes[i]);
    }
  }

  BroadPhase& phase_;
  Model& model_;
  std::vector<Aabb> stock_;
  Random random_;
};

TEST_P(Differential, agrees_under_random_changes) {
  for (const BoxMaker& maker : box_makers()) {
    SCOPED_TRACE(maker.name);
    Random random(51);
    const auto boxes = maker.make(90, random);
    auto stock = maker.make(200, random);
    if (stock.empty()) {
      stock.push_back({});
    }
    const auto phase = GetParam().make();
    Model model;
    fill(*phase, model, boxes, random);
    RandomChanges changes(*phase, model, std::move(stock), 52);
    for (int round = 0; round < 8; ++round) {
      ASSERT_TRUE(agrees(*phase, model)) << "round " << round;
      for (int step = 0; step < 12; ++step) {
        changes.change();
        if (step % 4 == 0) {
          ASSERT_TRUE(query_agrees(*phase, model, changes.next_box())) << "round " << round;
        }
      }
      phase->update();
      ASSERT_TRUE(query_agrees(*phase, model, changes.next_box())) << "round " << round;
    }
  }
}

TEST_P(Differential, agrees_on_larger_sets) {
  for (const BoxMaker& maker : box_makers()) {
    Random random(53);
    const auto phase = GetParam().make();
    Model model;
    fill(*phase, model, maker.make(800, random));
    ASSERT_TRUE(agrees(*phase, model)) << maker.name;
  }
}

TEST_P(Differential, agrees_on_queries_of_every_size) {
  for (const BoxMaker& maker : box_makers()) {
    SCOPED_TRACE(maker.name);
    Random random(54);
    const auto phase = GetParam().make();
    Model model;
    const auto boxes = maker.make(60, random);
    fill(*phase, model, boxes, random);
    phase->update();
    for (const BoxMaker& area_maker : box_makers()) {
      for (const Aabb& area : area_maker.make(12, random)) {
        ASSERT_TRUE(query_agrees(*phase, model, area)) << "area of " << area_maker.name;
      }
    }
    for (const Aabb& box : boxes) {
      ASSERT_TRUE(query_agrees(*phase, model, box));
      ASSERT_TRUE(query_agrees(*phase, model, {box.min, box.min}));
      ASSERT_TRUE(query_agrees(*phase, model, {box.max, box.max}));
    }
  }
}

// Frames of a game: everything moves a little, again and again, which keeps structures alive between frames.
TEST_P(Differential, agrees_while_boxes_drift) {
  Random random(55);
  const auto phase = GetParam().make();
  Model model;
  auto boxes = make_boxes("scattered", 150, 55);
  fill(*phase, model, boxes, random);
  std::vector<BoxIndex> indices;
  std::vector<Vec2> velocities;
  for (const auto& [index, body] : model.bodies()) {
    indices.push_back(index);
    const float x = random.between(-3.0F, 3.0F);
    const float y = random.between(-3.0F, 3.0F);
    velocities.push_back({x, y});
  }
  for (int frame = 0; frame < 30; ++frame) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      boxes[i] = {boxes[i].min + velocities[i], boxes[i].max + velocities[i]};
      model.move(indices[i], boxes[i]);
    }
    ASSERT_TRUE(phase->move(indices, boxes).has_value());
    ASSERT_TRUE(agrees(*phase, model)) << "frame " << frame;
  }
}

TEST(DifferentialFindPairs, agrees_on_all_kinds_of_boxes) {
  for (const BoxMaker& maker : box_makers()) {
    for (const std::size_t n : {2U, 10U, 100U, 1500U}) {
      Random random(61 + n);
      const auto boxes = maker.make(n, random);
      const auto pairs = find_pairs(boxes);
      ASSERT_TRUE(pairs.has_value()) << maker.name;
      ASSERT_EQ(sorted_pairs_of(*pairs), all_pairs(rects_of(boxes))) << maker.name << " of " << n;
    }
  }
}

TEST(DifferentialFindPairs, agrees_on_two_sets_of_all_kinds_of_boxes) {
  for (const BoxMaker& left_maker : box_makers()) {
    for (const BoxMaker& right_maker : box_makers()) {
      Random random(62);
      const auto left = left_maker.make(60, random);
      const auto right = right_maker.make(80, random);
      const auto pairs = find_pairs(left, right);
      ASSERT_TRUE(pairs.has_value());
      ASSERT_EQ(sorted_pairs_of(*pairs), pairs_between(rects_of(left), rects_of(right)))
          << left_maker.name << " and " << right_maker.name;
    }
  }
}

// The guarantee that lets users choose a technique by name: sorted, the pairs are the same bytes.
TEST(DifferentialTechniques, all_give_the_same_sorted_pairs) {
  for (const BoxMaker& maker : box_makers()) {
    std::vector<std::vector<Pair>> answers;
    for (const TechniqueEntry& technique : techniques()) {
      Random random(63);
      const auto phase = technique.create({}).value();
      for (const Aabb& box : maker.make(250, random)) {
        ASSERT_TRUE(phase->add(box, random_type(random)).has_value());
      }
      const auto pairs = phase->find_pairs();
      sort_pairs(pairs);
      answers.emplace_back(pairs.begin(), pairs.end());
    }
    for (std::size_t i = 1; i < answers.size(); ++i) {
      EXPECT_EQ(answers[i], answers[0]) << techniques()[i].name << " on " << maker.name;
    }
  }
}

/// One call of a random program. All members are numbers or boxes, so that RapidCheck can print and shrink
/// it.
struct Step {
  enum class Kind { add, move, remove, query, check };

  Kind kind;
  std::uint32_t pick;  ///< selects one of the existing boxes
  Aabb box;
  BodyType type;
};

std::ostream& operator<<(std::ostream& stream, const Step& step) {
  constexpr const char* kinds[] = {"add", "move", "remove", "query", "check"};
  const Aabb& box = step.box;
  return stream << kinds[static_cast<std::size_t>(step.kind)] << " #" << step.pick << " (" << box.min.x
                << ", " << box.min.y << ")..(" << box.max.x << ", " << box.max.y << ") type "
                << static_cast<int>(step.type);
}

// Mostly small numbers, many of them on cell lines of the variants, so that boxes meet; some at the limits of
// the range.
rc::Gen<float> coordinate() {
  constexpr float most = std::numeric_limits<float>::max();
  constexpr float least = std::numeric_limits<float>::denorm_min();
  return rc::gen::weightedOneOf<float>(
      {{8, rc::gen::map(rc::gen::inRange(0, 12), [](int i) { return static_cast<float>(i); })},
       {4, rc::gen::map(rc::gen::inRange(-6, 20), [](int i) { return 8.0F * static_cast<float>(i); })},
       {2, rc::gen::map(rc::gen::inRange(-400, 400), [](int i) { return 0.25F * static_cast<float>(i); })},
       {1, rc::gen::element(-0.0F, least, -least, 1.0e6F, -1.0e6F, 1.0e30F, -1.0e30F, most, -most)}});
}

rc::Gen<Aabb> box() {
  return rc::gen::apply(
      [](float x0, float y0, float x1, float y1) {
        return Aabb{{std::min(x0, x1), std::min(y0, y1)}, {std::max(x0, x1), std::max(y0, y1)}};
      },
      coordinate(), coordinate(), coordinate(), coordinate());
}

rc::Gen<Step> step() {
  using Kind = Step::Kind;
  return rc::gen::construct<Step>(
      rc::gen::weightedElement<Kind>(
          {{6, Kind::add}, {4, Kind::move}, {2, Kind::remove}, {2, Kind::query}, {2, Kind::check}}),
      rc::gen::inRange<std::uint32_t>(0, 1000), box(),
      rc::gen::element(BodyType::dynamic, BodyType::static_body, BodyType::kinematic));
}

/// Runs the program; returns the first failure.
testing::AssertionResult run(const std::vector<Step>& program, BroadPhase& phase) {
  Model model;
  for (const Step& step : program) {
    const bool needs_a_box = step.kind == Step::Kind::move || step.kind == Step::Kind::remove;
    if (needs_a_box && model.bodies().empty()) {
      continue;
    }
    testing::AssertionResult result = testing::AssertionSuccess();
    switch (step.kind) {
      case Step::Kind::add:
        model.add(phase.add(step.box, step.type).value(), step.box, step.type);
        break;
      case Step::Kind::move:
        phase.move(model.pick(step.pick), step.box).value();
        model.move(model.pick(step.pick), step.box);
        break;
      case Step::Kind::remove:
        phase.remove(model.pick(step.pick)).value();
        model.remove(model.pick(step.pick));
        break;
      case Step::Kind::query:
        result = query_agrees(phase, model, step.box);
        break;
      case Step::Kind::check:
        result = agrees(phase, model);
        break;
    }
    if (!result) {
      return result;
    }
  }
  return agrees(phase, model);
}

RC_GTEST_PROP(RandomProgram, gets_the_same_answers_from_every_technique_and_the_oracle, ()) {
  const auto program = *rc::gen::container<std::vector<Step>>(step());
  for (const Variant& variant : variants()) {
    const auto phase = variant.make();
    if (const auto result = run(program, *phase); !result) {
      RC_LOG() << variant.name << ": " << result.message() << std::endl;
      RC_FAIL("differs from the oracle");
    }
  }
}

RC_GTEST_PROP(RandomBoxes, get_the_same_pairs_from_find_pairs_and_the_oracle, ()) {
  const auto left = *rc::gen::container<std::vector<Aabb>>(box());
  const auto right = *rc::gen::container<std::vector<Aabb>>(box());
  RC_ASSERT(sorted_pairs_of(find_pairs(left).value()) == all_pairs(rects_of(left)));
  RC_ASSERT(sorted_pairs_of(find_pairs(left, right).value()) ==
            pairs_between(rects_of(left), rects_of(right)));
}

}  // namespace
}  // namespace broadside::test::broad_phase_differential_test
