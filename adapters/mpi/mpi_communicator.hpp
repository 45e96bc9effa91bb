#pragma once

#include <mpi.h>

#include <vector>

#include "broadside/distributed/communicator.hpp"

namespace broadside::inline v0_2 {

/// Exchanges messages between the processes of an MPI program.
///
///     MPI_Init(&argc, &argv);
///     MpiCommunicator others(MPI_COMM_WORLD);
///     DistributedBroadPhase boxes(others);
///
/// @par Errors
/// Those of `Communicator`; `too_large` for messages of a rank that together exceed 2 GiB.
class MpiCommunicator final : public Communicator {
 public:
  /// Collective: all processes of `of` call it. Its messages are apart from those of the program.
  explicit MpiCommunicator(MPI_Comm of);
  ~MpiCommunicator() override;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] Result<std::vector<Message>> exchange(std::vector<Message> outgoing) override;
  [[nodiscard]] Result<std::vector<Message>> all_gather(std::span<const std::byte> message) override;

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace broadside::inline v0_2
