#include "try_alloc.hpp"

#include <cstdlib>

namespace broadside::inline v0_2::detail {

void out_of_memory() {
#if defined(__cpp_exceptions)
  throw std::bad_alloc();
#else
  std::abort();
#endif
}

}  // namespace broadside::inline v0_2::detail
