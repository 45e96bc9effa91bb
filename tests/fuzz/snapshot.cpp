#include <cstdint>
#include <cstdlib>
#include <span>

#include "broadside/world/world.hpp"
#include "damages.hpp"

namespace {

void run(broadside::World& world) {
  for (int step = 0; step < 4; ++step) {
    const auto done = world.step(1.0F / 60);
    if (done.error() && done.error().code != broadside::ErrorCode::not_finite) {
      std::abort();
    }
    if (world.size() > 0 && !world.remove(world.bodies().back()).has_value()) {
      std::abort();
    }
  }
}

}  // namespace

// Whatever the bytes, with a checksum that fits: an error and the world as it was, or the world that these
// are the snapshot of, which goes on.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t least = 16;
  constexpr std::size_t most = 4096;
  if (size < least || size > most) {
    return 0;
  }
  const auto given = std::as_bytes(std::span(data, size));
  broadside::test::Bytes bytes(given.begin(), given.end());
  broadside::test::renew_checksums(bytes);
  broadside::World world;
  const std::uint64_t before = world.hash();
  if (!world.restore(bytes).has_value()) {
    if (world.hash() != before) {
      std::abort();
    }
    return 0;
  }
  if (world.snapshot() != bytes) {
    std::abort();
  }
  broadside::World other;
  if (!other.restore(bytes).has_value()) {
    std::abort();
  }
  run(world);
  run(other);
  if (world.hash() != other.hash()) {
    std::abort();
  }
  return 0;
}
