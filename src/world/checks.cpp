#include "world/checks.hpp"

#include "body/convex.hpp"

namespace broadside::inline v0_2 {

Error check(Vec2 value, std::string_view what) {
  return is_finite(value) ? Error{} : Error{ErrorCode::not_finite, std::string(what) + " must be finite"};
}

Error check(const Transform& transform, const std::string& who) {
  if (Error error = check(transform.position, who + ": position")) {
    return error;
  }
  return detail::is_unit(transform.rotation)
             ? Error{}
             : Error{ErrorCode::invalid_argument,
                     who + ": rotation must be a cosine and a sine, whose squares sum up to 1"};
}

}  // namespace broadside::inline v0_2
