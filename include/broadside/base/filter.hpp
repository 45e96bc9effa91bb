#pragma once

#include <cstdint>

namespace broadside::inline v0_2 {

/// Which boxes may touch, and which pairs are reported. The default lets everything through.
///
/// A game has few distinct filters, however many bodies: each is stored once, apart from its group, and
/// `HierarchicalGrid` compares one bit per pair. Any number of groups costs the same.
struct Filter {
  std::uint64_t layer = 1;                  ///< the layers that the box is on
  std::uint64_t mask = ~std::uint64_t{0};   ///< the layers that it may touch; both sides must agree
  std::uint64_t wants = ~std::uint64_t{0};  ///< the layers it wants reported; one side is enough
  std::int32_t group = 0;  ///< if equal and not 0 on both sides: above 0 ignores `mask`, below 0 never touch
  std::uint64_t tags = 1;  ///< the tags of the box, matched by `report_tags`; a `World` sets both
  std::uint64_t report_tags = ~std::uint64_t{0};  ///< the tags it wants reported, on the layers in `wants`

  friend constexpr bool operator==(const Filter& a, const Filter& b) = default;
};

namespace detail {

/// Does what `broadside::may_touch` does, with other groups than those of the filters.
constexpr bool may_touch(const Filter& a, std::int32_t group_a, const Filter& b, std::int32_t group_b) {
  const bool wanted = ((a.wants & b.layer) != 0 && (a.report_tags & b.tags) != 0) ||
                      ((b.wants & a.layer) != 0 && (b.report_tags & a.tags) != 0);
  if (group_a != 0 && group_a == group_b) {
    return group_a > 0 && wanted;
  }
  return (a.mask & b.layer) != 0 && (b.mask & a.layer) != 0 && wanted;
}

}  // namespace detail

/// Tells whether boxes with these filters make a pair. Symmetric.
///
/// Tests the group first, then both masks; and one side must want the other reported.
constexpr bool may_touch(const Filter& a, const Filter& b) {
  return detail::may_touch(a, a.group, b, b.group);
}

}  // namespace broadside::inline v0_2
