#pragma once

namespace broadside::detail {

/// Whether to prefer small code to fast code, as for a web page that loads it. Code that only saves time, and
/// never changes a result, is then left out.
#ifdef __OPTIMIZE_SIZE__
constexpr bool optimize_for_size = true;
#else
constexpr bool optimize_for_size = false;
#endif

}  // namespace broadside::detail
