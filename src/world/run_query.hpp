#pragma once

#include <utility>

#include "broadside/query/shape_set.hpp"
#include "world/state.hpp"

namespace broadside {

/// Runs a query on the current shapes; its visitors cannot change the world.
template <typename Query>
auto World::State::run_query(const QueryFilter& filter, Query query) {
  const auto accept = [&](BoxIndex place) { return matches(place, filter); };
  using Answer = decltype(query(std::declval<const ShapeSet&>(), Accept(accept)));
  if (Error error = check_not_moved_from()) {
    return Answer(std::move(error));
  }
  bring_up_to_date();
  const auto locked = lock();
  return query(ShapeSet{*broad_phase, bodies.shapes(), bodies.transforms()}, Accept(accept));
}

}  // namespace broadside
