#include "broadside/world/recording.hpp"

#include <cstdint>
#include <cstdlib>

#include "broadside/world/world.hpp"
#include "world_input.hpp"

// Any bytes with valid checksums: with or without an error, the resulting world can be saved and restored,
// and can go on.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t least = 32;
  constexpr std::size_t most = 4096;
  if (size < least || size > most) {
    return 0;
  }
  int steps = 0;
  broadside::World world;
  const auto played = broadside::replay(broadside::Recording(with_checksums(data, size)), world,
                                        [&] { return ++steps < 20; });
  if (played.error() && played.error().code != broadside::ErrorCode::parse &&
      played.error().code != broadside::ErrorCode::version_mismatch) {
    std::abort();
  }
  const auto kept = world.snapshot();
  broadside::World other;
  if (!other.restore(kept).has_value() || other.snapshot() != kept) {
    std::abort();
  }
  go_on(world);
  return 0;
}
