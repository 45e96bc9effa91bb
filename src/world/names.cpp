#include <algorithm>

#include "world/state.hpp"

namespace broadside::inline v0_2 {

// Checks of ids.

Error World::State::check(BodyId body) const {
  if (bodies.contains(body)) {
    return {};
  }
  if (Error error = check_not_moved_from()) {
    return error;
  }
  return body.world != bodies.world() && body.world != 0
             ? Error{ErrorCode::wrong_world, to_string(body) + " is of another world"}
             : Error{ErrorCode::stale_id,
                     to_string(body) + " is not in this world; it was removed or never added"};
}

Error World::State::check_not_moved_from() const {
  return is_moved_from() ? Error{ErrorCode::invalid_argument,
                                 "this World was moved from; it has no bodies and takes no calls until "
                                 "another one is assigned to it"}
                         : Error{};
}

Error World::State::check_change() const {
  if (locks == 0) {
    return {};
  }
  Error error = check_not_moved_from();
  return error ? error
               : Error{ErrorCode::locked,
                       "the world may not be changed from within a query, a predicate or a drawer"};
}

Error World::State::check_change(BodyId body) const {
  Error error = check_change();
  return error ? error : check(body);
}

// Checks that each id names a body and no body occurs twice, in O(m). Most lists are ascending, and so have
// no repeats.
Error World::State::check_each(std::span<const BodyId> listed, std::string_view call) {
  bool ascending = true;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    if (!bodies.contains(listed[i])) {
      return check(listed[i]);
    }
    ascending = ascending && (i == 0 || listed[i - 1].index < listed[i].index);
  }
  if (ascending) {
    return {};
  }
  named.reset(bodies.places());
  for (std::size_t i = 0; i < listed.size(); ++i) {
    if (!named.add(listed[i].index)) {
      const auto first = std::find(listed.begin(), listed.end(), listed[i]) - listed.begin();
      return {ErrorCode::invalid_argument, std::string(call) + ": " + to_string(listed[i]) +
                                               " is named twice, at places " + std::to_string(first) +
                                               " and " + std::to_string(i) + "; each body may be named once"};
    }
  }
  return {};
}

BodyId World::State::id_in_step(Place place) const {
  const Replaced* before = changes.find_replaced(place);
  return before == nullptr ? bodies.id(place) : BodyId{place, before->generation, bodies.world()};
}

}  // namespace broadside::inline v0_2
