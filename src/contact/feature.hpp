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

/// Returns what makes a contact point as one number, by the numbers of the corners and edges of both: the
/// same whichever of two faces it was clipped at.
constexpr std::uint32_t feature(Meeting kind, std::size_t of_a, std::size_t of_b) {
  constexpr std::uint32_t bits = 8;
  return (static_cast<std::uint32_t>(kind) << (2 * bits)) | (static_cast<std::uint32_t>(of_a) << bits) |
         static_cast<std::uint32_t>(of_b);
}

}  // namespace broadside::detail
