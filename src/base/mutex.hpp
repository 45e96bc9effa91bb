#pragma once

// A WebAssembly module without atomic instructions has one thread, and Debian's C++ library for it has no
// mutex. Emscripten's option -pthread enables them.
#if defined(__wasm__) && !defined(__wasm_atomics__)
#define BROADSIDE_HAS_THREADS 0
#else
#define BROADSIDE_HAS_THREADS 1
#include <mutex>
#endif

namespace broadside::inline v0_2 {

#if BROADSIDE_HAS_THREADS
using Mutex = std::mutex;
#else
struct Mutex {
  void lock() {}
  void unlock() {}
};
#endif

}  // namespace broadside::inline v0_2
