#include "broadside/contact/narrow_phase.hpp"

#include <algorithm>

#include "broadside/contact/collide.hpp"

namespace broadside {

Result<std::span<const Contact>> NarrowPhase::find_contacts(std::span<const Pair> pairs,
                                                            std::span<const Shape> shapes,
                                                            std::span<const Transform> transforms) {
  if (shapes.size() != transforms.size()) {
    return Error{ErrorCode::invalid_argument, "find_contacts: " + std::to_string(shapes.size()) +
                                                  " shapes but " + std::to_string(transforms.size()) +
                                                  " transforms; there must be as many"};
  }
  contacts_.clear();
  for (const Pair& pair : pairs) {
    if (std::max(pair.a, pair.b) >= shapes.size()) {
      return Error{ErrorCode::invalid_argument, "find_contacts: a pair names shape " +
                                                    std::to_string(std::max(pair.a, pair.b)) +
                                                    ", but there are " + std::to_string(shapes.size())};
    }
    const Manifold manifold = collide(shapes[pair.a], transforms[pair.a], shapes[pair.b], transforms[pair.b]);
    if (manifold.touching()) {
      contacts_.push_back({pair, manifold});
    }
  }
  return std::span<const Contact>(contacts_);
}

}  // namespace broadside
