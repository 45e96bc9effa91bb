#include "forced_switches.hpp"

namespace broadside::test {

ForcedSwitches::~ForcedSwitches() {
  for (auto& forced : detail::forced_switches) {
    forced = 0;
  }
}

std::string ForcedSwitches::draw(Random& random) {
  std::string signs;
  for (auto& forced : detail::forced_switches) {
    const std::uint32_t drawn = random.below(3);
    forced = static_cast<std::int8_t>(static_cast<int>(drawn) - 1);
    signs += "-0+"[drawn];
  }
  return signs;
}

void ForcedSwitches::force(detail::Switch which, bool on) {
  detail::forced_switches[static_cast<std::size_t>(which)] = static_cast<std::int8_t>(on ? 1 : -1);
}

}  // namespace broadside::test
