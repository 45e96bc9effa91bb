#pragma once

#include <atomic>

#include "base/mutex.hpp"
#include "base/scope_guard.hpp"

namespace broadside::inline v0_2 {

/// The lock for const calls that update something lazily. Several may run concurrently; the first that needs
/// an update makes it while the others wait.
class LazyUpdate {
 public:
  /// Waits until no other const call makes an update, and prevents others as long as the result lives.
  [[nodiscard]] auto lock() const {
    mutex_.lock();
    return detail::ScopeGuard([this] { mutex_.unlock(); });
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
  mutable Mutex mutex_;
};

}  // namespace broadside::inline v0_2
