#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "broadside/base/result.hpp"
#include "broadside/distributed/communicator.hpp"

namespace broadside::mpi {

struct Options {
  std::string input;
  std::uint64_t boxes = 0;  ///< of a workload; 0 for a file or a scene
  std::size_t steps = 20;
  float max_imbalance = 1.25F;
  bool world = false;            ///< step the bodies of a scene instead, see `run_world`
  float seconds = 1.0F / 60.0F;  ///< of a step of the world
  std::string restore_file;      ///< snapshot to begin with; empty for none
  std::string save_file;         ///< snapshot to write after the last step; empty for none
  bool check = false;            ///< compare the pairs of all ranks with those of one broad phase
};

/// Runs the steps on all ranks together; rank 0 prints the split of the time. Collective.
Result<void> run(Communicator& others, const Options& options);

}  // namespace broadside::mpi
