#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "broadside/base/result.hpp"

namespace broadside::inline v0_2 {

/// Exchanges messages between the parts of a distributed program; derive from it for another transport.
///
/// `run_in_process` runs the parts as threads of one process; adapters/mpi has one for MPI. All functions
/// that exchange are *collective*: all parts call them in the same order.
class Communicator {
 public:
  using Message = std::vector<std::byte>;

  Communicator() = default;
  virtual ~Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  /// Returns the number of this part, in [0, size()).
  [[nodiscard]] virtual int rank() const = 0;
  /// Returns the number of parts, at least 1.
  [[nodiscard]] virtual int size() const = 0;

  /// Sends a message to each part, this one included, and returns one from each.
  ///
  /// @param outgoing [size()] by the rank of the receiver; may be empty
  /// @return [size()] by the rank of the sender
  /// @par Errors
  /// `invalid_argument` for another number of messages; `io` if another part has ended or the transport
  /// failed. After an error, later exchanges fail as well.
  [[nodiscard]] virtual Result<std::vector<Message>> exchange(std::vector<Message> outgoing) = 0;

  /// Sends one message to all parts and returns one from each, [size()] by the rank of the sender.
  ///
  /// @par Errors
  /// Those of `exchange`.
  [[nodiscard]] virtual Result<std::vector<Message>> all_gather(std::span<const std::byte> message);
};

}  // namespace broadside::inline v0_2
