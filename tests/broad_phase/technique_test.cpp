#include "broadside/broad_phase/techniques.hpp"

#include <bit>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broad_phase_twins.hpp"
#include "broadside/broad_phase/brute_force.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "broadside/broad_phase/uniform_grid.hpp"

namespace broadside::technique_test {
namespace {

using test::mentions;

TEST(Technique, names_are_unique_and_fit_for_a_command_line) {
  std::set<std::string_view> names;
  for (const TechniqueEntry& technique : techniques()) {
    EXPECT_TRUE(names.insert(technique.name).second) << technique.name;
    EXPECT_EQ(technique.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos);
    EXPECT_FALSE(technique.summary.empty()) << technique.name;
  }
  EXPECT_GE(names.size(), 5U);
}

TEST(Technique, brute_force_is_first_and_the_default_last) {
  EXPECT_EQ(techniques().front().name, "brute-force");
  EXPECT_EQ(&default_technique(), &techniques().back());
  EXPECT_EQ(default_technique().name, "hierarchical-grid");
}

TEST(Technique, creates_a_broad_phase_of_its_name) {
  for (const TechniqueEntry& technique : techniques()) {
    const auto phase = technique.create({});
    ASSERT_TRUE(phase.has_value()) << technique.name;
    EXPECT_EQ((*phase)->name(), technique.name);
    EXPECT_EQ((*phase)->size(), 0U);
  }
}

TEST(Technique, is_found_by_name) {
  for (const TechniqueEntry& technique : techniques()) {
    const auto found = find_technique(technique.name);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(*found, &technique);
  }
}

TEST(Technique, an_unknown_name_is_refused_with_a_list_of_all_names) {
  for (const std::string unknown : {"", "Brute-Force", "brute-force ", "brute", "octree"}) {
    const auto found = find_technique(unknown);
    ASSERT_FALSE(found.has_value()) << unknown;
    EXPECT_EQ(found.error().code, ErrorCode::invalid_argument);
    EXPECT_TRUE(mentions(found.error().message, "\"" + unknown + "\"")) << found.error().message;
    for (const TechniqueEntry& technique : techniques()) {
      EXPECT_TRUE(mentions(found.error().message, technique.name)) << found.error().message;
    }
  }
}

TEST(Technique, passes_options_on) {
  const Aabb bounds{{0.0F, 0.0F}, {100.0F, 100.0F}};
  for (const TechniqueEntry& technique : techniques()) {
    const auto made = technique.create({.cell_size = Vec2{25.0F, 10.0F}, .bounds = bounds});
    ASSERT_TRUE(made.has_value()) << technique.name;
    ASSERT_TRUE((*made)->add(Aabb{{30.0F, 30.0F}, {31.0F, 31.0F}}).has_value());
    (*made)->update();
    const auto cells = (*made)->cells();
    if (technique.has_cell_size) {
      ASSERT_EQ(cells.size(), 1U) << technique.name;
      EXPECT_EQ(cells[0].bounds, (Aabb{{25.0F, 30.0F}, {50.0F, 40.0F}})) << technique.name;
    }
  }
}

TEST(Technique, passes_on_the_options_of_the_hierarchical_grid) {
  test::Random random(7);
  for (int round = 0; round < 40; ++round) {
    const float row_height = random.between(0.5F, 20.0F);
    const bool lists = random.below(2) == 0;
    const auto made = default_technique().create({.row_height = row_height, .neighbor_lists = lists}).value();
    const auto expected =
        HierarchicalGrid::create({.row_height = row_height, .neighbor_lists = lists}).value();
    for (BroadPhase* phase : {made.get(), static_cast<BroadPhase*>(expected.get())}) {
      test::Random boxes(static_cast<std::uint32_t>(round));
      for (int i = 0; i < 200; ++i) {
        const Vec2 min{boxes.between(0, 100), boxes.between(0, 100)};
        phase->add(Aabb{min, min + Vec2{1, 1}}).value();
      }
      static_cast<void>(phase->find_pairs());
    }
    EXPECT_EQ(made->tuning(), expected->tuning()) << row_height;
    EXPECT_EQ(made->statistics().tests, expected->statistics().tests) << row_height;
    EXPECT_EQ(made->statistics().bytes, expected->statistics().bytes) << row_height << lists;
  }
}

TEST(Technique, may_be_replaced_at_any_time) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    test::Random random(seed);
    const auto changing = techniques()[random.below(5)].create({}).value();
    BruteForce reference;
    test::BroadPhaseTwins twins(*changing, reference, random);
    for (int call = 0; call < 60; ++call) {
      ASSERT_NO_FATAL_FAILURE(twins.change()) << seed << ", call " << call;
      if (random.below(5) == 0) {
        const TechniqueEntry& next = techniques()[random.below(5)];
        changing->set_technique(next.create_technique({}).value());
        EXPECT_EQ(changing->name(), next.name);
      }
      if (random.below(3) == 0) {
        ASSERT_NO_FATAL_FAILURE(twins.compare()) << seed << ", call " << call << ", " << changing->name();
      }
    }
  }
}

