#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "broadside/world/recording.hpp"
#include "broadside/world/world.hpp"

namespace {

void run(broadside::World& world) {
  for (int step = 0; step < 4; ++step) {
    if (!world.step(1.0F / 60).has_value()) {
      std::abort();
    }
    if (world.size() > 0 && !world.remove(world.bodies().back()).has_value()) {
      std::abort();
    }
  }
}

}  // namespace

// Whatever the bytes: an error and the world as it was, or a world that goes on, and is the same when it is
// kept again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t most = 4096;
  if (size > most) {
    return 0;
  }
  std::vector<std::byte> bytes(size);
  if (size > 0) {
    std::memcpy(bytes.data(), data, size);
  }
  broadside::World world;
  const std::uint64_t before = world.hash();
  if (world.restore(bytes).has_value()) {
    const auto kept = world.snapshot();
    broadside::World other;
    if (!other.restore(kept).has_value() || other.snapshot() != kept) {
      std::abort();
    }
    run(world);
    run(other);
    if (world.hash() != other.hash()) {
      std::abort();
    }
  } else if (world.hash() != before) {
    std::abort();
  }
  int steps = 0;
  broadside::World played;
  static_cast<void>(
      broadside::replay(broadside::Recording(std::move(bytes)), played, [&] { return ++steps < 20; }));
  run(played);
  return 0;
}
