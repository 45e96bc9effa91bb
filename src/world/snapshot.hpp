#pragma once

#include <cstddef>
#include <cstdint>

namespace broadside::detail {

// How a snapshot begins: these two, then the number of the world, which is not part of the hash.
inline constexpr std::uint32_t snapshot_magic = 0x57445342;  // "BSDW"
inline constexpr std::uint32_t snapshot_version = 2;
inline constexpr std::size_t snapshot_header_size = 12;

}  // namespace broadside::detail
