#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>

#include "base/try_alloc.hpp"
#include "broadside/base/result.hpp"
#include "broadside/c/base.h"

// What the functions of the C interface share: errors, null pointers and the sizes of options.

namespace broadside::inline v0_2::detail {

/// Stores the sentence for `bs_last_error`, and returns the status.
bs_status report(const Error& error);
bs_status report_out_of_memory();

/// Calls `call`, which returns an `Error`; returns what became of it. No exception leaves it.
template <typename Call>
bs_status status_of(const Call& call) {
  bs_status status = BS_OK;
  const bool had_memory = try_alloc([&] {
    if (const Error error = call()) {
      status = report(error);
    }
  });
  return had_memory ? status : report_out_of_memory();
}

/// An argument that must not be null, and its name for the sentence.
struct Required {
  const void* pointer;
  const char* name;
  std::size_t count = 1;  ///< of elements that it points to: an array of none may be null
};

/// Refuses the first argument that is null.
[[nodiscard]] Error find_null(const char* function, std::initializer_list<Required> arguments);

/// Refuses a wrong size of an options struct.
[[nodiscard]] Error check_size(const char* function, std::size_t size, std::size_t expected);

}  // namespace broadside::inline v0_2::detail
