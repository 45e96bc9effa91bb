#pragma once

#include <cstddef>
#include <string_view>

#include "broadside/base/result.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside::detail {

/// Returns the error for a set that `find_error` refuses.
[[nodiscard]] Error describe_error(const ShapeSet& set);
[[nodiscard]] Error describe_error(std::string_view what);

/// Checks that there is a shape and a transform for each index.
[[nodiscard]] inline Error find_error(const ShapeSet& set) {
  const std::size_t needed = set.boxes.index_end();
  return set.shapes.size() >= needed && set.transforms.size() >= needed ? Error() : describe_error(set);
}

/// Checks that a vector is finite. `what` names it in the message.
[[nodiscard]] inline Error find_error(Vec2 vector, std::string_view what) {
  return is_finite(vector) ? Error() : describe_error(what);
}

/// Checks that a shape and its transform are valid.
[[nodiscard]] Error find_error(const Shape& shape, const Transform& at);

}  // namespace broadside::detail
