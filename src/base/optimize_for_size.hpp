#pragma once

namespace broadside::detail {

/// Whether code shall be small rather than quick, as where a page waits for it. What gains time alone, and
/// not a bit of any answer, is then left out.
#ifdef __OPTIMIZE_SIZE__
constexpr bool optimize_for_size = true;
#else
constexpr bool optimize_for_size = false;
#endif

}  // namespace broadside::detail
