#pragma once

#include <atomic>

#include "base/scope_guard.hpp"

namespace broadside::inline v0_2 {

/// The lock for const calls that update something lazily. Several may run concurrently; the first that needs
/// an update makes it while the others wait.
class LazyUpdate {
 public:
  /// Waits until no other const call makes an update, and prevents others as long as the result lives.
  [[nodiscard]] auto lock() const {
    while (busy_.test_and_set(std::memory_order_acquire)) {
#ifndef __wasm__  // which has one thread, and no function to wait with
      busy_.wait(true, std::memory_order_relaxed);
#endif
    }
    return detail::ScopeGuard([this] {
      busy_.clear(std::memory_order_release);
#ifndef __wasm__
      busy_.notify_one();
#endif
    });
  }

  /// Calls `make` unless `is_made` is set, then sets it.
  template <typename Make>
  void ensure(std::atomic<bool>& is_made, Make make) const {
    if (is_made.load(std::memory_order_acquire)) {
      return;
    }
    const auto locked = lock();
    if (!is_made.load(std::memory_order_relaxed)) {
      make();
      is_made.store(true, std::memory_order_release);
    }
  }

 private:
  mutable std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

}  // namespace broadside::inline v0_2
