#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace broadside::detail {

/// What decides how fast an answer is found, and never the answer. The library chooses by what it measured so
/// far; tests force a choice, since small scenes would hardly ever lead to most of them.
enum class Switch : std::uint8_t {
  quiet_step,      ///< a step looks only at the pairs of what changed
  neighbor_lists,  ///< boxes that move evenly keep lists of neighbors
  new_lists,       ///< these lists are rebuilt
  purged_lists,    ///< pairs of boxes that are gone are taken out of these lists
  static_rows,     ///< new static boxes are sorted in with the other ones
  query_tree,      ///< queries have a tree of the boxes
  many_tasks,      ///< work is dealt out to threads
  cell_size,       ///< a grid measures again how large its cells should be
};
inline constexpr std::size_t switch_count = 8;

/// [switch_count]: 1 and -1 force a switch on and off, 0 leaves it to the library.
inline constinit std::array<std::atomic<std::int8_t>, switch_count> forced_switches{};

/// Returns `usual`, unless a test has forced the switch.
inline bool decide(Switch which, bool usual) {
  const std::int8_t forced = forced_switches[static_cast<std::size_t>(which)].load(std::memory_order_relaxed);
  return forced == 0 ? usual : forced > 0;
}

/// Returns how many tasks `n` items are worth if a task has `least` of them or more: 1 if that is too few.
inline std::size_t worthwhile_tasks(std::size_t n, std::size_t least) {
  const std::size_t tasks = n / least;
  return decide(Switch::many_tasks, tasks > 1) ? (tasks > 1 ? tasks : n) : 1;
}

}  // namespace broadside::detail
