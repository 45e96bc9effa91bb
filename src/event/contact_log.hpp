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

namespace broadside::inline v0_2 {

/// The contacts that the last step found, and which of them began, stayed or ended.
///
/// A full step sets all contacts. A partial step sets those of changed boxes; the other contacts stay as they
/// are, and cost nothing. Sorted views are built by the first const call that needs them.
class ContactLog {
 public:
  /// Index of a contact among all, in the order in which they are stored.
  using At = ContactSet::At;

  ContactLog() = default;
  /// Copies another log. Contacts that were passed to the other one must stay where they are.
  void copy(const ContactLog& other);

  // A step: `prepare`, then `commit`. Until then all getters except `ending` return the previous step.

  /// Prepares a full step with all contacts [p], sorted. They must stay where they are until a later step is
  /// committed.
  ///
  /// @param pairs [p] the pairs of `contacts`
  /// @param reassigned [boxes] bit 0 is set if the index now belongs to another box than in the last step;
  /// may be empty if there is none
  /// @par Complexity
  /// O(p + contacts of the last step).
  void prepare(std::span<const Contact> contacts, std::span<const Pair> pairs,
               std::span<const std::uint8_t> reassigned);
  /// Prepares a partial step, which replaces the contacts of changed boxes by the contacts [c], sorted. These
  /// must stay where they are until `commit`.
  ///
  /// @par Complexity
  /// That of `ContactSet::prepare`.
  void prepare(std::span<const Contact> contacts, const ContactScope& scope,
               std::span<const std::uint8_t> reassigned);
  /// Returns the pairs that end with the next `commit`, sorted.
  [[nodiscard]] std::span<const Pair> ending() const {
    return is_partial_ ? contacts_.ending() : history_.ending();
  }
  /// Makes the prepared step the current one. Cannot fail.
  void commit();
  /// Advances by a step in which the same pairs touch: those that began now stay.
  void advance_unchanged();
  /// Sets all contacts [p], sorted, and the sorted pairs of those that did not begin in the last step.
  void restore(std::span<const Contact> contacts, std::span<const Pair> stayed);

  // Contacts. What is returned is valid until the next non-const call.

  /// Returns how many contacts there are.
  [[nodiscard]] std::size_t size() const { return contacts_.size(); }
  [[nodiscard]] const Contact& operator[](At at) const { return contacts_[at]; }
  /// Returns the index of the n-th contact in the order of pairs.
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
  /// Returns the contact of a pair, or null.
  /// @par Complexity
  /// O(log p); O(p) for the first call after a partial step, which sorts.
  [[nodiscard]] const Contact* find(Pair pair) const;
  /// Returns the indices of the contacts of a box, ascending by the other box.
  [[nodiscard]] std::span<const At> of(BoxIndex box) const;

  /// Returns the indices of the contacts that began, in the order of pairs.
  [[nodiscard]] std::span<const At> begun() const {
    return contacts_.is_patched() ? contacts_.begun() : history_.begun();
  }
  /// Returns the indices of the contacts that stayed, in the order of pairs.
  [[nodiscard]] std::span<const At> stayed() const;
  /// Tells whether a contact began in the last step.
  [[nodiscard]] bool has_begun(At at) const;

  [[nodiscard]] std::size_t bytes() const;

 private:
  void make_order() const;
  void invalidate_views();

  mutable ContactSet contacts_;
  TouchHistory history_;            ///< as of the last full step
  bool is_partial_ = false;         ///< whether the prepared step is a partial one
  std::vector<Pair> pairs_;         ///< scratch
  std::span<const Contact> given_;  ///< all contacts of a prepared full step

  // Sorted views, and whether they are up to date.
  LazyUpdate update_;
  mutable std::atomic<bool> order_is_made_ = false;  ///< that of `contacts_`, after a partial step
  mutable std::atomic<bool> in_order_is_made_ = false;
  mutable std::vector<Contact> in_order_;
  mutable std::atomic<bool> adjacency_is_made_ = false;
  mutable Adjacency adjacency_;
};

}  // namespace broadside::inline v0_2
