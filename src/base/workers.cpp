#include "workers.hpp"

#include "base/switches.hpp"

namespace broadside::detail {

std::size_t Workers::chunks(std::size_t n, std::size_t least) const {
  constexpr std::size_t each = 4;  // chunks per thread, to balance the load
  return threads_ < 2
             ? 1
             : std::max<std::size_t>(std::min(worthwhile_tasks(n, least), each * std::min(threads_, n)), 1);
}

}  // namespace broadside::detail
