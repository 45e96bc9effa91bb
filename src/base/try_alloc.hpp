#pragma once

#include <new>

namespace broadside::inline v0_2::detail {

/// Throws `std::bad_alloc`, or aborts if the library was compiled without exceptions. Defined in the library,
/// so that it does the same for all callers.
[[noreturn]] void out_of_memory();

/// Calls `work`. Returns false if it ran out of memory; without exceptions, it does not return then.
template <typename Work>
bool try_alloc(const Work& work) {
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

}  // namespace broadside::inline v0_2::detail
