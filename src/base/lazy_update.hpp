#pragma once

#include <atomic>
#ifndef __wasm__
#include <mutex>
#endif

namespace broadside::inline v0_2 {

/// The lock for const calls that update something lazily. Several may run concurrently; the first that needs
/// an update makes it while the others wait.
class LazyUpdate {
 public:
  /// Waits until no other const call makes an update, and prevents others as long as the result lives.
#ifdef __wasm__  // has one thread, and Debian's C++ library for it has no mutex
  struct [[nodiscard]] Lock {
    ~Lock() {}
  };
  Lock lock() const {
    return {};
  }
#else
  [[nodiscard]] std::unique_lock<std::mutex> lock() const {
    return std::unique_lock(mutex_);
  }
#endif

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
#ifndef __wasm__
  mutable std::mutex mutex_;
#endif
};

}  // namespace broadside::inline v0_2
