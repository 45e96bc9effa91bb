#include "broadside/base/body_id.hpp"

namespace broadside::inline v0_2 {

std::string to_string(const BodyId& body) {
  return body ? "body " + std::to_string(body.index) + " (generation " + std::to_string(body.generation) + ")"
              : "no body";
}

}  // namespace broadside::inline v0_2
