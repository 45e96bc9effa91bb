// A file of its own, so that only programs that print ids contain streams; the WebAssembly module has none.
#include <ostream>

#include "broadside/base/body_id.hpp"

namespace broadside::inline v0_2 {

std::ostream& operator<<(std::ostream& out, const BodyId& body) {
  return out << to_string(body);
}

}  // namespace broadside::inline v0_2
