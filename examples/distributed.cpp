// Four threads, each with a part of the plane, find the pairs of boxes that move through it. With MPI, the
// same function would get an MpiCommunicator, and each part would be a process.

#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

#include "broadside/distributed/broad_phase.hpp"
#include "broadside/distributed/in_process.hpp"

namespace {

using namespace broadside;

constexpr std::uint64_t box_count = 10'000;

/// The place of a box in a step: a row of 100 boxes moves to the right by its own speed.
Aabb box_at(GlobalId id, int step) {
  const std::uint64_t row = id.counter() / 100;
  const std::uint64_t column = id.counter() % 100;
  const float x = static_cast<float>(column) * 10.0F + static_cast<float>(step) * static_cast<float>(row % 7);
  const float y = static_cast<float>(row) * 8.0F;
  return {{x, y}, {x + 6.0F, y + 9.0F}};
}

/// Returns the sum of a number of all parts.
std::uint64_t sum_of(Communicator& others, std::uint64_t own) {
  std::uint64_t sum = 0;
  for (const Communicator::Message& message : others.all_gather(std::as_bytes(std::span(&own, 1))).value()) {
    std::uint64_t number = 0;
    std::memcpy(&number, message.data(), sizeof(number));
    sum += number;
  }
  return sum;
}

void run_part(Communicator& others) {
  DistributedBroadPhase boxes(others);
  if (others.rank() == 0) {  // the first search moves each box to its part
    std::vector<GlobalId> ids;
    std::vector<Aabb> at;
    for (std::uint64_t i = 0; i < box_count; ++i) {
      ids.push_back(GlobalId::of(0, i));
      at.push_back(box_at(ids.back(), 0));
    }
    boxes.add(ids, at).value();
  }
  for (int step = 0; step < 10; ++step) {
    std::vector<Aabb> moved;
    for (const GlobalId id : boxes.owned()) {
      moved.push_back(box_at(id, step));
    }
    boxes.move(boxes.owned(), moved).value();
    const std::uint64_t pairs = sum_of(others, boxes.find_pairs().value().size());
    const std::uint64_t owned = sum_of(others, boxes.owned().size());
    const std::uint64_t ghosts = sum_of(others, boxes.statistics().ghosts);
    if (others.rank() == 0) {
      std::printf("step %d: %d parts own %llu boxes and report %llu pairs; %llu ghosts\n", step,
                  others.size(), static_cast<unsigned long long>(owned),
                  static_cast<unsigned long long>(pairs), static_cast<unsigned long long>(ghosts));
    }
  }
}

}  // namespace

int main() {
  run_in_process(4, run_part).value();
}
