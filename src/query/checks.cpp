#include "query/checks.hpp"

#include <string>

#include "body/convex.hpp"

namespace broadside::inline v0_2::detail {

Error describe_error(const ShapeSet& set) {
  const std::size_t needed = set.boxes.index_end();
  const bool no_shape = set.shapes.size() < needed;
  return {ErrorCode::invalid_argument,
          "there are " + std::to_string(no_shape ? set.shapes.size() : set.transforms.size()) +
              (no_shape ? " shapes" : " transforms") + ", but indices up to " + std::to_string(needed - 1) +
              "; there must be one for each"};
}

Error describe_error(std::string_view name) {
  return {ErrorCode::not_finite, std::string(name) + ": both coordinates must be finite numbers"};
}

Error find_error(const ShapeSet& set, const Shape& shape, const Transform& at) {
  if (Error error = find_error(set)) {
    return error;
  }
  if (auto valid = validate(shape); !valid.has_value()) {
    return valid.error();
  }
  if (Error error = find_error(at.position, "position of the shape")) {
    return error;
  }
  if (!is_finite(at.rotation.cos) || !is_finite(at.rotation.sin)) {
    return {ErrorCode::not_finite, "rotation of the shape: cosine and sine must be finite numbers"};
  }
  if (!is_unit(at.rotation)) {
    return {ErrorCode::invalid_argument,
            "rotation of the shape must be a cosine and a sine, whose squares sum up to 1"};
  }
  return {};
}

}  // namespace broadside::inline v0_2::detail
