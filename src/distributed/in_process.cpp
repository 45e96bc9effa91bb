#include "broadside/distributed/in_process.hpp"

#include <condition_variable>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/first_exception.hpp"

namespace broadside::inline v0_2 {

namespace {

using Message = Communicator::Message;

/// Where the threads meet. A round is complete when each part has left its messages; a part takes those for
/// it before it can leave messages for the next round, so one array of them is enough.
class Hub {
 public:
  explicit Hub(std::size_t parts) : outgoing_(parts), incoming_(parts, std::vector<Message>(parts)) {}

  Result<std::vector<Message>> exchange(std::size_t rank, std::vector<Message> messages) {
    std::unique_lock lock(mutex_);
    if (messages.size() != outgoing_.size()) {
      return Error{ErrorCode::invalid_argument, "exchange: " + std::to_string(messages.size()) +
                                                    " messages for " + std::to_string(outgoing_.size()) +
                                                    " parts"};
    }
    const std::uint64_t round = round_;
    outgoing_[rank] = std::move(messages);
    if (!has_left_ && ++arrived_ == outgoing_.size()) {
      distribute();
    } else {
      changed_.wait(lock, [&] { return round_ != round || has_left_; });
    }
    if (round_ == round) {
      return Error{ErrorCode::io, "exchange: part " + std::to_string(first_left_) + " has ended"};
    }
    return std::exchange(incoming_[rank], std::vector<Message>(outgoing_.size()));
  }

  /// Ends a part: the others must not wait for it any longer.
  void leave(std::size_t rank, const detail::FirstException& thrown) {
    const std::lock_guard lock(mutex_);
    if (!has_left_) {
      has_left_ = true;
      first_left_ = rank;
    }
    thrown_.guard([&] { thrown.rethrow(); });
    changed_.notify_all();
  }

  /// Throws the first exception of a part, if any. @pre all parts have left
  void rethrow() const { thrown_.rethrow(); }

 private:
  void distribute() {
    for (std::size_t from = 0; from < outgoing_.size(); ++from) {
      for (std::size_t to = 0; to < outgoing_.size(); ++to) {
        incoming_[to][from] = std::move(outgoing_[from][to]);
      }
    }
    arrived_ = 0;
    ++round_;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::vector<Message>> outgoing_;  ///< by sender, then receiver
  std::vector<std::vector<Message>> incoming_;  ///< by receiver, then sender
  std::uint64_t round_ = 0;
  std::size_t arrived_ = 0;
  bool has_left_ = false;
  std::size_t first_left_ = 0;
  detail::FirstException thrown_;
};

class InProcess final : public Communicator {
 public:
  InProcess(Hub& hub, std::size_t rank, std::size_t size) : hub_(hub), rank_(rank), size_(size) {}

  [[nodiscard]] int rank() const override { return static_cast<int>(rank_); }
  [[nodiscard]] int size() const override { return static_cast<int>(size_); }
  [[nodiscard]] Result<std::vector<Message>> exchange(std::vector<Message> outgoing) override {
    return hub_.exchange(rank_, std::move(outgoing));
  }

 private:
  Hub& hub_;
  std::size_t rank_;
  std::size_t size_;
};

/// Starts a thread; returns false if the system refuses it.
template <typename Run>
bool start(std::vector<std::thread>& threads, const Run& run) {
#if defined(__cpp_exceptions)
  try {
    threads.emplace_back(run);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
#else
  threads.emplace_back(run);
  return true;
#endif
}

}  // namespace

Result<void> run_in_process(int parts, FunctionRef<void(Communicator&)> part) {
  constexpr int max_parts = 1024;
  if (parts < 1 || parts > max_parts) {
    return Error{ErrorCode::invalid_argument, "run_in_process: parts must be in [1, 1024]"};
  }
  const auto count = static_cast<std::size_t>(parts);
  Hub hub(count);
  const auto run = [&](std::size_t rank) {
    InProcess others(hub, rank, count);
    detail::FirstException thrown;
    thrown.guard([&] { part(others); });
    hub.leave(rank, thrown);
  };
  std::vector<std::thread> threads;
  threads.reserve(count - 1);
  bool all_started = true;
  for (std::size_t rank = 1; rank < count && all_started; ++rank) {
    all_started = start(threads, [&run, rank] { run(rank); });
  }
  if (all_started) {
    run(0);
  } else {
    hub.leave(0, {});
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  hub.rethrow();
  return all_started ? Result<void>() : Error{ErrorCode::io, "run_in_process: the system refuses a thread"};
}

}  // namespace broadside::inline v0_2
