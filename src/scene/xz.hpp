#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "broadside/base/result.hpp"

namespace broadside {

/// Tells whether the bytes begin like a file made by xz.
[[nodiscard]] bool is_xz(std::string_view bytes);

/// Unpacks a whole .xz file. Stops with `too_large` beyond `max_bytes`, whatever the packed file promises.
[[nodiscard]] Result<std::string> unpack_xz(std::string_view bytes, std::uint64_t max_bytes,
                                            const std::string& name);

/// Packs bytes as .xz.
[[nodiscard]] Result<std::string> pack_xz(std::string_view bytes);

}  // namespace broadside
