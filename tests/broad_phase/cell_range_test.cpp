#include "broad_phase/cell_range.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace broadside::detail::cell_range_test {
namespace {

constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t highest = std::numeric_limits<std::int32_t>::max();
constexpr float most = std::numeric_limits<float>::max();

TEST(CellCoordinate, rounds_down_on_both_sides_of_the_origin) {
  const auto cell = [](float position) { return cell_coordinate(position, 0.0, 150.0, lowest, highest); };
  EXPECT_EQ(cell(0.0F), 0);
  EXPECT_EQ(cell(149.99F), 0);
  EXPECT_EQ(cell(150.0F), 1);
  EXPECT_EQ(cell(-0.0F), 0);
  EXPECT_EQ(cell(-0.01F), -1);
  EXPECT_EQ(cell(-150.0F), -1);
  EXPECT_EQ(cell(-150.01F), -2);
}

TEST(CellCoordinate, counts_from_the_origin) {
  const auto cell = [](float position) { return cell_coordinate(position, 100.0, 10.0, lowest, highest); };
  EXPECT_EQ(cell(100.0F), 0);
  EXPECT_EQ(cell(99.0F), -1);
  EXPECT_EQ(cell(119.0F), 1);
}

TEST(CellCoordinate, is_clamped_to_the_border) {
  const auto cell = [](float position) { return cell_coordinate(position, 0.0, 1.0, 0, 9); };
  EXPECT_EQ(cell(-1.0F), 0);
  EXPECT_EQ(cell(-most), 0);
  EXPECT_EQ(cell(9.5F), 9);
  EXPECT_EQ(cell(10.0F), 9);
  EXPECT_EQ(cell(most), 9);
}

/// Visits finite floats from the lowest to the highest, every `stride`-th bit pattern.
template <typename Visitor>
void for_floats_in_order(std::uint32_t stride, Visitor visit) {
  constexpr std::uint32_t largest_bits = 0x7F7FFFFFU;
  constexpr std::uint32_t sign = 0x80000000U;
  for (std::int64_t bits = largest_bits; bits >= 0; bits -= stride) {
    visit(std::bit_cast<float>(static_cast<std::uint32_t>(bits) | sign));
  }
  for (std::uint64_t bits = 0; bits <= largest_bits; bits += stride) {
    visit(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  visit(most);
}

/// Checks what the grids rely on over the whole range of float: cells are monotone, and never out of range.
/// (The conversion of a float that is too large would be; the sanitizers report it.)
void sweep_all_floats(double origin, double cell_size, std::int32_t low, std::int32_t high) {
  std::int32_t previous = low;
  std::uint64_t steps_down = 0;
  std::uint64_t out_of_range = 0;
  std::uint64_t misplaced = 0;
  for_floats_in_order(1009, [&](float position) {
    const std::int32_t cell = cell_coordinate(position, origin, cell_size, low, high);
    steps_down += cell < previous ? 1U : 0U;
    out_of_range += cell < low || cell > high ? 1U : 0U;
    if (cell > low && cell < high) {
      // Multiplied instead of divided, with slack for the rounding of both.
      const double start = origin + cell_size * cell;
      const double slack = cell_size * (1.0e-6 + 1.0e-15 * (cell < 0 ? -double{1} * cell : double{1} * cell));
      misplaced += position < start - slack || position > start + cell_size + slack ? 1U : 0U;
    }
    previous = cell;
  });
  EXPECT_EQ(steps_down, 0U);
  EXPECT_EQ(out_of_range, 0U);
  EXPECT_EQ(misplaced, 0U);
  EXPECT_EQ(previous, high) << "the largest float lies in the last cell";
}

TEST(CellCoordinate, is_monotone_over_all_floats_for_large_cells) {
  sweep_all_floats(0.0, 150.0, lowest, highest);
}

TEST(CellCoordinate, is_monotone_over_all_floats_for_small_cells) {
  sweep_all_floats(0.0, 0.01F, lowest, highest);
}

TEST(CellCoordinate, is_monotone_over_all_floats_for_the_smallest_cells) {
  sweep_all_floats(0.0, std::numeric_limits<float>::denorm_min(), lowest, highest);
}

TEST(CellCoordinate, is_monotone_over_all_floats_from_an_offset_origin) {
  sweep_all_floats(-12345.678F, 3.7F, 0, 4095);
}

TEST(CellRange, counts_both_corners) {
  EXPECT_EQ((CellRange{{0, 0}, {0, 0}}.count()), 1.0);
  EXPECT_EQ((CellRange{{-1, -2}, {1, 3}}.count()), 18.0);
}

TEST(CellRange, count_does_not_overflow) {
  const double side = 4294967296.0;
  EXPECT_EQ((CellRange{{lowest, lowest}, {highest, highest}}.count()), side * side);
}

TEST(CellRange, owner_holds_the_larger_of_the_two_min_corners) {
  const CellRange a{{0, 5}, {9, 9}};
  const CellRange b{{3, 1}, {4, 7}};
  EXPECT_EQ(a.owner(b), (CellIndex{3, 5}));
  EXPECT_EQ(b.owner(a), (CellIndex{3, 5}));
  EXPECT_EQ(a.owner(a), a.first);
}

// The complete rule: of the cells that two ranges share, exactly one is the owner; if they share none, no
// cell is.
TEST(CellRange, owner_is_one_of_the_shared_cells) {
  const auto holds = [](const CellRange& range, CellIndex cell) {
    return range.first.x <= cell.x && cell.x <= range.last.x && range.first.y <= cell.y &&
           cell.y <= range.last.y;
  };
  std::vector<CellRange> ranges;
  for (std::int32_t first = 0; first < 4; ++first) {
    for (std::int32_t last = first; last < 4; ++last) {
      for (std::int32_t row = 0; row < 4; ++row) {
        ranges.push_back({{first, row}, {last, 3}});
        ranges.push_back({{first, 0}, {last, row}});
      }
    }
  }
  for (const CellRange& a : ranges) {
    for (const CellRange& b : ranges) {
      int shared = 0;
      int owners = 0;
      for (std::int32_t y = 0; y < 4; ++y) {
        for (std::int32_t x = 0; x < 4; ++x) {
          const bool both = holds(a, {x, y}) && holds(b, {x, y});
          shared += both ? 1 : 0;
          owners += both && a.owner(b) == CellIndex{x, y} ? 1 : 0;
        }
      }
      ASSERT_EQ(owners, shared > 0 ? 1 : 0);
    }
  }
}

}  // namespace
}  // namespace broadside::detail::cell_range_test
