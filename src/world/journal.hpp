#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/reserve.hpp"
#include "broadside/world/contact_event.hpp"
#include "broadside/world/recording.hpp"

namespace broadside::inline v0_2 {

/// The recording in progress, if there is one: its bytes so far, and the numbers that it gave to listeners.
class Journal {
 public:
  [[nodiscard]] bool is_recording() const { return bytes_ != nullptr; }
  /// Returns what was recorded so far. @pre is_recording()
  [[nodiscard]] detail::ByteWriter& out() { return *bytes_; }
  /// Returns the recording that the bytes are for.
  [[nodiscard]] Recording* target() const { return target_; }

  /// Returns the recorded bytes, with their checksum, and stops.
  [[nodiscard]] std::vector<std::byte> finish() {
    bytes_->put_checksum(detail::wide_checksum);
    std::vector<std::byte> done = bytes_->take();
    *this = {};
    return done;
  }
  /// Begins to record, after bytes that describe the world and its listeners.
  void start(Recording* target, std::unique_ptr<detail::ByteWriter> first,
             std::vector<ListenerId> listeners) {
    target_ = target;
    bytes_ = std::move(first);
    listeners_ = std::move(listeners);
  }
  /// Goes on with the recording of another world. The numbers of listeners were written to it.
  void take_over(Journal& other, std::vector<ListenerId> listeners) {
    start(other.target_, std::move(other.bytes_), std::move(listeners));
  }

  /// Reserves memory for one more listener.
  void reserve_listener() { detail::reserve(listeners_, listeners_.size() + 1); }
  /// @pre memory was reserved
  void add_listener(ListenerId listener) {
    if (is_recording()) {
      listeners_.push_back(listener);
    }
  }
  /// Returns the number of a listener in the recording.
  [[nodiscard]] std::uint32_t number_of(ListenerId listener) const {
    return static_cast<std::uint32_t>(std::find(listeners_.begin(), listeners_.end(), listener) -
                                      listeners_.begin());
  }

  /// Returns the bytes held, without the recording in progress.
  [[nodiscard]] std::size_t bytes() const { return listeners_.capacity() * sizeof(ListenerId); }

 private:
  Recording* target_ = nullptr;
  std::unique_ptr<detail::ByteWriter> bytes_;
  std::vector<ListenerId> listeners_;  ///< by their number in the recording
};

}  // namespace broadside::inline v0_2
