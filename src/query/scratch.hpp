#pragma once

#include <memory>
#include <utility>
#ifdef __MINGW32__
#include <cxxabi.h>
#endif

namespace broadside::inline v0_2::detail {

/// Lends the scratch memory of this thread for the lifetime of this object, with the contents of its last
/// use.
///
/// A nested query, such as one from a visitor, gets an empty `T`. Of the two, the larger is kept for the next
/// query.
/// @tparam T a vector, or another type with `capacity`
template <typename T>
class Scratch {
 public:
  Scratch() : memory_(std::move(spare())) {}
  ~Scratch() {
    if (memory_.capacity() >= spare().capacity()) {
      spare() = std::move(memory_);
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  T& operator*() { return memory_; }
  T* operator->() { return &memory_; }

 private:
  /// Returns what no query of this thread and type uses at present; empty while one does.
  static T& spare() {
#ifdef __MINGW32__
    // GCC emulates thread_local for Windows, and frees the variables of a thread before it calls their
    // destructors. So this one is a pointer, and the destructor gets its value.
    thread_local T* kept = nullptr;
    if (kept == nullptr) {
      auto made = std::make_unique<T>();
      abi::__cxa_thread_atexit([](void* at) { delete static_cast<T*>(at); }, made.get(), nullptr);
      kept = made.release();
    }
    return *kept;
#else
    thread_local T kept;
    return kept;
#endif
  }

  T memory_;
};

}  // namespace broadside::inline v0_2::detail
