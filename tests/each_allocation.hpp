#pragma once

#include <new>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"

namespace broadside::test {

/// Makes a call with 0, 1, 2, ... allowed allocations until it succeeds, and `check()` after each failure.
/// Returns how many calls failed. Stops at a fatal assertion of `check`.
template <typename Call, typename Check>
int fail_each_allocation(Call call, Check check) {
  for (int failed = 0;; ++failed) {
    try {
      const AllocationLimit limit(static_cast<std::size_t>(failed));
      call();
      return failed;
    } catch (const std::bad_alloc&) {
    }
    SCOPED_TRACE(testing::Message() << "after failure " << failed);
    check();
    if (testing::Test::HasFatalFailure()) {
      return failed;
    }
  }
}

}  // namespace broadside::test
