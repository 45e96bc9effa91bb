#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "broadside/distributed/communicator.hpp"

namespace broadside::mpi {

/// Sends an array of plain values to all ranks and returns those of all, by rank.
template <typename T>
Result<std::vector<T>> gather(Communicator& others, const std::vector<T>& own) {
  auto messages = others.all_gather(std::as_bytes(std::span(own)));
  if (!messages.has_value()) {
    return messages.error();
  }
  std::vector<T> all;
  for (const Communicator::Message& message : *messages) {
    const std::size_t count = all.size();
    all.resize(count + message.size() / sizeof(T));
    if (!message.empty()) {
      std::memcpy(all.data() + count, message.data(), message.size());
    }
  }
  return all;
}

}  // namespace broadside::mpi
