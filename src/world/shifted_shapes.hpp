#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "broadside/contact/narrow_phase.hpp"

namespace broadside {

/// The shapes of bodies that the response moved, and the contacts that they then have.
class ShiftedShapes {
 public:
  void clear() { places_.clear(); }
  void add(BoxIndex place) { places_.push_back(place); }
  [[nodiscard]] std::span<const BoxIndex> places() const { return places_; }

  /// Finds the contacts of pairs of shapes; valid until the next call.
  [[nodiscard]] std::span<const Contact> find_contacts(std::span<Pair> pairs, std::span<const Shape> shapes,
                                                       std::span<const Transform> transforms) {
    return narrow_phase_.find_contacts(pairs, shapes, transforms).value();
  }

  [[nodiscard]] std::size_t bytes() const {
    return places_.capacity() * sizeof(BoxIndex) + narrow_phase_.bytes();
  }

 private:
  std::vector<BoxIndex> places_;
  NarrowPhase narrow_phase_;  ///< apart from that of the step, whose contacts stay valid
};

}  // namespace broadside
