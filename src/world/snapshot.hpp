#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "broadside/base/result.hpp"

namespace broadside::detail {

// How a snapshot begins: these two, then the number of the world, which is not part of the hash.
inline constexpr std::uint32_t snapshot_magic = 0x57445342;  // "BSDW"
inline constexpr std::uint32_t snapshot_version = 2;
inline constexpr std::size_t snapshot_number_at = 8;
inline constexpr std::size_t snapshot_header_size = 12;
/// A snapshot has this among the changes of a place, where it has no box to update: the velocity of the body
/// that was removed from there follows.
inline constexpr std::uint8_t has_left = 4;

/// Returns what is before the checksum of a snapshot, or of a recording, which begins with one.
///
/// @param snapshot_at where the snapshot begins
/// @param call which function is called, for the sentence of an error
/// @param what which kind of file it reads, likewise
/// @par Errors
/// `version_mismatch` where a snapshot of another version begins there, `parse` for all else that is not as
/// it was written.
[[nodiscard]] Result<std::span<const std::byte>> check_bytes(std::span<const std::byte> bytes,
                                                             std::size_t snapshot_at, std::string_view call,
                                                             std::string_view what);

}  // namespace broadside::detail
