#include "broadside/broad_phase/technique.hpp"

#include <limits>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broadside/broad_phase/uniform_grid.hpp"

namespace broadside {
namespace {

using test::mentions;

TEST(Technique, names_are_unique_and_fit_for_a_command_line) {
  std::set<std::string_view> names;
  for (const Technique& technique : techniques()) {
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

TEST(Technique, makes_a_broad_phase_of_its_name) {
  for (const Technique& technique : techniques()) {
    const auto phase = technique.make({});
    ASSERT_TRUE(phase.has_value()) << technique.name;
    EXPECT_EQ((*phase)->name(), technique.name);
    EXPECT_EQ((*phase)->size(), 0U);
  }
}

TEST(Technique, is_found_by_name) {
  for (const Technique& technique : techniques()) {
    const auto found = find_technique(technique.name);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(*found, &technique);
  }
}

TEST(Technique, an_unknown_name_is_refused_with_the_names_there_are) {
  for (const std::string unknown : {"", "Brute-Force", "brute-force ", "brute", "quadtree"}) {
    const auto found = find_technique(unknown);
    ASSERT_FALSE(found.has_value()) << unknown;
    EXPECT_EQ(found.error().code, ErrorCode::invalid_argument);
    EXPECT_TRUE(mentions(found.error().message, "\"" + unknown + "\"")) << found.error().message;
    for (const Technique& technique : techniques()) {
      EXPECT_TRUE(mentions(found.error().message, technique.name)) << found.error().message;
    }
  }
}

TEST(Technique, hands_options_on) {
  const Aabb bounds{{0.0F, 0.0F}, {100.0F, 100.0F}};
  for (const Technique& technique : techniques()) {
    const auto made = technique.make({.cell_size = 25.0F, .bounds = bounds});
    ASSERT_TRUE(made.has_value()) << technique.name;
    ASSERT_TRUE((*made)->add(Aabb{{30.0F, 30.0F}, {31.0F, 31.0F}}).has_value());
    (*made)->update();
    const auto cells = (*made)->cells();
    if (technique.has_cell_size) {
      ASSERT_EQ(cells.size(), 1U) << technique.name;
      EXPECT_EQ(cells[0].bounds, (Aabb{{25.0F, 25.0F}, {50.0F, 50.0F}})) << technique.name;
    }
  }
}

TEST(Technique, refuses_bad_options_only_where_it_has_use_for_them) {
  const Aabb bounds{{0.0F, 0.0F}, {100.0F, 100.0F}};
  for (const Technique& technique : techniques()) {
    for (const float bad : {0.0F, -2.0F, std::numeric_limits<float>::quiet_NaN()}) {
      const auto made = technique.make({.cell_size = bad, .bounds = bounds});
      EXPECT_EQ(made.has_value(), !technique.has_cell_size) << technique.name << " " << bad;
    }
    const auto without_bounds = technique.make({.cell_size = 10.0F, .bounds = std::nullopt});
    EXPECT_EQ(without_bounds.has_value(), technique.name != "uniform-grid") << technique.name;
    const auto inverted =
        technique.make({.cell_size = std::nullopt, .bounds = Aabb{{1.0F, 0.0F}, {0.0F, 0.0F}}});
    EXPECT_EQ(inverted.has_value(), technique.name != "uniform-grid") << technique.name;
  }
}

TEST(Technique, hands_the_error_on) {
  const auto grid =
      find_technique("uniform-grid").value()->make({.cell_size = 10.0F, .bounds = std::nullopt});
  ASSERT_FALSE(grid.has_value());
  EXPECT_EQ(grid.error().message,
            UniformGrid::create({.bounds = std::nullopt, .cell_size = Vec2{10.0F, 10.0F}}).error().message);
}

}  // namespace
}  // namespace broadside
