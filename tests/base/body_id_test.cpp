#include "broadside/base/body_id.hpp"

#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_set>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broadside/world/world.hpp"

namespace broadside::test::body_id_test {
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

TEST(BodyId, prints_as_in_error_messages) {
  Random random(4);
  for (int i = 0; i < 1000; ++i) {
    const BodyId id{random.bits(), random.below(3), random.below(3)};
    std::ostringstream out;
    out << id;
    EXPECT_EQ(out.str(), to_string(id));
    EXPECT_EQ(out.str() == "no body", !id);
    EXPECT_EQ(out.str().find("body " + std::to_string(id.index) + " ") == 0, static_cast<bool>(id));
  }
  World world;
  const BodyId body = world.add(BodyDef{}).value();
  world.remove(body).value();
  EXPECT_NE(world.position(body).error().message.find(to_string(body)), std::string::npos);
}

}  // namespace
}  // namespace broadside::test::body_id_test