TEST(Technique, refuses_invalid_options_whether_it_uses_them_or_not) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const Aabb bounds{{0.0F, 0.0F}, {100.0F, 100.0F}};
  test::Random random(3);
  std::vector<float> sizes{0.0F, -0.0F, -2.0F, infinity, -infinity, std::numeric_limits<float>::quiet_NaN()};
  for (int i = 0; i < 200; ++i) {
    sizes.push_back(std::bit_cast<float>(random.bits()));
  }
  for (const TechniqueEntry& technique : techniques()) {
    for (const float size : sizes) {
      const Vec2 cell_size = random.below(2) == 0 ? Vec2{size, 1.0F} : Vec2{1.0F, size};
      const auto made = technique.create({.cell_size = cell_size, .bounds = bounds});
      const auto with_rows = technique.create({.row_height = size});
      if (is_finite(size) && size > 0.0F) {  // there may still be too many cells for a table
        ASSERT_TRUE(made.has_value() || made.error().code == ErrorCode::too_large) << technique.name;
        ASSERT_TRUE(with_rows.has_value()) << technique.name << " " << size;
      } else {
        ASSERT_EQ(with_rows.error().code, ErrorCode::invalid_argument) << technique.name << " " << size;
        ASSERT_TRUE(test::mentions(with_rows.error().message, "row height")) << with_rows.error().message;
        ASSERT_EQ(made.error().code, ErrorCode::invalid_argument) << technique.name << " " << size;
        ASSERT_TRUE(test::mentions(made.error().message, "cell size")) << made.error().message;
      }
    }
    for (const test::BadBox& bad : test::bad_boxes()) {
      for (const auto size : {std::optional<Vec2>(), std::optional(Vec2{10.0F, 10.0F})}) {
        const auto made = technique.create({.cell_size = size, .bounds = bad.box});
        ASSERT_EQ(made.error().code, bad.code) << technique.name << " " << bad.name;
        ASSERT_TRUE(test::mentions(made.error().message, bad.field)) << made.error().message;
      }
    }
    const auto without_bounds = technique.create({.cell_size = Vec2{10.0F, 10.0F}, .bounds = std::nullopt});
    EXPECT_EQ(without_bounds.has_value(), technique.name != "uniform-grid") << technique.name;
  }
}

TEST(Technique, passes_errors_on) {
  const auto grid = find_technique("uniform-grid")
                        .value()
                        ->create({.cell_size = Vec2{10.0F, 10.0F}, .bounds = std::nullopt});
  ASSERT_FALSE(grid.has_value());
  EXPECT_EQ(grid.error().message,
            UniformGrid::create({.bounds = std::nullopt, .cell_size = Vec2{10.0F, 10.0F}}).error().message);
}

}  // namespace
}  // namespace broadside::technique_test
