#pragma once

#include <string>

#include "base/switches.hpp"
#include "boxes.hpp"

namespace broadside::test {

/// Forces the switches of the library (src/base/switches.hpp) during its lifetime. They decide how fast an
/// answer is found, never the answer. One at a time in a process.
class ForcedSwitches {
 public:
  ForcedSwitches() = default;
  ~ForcedSwitches();
  ForcedSwitches(const ForcedSwitches&) = delete;
  ForcedSwitches& operator=(const ForcedSwitches&) = delete;

  /// Forces some switches on and some off, and leaves the others to the library; returns a sign for each.
  std::string draw(Random& random);

  /// Forces one switch.
  static void force(detail::Switch which, bool on);
};

}  // namespace broadside::test
