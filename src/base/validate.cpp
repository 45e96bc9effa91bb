#include "broadside/base/validate.hpp"

#include <algorithm>
#include <cassert>

#include "number_text.hpp"
#include "validate_kernel.hpp"

namespace broadside::inline v0_2 {

namespace {

Error describe(const Aabb& box, std::string_view what) {
  const struct {
    const char* name;
    float value;
  } numbers[] = {{"min_x", box.min.x}, {"min_y", box.min.y}, {"max_x", box.max.x}, {"max_y", box.max.y}};
  for (const auto& number : numbers) {
    if (!is_finite(number.value)) {
      return {ErrorCode::not_finite, std::string(what) + ": " + number.name + " is " +
                                         detail::number_text(number.value) +
                                         "; every coordinate must be a finite number"};
    }
  }
  const bool on_x = box.min.x > box.max.x;
  const float low = on_x ? box.min.x : box.min.y;
  const float high = on_x ? box.max.x : box.max.y;
  const std::string axis = on_x ? "x" : "y";
  return {ErrorCode::inverted_box, std::string(what) + ": min_" + axis + " " + detail::number_text(low) +
                                       " is greater than max_" + axis + " " + detail::number_text(high) +
                                       "; min must not exceed max"};
}

}  // namespace

Result<void> validate(const Aabb& box, std::string_view what) {
  if (is_valid(box)) {
    return {};
  }
  return describe(box, what);
}

Result<void> validate(std::span<const Aabb> boxes) {
  if (detail::all_valid(boxes)) {
    return {};
  }
  const auto bad =
      std::find_if_not(boxes.begin(), boxes.end(), [](const Aabb& box) { return is_valid(box); });
  assert(bad != boxes.end());  // `all_valid` makes the same test
  return describe(*bad, "box " + std::to_string(bad - boxes.begin()));
}

Result<void> validate(BodyType type, std::string_view what) {
  if (is_valid(type)) {
    return {};
  }
  return Error{ErrorCode::invalid_argument,
               std::string(what) + ": type " + std::to_string(static_cast<unsigned>(type)) +
                   " does not exist; it must be static_body (0), kinematic (1) or dynamic (2)"};
}

Result<std::size_t> threads_of(const TaskRunner* runner, std::string_view call) {
  if (const std::size_t threads = runner == nullptr ? 1 : runner->threads(); threads > 0) {
    return threads;
  }
  return Error{ErrorCode::invalid_argument,
               std::string(call) +
                   ": the task runner says that it has 0 threads; the caller's thread counts, "
                   "so there must be at least 1"};
}

}  // namespace broadside::inline v0_2
