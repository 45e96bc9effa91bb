#include "moves.hpp"

#include <atomic>
#include <cstddef>

#include "broadside/base/validate.hpp"

namespace broadside::inline v0_2::detail {

bool are_valid(std::span<const Aabb> boxes, const Workers& workers) {
  std::atomic<bool> valid = true;
  workers.for_chunks(boxes.size(), workers.chunks(boxes.size(), min_boxes_per_task),
                     [&](std::size_t, std::size_t begin, std::size_t end) {
                       if (validate(boxes.subspan(begin, end - begin)).error()) {
                         valid = false;
                       }
                     });
  return valid;
}

}  // namespace broadside::inline v0_2::detail
