#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/reserve.hpp"
#include "broadside/base/pair.hpp"
#include "event/contact_log.hpp"

namespace broadside {

/// The places whose contacts a partial step searches again; the contacts of all others are kept.
class DirtyPlaces {
 public:
  /// Empties the set. Afterwards it takes places below `end`.
  void reset(std::size_t end) {
    for (const BoxIndex place : places_) {
      is_dirty_[place] = 0;
    }
    places_.clear();
    is_dirty_.resize(end);
  }
  void add(BoxIndex place) {
    if (is_dirty_[place] == 0) {
      places_.push_back(place);
      is_dirty_[place] = 1;
    }
  }

  /// Returns the places in the order in which they were added.
  [[nodiscard]] std::span<const BoxIndex> places() const { return places_; }
  [[nodiscard]] bool contains(BoxIndex place) const { return is_dirty_[place] != 0; }
  [[nodiscard]] ContactScope scope() const { return {places_, is_dirty_}; }
  [[nodiscard]] std::size_t bytes() const { return detail::bytes_of(places_, is_dirty_); }

 private:
  std::vector<BoxIndex> places_;
  std::vector<std::uint8_t> is_dirty_;  ///< [places] 1 for these
};

}  // namespace broadside
