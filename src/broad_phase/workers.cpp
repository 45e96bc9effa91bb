#include "broadside/broad_phase/detail/workers.hpp"

#include "base/switches.hpp"

namespace broadside::detail {

std::size_t Workers::chunks(std::size_t n, std::size_t least) const {
  constexpr std::size_t each = 4;  // more than one a thread, so that none waits long for the slowest
  const std::size_t worth = n / least;
  if (threads_ < 2 || !decide(Switch::many_tasks, worth > 1)) {
    return 1;
  }
  return std::max<std::size_t>(std::min(worth > 1 ? worth : n, each * std::min(threads_, n)), 1);
}

}  // namespace broadside::detail
