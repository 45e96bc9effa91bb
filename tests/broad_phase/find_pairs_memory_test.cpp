// `find_pairs` when memory runs out, or with a limit of pairs.

#include <algorithm>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/broad_phase/find_pairs.hpp"

namespace broadside::test::find_pairs_memory_test {
namespace {

/// One call of `find_pairs`, for one set or two.
struct Case {
  std::vector<Aabb> boxes;
  std::vector<Aabb> others;
  bool between = false;

  [[nodiscard]] Result<std::vector<Pair>> find(const FindPairsOptions& options) const {
    return between ? find_pairs(boxes, others, options) : find_pairs(boxes, options);
  }
  [[nodiscard]] std::size_t size() const { return boxes.size() + (between ? others.size() : 0); }
};

std::vector<Case> draw_cases(std::uint64_t seed, std::uint32_t most) {
  Random random(seed);
  std::vector<Case> cases;
  for (const char* kind : {"scattered", "mixed_sizes", "giant_among_tiny", "all_the_same"}) {
    for (const bool between : {false, true}) {
      const std::uint32_t n = std::string(kind) == "all_the_same" ? std::min(most, 1000U) : most;
      cases.push_back({make_boxes(kind, n / 2 + random.below(n / 2), random.bits()),
                       make_boxes(kind, n / 4 + random.below(n / 2), random.bits()), between});
    }
  }
  return cases;
}

TEST(FindPairsMemory, each_allocation_may_fail) {
#ifdef BROADSIDE_FEW_CASES
  constexpr std::size_t count = 1;
#else
  constexpr std::size_t count = 4;
#endif
  const auto cases = draw_cases(7, 9000);
  for (const Case& one : std::span(cases).first(count)) {
    for (const std::size_t threads : {1U, 3U}) {
      const FindPairsOptions options{.sorted = true, .threads = threads};
      const auto expected = one.find({.sorted = true}).value();
      for (const Failing failing : {Failing::once, Failing::from_there_on}) {
        bool struck = true;
        for (std::size_t allowed = 0; struck; ++allowed) {
          std::optional<std::vector<Pair>> found;
          {
            const SharedAllocationLimit limit(allowed, failing);
            try {
              found = one.find(options).value();
            } catch (const std::bad_alloc&) {
            }
            struck = limit.struck();
          }
          ASSERT_EQ(found.has_value(), !struck) << allowed;
          ASSERT_TRUE(struck || *found == expected);
        }
      }
    }
  }
}

TEST(FindPairsMemory, limit_is_compared_with_the_true_count) {
  for (const Case& one : draw_cases(8, 4000)) {
    const auto all = one.find({}).value();
    const std::size_t count = all.size();
    for (const std::size_t threads : {1U, 2U, 5U}) {
      for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, count / 3, count - 1, count, count + 1,
                                      std::numeric_limits<std::size_t>::max()}) {
        const auto found = one.find({.max_pairs = limit, .threads = threads});
        if (count <= limit) {
          EXPECT_EQ(found.value(), all);
        } else {
          EXPECT_EQ(found.error().code, ErrorCode::too_many_pairs);
          EXPECT_TRUE(mentions(found.error().message, "there are " + std::to_string(count) + " pairs"))
              << found.error().message;
        }
      }
    }
  }
}

// All requested bytes are summed up, so the peak is lower.
TEST(FindPairsMemory, limit_bounds_memory) {
  constexpr std::size_t each_box = 400;
  constexpr std::size_t each_pair = 8 * sizeof(Pair);
  constexpr std::size_t each_task = 40'000;
  for (const Case& one : draw_cases(9, 6000)) {
    for (const std::size_t threads : {1U, 2U, 5U}) {
      for (const std::size_t limit : {0U, 1000U, 20000U}) {
        const MemoryWatch watch;
        static_cast<void>(one.find({.sorted = true, .max_pairs = limit, .threads = threads}));
        EXPECT_LE(watch.bytes(),
                  each_box * one.size() + each_pair * limit + each_task * 4 * threads + 100'000)
            << one.size() << " boxes, limit " << limit << ", " << threads << " threads";
      }
    }
  }
}

TEST(FindPairsMemory, invalid_options_are_refused) {
  const std::vector<Aabb> boxes(3, Aabb{{0, 0}, {1, 1}});
  class NoThreads final : public TaskRunner {
   public:
    [[nodiscard]] std::size_t threads() const override { return 0; }
    void run(std::size_t /*count*/, TaskRef /*task*/) override { ADD_FAILURE() << "was asked to run"; }
  };
  NoThreads runner;
  for (const bool between : {false, true}) {
    const Case one{boxes, boxes, between};
    for (const std::size_t threads : {std::size_t{1025}, std::numeric_limits<std::size_t>::max()}) {
      const auto refused = one.find({.threads = threads});
      EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
      EXPECT_TRUE(mentions(refused.error().message, std::to_string(threads))) << refused.error().message;
    }
    EXPECT_EQ(one.find({.tasks = &runner}).error().code, ErrorCode::invalid_argument);
    EXPECT_TRUE(one.find({.threads = 0}).has_value());
    EXPECT_TRUE(one.find({.threads = 1024, .tasks = nullptr}).has_value());
  }
}

}  // namespace
}  // namespace broadside::test::find_pairs_memory_test
