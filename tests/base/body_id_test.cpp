#include "broadside/base/body_id.hpp"

#include <set>
#include <tuple>
#include <unordered_set>

#include <gtest/gtest.h>

#include "boxes.hpp"

namespace broadside::test {
namespace {

TEST(BodyId, can_be_a_key_of_hash_tables) {
  Random random(20261127);
  std::unordered_set<BodyId> hashed;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> ordered;
  std::set<std::size_t> hashes;
  for (int i = 0; i < 5000; ++i) {
    const BodyId id{random.below(40), random.below(20), random.below(10)};
    EXPECT_EQ(hashed.insert(id).second, ordered.emplace(id.index, id.generation, id.world).second);
    EXPECT_TRUE(hashed.contains(id));
    hashes.insert(std::hash<BodyId>()(id));
  }
  EXPECT_EQ(hashed.size(), ordered.size());
  EXPECT_EQ(hashes.size(), ordered.size());  // no two of these few share a hash
}

}  // namespace
}  // namespace broadside::test
