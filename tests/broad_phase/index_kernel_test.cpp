// The check of indices with each instruction set.

#include "broad_phase/index_kernel.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "instruction_sets.hpp"

namespace broadside::detail {
namespace {

TEST(IndexKernel, tells_which_indices_are_in_a_row) {
  for (std::uint32_t n = 1; n <= 70; ++n) {
    for (const BoxIndex first : {0U, 5U, ~0U - n + 1, ~0U - n + 2}) {
      std::vector<BoxIndex> indices;
      for (std::uint32_t i = 0; i < n; ++i) {
        indices.push_back(first + i);
      }
      test::for_instruction_sets([&](const char* set) {
        EXPECT_EQ(are_consecutive(indices), indices.front() <= indices.back()) << n << " with " << set;
        for (std::uint32_t odd = 1; odd < n; ++odd) {
          auto others = indices;
          others[odd] += odd % 2 == 0 ? 1 : ~0U;
          EXPECT_FALSE(are_consecutive(others)) << n << " with " << set << " except for " << odd;
        }
      });
    }
  }
}

}  // namespace
}  // namespace broadside::detail
