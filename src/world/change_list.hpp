#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/pair.hpp"

namespace broadside::inline v0_2 {

/// The places that changed since the last step, and those whose boxes are out of date.
class ChangeList {
 public:
  using Place = BoxIndex;

  // Kinds of changes, as bits.
  static constexpr std::uint8_t reassigned = 1;       ///< the place has another body, or is free
  static constexpr std::uint8_t moved = 2;            ///< its contacts must be searched again
  static constexpr std::uint8_t box_outdated = 4;     ///< its box is out of date
  static constexpr std::uint8_t filter_changed = 8;   ///< its filter, tag or ignored bodies changed
  static constexpr std::uint8_t sensor_changed = 16;  ///< it became a sensor, or is no longer one

  /// The body that was at a place in the last step, before the place was renewed.
  struct Replaced {
    Place place;
    std::uint32_t generation;
    std::uint32_t tag;  ///< one use of it
  };

  /// Reserves memory for `places`, so that nothing below can fail.
  void reserve(std::size_t places);
  /// Reserves memory for `more` replaced bodies.
  void reserve_replaced(std::size_t more);
  /// Grows the arrays to `places`; new places are unchanged. @pre memory was reserved
  void grow_to(std::size_t places) {
    bits_.resize(places);
    is_unboxed_.resize(places);
  }

  /// Marks changes of a place; returns whether its box was up to date and no longer is.
  bool mark(Place place, std::uint8_t bits) {
    if (bits_[place] == 0) {
      changed_.push_back(place);
    }
    bits_[place] |= static_cast<std::uint8_t>(bits | listed);
    if ((bits & box_outdated) == 0 || is_unboxed_[place] != 0) {
      return false;
    }
    is_unboxed_[place] = 1;
    unboxed_.push_back(place);
    return true;
  }
  /// Clears the bit `moved` of a place, which stays in `changed`.
  void unmark_moved(Place place) { bits_[place] &= static_cast<std::uint8_t>(~std::uint32_t{moved}); }
  /// Clears all changes, except which boxes are out of date.
  void clear();

  [[nodiscard]] std::uint8_t bits(Place place) const {
    return static_cast<std::uint8_t>(bits_[place] & ~listed);
  }
  [[nodiscard]] bool has(Place place, std::uint8_t bits) const { return (bits_[place] & bits) != 0; }
  /// Returns whether one of two places has one of these bits.
  [[nodiscard]] bool has(Pair pair, std::uint8_t bits) const {
    return ((bits_[pair.a] | bits_[pair.b]) & bits) != 0;
  }
  /// Returns the bits of all places, or an empty span if no body was replaced.
  [[nodiscard]] std::span<const std::uint8_t> bits_if_renewed() const {
    return replaced_.empty() ? std::span<const std::uint8_t>() : bits_;
  }
  /// Returns the bits of all places. Bits above `sensor_changed` are internal.
  [[nodiscard]] std::span<const std::uint8_t> bits() const { return bits_; }
  /// Returns the places that changed, each once.
  [[nodiscard]] std::span<const Place> changed() const { return changed_; }

  /// Returns the places whose boxes are out of date, ascending.
  [[nodiscard]] std::span<const Place> unboxed_places();
  /// Marks all boxes as up to date.
  void clear_unboxed();

  /// Records which body was at a place in the last step.
  ///
  /// @pre memory was reserved, and no body of this place was recorded since the step
  void add_replaced(const Replaced& body);
  /// Returns the replaced bodies, in the order in which they were recorded.
  [[nodiscard]] std::span<const Replaced> replaced() const { return replaced_; }
  /// Returns the replaced bodies by ascending place.
  [[nodiscard]] std::vector<Replaced> replaced_in_order() const;
  /// Returns the body that was at a place in the last step, or null if it is still there.
  [[nodiscard]] const Replaced* find_replaced(Place place) const {
    return has(place, reassigned) && place < replaced_at_.size() ? find_in_list(place) : nullptr;
  }

  [[nodiscard]] std::size_t bytes() const;

 private:
  static constexpr std::uint32_t listed = 128;  ///< bit that is set for each place in `changed_`

  [[nodiscard]] const Replaced* find_in_list(Place place) const;

  std::vector<std::uint8_t> bits_;  ///< [places]
  std::vector<Place> changed_;      ///< places with any bit set
  // Separate from `bits_`, which const calls read while one of them updates boxes.
  std::vector<std::uint8_t> is_unboxed_;  ///< [places] 1 for those in `unboxed_`
  std::vector<Place> unboxed_;
  std::vector<Replaced> replaced_;
  std::vector<std::uint32_t> replaced_at_;  ///< [places or fewer] index in `replaced_`, if it was replaced
};

}  // namespace broadside::inline v0_2
