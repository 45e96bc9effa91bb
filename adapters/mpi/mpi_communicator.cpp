#include "mpi_communicator.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace broadside::inline v0_2 {

namespace {

using Message = Communicator::Message;

/// Where the messages of all ranks lie in one array.
struct Layout {
  std::vector<int> counts;
  std::vector<int> starts;
  std::size_t bytes = 0;

  explicit Layout(std::vector<int> given) : counts(std::move(given)) {
    for (const int count : counts) {
      starts.push_back(static_cast<int>(bytes));
      bytes += static_cast<std::size_t>(count);
    }
  }
  [[nodiscard]] bool fits() const { return bytes <= std::numeric_limits<int>::max(); }
  [[nodiscard]] std::vector<Message> split(const Message& all) const {
    std::vector<Message> messages;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const auto first = all.begin() + starts[i];
      messages.emplace_back(first, first + counts[i]);
    }
    return messages;
  }
};

Error error_of(int code) {
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return {ErrorCode::io, "MPI: " + text.substr(0, static_cast<std::size_t>(length))};
}

const Error too_large{ErrorCode::too_large, "MPI: the messages of a rank exceed 2 GiB"};

}  // namespace

MpiCommunicator::MpiCommunicator(MPI_Comm of) {
  MPI_Comm_dup(of, &comm_);
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

MpiCommunicator::~MpiCommunicator() {
  MPI_Comm_free(&comm_);
}

Result<std::vector<Message>> MpiCommunicator::exchange(std::vector<Message> outgoing) {
  if (outgoing.size() != static_cast<std::size_t>(size_)) {
    return Error{ErrorCode::invalid_argument, "exchange: " + std::to_string(outgoing.size()) +
                                                  " messages for " + std::to_string(size_) + " parts"};
  }
  // Each rank sends the sizes, or -1 if they are too large: so all ranks refuse together.
  std::vector<int> sizes;
  Message sent;
  for (const Message& message : outgoing) {
    sent.insert(sent.end(), message.begin(), message.end());
    sizes.push_back(static_cast<int>(message.size()));
  }
  if (sent.size() > std::numeric_limits<int>::max()) {
    sizes.assign(sizes.size(), -1);
  }
  std::vector<int> incoming(sizes.size());
  if (const int code = MPI_Alltoall(sizes.data(), 1, MPI_INT, incoming.data(), 1, MPI_INT, comm_)) {
    return error_of(code);
  }
  if (sizes[0] < 0 || std::find(incoming.begin(), incoming.end(), -1) != incoming.end()) {
    return too_large;
  }
  const Layout from(std::move(sizes));
  const Layout to(std::move(incoming));
  if (!to.fits()) {
    return too_large;
  }
  Message received(to.bytes);
  if (const int code = MPI_Alltoallv(sent.data(), from.counts.data(), from.starts.data(), MPI_BYTE,
                                     received.data(), to.counts.data(), to.starts.data(), MPI_BYTE, comm_)) {
    return error_of(code);
  }
  return to.split(received);
}

Result<std::vector<Message>> MpiCommunicator::all_gather(std::span<const std::byte> message) {
  int own = message.size() <= std::numeric_limits<int>::max() ? static_cast<int>(message.size()) : -1;
  std::vector<int> sizes(static_cast<std::size_t>(size_));
  if (const int code = MPI_Allgather(&own, 1, MPI_INT, sizes.data(), 1, MPI_INT, comm_)) {
    return error_of(code);
  }
  if (std::find(sizes.begin(), sizes.end(), -1) != sizes.end()) {
    return too_large;
  }
  const Layout to(std::move(sizes));
  if (!to.fits()) {
    return too_large;
  }
  Message received(to.bytes);
  if (const int code = MPI_Allgatherv(message.data(), own, MPI_BYTE, received.data(), to.counts.data(),
                                      to.starts.data(), MPI_BYTE, comm_)) {
    return error_of(code);
  }
  return to.split(received);
}

}  // namespace broadside::inline v0_2
