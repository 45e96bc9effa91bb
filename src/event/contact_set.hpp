#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/pair.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "event/adjacency.hpp"

namespace broadside::inline v0_2 {

/// The boxes that changed, whose contacts were therefore computed again.
struct ContactScope {
  std::span<const BoxIndex> boxes;
  std::span<const std::uint8_t> is_in;  ///< [boxes] not 0 for these
};

/// The contacts of a world, over steps in which most of them stay as they are.
///
/// A step sets all contacts, sorted, or only those of changed boxes. In the latter case known contacts keep
/// their index, new ones are appended, and contacts of unchanged boxes cost nothing.
///
///     index       0     1     2       3
///     entries   (0,2) (1,5) (3,4) | (0,7)     sorted, as `replace` set them; then those appended since
///     life      stays gone  stays | begun
///     order     0 3 2                         indices of the touching entries, sorted by pair on demand
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
  /// O(k log p) for the k contacts that changed boxes had or have, of p in total, and a scan of the appended
  /// entries, which are about p / 8 at most. O(p) for the first call after `replace`, and if many entries are
  /// gone or were appended.
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

  /// An entry that was appended to the sorted ones.
  struct Appended {
    Pair pair;
    At at;
  };
  /// The entries that `prepare` compares with: the current ones, or the compacted ones if `is_compacting_`.
  struct Base {
    std::span<const Contact> entries;
    const Adjacency& adjacency;  ///< of the sorted entries
    std::span<const Appended> appended;
  };
  /// What `commit` does with a contact.
  struct Patch {
    const Contact* contact;
    At at;  ///< index of the entry, or `none` for a new one
    Life life;
  };

  void reset_state();
  static void make_adjacency(std::span<const Contact> contacts, Adjacency& adjacency);
  [[nodiscard]] Base base() const;
  [[nodiscard]] static At find(const Base& base, Pair pair, bool by_a);
  void add_candidate(At at);
  void merge_appended();

  bool is_patched_ = false;
  std::size_t size_ = 0;
  std::span<const Contact> given_;  ///< the argument of `replace`: the entries unless `is_patched_`
  std::vector<Contact> own_;        ///< the entries if `is_patched_`, also those that are gone
  std::vector<Life> life_;          ///< [own]
  std::size_t sorted_ = 0;          ///< number of sorted entries; the others were appended
  std::vector<At> begun_;
  std::vector<At> order_;
  std::vector<At> stayed_;

  Adjacency adjacency_;                   ///< of the sorted entries
  std::vector<Appended> appended_;        ///< sorted by pair
  std::vector<Appended> newly_appended_;  ///< those of this step, sorted by pair

  // The prepared step.
  bool is_compacting_ = false;  ///< `commit` replaces the entries by `compacted_`: sorted, and none is gone
  std::vector<Contact> compacted_;
  Adjacency compacted_adjacency_;
  std::vector<At> candidates_;              ///< entries of changed boxes: the candidates to end
  std::vector<std::uint8_t> is_candidate_;  ///< [entries] 1 for these, until they are found again
  std::vector<Patch> patches_;              ///< [c]
  std::vector<Pair> ending_;
};

}  // namespace broadside::inline v0_2
