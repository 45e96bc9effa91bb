#include "broadside/scene/workload.hpp"

#include <gtest/gtest.h>

#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/find_pairs.hpp"

namespace broadside {
namespace {

TEST(Workload, every_kind_makes_valid_boxes_of_the_asked_number) {
  for (const WorkloadKind& kind : workload_kinds()) {
    for (const std::uint64_t count : {0U, 1U, 7U, 1000U}) {
      const auto workload = make_workload(kind.name, count, 3);
      ASSERT_TRUE(workload.has_value()) << kind.name;
      EXPECT_EQ(workload->boxes.size(), count) << kind.name;
      EXPECT_LE(workload->static_count, count) << kind.name;
      EXPECT_TRUE(validate(workload->boxes).has_value()) << kind.name;
    }
  }
}

TEST(Workload, the_same_seed_makes_the_same_boxes_and_another_seed_others) {
  for (const WorkloadKind& kind : workload_kinds()) {
    const auto a = make_workload(kind.name, 100, 5);
    EXPECT_EQ(a->boxes, make_workload(kind.name, 100, 5)->boxes) << kind.name;
    EXPECT_NE(a->boxes, make_workload(kind.name, 100, 6)->boxes) << kind.name;
  }
}

double pairs_per_box(std::string_view name) {
  const auto workload = make_workload(name, 20'000, 1);
  return static_cast<double>(find_pairs(workload->boxes)->size()) / 20'000.0;
}

TEST(Workload, densities_are_as_documented) {
  EXPECT_NEAR(pairs_per_box("uniform"), 1.5, 0.1);
  EXPECT_NEAR(pairs_per_box("far-away"), 1.5, 0.1);
  EXPECT_NEAR(pairs_per_box("clusters"), 5.0, 0.6);
  EXPECT_NEAR(pairs_per_box("power-law"), 5.0, 0.8);
  EXPECT_NEAR(pairs_per_box("two-scales"), 0.57, 0.1);
}

TEST(Workload, unknown_and_absurd_ones_are_refused) {
  const auto unknown = make_workload("unifrom", 10, 1);
  ASSERT_FALSE(unknown.has_value());
  EXPECT_NE(unknown.error().message.find("uniform, few-movers"), std::string::npos);
  EXPECT_EQ(make_workload("uniform", 1'000'000'000, 1).error().code, ErrorCode::invalid_argument);
}

TEST(Workload, a_recording_moves_the_movers_by_five_per_cent_and_no_static_box) {
  const auto workload = make_workload("few-movers", 1010, 1);
  const Trace trace = record_workload(*workload, 4, 1);
  EXPECT_EQ(trace.static_count(), 1000U);
  EXPECT_EQ(trace.moving_count(), 10U);
  EXPECT_EQ(trace.frame(0)[3], workload->boxes[1003]);
  for (std::size_t i = 0; i < 10; ++i) {
    const Vec2 way = trace.frame(1)[i].min - trace.frame(0)[i].min;
    EXPECT_NEAR(dot(way, way), 0.25F, 0.01F);
  }
}

}  // namespace
}  // namespace broadside
