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
    {"scattered", 20000, 0x831D93A0FAAE0E38U},
    {"scattered", 1000, 0x5E5A225B2B48F2F2U},
    {"clustered", 5000, 0xF2203CA11F37B452U},
    {"mixed_sizes", 1000, 0x6AA682DDC9873E5BU},
    {"touching_edges", 1000, 0xC16739F9F751FB98U},
    {"zero_size", 1000, 0x60967BCEE6561423U},
    {"far_away", 1000, 0xA746CEC012DE8E27U},
    {"giant_among_tiny", 20000, 0xD9D44F2519E151E0U},
    {"on_a_line_in_y", 1000, 0xB0D4A5D5C5674C64U},
    {"all_floats", 100, 0xCFBDE8DE1907D990U},
    {"denormals", 100, 0x1877467F045FCE7FU},
}};

/// Returns the hash of all pairs of the workload with these threads.
[[nodiscard]] std::uint64_t hash_of_pairs(const Workload& workload, TaskRunner& threads);

}  // namespace broadside::test
