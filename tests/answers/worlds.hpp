#pragma once

#include <cstddef>
#include <cstdint>

#include "broadside/base/tasks.hpp"

namespace broadside::test {

inline constexpr std::uint32_t drawn_worlds = 12;

/// Steps, changes and queries a random world; returns a hash of its state after each step and of all answers.
/// It must be the same for every technique, number of threads, instruction set and machine.
[[nodiscard]] std::uint64_t hash_of_world(std::uint32_t seed, TaskRunner& threads);

}  // namespace broadside::test
