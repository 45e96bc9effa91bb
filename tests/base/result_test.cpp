#include "broadside/base/result.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace broadside::result_test {
namespace {

const Error some_error{ErrorCode::stale_id, "box 7 is gone"};

// `if (world.overlaps(a, b))` must not compile: it would be true for "no".
template <typename... T>
constexpr bool none_converts_to_bool = (... && (!std::is_constructible_v<bool, Result<T>> &&
                                                !std::is_constructible_v<bool, Result<T>&> &&
                                                !std::is_constructible_v<bool, const Result<T>&>));
static_assert(none_converts_to_bool<void, bool, int, float, double*, std::string, std::optional<bool>,
                                    std::optional<int>, std::unique_ptr<int>, std::vector<int>>);
static_assert(std::is_constructible_v<bool, Error>);

Result<int> good() {
  return 42;
}
Result<int> bad() {
  return some_error;
}

TEST(Result, value_or_replaces_errors_alone) {
  EXPECT_EQ(Result<int>(7).value_or(3), 7);
  EXPECT_EQ(Result<int>(Error{ErrorCode::io, "no"}).value_or(3), 3);
  const Result<std::string> text(std::string("kept"));
  EXPECT_EQ(text.value_or("other"), "kept");
  EXPECT_EQ(text.value(), "kept");
  EXPECT_EQ(Result<std::string>(Error{ErrorCode::io, "no"}).value_or("other"), "other");
  EXPECT_EQ(*Result<std::unique_ptr<int>>(std::make_unique<int>(5)).value_or(nullptr), 5);
}

TEST(Result, holds_a_value) {
  const Result<int> result = good();
  EXPECT_TRUE(result.has_value());
  EXPECT_FALSE(result.error());
  EXPECT_EQ(result.error().code, ErrorCode::none);
  EXPECT_EQ(result.value(), 42);
  EXPECT_EQ(*result, 42);
}

TEST(Result, holds_an_error) {
  const Result<int> result = bad();
  EXPECT_FALSE(result.has_value());
  EXPECT_TRUE(static_cast<bool>(result.error()));
  EXPECT_EQ(result.error().code, ErrorCode::stale_id);
  EXPECT_EQ(result.error().message, "box 7 is gone");
}

TEST(Result, value_throws_the_error) {
  Result<int> changeable = bad();
  const Result<int> constant = bad();
  EXPECT_THROW((void)changeable.value(), Exception);
  EXPECT_THROW((void)constant.value(), Exception);
  EXPECT_THROW((void)bad().value(), Exception);
  try {
    (void)constant.value();
    FAIL() << "did not throw";
  } catch (const std::exception& exception) {
    EXPECT_STREQ(exception.what(), "box 7 is gone");
  }
  try {
    (void)constant.value();
    FAIL() << "did not throw";
  } catch (const Exception& exception) {
    EXPECT_EQ(exception.error().code, ErrorCode::stale_id);
  }
}

TEST(Result, value_can_be_changed_and_moved_out) {
  Result<std::string> result = std::string("a text that is too long for the small string buffer");
  result.value() += "!";
  *result += "?";
  EXPECT_EQ(result->back(), '?');
  const std::string taken = *std::move(result);
  EXPECT_EQ(taken, "a text that is too long for the small string buffer!?");

  Result<std::unique_ptr<int>> pointer(std::make_unique<int>(5));
  const std::unique_ptr<int> owner = std::move(pointer).value();
  EXPECT_EQ(*owner, 5);
}

Result<std::vector<int>> three_numbers() {
  return std::vector{1, 2, 3};
}

// A reference into the result would dangle here: the loop keeps only what its range expression returns.
TEST(Result, value_of_a_temporary_may_be_looped_over) {
  int sum = 0;
  for (const int number : three_numbers().value()) {
    sum += number;
  }
  for (const int number : *three_numbers()) {
    sum += number;
  }
  EXPECT_EQ(sum, 12);
  static_assert(!std::is_reference_v<decltype(three_numbers().value())>);
  static_assert(!std::is_reference_v<decltype(*three_numbers())>);
}

TEST(Result, of_nothing_is_success_by_default) {
  const Result<void> result;
  EXPECT_TRUE(result.has_value());
  EXPECT_FALSE(result.error());
  EXPECT_NO_THROW(result.value());
}

TEST(Result, of_nothing_holds_an_error) {
  const Result<void> result = some_error;
  EXPECT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message, "box 7 is gone");
  EXPECT_THROW(result.value(), Exception);
}

TEST(ErrorCode, each_has_a_name_of_its_own) {
  std::set<std::string_view> names;
  for (const ErrorCode code :
       {ErrorCode::none, ErrorCode::invalid_argument, ErrorCode::not_finite, ErrorCode::inverted_box,
        ErrorCode::stale_id, ErrorCode::too_many_pairs, ErrorCode::too_large, ErrorCode::io, ErrorCode::parse,
        ErrorCode::wrong_world, ErrorCode::locked, ErrorCode::version_mismatch}) {
    EXPECT_TRUE(names.insert(name(code)).second) << name(code);
    EXPECT_NE(name(code), "unknown");
  }
  EXPECT_EQ(name(ErrorCode::not_finite), "not_finite");
  EXPECT_EQ(name(ErrorCode::too_many_pairs), "too_many_pairs");
  EXPECT_EQ(name(static_cast<ErrorCode>(1000)), "unknown");
}

}  // namespace
}  // namespace broadside::result_test
