#include "broadside/base/validate.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"

namespace broadside::validate_test {
namespace {

using test::mentions;

TEST(Validate, accepts_all_valid_boxes) {
  for (const test::BoxMaker& maker : test::box_makers()) {
    test::Random random(1);
    const auto boxes = maker.make(500, random);
    const auto result = validate(boxes);
    EXPECT_TRUE(result.has_value()) << maker.name << ": " << result.error().message;
  }
}

TEST(Validate, accepts_no_boxes) {
  EXPECT_TRUE(validate(std::span<const Aabb>()).has_value());
}

TEST(Validate, names_the_box_the_field_and_the_reason) {
  for (const test::BadBox& bad : test::bad_boxes()) {
    const auto result = validate(bad.box, "box 17");
    ASSERT_FALSE(result.has_value()) << bad.name;
    EXPECT_EQ(result.error().code, bad.code) << bad.name;
    const std::string& message = result.error().message;
    EXPECT_TRUE(message.starts_with("box 17: ")) << message;
    EXPECT_TRUE(mentions(message, bad.field)) << message;
    EXPECT_TRUE(mentions(
        message, bad.code == ErrorCode::not_finite ? "must be a finite number" : "min must not exceed max"))
        << message;
  }
}

TEST(Validate, says_what_the_bad_value_was) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(mentions(validate({{0.0F, 0.0F}, {1.0F, -infinity}}, "it").error().message, "max_y is -inf"));
  EXPECT_TRUE(mentions(
      validate({{0.0F, 0.0F}, {std::numeric_limits<float>::quiet_NaN(), 0.0F}}, "it").error().message,
      "max_x is nan"));
  const auto inverted_x = validate({{2.5F, 0.0F}, {1.25F, 1.0F}}, "it").error();
  EXPECT_TRUE(mentions(inverted_x.message, "min_x 2.5 is greater than max_x 1.25")) << inverted_x.message;
  const auto inverted_y = validate({{0.0F, 2.5F}, {1.0F, 1.25F}}, "it").error();
  EXPECT_TRUE(mentions(inverted_y.message, "min_y 2.5 is greater than max_y 1.25")) << inverted_y.message;
}

TEST(Validate, does_not_blame_an_axis_without_extent) {
  const auto error = validate({{1.0F, 2.0F}, {1.0F, 0.5F}}, "it").error();
  EXPECT_TRUE(mentions(error.message, "min_y 2 is greater than max_y 0.5")) << error.message;
}

TEST(Validate, names_the_index_of_the_first_bad_box) {
  for (const std::size_t first : {0U, 5U, 9U}) {
    std::vector<Aabb> boxes(10, Aabb{{0.0F, 0.0F}, {1.0F, 1.0F}});
    boxes[first].max.y = -1.0F;
    boxes[9].max.x = std::numeric_limits<float>::quiet_NaN();
    const auto result = validate(boxes);
    ASSERT_FALSE(result.has_value());
    EXPECT_TRUE(result.error().message.starts_with("box " + std::to_string(first) + ": "))
        << result.error().message;
    EXPECT_EQ(result.error().code, first == 9 ? ErrorCode::not_finite : ErrorCode::inverted_box);
  }
}

TEST(Validate, allocates_nothing_on_success) {
  const auto boxes = test::make_boxes("scattered", 100, 1);
  const test::AllocationWatch watch;
  EXPECT_TRUE(validate(boxes).has_value());
  EXPECT_EQ(watch.count(), 0U);
}

}  // namespace
}  // namespace broadside::validate_test
