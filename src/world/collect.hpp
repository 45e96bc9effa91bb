#pragma once

#include <vector>

#include "broadside/base/result.hpp"

namespace broadside::inline v0_2 {

/// Returns what a function visits.
template <typename T, typename VisitAll>
Result<std::vector<T>> collect(VisitAll visit_all) {
  std::vector<T> all;
  const auto take = [&](const T& one) {
    all.push_back(one);
    return true;
  };
  if (auto done = visit_all(take); !done.has_value()) {
    return done.error();
  }
  return all;
}

}  // namespace broadside::inline v0_2
