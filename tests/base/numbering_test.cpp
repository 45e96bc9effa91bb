#include "base/numbering.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "each_allocation.hpp"

namespace broadside::detail::numbering_test {
namespace {

using test::Random;

struct NumberHash {
  std::uint32_t operator()(std::uint64_t number) const { return HashMixer().add(number).short_hash(); }
};
/// Maps all values to a few slots, so that a removal has long probe runs to close.
struct CrowdedHash {
  std::uint32_t operator()(std::uint64_t number) const { return static_cast<std::uint32_t>(number % 3) * 5; }
};

/// Uses and gives back values at random, and compares the numbering with a map.
template <typename Hash>
void compare_with_a_map(std::uint32_t different, int rounds, std::uint64_t seed) {
  Interner<std::uint64_t, Hash> numbering;
  std::map<std::uint64_t, std::pair<std::uint32_t, int>> expected;  // number and uses
  Random random(seed);
  std::size_t most = 0;
  for (int round = 0; round < rounds; ++round) {
    if (random.below(500) == 0) {
      numbering.clear();
      expected.clear();
      most = 0;
    }
    const std::uint64_t value = random.below(different);
    const auto known = expected.find(value);
    if (random.below(2) == 0) {
      const std::uint32_t number = numbering.use(value);
      if (known == expected.end()) {
        for (const auto& [other, entry] : expected) {
          ASSERT_NE(entry.first, number) << "the numbers of " << value << " and " << other;
        }
        expected[value] = {number, 1};
      } else {
        ASSERT_EQ(known->second.first, number);
        ++known->second.second;
      }
    } else if (known != expected.end()) {
      numbering.release_number(known->second.first);
      if (--known->second.second == 0) {
        expected.erase(known);
      }
    }
    most = std::max(most, expected.size());
    ASSERT_EQ(numbering.size(), expected.size());
    ASSERT_EQ(numbering.end(), most) << "free numbers are given out again";
    const std::uint64_t asked = random.below(different);
    const auto found = numbering.find(asked);
    ASSERT_EQ(found.has_value(), expected.contains(asked));
    if (found) {
      ASSERT_EQ(*found, expected[asked].first);
      ASSERT_EQ(numbering[*found], asked);
    }
  }
}

TEST(Interner, agrees_with_a_map) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto different = static_cast<std::uint32_t>(1 + 7 * seed);
    ASSERT_NO_FATAL_FAILURE(compare_with_a_map<NumberHash>(different, 2000, seed)) << seed;
    ASSERT_NO_FATAL_FAILURE(compare_with_a_map<CrowdedHash>(different, 2000, seed)) << seed;
  }
}

TEST(Interner, frees_the_memory_of_released_values) {
  Interner<std::string, TextHash> numbering;
  numbering.use(std::string("kept"));
  std::size_t bytes = 0;
  for (int i = 0; i < 200'000; ++i) {
    numbering.release_number(
        numbering.use("a text that is too long for a small string, number " + std::to_string(i)));
    bytes = i == 100 ? numbering.bytes() : bytes;
  }
  EXPECT_EQ(numbering.bytes(), bytes);
  EXPECT_EQ(numbering.end(), 2U);
  EXPECT_LT(numbering.values()[1].capacity(), 32U);
}

TEST(Interner, is_unchanged_if_an_allocation_fails) {
  Interner<std::string, TextHash> numbering;
  for (int i = 0; i < 200; ++i) {
    const std::string text = "a text that is too long for a small string, number " + std::to_string(i);
    ASSERT_NO_FATAL_FAILURE(
        test::fail_each_allocation([&] { ASSERT_EQ(numbering.use(text), static_cast<std::uint32_t>(i)); },
                                   [&] {
                                     ASSERT_EQ(numbering.size(), static_cast<std::size_t>(i));
                                     ASSERT_FALSE(numbering.find(text));
                                   }));
  }
  for (std::uint32_t i = 0; i < 200; ++i) {
    const test::AllocationLimit none(0);  // giving back never allocates
    numbering.release_number(i);
  }
  EXPECT_EQ(numbering.size(), 0U);
}

}  // namespace
}  // namespace broadside::detail::numbering_test
