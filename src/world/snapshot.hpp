#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "broadside/base/result.hpp"

namespace broadside::detail {

// The header of a snapshot: magic, version and the number of the world, which is not part of the hash.
inline constexpr std::uint32_t snapshot_magic = 0x57445342;  // "BSDW"
inline constexpr std::uint32_t snapshot_version = 2;
inline constexpr std::size_t snapshot_number_at = 8;
inline constexpr std::size_t snapshot_header_size = 12;
/// Bits among the stored changes of a place, beside those of `ChangeList`. `box_outdated` is not stored: its
/// bit says that the velocity of the body that was removed from the place follows.
inline constexpr std::uint8_t has_removed_velocity = 4;
inline constexpr std::uint8_t is_fast_body =
    32;  ///< it moved so far since the last `detect` that it is swept

/// Checks a snapshot, or a recording, which begins with one; returns the bytes before its checksum.
///
/// @param snapshot_at where the snapshot begins
/// @param call name of the called function, for the sentence of an error
/// @param what kind of data that it reads, likewise
/// @par Errors
/// `version_mismatch` for a snapshot of another version, `parse` for any other damage.
[[nodiscard]] Result<std::span<const std::byte>> check_bytes(std::span<const std::byte> bytes,
                                                             std::size_t snapshot_at, std::string_view call,
                                                             std::string_view what);

}  // namespace broadside::detail
