#include "broadside/distributed/communicator.hpp"

#include <utility>

namespace broadside::inline v0_2 {

Result<std::vector<Communicator::Message>> Communicator::all_gather(std::span<const std::byte> message) {
  return exchange(
      std::vector<Message>(static_cast<std::size_t>(size()), Message(message.begin(), message.end())));
}

}  // namespace broadside::inline v0_2
