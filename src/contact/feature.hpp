#pragma once

#include <cstddef>
#include <cstdint>

namespace broadside::detail {

/// Which features of two shapes meet.
enum class Meeting : std::uint8_t {
  corners,    ///< a corner of each
  face_of_a,  ///< a face of a, and a corner of b
  face_of_b,  ///< the other way round
};

inline constexpr std::uint32_t feature_bits = 8;

/// Returns what makes a contact point as one number, by the numbers of the corners and edges of both: the
/// same whichever of two faces it was clipped at.
constexpr std::uint32_t feature(Meeting kind, std::size_t of_a, std::size_t of_b) {
  return (static_cast<std::uint32_t>(kind) << (2 * feature_bits)) |
         (static_cast<std::uint32_t>(of_a) << feature_bits) | static_cast<std::uint32_t>(of_b);
}

/// Returns it for a face, or a corner of a face, of b or else of a. Which of the two it is cannot be guessed,
/// so there is no branch.
/// @param is_corner of the face that is met at an edge of the other, else the face at a corner of the other
constexpr std::uint32_t feature_at_face(bool on_b, bool is_corner, std::size_t own, std::size_t of_other) {
  static_assert(static_cast<int>(Meeting::face_of_b) == static_cast<int>(Meeting::face_of_a) + 1);
  const auto kind =
      static_cast<std::uint32_t>(Meeting::face_of_a) + static_cast<std::uint32_t>(on_b != is_corner);
  const std::uint32_t shift = feature_bits * static_cast<std::uint32_t>(on_b);
  return (kind << (2 * feature_bits)) | (static_cast<std::uint32_t>(own) << (feature_bits - shift)) |
         (static_cast<std::uint32_t>(of_other) << shift);
}

}  // namespace broadside::detail
