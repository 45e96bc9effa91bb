#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "broadside/broad_phase/broad_phase.hpp"

namespace broadside::test {

/// A technique with options: every conformance and differential test runs on each.
struct Variant {
  std::string name;  ///< valid as the name of a test: letters, digits and underscores
  std::function<std::unique_ptr<BroadPhase>()> make;
};

/// Returns all techniques with default options, and the grids with cells and bounds that suit the boxes
/// badly.
const std::vector<Variant>& variants();

/// Keeps googletest from printing a variant as bytes, which differ from run to run.
inline void PrintTo(const Variant& variant, std::ostream* stream) {
  *stream << variant.name;
}

/// Returns the names of all techniques.
std::vector<std::string> technique_names();

/// Names a test by its technique.
inline std::string technique_name(const testing::TestParamInfo<std::string>& test) {
  std::string name = test.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

/// Names a test by its variant.
inline std::string variant_name(const testing::TestParamInfo<Variant>& test) {
  return test.param.name;
}

}  // namespace broadside::test
