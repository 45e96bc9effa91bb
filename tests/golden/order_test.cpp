#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "broadside/base/tasks.hpp"
#include "golden/workloads.hpp"

namespace broadside::test::order_test {

void PrintTo(const Workload& workload, std::ostream* out) {
  *out << workload.kind;
}

namespace {

class Order : public testing::TestWithParam<Workload> {};

INSTANTIATE_TEST_SUITE_P(Workloads, Order, testing::ValuesIn(workloads), [](const auto& workload) {
  return std::string(workload.param.kind) + "_" + std::to_string(workload.param.boxes);
});

TEST_P(Order, matches_the_stored_hash) {
  for (const std::size_t threads : {1U, 2U, 4U}) {
    ThreadPool pool(threads);
    const std::uint64_t hash = hash_of_pairs(GetParam(), pool);
    EXPECT_EQ(hash, GetParam().hash) << threads << " threads: 0x" << std::hex << hash << "U";
  }
}

}  // namespace
}  // namespace broadside::test::order_test
