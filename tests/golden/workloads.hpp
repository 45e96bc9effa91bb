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
    {"scattered", 20000, 0x1239C0B191FCFABEU},
    {"scattered", 1000, 0xDDEC5CF1666774EU},
    {"clustered", 5000, 0x436E6713A6131166U},
    {"mixed_sizes", 1000, 0xB8CEECAE3EDA663FU},
    {"touching_edges", 1000, 0xAD547B570DC092D2U},
    {"zero_size", 1000, 0x5843E1AA2256ABB7U},
    {"far_away", 1000, 0xD7474E8281ACA3DU},
    {"giant_among_tiny", 20000, 0x8FDEA27180E7F81EU},
    {"on_a_line_in_y", 1000, 0x4FE33685E04F9A6U},
    {"all_floats", 100, 0x229CD77CD1E741B0U},
    {"denormals", 100, 0x1877467F045FCE7FU},
}};

/// Returns the hash of all pairs of the workload with these threads.
[[nodiscard]] std::uint64_t hash_of_pairs(const Workload& workload, TaskRunner& threads);

}  // namespace broadside::test
