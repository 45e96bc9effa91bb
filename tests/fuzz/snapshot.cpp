#include <cstdint>
#include <cstdlib>

#include "broadside/world/world.hpp"
#include "world_input.hpp"

// Any bytes with a valid checksum give an error and leave the world unchanged, or give a world whose snapshot
// they are, and which can go on.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t least = 16;
  constexpr std::size_t most = 4096;
  if (size < least || size > most) {
    return 0;
  }
  const auto bytes = with_checksums(data, size);
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
  go_on(world);
  go_on(other);
  if (world.hash() != other.hash()) {
    std::abort();
  }
  return 0;
}
