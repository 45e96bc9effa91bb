#pragma once

#include <string>

#include "boxes.hpp"

namespace broadside::test {

/// Forces the switches of the library (src/base/switches.hpp), which decide how fast an answer is found and
/// never the answer. As long as it lives; one at a time in a process.
class ForcedSwitches {
 public:
  ForcedSwitches() = default;
  ~ForcedSwitches();
  ForcedSwitches(const ForcedSwitches&) = delete;
  ForcedSwitches& operator=(const ForcedSwitches&) = delete;

  /// Forces some switches on, some off, and leaves the others to the library; returns which, a sign for each.
  std::string draw(Random& random);
};

}  // namespace broadside::test
