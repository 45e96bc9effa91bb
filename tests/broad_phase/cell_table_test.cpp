#include "broad_phase/cell_table.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"

namespace broadside::detail::cell_table_test {
namespace {

constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t highest = std::numeric_limits<std::int32_t>::max();

std::vector<BoxIndex> members(const CellTable& table, CellIndex cell, bool dynamic) {
  std::vector<BoxIndex> result;
  if (const CellTable::Slot* slot = table.find(cell)) {
    for (std::uint32_t e = slot->head[dynamic ? 1 : 0]; e != CellTable::none; e = table.entry(e).next) {
      result.push_back(table.entry(e).box);
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

TEST(CellTable, is_empty_at_first) {
  const CellTable table;
  EXPECT_EQ(table.find({0, 0}), nullptr);
  EXPECT_EQ(table.occupied(), 0U);
  EXPECT_EQ(table.entries(), 0U);
  EXPECT_EQ(table.bytes(), 0U);
}

TEST(CellTable, keeps_dynamic_boxes_apart_from_all_others) {
  CellTable table;
  table.insert({2, -3}, 10, true);
  table.insert({2, -3}, 11, false);
  table.insert({2, -3}, 12, true);
  EXPECT_EQ(members(table, {2, -3}, true), (std::vector<BoxIndex>{10, 12}));
  EXPECT_EQ(members(table, {2, -3}, false), (std::vector<BoxIndex>{11}));
  ASSERT_NE(table.find({2, -3}), nullptr);
  EXPECT_EQ(table.find({2, -3})->count(), 3U);
  EXPECT_EQ(table.occupied(), 1U);
  EXPECT_EQ(table.entries(), 3U);
}

TEST(CellTable, a_cell_exists_while_it_has_members) {
  CellTable table;
  table.insert({1, 1}, 5, true);
  table.insert({1, 1}, 6, false);
  table.erase({1, 1}, 5, true);
  EXPECT_NE(table.find({1, 1}), nullptr);
  table.erase({1, 1}, 6, false);
  EXPECT_EQ(table.find({1, 1}), nullptr);
  EXPECT_EQ(table.occupied(), 0U);
  EXPECT_EQ(table.entries(), 0U);
}

// Cells that a modulo by 24, swapped axes or a lost sign would confuse.
TEST(CellTable, cells_do_not_alias) {
  const CellIndex cells[] = {{0, 0},
                             {24, 0},
                             {0, 1},
                             {0, 24},
                             {1, 0},
                             {-1, 0},
                             {0, -1},
                             {-1, -1},
                             {-24, 0},
                             {24, 24},
                             {65536, 0},
                             {0, 65536},
                             {lowest, lowest},
                             {highest, 0},
                             {0, highest},
                             {lowest, 0},
                             {highest, highest},
                             {0, lowest},
                             {1 << 30, 1 << 30}};
  CellTable table;
  BoxIndex box = 0;
  for (const CellIndex cell : cells) {
    table.insert(cell, box++, true);
  }
  EXPECT_EQ(table.occupied(), std::size(cells));
  box = 0;
  for (const CellIndex cell : cells) {
    EXPECT_EQ(members(table, cell, true), (std::vector<BoxIndex>{box++}));
  }
}

TEST(CellTable, clear_forgets_everything) {
  CellTable table;
  table.insert({1, 1}, 5, true);
  table.insert({2, 1}, 6, true);
  table.erase({2, 1}, 6, true);
  table.clear();
  EXPECT_EQ(table.find({1, 1}), nullptr);
  EXPECT_EQ(table.occupied(), 0U);
  EXPECT_EQ(table.entries(), 0U);
  table.insert({1, 1}, 7, true);
  EXPECT_EQ(members(table, {1, 1}, true), (std::vector<BoxIndex>{7}));
}

TEST(CellTable, stays_at_most_half_full) {
  CellTable table;
  for (std::int32_t i = 0; i < 1000; ++i) {
    table.insert({i, -i}, static_cast<BoxIndex>(i), true);
    ASSERT_LE(2 * table.occupied(), table.table().size());
  }
  EXPECT_LE(table.table().size(), 4096U);
}

// Linear probing depends on gaps: cells in a row, a column, a diagonal or a block must not fill the table in
// one run.
TEST(CellTable, neighbouring_cells_are_spread_over_the_table) {
  const struct {
    const char* name;
    CellIndex (*cell)(std::int32_t i);
  } layouts[] = {
      {"row",
       [](std::int32_t i) {
         return CellIndex{i - 1000, 7};
       }},
      {"column",
       [](std::int32_t i) {
         return CellIndex{7, i - 1000};
       }},
      {"diagonal",
       [](std::int32_t i) {
         return CellIndex{i, i};
       }},
      {"block",
       [](std::int32_t i) {
         return CellIndex{i % 64 - 32, i / 64 - 32};
       }},
      {"every 64th",
       [](std::int32_t i) {
         return CellIndex{i * 64, -i * 64};
       }},
  };
  for (const auto& layout : layouts) {
    CellTable table;
    for (std::int32_t i = 0; i < 4000; ++i) {
      table.insert(layout.cell(i), static_cast<BoxIndex>(i), true);
    }
    std::size_t run = 0;
    std::size_t longest = 0;
    for (const CellTable::Slot& slot : table.table()) {
      run = slot.count() > 0 ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    EXPECT_LT(longest, 200U) << layout.name;
  }
}

TEST(CellTable, memory_is_reused) {
  CellTable table;
  table.insert({0, 0}, 1, true);
  const std::size_t bytes = table.bytes();
  for (std::int32_t i = 1; i < 10000; ++i) {
    table.insert({i, 0}, 1, true);
    table.erase({i - 1, 0}, 1, true);
  }
  EXPECT_LE(table.bytes(), 4 * bytes);
  EXPECT_EQ(table.occupied(), 1U);
}

// Few cells and many changes, so that probe chains form, wrap around the end, and have holes closed by
// backward shifts.
TEST(CellTable, agrees_with_a_map_over_random_changes) {
  using Lists = std::array<std::vector<BoxIndex>, 2>;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    test::Random random(seed);
    const std::uint32_t side = 2 + random.below(9);
    const std::uint32_t steps = 400;
    CellTable table;
    std::map<std::pair<std::int32_t, std::int32_t>, Lists> map;
    std::size_t entries = 0;
    for (std::uint32_t step = 0; step < steps; ++step) {
      const auto x = static_cast<std::int32_t>(random.below(side)) - 3;
      const auto y = static_cast<std::int32_t>(random.below(side)) - 3;
      const bool dynamic = random.below(2) == 0;
      auto& list = map[{x, y}][dynamic ? 1 : 0];
      // Grows in the first half, shrinks in the second.
      if (list.empty() || random.below(4) < (step < steps / 2 ? 3U : 1U)) {
        list.push_back(step);
        std::sort(list.begin(), list.end());
        table.insert({x, y}, step, dynamic);
        ++entries;
      } else {
        const auto victim =
            list.begin() + static_cast<std::ptrdiff_t>(random.below(static_cast<std::uint32_t>(list.size())));
        table.erase({x, y}, *victim, dynamic);
        list.erase(victim);
        --entries;
      }
      std::size_t occupied = 0;
      for (const auto& [cell, lists] : map) {
        const CellIndex index{cell.first, cell.second};
        ASSERT_EQ(members(table, index, false), lists[0]) << "seed " << seed << " step " << step;
        ASSERT_EQ(members(table, index, true), lists[1]) << "seed " << seed << " step " << step;
        occupied += lists[0].empty() && lists[1].empty() ? 0U : 1U;
      }
      ASSERT_EQ(table.occupied(), occupied);
      ASSERT_EQ(table.entries(), entries);
      ASSERT_EQ(std::count_if(table.table().begin(), table.table().end(),
                              [](const CellTable::Slot& slot) { return slot.count() > 0; }),
                static_cast<std::ptrdiff_t>(occupied));
    }
  }
}

}  // namespace
}  // namespace broadside::detail::cell_table_test
