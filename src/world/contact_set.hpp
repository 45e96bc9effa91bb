#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/pair.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "world/adjacency.hpp"

namespace broadside {

/// The contacts of a world, over steps in which most of them stay as they are.
///
/// They are given all at once, sorted, or only those of boxes of which something changed. Then each keeps
/// its place, those that are new come last, and what the others cost is nothing.
///
///     entries   (0,2) (1,5) (3,4) | (0,7)     sorted as `replace` had them; then those that came since
///     life      stays gone  stays | begun
///     order       0           2       3       what is shown, made when somebody asks: 0 3 2
///
/// Begin and end of each contact are told as by `TouchHistory`, but only by `patch`.
class ContactSet {
 public:
  /// Place of a contact among `entries`.
  using At = Adjacency::At;

  /// Takes all contacts [p], sorted. They stay where they are, and must until the next `replace` or `patch`.
  void replace(std::span<const Contact> contacts);

  /// Makes room for a `patch` with so many contacts of changed boxes, so that it allocates nothing. Nothing
  /// that can be asked changes.
  void prepare(std::size_t contacts, std::span<const BoxIndex> changed);
  /// Returns how many contacts may end in that patch.
  [[nodiscard]] std::size_t most_ended() const { return most_asked_; }

  /// Takes the contacts [c], sorted, of changed boxes [m] in the place of those that these had.
  ///
  /// @param is_changed [boxes] not 0 for the changed ones
  /// @param renewed [boxes] whose bit 0 is set for a box that is not the one of the last step
  /// Complexity: O((c + contacts they had) log) and a scan of those that came lately, an eighth of all at
  /// most.
  /// @pre prepared for as many, and the same changed boxes
  void patch(std::span<const Contact> contacts, std::span<const BoxIndex> changed,
             std::span<const std::uint8_t> is_changed, std::span<const std::uint8_t> renewed);

  /// Says that nothing changed: what began stays.
  void advance_unchanged();

  /// Tells whether `patch` came last, and not `replace`.
  [[nodiscard]] bool is_patched() const { return is_patched_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<const Contact> entries() const { return is_patched_ ? own_ : given_; }
  [[nodiscard]] const Contact& operator[](At at) const { return entries()[at]; }

  // After `patch` and no `replace`.

  /// Returns the places of those that began, sorted by their pairs.
  [[nodiscard]] std::span<const At> begun() const { return begun_; }
  [[nodiscard]] bool has_begun(At at) const { return life_[at] == Life::begun; }
  /// Returns the pairs that ended, sorted.
  [[nodiscard]] std::span<const Pair> ended() const { return ended_; }
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
    asked,  ///< while patching: it did before
  };
  static constexpr At none = ~At{0};

  /// An entry that came later.
  struct Late {
    Pair pair;
    At at;
  };

  [[nodiscard]] bool is_worn() const;
  void start_anew();
  static void make_adjacency(std::span<const Contact> contacts, Adjacency& adjacency);
  [[nodiscard]] At find(Pair pair, bool by_a) const;
  void ask(At at);
  void begin(const Contact& contact);
  void take_latest();

  bool is_patched_ = false;
  std::size_t size_ = 0;
  std::span<const Contact> given_;  ///< to `replace`
  std::vector<Contact> own_;        ///< entries, where they were patched
  std::vector<Life> life_;          ///< [own]
  std::size_t sorted_ = 0;          ///< entries that are; the others came later
  std::vector<At> begun_;
  std::vector<Pair> ended_;
  std::vector<At> order_;
  std::vector<At> stayed_;

  Adjacency adjacency_;        ///< of the sorted entries
  std::vector<At> asked_;      ///< scratch
  std::vector<Late> late_;     ///< sorted by pair
  std::vector<Late> latest_;   ///< those of this step, sorted by pair
  bool closes_ranks_ = false;  ///< in the patch that is prepared: with what follows, sorted
  std::vector<Contact> room_;
  Adjacency room_adjacency_;
  std::size_t most_asked_ = 0;
};

}  // namespace broadside
