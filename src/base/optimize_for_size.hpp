#pragma once

namespace broadside::detail {

/// Whether the compiler optimizes for size (`-Os`, `-Oz`), as for a web page, which has to load the code.
/// Then fast paths that never change a result are left out.
#ifdef __OPTIMIZE_SIZE__
constexpr bool optimize_for_size = true;
#else
constexpr bool optimize_for_size = false;
#endif

}  // namespace broadside::detail
