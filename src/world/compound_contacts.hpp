#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "broadside/contact/narrow_phase.hpp"
#include "event/contact_log.hpp"
#include "world/body_table.hpp"

namespace broadside::inline v0_2 {

/// The contacts of bodies, where some bodies have several shapes: for each pair of bodies, the deepest
/// contact of their shapes. A step finds the new ones apart from those of the last step, and may still fail.
class CompoundContacts {
 public:
  explicit CompoundContacts(const BodyTable& bodies) : bodies_(bodies) {}

  /// Finds the contacts of bodies from those of shapes, sorted by pair.
  void merge(std::span<const Contact> of_shapes);
  /// Returns what `merge` found, until `commit`.
  [[nodiscard]] std::span<const Contact> merged() const { return merged_; }
  /// Makes the merged contacts those of the last step. Cannot fail.
  void commit() { of_last_step_.swap(merged_); }

  /// Returns the contacts of the last step.
  [[nodiscard]] std::span<const Contact> of_last_step() const { return of_last_step_; }
  /// Replaces the contacts of the last step by those of a snapshot.
  void restore(std::vector<Contact> contacts) { of_last_step_ = std::move(contacts); }

  /// Returns the begins and ends of these contacts.
  [[nodiscard]] ContactLog& log() { return log_; }
  [[nodiscard]] const ContactLog& log() const { return log_; }

  [[nodiscard]] std::size_t bytes() const;

 private:
  const BodyTable& bodies_;
  ContactLog log_;
  std::vector<Contact> of_last_step_;
  std::vector<Contact> merged_;
  std::vector<std::pair<Pair, std::uint32_t>> order_;  ///< scratch: bodies, and an index in `of_shapes`
};

}  // namespace broadside::inline v0_2
