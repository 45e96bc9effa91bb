#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "broadside/base/result.hpp"
#include "broadside/distributed/communicator.hpp"
#include "broadside/distributed/global_id.hpp"

// What the messages of all exchanges share.

namespace broadside::inline v0_2::detail {

/// Returns what was written, by receiver, and empties the writers.
inline std::vector<Communicator::Message> take_all(std::vector<ByteWriter>& writers) {
  std::vector<Communicator::Message> messages;
  messages.reserve(writers.size());
  for (ByteWriter& writer : writers) {
    messages.push_back(writer.take());
  }
  return messages;
}

/// Reads messages of any number of records: calls `read(in, from)` for each record, with the rank of its
/// sender. Returns `parse` for a damaged message, with the name of the function.
template <typename Read>
[[nodiscard]] Result<void> read_all(std::span<const Communicator::Message> messages, const char* function,
                                    const Read& read) {
  for (std::size_t from = 0; from < messages.size(); ++from) {
    ByteReader in(messages[from]);
    while (in.rest() > 0) {
      read(in, from);
    }
    if (in.failed()) {
      return Error{ErrorCode::parse, std::string(function) + ": a damaged message"};
    }
  }
  return {};
}

inline void put(ByteWriter& out, GlobalPair pair) {
  out.put(pair.a.value);
  out.put(pair.b.value);
}

inline GlobalPair take_pair(ByteReader& in) {
  const GlobalId a{in.take<std::uint64_t>()};
  return {a, GlobalId{in.take<std::uint64_t>()}};
}

/// Names an item in a sentence, such as "box 7 of rank 0".
inline std::string name_of(const char* item, GlobalId id) {
  return std::string(item) + " " + std::to_string(id.counter()) + " of rank " +
         std::to_string(id.birth_rank());
}

/// The error for an item that this part does not own.
inline Error not_owned(const char* item, GlobalId id) {
  return {ErrorCode::stale_id, name_of(item, id) + " is not owned by this part"};
}

}  // namespace broadside::inline v0_2::detail
