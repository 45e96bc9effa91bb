#pragma once

#include <cstdint>

namespace broadside::detail {

/// What a search for pairs did, in counts that are the same on every machine.
struct Work {
  std::uint64_t tests = 0;  ///< one box against one box
  std::uint64_t cells = 0;  ///< rows visited, including empty ones

  Work& operator+=(const Work& other) {
    tests += other.tests;
    cells += other.cells;
    return *this;
  }
};

}  // namespace broadside::detail
