#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace broadside::inline v0_2::detail {

/// Decisions that affect speed, but never a result. The library decides by what it has measured; tests force
/// a decision, since small scenes would hardly ever lead to most of them.
enum class Switch : std::uint8_t {
  quiet_step,      ///< a step looks only at the pairs of changed bodies
  neighbor_lists,  ///< boxes with steady motion keep neighbor lists
  new_lists,       ///< neighbor lists are rebuilt
  common_motion,   ///< neighbor lists move along with most boxes
  purged_lists,    ///< pairs of removed boxes are purged from the neighbor lists
  static_rows,     ///< recently added static boxes are sorted in with the others
  query_tree,      ///< queries use a tree of the boxes
  many_tasks,      ///< work is distributed over threads
  cell_size,       ///< a grid measures again how large its cells should be
  all_pairs,       ///< a grid that measures the boxes tests all of them against each other
};
inline constexpr std::size_t switch_count = 10;

/// [switch_count]: 1 and -1 force a switch on and off, 0 leaves it to the library.
inline constinit std::array<std::atomic<std::int8_t>, switch_count> forced_switches{};

/// Returns `usual`, unless a test has forced the switch.
inline bool decide(Switch which, bool usual) {
  const std::int8_t forced = forced_switches[static_cast<std::size_t>(which)].load(std::memory_order_relaxed);
  return forced == 0 ? usual : forced > 0;
}

/// Returns the number of tasks for `n` items, with at least `min_per_task` items each; 1 if that makes fewer
/// than 2.
inline std::size_t worthwhile_tasks(std::size_t n, std::size_t min_per_task) {
  const std::size_t tasks = n / min_per_task;
  return decide(Switch::many_tasks, tasks > 1) ? (tasks > 1 ? tasks : n) : 1;
}

}  // namespace broadside::inline v0_2::detail
