#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/reserve.hpp"
#include "broadside/base/pair.hpp"
#include "event/contact_log.hpp"

namespace broadside::inline v0_2 {

/// A set of places, which keeps its memory when it is emptied. It may be the set of all, without a list.
class PlaceSet {
 public:
  /// Empties the set, in O(its places). Afterwards it takes places below `end`.
  void reset(std::size_t end) {
    for (const BoxIndex place : places_) {
      is_in_[place] = 0;
    }
    places_.clear();
    is_in_.resize(end);
    is_all_ = false;
  }
  /// Makes it the set of all places, until the next `reset`.
  void set_all() { is_all_ = true; }
  /// Adds a place; returns whether it is new.
  bool add(BoxIndex place) {
    if (is_in_[place] != 0) {
      return false;
    }
    places_.push_back(place);
    is_in_[place] = 1;
    return true;
  }

  [[nodiscard]] bool is_all() const { return is_all_; }
  [[nodiscard]] bool contains(BoxIndex place) const { return is_all_ || is_in_[place] != 0; }
  /// Returns the places in the order in which they were added. @pre it is not the set of all
  [[nodiscard]] std::span<const BoxIndex> places() const { return places_; }
  /// @pre as `places`
  [[nodiscard]] ContactScope scope() const { return {places_, is_in_}; }
  [[nodiscard]] std::size_t bytes() const { return detail::bytes_of(places_, is_in_); }

 private:
  std::vector<BoxIndex> places_;
  std::vector<std::uint8_t> is_in_;  ///< [places] 1 for these
  bool is_all_ = false;
};

}  // namespace broadside::inline v0_2
