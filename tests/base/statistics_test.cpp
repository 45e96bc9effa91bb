#include "broadside/base/statistics.hpp"

#include <gtest/gtest.h>

namespace broadside::statistics_test {
namespace {

TEST(Statistics, false_positives_are_tests_without_a_hit) {
  Statistics statistics;
  EXPECT_EQ(statistics.false_positives(), 0U);
  statistics.tests = 10;
  statistics.hits = 3;
  EXPECT_EQ(statistics.false_positives(), 7U);
}

}  // namespace
}  // namespace broadside::statistics_test
