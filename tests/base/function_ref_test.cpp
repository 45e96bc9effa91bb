#include "broadside/base/function_ref.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace broadside::function_ref_test {

namespace {

int twice(int value) {
  return 2 * value;
}

int apply(FunctionRef<int(int)> function, int value) {
  return function(value);
}

TEST(FunctionRef, calls_the_function_it_refers_to) {
  int calls = 0;
  auto counting = [&calls](int value) mutable {
    ++calls;
    return value + 1;
  };
  EXPECT_EQ(apply(counting, 3), 4);
  EXPECT_EQ(apply(twice, 3), 6);
  EXPECT_EQ(apply(&twice, 3), 6);
  const auto constant = [](int) { return 7; };
  EXPECT_EQ(apply(constant, 0), 7);
  EXPECT_EQ(calls, 1);
}

TEST(FunctionRef, copies_refer_to_the_same_function) {
  int state = 0;
  auto next = [&state] { return ++state; };
  const FunctionRef<int()> first(next);
  const FunctionRef<int()> second = first;
  EXPECT_EQ(first(), 1);
  EXPECT_EQ(second(), 2);
}

TEST(FunctionRef, forwards_move_only_arguments) {
  auto take = [](std::unique_ptr<int> value) { return *value; };
  const FunctionRef<int(std::unique_ptr<int>)> function(take);
  EXPECT_EQ(function(std::make_unique<int>(5)), 5);
}

TEST(FunctionRef, discards_the_result_if_it_returns_void) {
  int calls = 0;
  auto counting = [&calls] { return ++calls; };
  const FunctionRef<void()> function(counting);
  function();
  EXPECT_EQ(calls, 1);
}

}  // namespace

}  // namespace broadside::function_ref_test
