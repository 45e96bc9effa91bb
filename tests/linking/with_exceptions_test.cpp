#include <csignal>
#include <iterator>

#include <gtest/gtest.h>

#include "linking/take_value.hpp"

namespace broadside::test {
namespace {

struct With;

static_assert(std::size(take_value_of<With>) == kinds);

TEST(Linking, value_throws_where_the_caller_has_exceptions) {
  for (int kind = 0; kind < kinds; ++kind) {
    for (const Way way : ways) {
      EXPECT_THROW(take_value_of<With>[kind](way), Exception) << kind << ' ' << static_cast<int>(way);
    }
  }
}

TEST(LinkingDeathTest, value_aborts_where_the_caller_has_none) {
  for (int kind = 0; kind < kinds; ++kind) {
    for (const Way way : ways) {
      EXPECT_EXIT(take_value_without_exceptions(kind, way), testing::KilledBySignal(SIGABRT), "")
          << kind << ' ' << static_cast<int>(way);
    }
  }
}

}  // namespace
}  // namespace broadside::test
