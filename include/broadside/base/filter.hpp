#pragma once

#include <cstdint>

namespace broadside {

/// Who may touch whom, and who wants to hear of it. As it is made it lets everything through.
///
/// A game has few different filters, however many bodies: they are kept once each, and what a broad phase
/// compares for a pair is one bit.
struct Filter {
  std::uint64_t layer = 1;                  ///< the layers that the box is on
  std::uint64_t mask = ~std::uint64_t{0};   ///< the layers that it may touch; both sides must agree
  std::uint64_t wants = ~std::uint64_t{0};  ///< the layers it wants to hear of; one interested side is enough
  std::int32_t group = 0;  ///< not 0 and the same on both sides: above 0 always touch, below 0 never
  std::uint64_t tags = 1;  ///< what it is called, for those who hear by name; a `World` fills in both
  std::uint64_t hears =
      ~std::uint64_t{0};  ///< the tags it wants to hear of, of the layers it wants to hear of

  friend constexpr bool operator==(const Filter& a, const Filter& b) = default;
};

/// Tells whether boxes with these filters make a pair: group first, then both masks, then whether anybody
/// cares. Symmetric.
constexpr bool may_touch(const Filter& a, const Filter& b) {
  const bool wanted = ((a.wants & b.layer) != 0 && (a.hears & b.tags) != 0) ||
                      ((b.wants & a.layer) != 0 && (b.hears & a.tags) != 0);
  if (a.group != 0 && a.group == b.group) {
    return a.group > 0 && wanted;
  }
  return (a.mask & b.layer) != 0 && (b.mask & a.layer) != 0 && wanted;
}

}  // namespace broadside
