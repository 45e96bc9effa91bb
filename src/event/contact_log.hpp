#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/lazy_update.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/event/touch_history.hpp"
#include "event/adjacency.hpp"
#include "event/contact_set.hpp"

namespace broadside {

/// The contacts that the last step found, and which of them began, stayed or ended.
///
/// A step gives all contacts, or only those of the boxes of which something changed; then the others stay as
/// they are and cost nothing. What is asked for in order is put in order by the first const call that needs
/// it.
class ContactLog {
 public:
  /// Place of a contact among all: less than `places`.
  using At = ContactSet::At;

  ContactLog() = default;
  /// Takes over what another log has. What was given to that one must stay where it is.
  void copy(const ContactLog& other);

  // A step: `prepare`, then `commit`. Until then all that can be asked stays as it is.

  /// Takes all contacts [p], sorted. They must stay where they are until the next `commit`.
  ///
  /// @param pairs [p] of these
  /// @param renewed [boxes] whose bit 0 is set for a box that is not the one of the last step; may be empty
  /// where there is none
  /// Complexity: O(p + contacts of the last step).
  void prepare(std::span<const Contact> contacts, std::span<const Pair> pairs,
               std::span<const std::uint8_t> renewed);
  /// Takes the contacts [c], sorted, of changed boxes in the place of those that these had. They must stay
  /// where they are until `commit`.
  ///
  /// Complexity: O((c + contacts that these boxes had) log), and sometimes O(all).
  void prepare(std::span<const Contact> contacts, const ContactScope& scope,
               std::span<const std::uint8_t> renewed);
  /// Returns the pairs that end with the next `commit`, sorted.
  [[nodiscard]] std::span<const Pair> ending() const {
    return is_partial_ ? contacts_.ending() : history_.ending();
  }
  /// Makes what was prepared the last step. It cannot fail.
  void commit();
  /// Says that the same pairs touch as in the last step: what began stays.
  void advance_unchanged();
  /// Takes all contacts [p], sorted, and the pairs, sorted, of those that did not begin in the last step.
  void restore(std::span<const Contact> contacts, std::span<const Pair> stayed);

  // Contacts. What is returned is valid until the next call that changes anything.

  /// Returns how many contacts there are.
  [[nodiscard]] std::size_t size() const { return contacts_.size(); }
  [[nodiscard]] const Contact& operator[](At at) const { return contacts_[at]; }
  /// Returns the place of the n-th contact in the order of pairs.
  [[nodiscard]] At nth(std::size_t n) const;
  /// Calls `visit` with each contact in the order of pairs.
  template <typename Visit>
  void for_each(Visit visit) const {
    make_order();
    for (std::size_t n = 0; n < contacts_.size(); ++n) {
      visit(contacts_[contacts_.nth(n)]);
    }
  }
  /// Returns all contacts in the order of pairs.
  [[nodiscard]] std::span<const Contact> in_order() const;
  /// Returns the contact of a pair, or null. Complexity: O(log p).
  [[nodiscard]] const Contact* find(Pair pair) const;
  /// Returns the places of the contacts of a box, ascending by the other one.
  [[nodiscard]] std::span<const At> of(BoxIndex box) const;

  /// Returns the places of those that began, in the order of pairs.
  [[nodiscard]] std::span<const At> begun() const {
    return contacts_.is_patched() ? contacts_.begun() : history_.begun();
  }
  /// Returns the places of the others, in the order of pairs.
  [[nodiscard]] std::span<const At> stayed() const;
  [[nodiscard]] bool has_begun(At at) const;

  [[nodiscard]] std::size_t bytes() const;

 private:
  void make_order() const;
  void expect_order();

  mutable ContactSet contacts_;
  TouchHistory history_;     ///< of the last step that gave all contacts
  bool is_partial_ = false;  ///< the step that is prepared gives those of some boxes
  std::vector<Pair> pairs_;  ///< scratch
  std::span<const Contact> given_;

  LazyUpdate update_;
  mutable std::atomic<bool> order_is_made_ = false;  ///< of patched contacts
  mutable std::atomic<bool> in_order_is_made_ = false;
  mutable std::vector<Contact> in_order_;
  mutable std::atomic<bool> adjacency_is_made_ = false;
  mutable Adjacency adjacency_;
};

}  // namespace broadside
