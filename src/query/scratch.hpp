#pragma once

#include <utility>

namespace broadside::detail {

/// Scratch memory of this thread while this object lives. A nested query, such as one from a visitor, gets
/// scratch of its own; the largest is kept for the next query.
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
