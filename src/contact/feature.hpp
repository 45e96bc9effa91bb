#pragma once

#include <cstddef>
#include <cstdint>

namespace broadside::inline v0_2::detail {

/// Kinds of features of two shapes that meet.
enum class Meeting : std::uint8_t {
  corners,    ///< a corner of each shape
  face_of_a,  ///< a face of a and a corner of b
  face_of_b,  ///< a corner of a and a face of b
};

inline constexpr std::uint32_t feature_bits = 8;

/// Packs the features that make a contact point into one number: the kind, and the indices of the corners or
/// edges of both shapes. The number does not depend on which of two faces was the reference face for
/// clipping.
/// @pre both indices are below 256; the same below
constexpr std::uint32_t feature(Meeting kind, std::size_t of_a, std::size_t of_b) {
  return (static_cast<std::uint32_t>(kind) << (2 * feature_bits)) |
         (static_cast<std::uint32_t>(of_a) << feature_bits) | static_cast<std::uint32_t>(of_b);
}

/// Returns the feature of a clipped contact point. Branch-free, as `on_b` cannot be predicted.
/// @param on_b the reference face belongs to b, otherwise to a
/// @param is_corner a corner of the reference face meets an edge of the other shape; otherwise the face meets
/// a corner of the other shape
/// @param own index of the reference face or of its corner
/// @param of_other index of the other shape's corner or edge
constexpr std::uint32_t feature_at_face(bool on_b, bool is_corner, std::size_t own, std::size_t of_other) {
  static_assert(static_cast<int>(Meeting::face_of_b) == static_cast<int>(Meeting::face_of_a) + 1);
  const auto kind =
      static_cast<std::uint32_t>(Meeting::face_of_a) + static_cast<std::uint32_t>(on_b != is_corner);
  const std::uint32_t shift = feature_bits * static_cast<std::uint32_t>(on_b);
  return (kind << (2 * feature_bits)) | (static_cast<std::uint32_t>(own) << (feature_bits - shift)) |
         (static_cast<std::uint32_t>(of_other) << shift);
}

}  // namespace broadside::inline v0_2::detail
