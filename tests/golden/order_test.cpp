// Eleven workloads, twelve frames each: the pairs in their order make one number. It must be the same for
// every compiler, optimisation, instruction set and number of threads, so it is written down here. Who
// changes the order on purpose writes down the new ones, which the failing test prints.

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"

namespace broadside {
namespace {

/// FNV-1a over 64-bit words.
class Hash {
 public:
  void add(std::span<const Pair> pairs) {
    for (const Pair& pair : pairs) {
      value_ = (value_ ^ ((std::uint64_t{pair.a} << 32U) | pair.b)) * 0x100000001B3U;
    }
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325U;
};

/// How boxes go on from frame to frame: the same in every program, since it is made of additions only.
std::vector<Aabb> moved(std::vector<Aabb> boxes, int frame) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const float share = i % 4 == 0 ? 0.0F : frame < 8 ? 0.03125F : 0.25F;
    const float step = share * (boxes[i].max.x - boxes[i].min.x);
    const Aabb next{{boxes[i].min.x + step, boxes[i].min.y - step},
                    {boxes[i].max.x + step, boxes[i].max.y - step}};
    boxes[i] = is_valid(next) ? next : boxes[i];
  }
  return boxes;
}

struct Golden {
  const char* kind;
  std::size_t boxes;
  std::uint64_t hash;
};

void PrintTo(const Golden& golden, std::ostream* out) {
  *out << golden.kind;
}

class Order : public testing::TestWithParam<Golden> {};

INSTANTIATE_TEST_SUITE_P(Workloads, Order,
                         testing::Values(Golden{"scattered", 20000, 0x82BD001CE131465CU},
                                         Golden{"scattered", 1000, 0x595324169B8F3822U},
                                         Golden{"clustered", 5000, 0xC4050C2FFB302C0U},
                                         Golden{"mixed_sizes", 1000, 0x9F95DEC22AFED2A5U},
                                         Golden{"touching_edges", 1000, 0x1F788AA1A8B46B96U},
                                         Golden{"zero_size", 1000, 0x446C743B29C5C3ADU},
                                         Golden{"far_away", 1000, 0x94B780C615E3A19BU},
                                         Golden{"giant_among_tiny", 20000, 0xFB81C3B45BEB65A0U},
                                         Golden{"on_a_line_in_y", 1000, 0x1075DF5416CE749CU},
                                         Golden{"all_floats", 100, 0xF79A7C33E8C496BEU},
                                         Golden{"denormals", 100, 0x1877467F045FCE7FU}),
                         [](const auto& golden) {
                           return std::string(golden.param.kind) + "_" + std::to_string(golden.param.boxes);
                         });

TEST_P(Order, is_what_is_written_down) {
  const Golden& golden = GetParam();
  for (const std::size_t threads : {1U, 2U, 4U}) {
    ThreadPool pool(threads);
    Hash hash;
    auto boxes = test::make_boxes(golden.kind, golden.boxes, 61);
    const auto still = test::make_boxes(golden.kind, golden.boxes / 5, 62);
    hash.add(find_pairs(boxes, {.tasks = &pool}).value());
    hash.add(find_pairs(boxes, still, {.tasks = &pool}).value());
    HierarchicalGrid grid;
    grid.use_threads(&pool).value();
    ASSERT_TRUE(grid.add(still, BodyType::static_body).has_value());
    const auto indices = grid.add(boxes).value();
    for (int frame = 0; frame < 12; ++frame) {
      boxes = moved(std::move(boxes), frame);
      ASSERT_TRUE(grid.move(indices, boxes).has_value());
      hash.add(grid.find_pairs());
    }
    EXPECT_EQ(hash.value(), golden.hash) << golden.kind << " " << golden.boxes << ", " << threads
                                         << " threads: 0x" << std::hex << hash.value() << "U";
  }
}

}  // namespace
}  // namespace broadside
