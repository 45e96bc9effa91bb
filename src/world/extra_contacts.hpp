#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "broadside/contact/narrow_phase.hpp"

namespace broadside {

/// The contacts of a step between bodies that the narrow phase did not find: of shapes that do not touch, or
/// whose types make no pair.
class ExtraContacts {
 public:
  /// Begins a step. @param found pairs of bodies that have a contact already, in any order
  template <typename Pairs>
  void reset(Pairs found) {
    contacts_.clear();
    found_.assign(found.begin(), found.end());
    std::sort(found_.begin(), found_.end());
  }
  /// Tells whether a pair of bodies has a contact already.
  [[nodiscard]] bool is_found(Pair bodies) const {
    return std::binary_search(found_.begin(), found_.end(), bodies);
  }
  void add(const Contact& contact) { contacts_.push_back(contact); }
  /// Returns the contacts, sorted by pair, each pair once.
  [[nodiscard]] std::span<const Contact> sorted() {
    std::ranges::sort(contacts_, {}, &Contact::pair);
    const auto repeated = std::ranges::unique(contacts_, {}, &Contact::pair);
    contacts_.erase(repeated.begin(), repeated.end());
    return contacts_;
  }

  [[nodiscard]] std::size_t bytes() const {
    return contacts_.capacity() * sizeof(Contact) + found_.capacity() * sizeof(Pair);
  }

 private:
  std::vector<Contact> contacts_;
  std::vector<Pair> found_;
};

}  // namespace broadside
