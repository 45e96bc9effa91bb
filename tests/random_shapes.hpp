#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "boxes.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::test {

/// What random shapes have in common. Those of one family are near each other and of like size, so that two
/// of them often touch.
enum class Family {
  ordinary,    ///< sizes about 1, any angle
  lattice,     ///< all numbers are multiples of 1/2, quarter turns: exact touching is common
  degenerate,  ///< lattice, but sizes are 0 more often than not, and corners lie nearly on a line
  needle,      ///< long and thin, down to a millionth of the length
  tiny,        ///< 2^-100 of an ordinary one
  huge,        ///< 2^100 times an ordinary one
  far,         ///< lattice and ordinary, 1e6 from the origin
};

inline constexpr std::array families = {Family::ordinary, Family::lattice, Family::degenerate, Family::needle,
                                        Family::tiny,     Family::huge,    Family::far};

[[nodiscard]] std::string_view name(Family family);

/// A shape where it stands.
struct Standing {
  Shape shape;
  Transform at;
};

/// How many alternatives of `Shape` are convex; they come first.
inline constexpr std::size_t convex_kinds = 5;

/// Returns a valid shape; `kind` is the index of the alternative in `Shape`, below `convex_kinds`.
[[nodiscard]] Shape random_shape(Family family, std::size_t kind, Random& random);

/// Returns a place near those of all others of the family.
[[nodiscard]] Transform random_transform(Family family, Random& random);

/// Returns a shape of any convex kind where it stands.
[[nodiscard]] Standing random_standing(Family family, Random& random);

/// Writes all numbers of a shape and its place, exactly (in hexadecimal), to be read in a failed test.
[[nodiscard]] std::string to_text(const Standing& standing);

}  // namespace broadside::test
