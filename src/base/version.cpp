#include "broadside/base/version.hpp"

#define BROADSIDE_TEXT_OF(number) #number
#define BROADSIDE_JOINED(first, second, third) \
  BROADSIDE_TEXT_OF(first) "." BROADSIDE_TEXT_OF(second) "." BROADSIDE_TEXT_OF(third)

namespace broadside::inline v0_2 {

std::string_view version() {
  return BROADSIDE_JOINED(BROADSIDE_VERSION_MAJOR, BROADSIDE_VERSION_MINOR, BROADSIDE_VERSION_PATCH);
}

}  // namespace broadside::inline v0_2
