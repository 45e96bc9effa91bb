#include "broadside/base/result.hpp"

#include <array>
#include <cstddef>

namespace broadside::inline v0_2 {

std::string_view name(ErrorCode code) {
  // In the order of `ErrorCode`.
  constexpr std::array<std::string_view, 12> names = {
      "none",   "invalid_argument", "not_finite", "inverted_box", "stale_id", "wrong_world",
      "locked", "too_many_pairs",   "too_large",  "io",           "parse",    "version_mismatch"};
  const auto at = static_cast<std::size_t>(code);
  return at < names.size() ? names[at] : "unknown";
}

}  // namespace broadside::inline v0_2
