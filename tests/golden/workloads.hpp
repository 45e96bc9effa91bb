#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "broadside/base/tasks.hpp"

namespace broadside::test {

// Eleven workloads, twelve frames each: a hash of the pairs in their order. It must be the same for every
// compiler, optimisation, instruction set and number of threads. After an intended change of the order, write
// down the new hashes, which the failing test prints.

struct Workload {
  const char* kind;
  std::size_t boxes;
  std::uint64_t hash;
};

inline constexpr std::array<Workload, 11> workloads = {{
    {"scattered", 20000, 0x82BD001CE131465CU},
    {"scattered", 1000, 0x595324169B8F3822U},
    {"clustered", 5000, 0xC4050C2FFB302C0U},
    {"mixed_sizes", 1000, 0x9F95DEC22AFED2A5U},
    {"touching_edges", 1000, 0x1F788AA1A8B46B96U},
    {"zero_size", 1000, 0x446C743B29C5C3ADU},
    {"far_away", 1000, 0x94B780C615E3A19BU},
    {"giant_among_tiny", 20000, 0xFB81C3B45BEB65A0U},
    {"on_a_line_in_y", 1000, 0x1075DF5416CE749CU},
    {"all_floats", 100, 0xF79A7C33E8C496BEU},
    {"denormals", 100, 0x1877467F045FCE7FU},
}};

/// Returns the hash of all pairs of the workload with these threads.
[[nodiscard]] std::uint64_t hash_of_pairs(const Workload& workload, TaskRunner& threads);

}  // namespace broadside::test
