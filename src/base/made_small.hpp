#pragma once

namespace broadside::detail {

/// Whether code shall be small rather than quick, as where a page waits for it. What gains time alone, and
/// not a bit of any answer, is then left out.
#ifdef __OPTIMIZE_SIZE__
constexpr bool is_made_small = true;
#else
constexpr bool is_made_small = false;
#endif

}  // namespace broadside::detail
