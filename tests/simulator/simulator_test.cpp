// Random programs: compares the world with its model, and with itself with other techniques, threads and
// instruction sets. `make simulate` runs them for a given time.

#include <gtest/gtest.h>

#include <string>

#include "simulator/simulation.hpp"

namespace broadside::test::simulator::simulator_test {
namespace {

#ifdef BROADSIDE_FEW_CASES
constexpr std::uint64_t parts = 4;
constexpr std::size_t programs = 60;
#else
constexpr std::uint64_t parts = 20;
constexpr std::size_t programs = 560;  // 10^5 steps of the world
#endif
constexpr std::size_t operations = 400;

class Simulator : public testing::TestWithParam<std::uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Seeds, Simulator, testing::Range<std::uint64_t>(0, parts));

TEST_P(Simulator, finds_no_difference_in_programs_of_fixed_seeds) {
  Program::Counts sum;
  Program::Counts of_lattices;
  for (std::uint64_t i = 0; i < programs / parts; ++i) {
    const std::uint64_t seed = 1000 * GetParam() + i;
    const Case one = draw_case(seed, operations);
    const Outcome outcome = run(one);
    ASSERT_EQ(outcome.difference, "") << "seed " << seed << ", operation " << outcome.at;
    add(one.setting.lattice ? of_lattices : sum, outcome.counts);
  }
  // On lattices shapes touch exactly, or within rounding if the scale is not a power of 2.
  EXPECT_LT(sum.undecided * 20, sum.decisions) << "so much is undecided that nothing was proved";
  add(sum, of_lattices);
  EXPECT_GT(sum.steps, sum.operations / 3);
  EXPECT_GT(sum.contacts, sum.steps);
  EXPECT_GT(sum.failed_allocations, 0U);
  EXPECT_GT(sum.exceptions, 0U);
  EXPECT_GT(sum.replays, 0U);
  EXPECT_GT(sum.slides, 0U);
  EXPECT_GT(sum.steps_in_parts, 0U);
  RecordProperty("operations", std::to_string(sum.operations));
  RecordProperty("steps", std::to_string(sum.steps));
}

}  // namespace
}  // namespace broadside::test::simulator::simulator_test
