#pragma once

#include <hwy/cache_control.h>

#include <cstddef>

namespace broadside::detail {

/// Prefetches all cache lines of an object.
template <typename T>
void prefetch_object(const T& soon) {
  constexpr std::size_t line = 64;
  for (std::size_t at = 0; at < sizeof(T); at += line) {
    hwy::Prefetch(reinterpret_cast<const char*>(&soon) + at);
  }
}

}  // namespace broadside::detail
