#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "broadside/base/result.hpp"

namespace broadside::inline v0_2 {

/// Returns whether the bytes begin like a .xz file.
[[nodiscard]] bool is_xz(std::string_view bytes);

/// Unpacks a whole .xz file of at most `max_bytes` bytes; a larger one is an error and is not unpacked
/// further.
[[nodiscard]] Result<std::string> unpack_xz(std::string_view bytes, std::uint64_t max_bytes,
                                            const std::string& name);

/// Unpacks the first `count` bytes, or as many as there are.
[[nodiscard]] Result<std::string> unpack_xz_begin(std::string_view bytes, std::size_t count,
                                                  const std::string& name);

/// Packs bytes as .xz.
[[nodiscard]] Result<std::string> pack_xz(std::string_view bytes);

}  // namespace broadside::inline v0_2
