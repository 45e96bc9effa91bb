#include "broadside/world/recording.hpp"

#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>

#include "broadside/world/world.hpp"
#include "damages.hpp"

// Whatever the bytes, with checksums that fit: an error or not, the world that is left is one that can be
// kept, and goes on.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t least = 32;
  constexpr std::size_t most = 4096;
  if (size < least || size > most) {
    return 0;
  }
  const auto given = std::as_bytes(std::span(data, size));
  broadside::test::Bytes bytes(given.begin(), given.end());
  broadside::test::renew_checksums(bytes);
  int steps = 0;
  broadside::World world;
  const auto played =
      broadside::replay(broadside::Recording(std::move(bytes)), world, [&] { return ++steps < 20; });
  if (played.error() && played.error().code != broadside::ErrorCode::parse &&
      played.error().code != broadside::ErrorCode::version_mismatch) {
    std::abort();
  }
  const auto kept = world.snapshot();
  broadside::World other;
  if (!other.restore(kept).has_value() || other.snapshot() != kept) {
    std::abort();
  }
  for (int step = 0; step < 4; ++step) {
    const auto done = world.step(1.0F / 60);
    if (done.error() && done.error().code != broadside::ErrorCode::not_finite) {
      std::abort();
    }
    if (world.size() > 0 && !world.remove(world.bodies().back()).has_value()) {
      std::abort();
    }
  }
  return 0;
}
