#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/pair.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "event/adjacency.hpp"

namespace broadside {

/// The boxes of which something changed, so that their contacts were searched again.
struct ContactScope {
  std::span<const BoxIndex> boxes;
  std::span<const std::uint8_t> is_in;  ///< [boxes] not 0 for these
};

/// The contacts of a world, over steps in which most of them stay as they are.
///
/// They are given all at once, sorted, or only those of boxes of which something changed. Then each keeps
/// its place, those that are new come last, and what the others cost is nothing.
///
///     entries   (0,2) (1,5) (3,4) | (0,7)     sorted as `replace` had them; then those that came since
///     life      stays gone  stays | begun
///     order       0           2       3       what is shown, made when somebody asks: 0 3 2
///
/// Begin and end of each contact are told as by `TouchHistory`, but only by `commit`.
class ContactSet {
 public:
  /// Place of a contact among `entries`.
  using At = Adjacency::At;

  /// Takes all contacts [p], sorted. They stay where they are, and must until the next `replace` or `patch`.
  void replace(std::span<const Contact> contacts);

  /// Takes the contacts [c], sorted, of changed boxes in the place of those that these had: `prepare`, then
  /// `commit`. Until then all that can be asked stays as it is, and the contacts must stay where they are.
  ///
  /// @param scope the changed boxes
  /// @param renewed [boxes] whose bit 0 is set for a box that is not the one of the last step
  /// Complexity: O((c + contacts they had) log) and a scan of those that came lately, an eighth of all at
  /// most.
  void prepare(std::span<const Contact> contacts, const ContactScope& scope,
               std::span<const std::uint8_t> renewed);
  /// Returns the pairs that end with the next `commit`, sorted.
  [[nodiscard]] std::span<const Pair> ending() const { return ending_; }
  /// Makes what was prepared the last step. It cannot fail.
  void commit();

  /// Says that nothing changed: what began stays.
  void advance_unchanged();

  /// Tells whether `commit` came last, and not `replace`.
  [[nodiscard]] bool is_patched() const { return is_patched_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<const Contact> entries() const { return is_patched_ ? own_ : given_; }
  [[nodiscard]] const Contact& operator[](At at) const { return entries()[at]; }

  // After `commit` and no `replace`.

  /// Returns the places of those that began, sorted by their pairs.
  [[nodiscard]] std::span<const At> begun() const { return begun_; }
  [[nodiscard]] bool has_begun(At at) const { return life_[at] == Life::begun; }
  /// Makes `order` and `stayed`.
  void make_order();
  /// Returns the places of all, sorted by their pairs.
  [[nodiscard]] std::span<const At> order() const { return order_; }
  /// Returns the places of those that did not begin, sorted by their pairs.
  [[nodiscard]] std::span<const At> stayed() const { return stayed_; }

  /// Returns the place of the n-th of all in order. @pre the order was made, where they were patched
  [[nodiscard]] At nth(std::size_t n) const { return is_patched_ ? order_[n] : static_cast<At>(n); }

  [[nodiscard]] std::size_t bytes() const;

 private:
  enum class Life : std::uint8_t {
    gone,   ///< it does not touch
    stays,  ///< it touches, and did before
    begun,  ///< it touches since this step
  };
  static constexpr At none = ~At{0};

  /// An entry that came later.
  struct Late {
    Pair pair;
    At at;
  };
  /// The entries that are patched: those that there are, or what they become when ranks are closed.
  struct Base {
    std::span<const Contact> entries;
    const Adjacency& adjacency;  ///< of the sorted entries
    std::span<const Late> late;
  };
  /// What `commit` does with a contact.
  struct Patch {
    const Contact* contact;
    At at;  ///< or none for a new entry
    Life life;
  };

  [[nodiscard]] bool is_worn() const;
  void start_anew();
  static void make_adjacency(std::span<const Contact> contacts, Adjacency& adjacency);
  [[nodiscard]] Base base() const;
  [[nodiscard]] static At find(const Base& base, Pair pair, bool by_a);
  void ask(At at);
  void take_latest();

  bool is_patched_ = false;
  std::size_t size_ = 0;
  std::span<const Contact> given_;  ///< to `replace`
  std::vector<Contact> own_;        ///< entries, where they were patched
  std::vector<Life> life_;          ///< [own]
  std::size_t sorted_ = 0;          ///< entries that are; the others came later
  std::vector<At> begun_;
  std::vector<At> order_;
  std::vector<At> stayed_;

  Adjacency adjacency_;       ///< of the sorted entries
  std::vector<Late> late_;    ///< sorted by pair
  std::vector<Late> latest_;  ///< those of this step, sorted by pair

  // What is prepared.
  bool closes_ranks_ = false;  ///< with what follows, sorted, for entries
  std::vector<Contact> room_;
  Adjacency room_adjacency_;
  std::vector<At> asked_;               ///< entries of changed boxes
  std::vector<std::uint8_t> is_asked_;  ///< [entries] 1 for these, until they are found again
  std::vector<Patch> patches_;          ///< [c]
  std::vector<Pair> ending_;
};

}  // namespace broadside
