#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "broadside/world/world.hpp"
#include "damages.hpp"

/// Returns the input with its checksums recomputed.
inline broadside::test::Bytes with_checksums(const std::uint8_t* data, std::size_t size) {
  const auto given = std::as_bytes(std::span(data, size));
  broadside::test::Bytes bytes(given.begin(), given.end());
  broadside::test::renew_checksums(bytes);
  return bytes;
}

/// Steps a world, changes which bodies are bullets, and removes bodies. The only permitted error is
/// `not_finite`.
inline void go_on(broadside::World& world) {
  for (int step = 0; step < 4; ++step) {
    const auto done = world.step(1.0F / 60);
    if (done.error() && done.error().code != broadside::ErrorCode::not_finite) {
      std::abort();
    }
    const auto bodies = world.bodies();
    if (!bodies.empty() && (!world.set_bullet(bodies.front(), step % 2 == 0).has_value() ||
                            !world.remove(bodies.back()).has_value())) {
      std::abort();
    }
  }
}
