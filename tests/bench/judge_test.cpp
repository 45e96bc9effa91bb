// How the answers of casts are judged: our own as strictly as those of the peers.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "boxes.hpp"
#include "contact/contest.hpp"

namespace broadside::bench {
namespace {

constexpr float tolerance = 1e-4F;

std::vector<Row> path_rows() {
  constexpr Kind kinds[] = {Kind::circle,  Kind::box,     Kind::capsule,
                            Kind::segment, Kind::polygon, Kind::rounded};
  std::vector<Row> rows;
  for (const Kind b : kinds) {
    for (const Kind a : kinds) {
      rows.push_back({.function = Function::cast, .a = a, .b = b});
    }
    rows.push_back({.function = Function::cast_ray, .a = Kind::circle, .b = b});
  }
  return rows;
}

std::vector<Answer> our_answers(const Row& row, const std::vector<Case>& cases) {
  const auto ours = make_ours();
  ours->load(row, cases);
  std::vector<std::uint32_t> order(cases.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<Answer> answers(cases.size());
  ours->run(order, answers);
  return answers;
}

TEST(BenchJudge, a_wrong_time_of_either_side_is_a_disagreement) {
  test::Random random(12);
  for (const Row& row : path_rows()) {
    const std::vector<Case> cases = make_cases(row, 100);
    const std::vector<Answer> answers = our_answers(row, cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const Answer& right = answers[i];
      EXPECT_TRUE(agrees(row, cases[i], right, right, tolerance)) << describe(cases[i], right, right);
      std::vector<Answer> wrong;
      if (right.touching) {
        wrong.push_back({true, right.value + random.between(0.05F, 0.3F)});
        wrong.push_back({true, right.value - random.between(0.05F, 0.3F)});
      } else {
        wrong.push_back({true, random.unit()});
      }
      for (const Answer& one : wrong) {
        EXPECT_FALSE(agrees(row, cases[i], right, one, tolerance)) << describe(cases[i], right, one);
        EXPECT_FALSE(agrees(row, cases[i], one, right, tolerance)) << describe(cases[i], one, right);
        EXPECT_FALSE(agrees(row, cases[i], one, one, tolerance)) << describe(cases[i], one, one);
      }
    }
  }
}

// A miss is wrong if the shapes overlap deeper than the tolerance. Points and segments have no depth.
TEST(BenchJudge, a_miss_of_either_side_is_a_disagreement) {
  for (const Row& row : path_rows()) {
    if (row.a == Kind::segment || row.b == Kind::segment) {
      continue;
    }
    const std::vector<Case> cases = make_cases(row, 100);
    const std::vector<Answer> answers = our_answers(row, cases);
    std::size_t hits = 0;
    std::size_t refused_of_peer = 0;
    std::size_t refused_of_ours = 0;
    std::size_t refused_of_both = 0;
    const Answer miss;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (answers[i].touching) {
        ++hits;
        refused_of_peer += agrees(row, cases[i], answers[i], miss, tolerance) ? 0U : 1U;
        refused_of_ours += agrees(row, cases[i], miss, answers[i], tolerance) ? 0U : 1U;
        refused_of_both += agrees(row, cases[i], miss, miss, tolerance) ? 0U : 1U;
      }
    }
    // The path is tested at 65 places, between which a corner may be grazed.
    EXPECT_GE(10 * refused_of_peer, 9 * hits) << row.pairing();
    EXPECT_EQ(refused_of_ours, refused_of_peer) << row.pairing();
    EXPECT_EQ(refused_of_both, refused_of_peer) << row.pairing();
  }
}

}  // namespace
}  // namespace broadside::bench
