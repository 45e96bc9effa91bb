#pragma once

#include <cstddef>
#include <string_view>

#include "broadside/base/result.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside::inline v0_2::detail {

// Checks of the arguments of queries; an empty `Error` if they are valid. Frequent checks are inline, the
// sentences of their errors are not.

/// Returns the error of a set without a shape or a transform for each index.
[[nodiscard]] Error describe_error(const ShapeSet& set);
/// Returns the error of a vector that is not finite. `name` names it in the sentence.
[[nodiscard]] Error describe_error(std::string_view name);

/// Checks that there is a shape and a transform for each index.
[[nodiscard]] inline Error find_error(const ShapeSet& set) {
  const std::size_t needed = set.boxes.index_end();
  return set.shapes.size() >= needed && set.transforms.size() >= needed ? Error() : describe_error(set);
}

/// Checks that a vector is finite. `name` names it in the sentence.
[[nodiscard]] inline Error find_error(Vec2 vector, std::string_view name) {
  return is_finite(vector) ? Error() : describe_error(name);
}

/// Checks a set, and that a vector is finite.
[[nodiscard]] inline Error find_error(const ShapeSet& set, Vec2 vector, std::string_view name) {
  Error error = find_error(set);
  return error ? error : find_error(vector, name);
}

/// Checks a set, and that a shape and its transform are valid.
[[nodiscard]] Error find_error(const ShapeSet& set, const Shape& shape, const Transform& at);

}  // namespace broadside::inline v0_2::detail
