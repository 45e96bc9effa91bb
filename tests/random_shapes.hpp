#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "boxes.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::test {

/// Families of random shapes. Shapes of one family are near each other and of similar size, so that they
/// often touch.
enum class Family {
  ordinary,    ///< sizes about 1, any angle
  lattice,     ///< all numbers are multiples of 1/2, quarter turns: exact touching is common
  degenerate,  ///< lattice, but sizes are 0 more often than not, and corners lie nearly on a line
  needle,      ///< long and thin, down to a millionth of the length
  tiny,        ///< 2^-100 of an ordinary shape
  huge,        ///< 2^100 times an ordinary shape
  far,         ///< lattice and ordinary, 1e6 from the origin
};

inline constexpr std::array families = {Family::ordinary, Family::lattice, Family::degenerate, Family::needle,
                                        Family::tiny,     Family::huge,    Family::far};

[[nodiscard]] std::string_view name(Family family);

/// A shape and its transform.
struct Standing {
  Shape shape;
  Transform at;
};

/// How many alternatives of `Shape` are convex; they come first.
inline constexpr std::size_t convex_kinds = 5;

/// Returns a valid shape; `kind` is the index of the alternative in `Shape`, below `convex_kinds`.
[[nodiscard]] Shape random_shape(Family family, std::size_t kind, Random& random);

/// Returns a transform near those of all others of the family.
[[nodiscard]] Transform random_transform(Family family, Random& random);

/// Returns a shape of any convex kind with a transform.
[[nodiscard]] Standing random_standing(Family family, Random& random);

/// Writes all numbers of a shape and its transform, exactly (in hexadecimal), for the message of a failed
/// test.
[[nodiscard]] std::string to_text(const Standing& standing);

}  // namespace broadside::test
