#ifndef BROADSIDE_C_ALLOCATOR_H
#define BROADSIDE_C_ALLOCATOR_H

// Where broadside takes its memory from. All of it comes from the `operator new` of C++: a program in C++
// replaces that one itself; for a program in C, the library broadside_allocator (`broadside::allocator` in
// CMake) does.

#include "broadside/c/base.h"

// NOLINTBEGIN(readability-identifier-naming): as in C

#ifdef __cplusplus
extern "C" {
#endif

/// The memory of a program. Several threads may call the functions at once.
typedef struct bs_allocator {
  /// Returns memory for `bytes` bytes (at least 1) at a multiple of `alignment` (a power of two), or null if
  /// there is none.
  void* (*allocate)(size_t bytes, size_t alignment, void* context);
  /// Takes memory back that `allocate` has returned.
  void (*release)(void* memory, void* context);
  void* context;  ///< passed to both
} bs_allocator;

/// Makes all C++ code of the program, broadside included, take its memory from `allocator`, which is copied,
/// up to its end. Without this call, `malloc` gives it. Call it once, before any other function of broadside
/// and before other threads start.
///
/// @par Errors
/// `BS_INVALID_ARGUMENT` (null, or a function that is null); `BS_LOCKED` (C++ code holds memory, or the call
/// was made before). Neither has a sentence in `bs_last_error`.
bs_status bs_set_allocator(const bs_allocator* allocator);

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming)

#endif
