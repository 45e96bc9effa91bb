#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "broadside/base/export.h"

namespace broadside::inline v0_2::detail {

// Snapshots, recordings and traces end with a checksum, to detect damage. It is not a signature: anybody can
// compute it. That of snapshots and recordings is the wide one, since games make some of them in each frame;
// that of traces is a documented format.

/// Size of a checksum in bytes.
inline constexpr std::size_t checksum_size = 8;

/// Reads bytes [count] as a little-endian number on every machine.
/// @pre count <= 8
inline std::uint64_t word_at(const std::byte* bytes, std::size_t count) {
  std::uint64_t word = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&word, bytes, count);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      word |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    }
  }
  return word;
}

/// Writes a number as little-endian bytes on every machine.
template <typename T>
void set_word(T word, std::byte* bytes) {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(bytes, &word, sizeof(T));
  } else {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bytes[i] = static_cast<std::byte>((std::uint64_t{word} >> (8 * i)) & 0xFFU);
    }
  }
}

/// Returns a hash of bytes that is the same on every machine. Exported for the readers of traces.
///
/// Passes 8 bytes at a time to `HashMixer`, the last ones padded with zeros.
///
/// @param start seed; must differ for inputs of different length: the padding hides zeros at the end
/// @par Complexity
/// O(n), about 7 cycles per 8 bytes.
[[nodiscard]] BROADSIDE_API std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t start);

/// Returns another hash of bytes that is the same on every machine, in eight chains: word i is passed to
/// chain i mod 8, and their hashes and the rest to a last one.
///
/// @par Complexity
/// O(n), about a cycle per 8 bytes, because processors work on several chains at once.
[[nodiscard]] std::uint64_t wide_checksum(std::span<const std::byte> bytes);

/// Returns the checksum of all bytes of a file before it.
inline std::uint64_t checksum(std::span<const std::byte> bytes) {
  return hash_bytes(bytes, bytes.size());
}

/// Tells whether the last 8 bytes are the checksum of the bytes before them, as `checksum_of` computes it.
/// @pre there are at least 8
template <typename Checksum>
bool has_checksum(std::span<const std::byte> bytes, Checksum checksum_of) {
  const auto content = bytes.first(bytes.size() - checksum_size);
  return word_at(bytes.data() + content.size(), checksum_size) == checksum_of(content);
}

}  // namespace broadside::inline v0_2::detail
