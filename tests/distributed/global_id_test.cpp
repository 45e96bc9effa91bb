#include "broadside/distributed/global_id.hpp"

#include <gtest/gtest.h>

namespace broadside::test::distributed_global_id_test {
namespace {

TEST(GlobalId, has_the_rank_where_it_was_made_and_a_counter_there) {
  constexpr GlobalId id = GlobalId::of(65'535, (std::uint64_t{1} << 48U) - 1);
  EXPECT_EQ(id.birth_rank(), 65'535);
  EXPECT_EQ(id.counter(), (std::uint64_t{1} << 48U) - 1);
  EXPECT_EQ(GlobalId::of(3, 7).birth_rank(), 3);
  EXPECT_EQ(GlobalId::of(3, 7).counter(), 7U);
  EXPECT_LT(GlobalId::of(0, 9), GlobalId::of(1, 0));
}

TEST(GlobalPair, has_the_smaller_id_first) {
  const GlobalId a = GlobalId::of(0, 9);
  const GlobalId b = GlobalId::of(1, 0);
  EXPECT_EQ(ordered_pair(a, b), (GlobalPair{a, b}));
  EXPECT_EQ(ordered_pair(b, a), (GlobalPair{a, b}));
}

}  // namespace
}  // namespace broadside::test::distributed_global_id_test
