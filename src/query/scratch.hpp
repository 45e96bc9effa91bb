#pragma once

#include <utility>

namespace broadside::detail {

/// Scratch of this thread, for as long as this lives. Who asks for it meanwhile, such as a query that a
/// visitor asks, gets some of its own; the one that has grown largest is kept for the next.
template <typename Room>
class Scratch {
 public:
  Scratch() : room_(std::move(spare())) {}
  ~Scratch() {
    if (room_.capacity() >= spare().capacity()) {
      spare() = std::move(room_);
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  Room& operator*() { return room_; }
  Room* operator->() { return &room_; }

 private:
  static Room& spare() {
    thread_local Room kept;
    return kept;
  }

  Room room_;
};

}  // namespace broadside::detail
