#include "broadside/base/body_type.hpp"

#include <gtest/gtest.h>

namespace broadside {
namespace {

TEST(BodyType, one_side_must_be_dynamic) {
  EXPECT_TRUE(can_touch(BodyType::dynamic, BodyType::dynamic));
  EXPECT_TRUE(can_touch(BodyType::dynamic, BodyType::kinematic));
  EXPECT_TRUE(can_touch(BodyType::dynamic, BodyType::static_body));
  EXPECT_TRUE(can_touch(BodyType::kinematic, BodyType::dynamic));
  EXPECT_TRUE(can_touch(BodyType::static_body, BodyType::dynamic));
  EXPECT_FALSE(can_touch(BodyType::kinematic, BodyType::kinematic));
  EXPECT_FALSE(can_touch(BodyType::kinematic, BodyType::static_body));
  EXPECT_FALSE(can_touch(BodyType::static_body, BodyType::kinematic));
  EXPECT_FALSE(can_touch(BodyType::static_body, BodyType::static_body));
}

}  // namespace
}  // namespace broadside
