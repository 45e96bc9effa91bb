#pragma once

#include <cstdlib>
#include <new>

namespace broadside::detail {

/// Says that memory ran out, as the standard library does.
[[noreturn]] inline void out_of_memory() {
#if defined(__cpp_exceptions)
  throw std::bad_alloc();
#else
  std::abort();
#endif
}

/// Calls `work`. Returns false where it ran out of memory; never returns then where exceptions are off.
template <typename Work>
bool attempt(const Work& work) {
#if defined(__cpp_exceptions)
  try {
    work();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
#else
  work();
  return true;
#endif
}

}  // namespace broadside::detail
