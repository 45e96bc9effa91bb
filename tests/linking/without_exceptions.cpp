#include "linking/take_value.hpp"

#if defined(__cpp_exceptions)
#error "compile this file without exceptions"
#endif

namespace broadside::test {

struct Without;

void take_value_without_exceptions(int kind, Way way) {
  take_value_of<Without>[kind](way);
}

}  // namespace broadside::test
