#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/pair.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "event/adjacency.hpp"

namespace broadside {

/// The boxes that changed, whose contacts were therefore computed again.
struct ContactScope {
  std::span<const BoxIndex> boxes;
  std::span<const std::uint8_t> is_in;  ///< [boxes] not 0 for these
};

/// The contacts of a world, over steps in which most of them stay as they are.
///
/// A step sets all contacts, sorted, or only those of changed boxes. In the latter case known contacts keep
/// their index, new ones are appended, and the others cost nothing.
///
///     entries   (0,2) (1,5) (3,4) | (0,7)     sorted, as `replace` set them; then those added since
///     life      stays gone  stays | begun
///     order       0           2       3       the touching ones, sorted on demand: 0 3 2
///
/// Begin and end of contacts are reported as by `TouchHistory`, but only after `commit`.
class ContactSet {
 public:
  /// Index of a contact in `entries`.
  using At = Adjacency::At;

  /// Sets all contacts [p], sorted. They must stay where they are until the next `replace` or `commit`.
  void replace(std::span<const Contact> contacts);

  /// Replaces the contacts of changed boxes by the contacts [c], sorted: `prepare`, then `commit`. Until then
  /// all getters except `ending` return the previous step, and the contacts must stay where they are.
  ///
  /// @param scope the changed boxes
  /// @param reassigned [boxes] bit 0 is set if the index now belongs to another box than in the last step
  /// @par Complexity
  /// O((c + contacts that the changed boxes had) log) and a scan of the recently added ones, at most an
  /// eighth of all; sometimes O(all).
  void prepare(std::span<const Contact> contacts, const ContactScope& scope,
               std::span<const std::uint8_t> reassigned);
  /// Returns the pairs that end with the next `commit`, sorted.
  [[nodiscard]] std::span<const Pair> ending() const { return ending_; }
  /// Makes the prepared step the current one. Cannot fail.
  void commit();

  /// Advances by a step in which nothing changed: contacts that began now stay.
  void advance_unchanged();

  /// Tells whether the last step was set by `commit`, not by `replace`.
  [[nodiscard]] bool is_patched() const { return is_patched_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<const Contact> entries() const { return is_patched_ ? own_ : given_; }
  [[nodiscard]] const Contact& operator[](At at) const { return entries()[at]; }

  // Only if `is_patched`.

  /// Returns the indices of the contacts that began, sorted by their pairs.
  [[nodiscard]] std::span<const At> begun() const { return begun_; }
  [[nodiscard]] bool has_begun(At at) const { return life_[at] == Life::begun; }
  /// Computes `order` and `stayed`.
  void make_order();
  /// Returns the indices of all contacts, sorted by their pairs.
  [[nodiscard]] std::span<const At> order() const { return order_; }
  /// Returns the indices of the contacts that did not begin, sorted by their pairs.
  [[nodiscard]] std::span<const At> stayed() const { return stayed_; }

  /// Returns the index of the n-th contact in order. @pre `make_order` was called, if `is_patched`
  [[nodiscard]] At nth(std::size_t n) const { return is_patched_ ? order_[n] : static_cast<At>(n); }

  [[nodiscard]] std::size_t bytes() const;

 private:
  enum class Life : std::uint8_t {
    gone,   ///< it does not touch
    stays,  ///< it touches, and did before
    begun,  ///< it began to touch in this step
  };
  static constexpr At none = ~At{0};

  /// An entry that was added after the sorted ones.
  struct Appended {
    Pair pair;
    At at;
  };
  /// The entries to patch: the current ones, or the compacted ones if `is_compacting_`.
  struct Base {
    std::span<const Contact> entries;
    const Adjacency& adjacency;  ///< of the sorted entries
    std::span<const Appended> late;
  };
  /// What `commit` does with a contact.
  struct Patch {
    const Contact* contact;
    At at;  ///< index of the entry, or `none` for a new one
    Life life;
  };

  [[nodiscard]] bool needs_compaction() const;
  void reset_state();
  static void make_adjacency(std::span<const Contact> contacts, Adjacency& adjacency);
  [[nodiscard]] Base base() const;
  [[nodiscard]] static At find(const Base& base, Pair pair, bool by_a);
  void ask(At at);
  void merge_appended();

  bool is_patched_ = false;
  std::size_t size_ = 0;
  std::span<const Contact> given_;  ///< to `replace`
  std::vector<Contact> own_;        ///< the entries if `is_patched_`
  std::vector<Life> life_;          ///< [own]
  std::size_t sorted_ = 0;          ///< number of sorted entries; the others were added later
  std::vector<At> begun_;
  std::vector<At> order_;
  std::vector<At> stayed_;

  Adjacency adjacency_;                   ///< of the sorted entries
  std::vector<Appended> appended_;        ///< sorted by pair
  std::vector<Appended> newly_appended_;  ///< those of this step, sorted by pair

  // The prepared step.
  bool is_compacting_ = false;  ///< `compacted_` replaces the entries: sorted, without those that are gone
  std::vector<Contact> compacted_;
  Adjacency compacted_adjacency_;
  std::vector<At> candidates_;              ///< entries of changed boxes: the candidates to end
  std::vector<std::uint8_t> is_candidate_;  ///< [entries] 1 for these, until they are found again
  std::vector<Patch> patches_;              ///< [c]
  std::vector<Pair> ending_;
};

}  // namespace broadside
