#pragma once

#include <gtest/gtest.h>

namespace broadside::test {

/// The recorded traces, for tests with a parameter; those of `../shared` may be missing.
inline auto recorded_traces() {
  return testing::Values(BROADSIDE_SCENES "/tumbler.b2tr.xz",
                         BROADSIDE_SHARED_TRACES "/large_pyramid.b2tr.xz",
                         BROADSIDE_SHARED_TRACES "/many_pyramids.b2tr.xz",
                         BROADSIDE_SHARED_TRACES "/rain.b2tr.xz", BROADSIDE_SHARED_TRACES "/tumbler.b2tr.xz");
}

}  // namespace broadside::test
