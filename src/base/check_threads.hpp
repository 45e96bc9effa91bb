#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "broadside/base/result.hpp"
#include "broadside/base/tasks.hpp"

namespace broadside::inline v0_2::detail {

/// Checks a number of threads for a `ThreadPool`, of which 0 means as many as the machine has. `call` names
/// the function in the message.
inline Error check_threads(std::size_t threads, std::string_view call) {
  return threads <= ThreadPool::max_threads
             ? Error{}
             : Error{ErrorCode::invalid_argument,
                     std::string(call) + ": " + std::to_string(threads) + " threads; there can be 1 to " +
                         std::to_string(ThreadPool::max_threads) + ", or 0 for as many as the machine has"};
}

}  // namespace broadside::inline v0_2::detail
