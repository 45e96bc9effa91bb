#pragma once

#include <functional>

namespace broadside::inline v0_2::detail {

/// Returns the order by a key, a member or a function of the elements, for the algorithms of <algorithm>.
/// (Those of std::ranges take the key itself, but libc++ 13, which Debian's Emscripten has, lacks them.)
template <typename Key>
auto by_key(Key key) {
  return
      [key](const auto& one, const auto& other) { return std::invoke(key, one) < std::invoke(key, other); };
}

}  // namespace broadside::inline v0_2::detail
