#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/by_key.hpp"
#include "base/reserve.hpp"
#include "broadside/contact/narrow_phase.hpp"

namespace broadside::inline v0_2 {

/// The contacts of a step between bodies that the narrow phase did not find: of shapes that do not touch, or
/// whose types make no pair.
class ExtraContacts {
 public:
  /// Begins a step in which the narrow phase found some contacts of shapes.
  /// @param bodies_of returns the bodies of a contact of shapes, in order
  template <typename BodiesOf>
  void reset(std::span<const Contact> of_shapes, BodiesOf bodies_of) {
    contacts_.clear();
    found_.resize(of_shapes.size());
    std::transform(of_shapes.begin(), of_shapes.end(), found_.begin(), bodies_of);
    std::sort(found_.begin(), found_.end());
  }
  /// Tells whether a pair of bodies has a contact already.
  [[nodiscard]] bool is_found(Pair bodies) const {
    return std::binary_search(found_.begin(), found_.end(), bodies);
  }
  void add(const Contact& contact) { contacts_.push_back(contact); }
  /// Returns the contacts, sorted by pair, each pair once.
  [[nodiscard]] std::span<const Contact> sorted() {
    std::sort(contacts_.begin(), contacts_.end(), detail::by_key(&Contact::pair));
    const auto is_repeated = [](const Contact& x, const Contact& y) { return x.pair == y.pair; };
    contacts_.erase(std::unique(contacts_.begin(), contacts_.end(), is_repeated), contacts_.end());
    return contacts_;
  }

  [[nodiscard]] std::size_t bytes() const { return detail::bytes_of(contacts_, found_); }

 private:
  std::vector<Contact> contacts_;
  std::vector<Pair> found_;
};

}  // namespace broadside::inline v0_2
