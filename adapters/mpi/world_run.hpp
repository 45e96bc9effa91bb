#pragma once

#include "run.hpp"

namespace broadside::mpi {

/// Steps a `DistributedWorld` on all ranks together; rank 0 prints its counts and its hash. Collective.
///
/// Its bodies are those of a scene, or of a snapshot, and do not respond to their contacts.
Result<void> run_world(Communicator& others, const Options& options);

}  // namespace broadside::mpi
