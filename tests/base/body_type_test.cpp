#include "broadside/base/body_type.hpp"

#include <gtest/gtest.h>

#include "broadside/base/validate.hpp"

namespace broadside::body_type_test {
namespace {

TEST(BodyType, is_one_of_three_bytes_of_256) {
  for (int byte = 0; byte < 256; ++byte) {
    const auto type = static_cast<BodyType>(byte);
    EXPECT_EQ(is_valid(type), byte < 3) << byte;
    EXPECT_EQ(name(type) == "unknown", byte >= 3) << byte;
    const Error error = validate(type, "body 5").error();
    EXPECT_EQ(error.code, byte < 3 ? ErrorCode::none : ErrorCode::invalid_argument) << byte;
    EXPECT_EQ(error.message.find("type " + std::to_string(byte) + " ") != std::string::npos, byte >= 3);
  }
}

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
}  // namespace broadside::body_type_test
