#include "call.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "broadside/base/version.hpp"

namespace broadside::inline v0_2::detail {

namespace {

/// The sentence of the last error. Of fixed size, so that storing it cannot fail.
thread_local std::array<char, 1024> last_error{};

void store(std::string_view sentence) {
  const std::size_t size = std::min(sentence.size(), last_error.size() - 1);
  std::copy_n(sentence.begin(), size, last_error.begin());
  last_error[size] = '\0';
}

bs_status status_of_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return BS_INVALID_ARGUMENT;
    case ErrorCode::not_finite:
      return BS_NOT_FINITE;
    case ErrorCode::inverted_box:
      return BS_INVERTED_BOX;
    case ErrorCode::stale_id:
      return BS_STALE_ID;
    case ErrorCode::wrong_world:
      return BS_WRONG_WORLD;
    case ErrorCode::locked:
      return BS_LOCKED;
    case ErrorCode::too_many_pairs:
      return BS_TOO_MANY_PAIRS;
    case ErrorCode::too_large:
      return BS_TOO_LARGE;
    case ErrorCode::parse:
      return BS_PARSE;
    case ErrorCode::version_mismatch:
      return BS_VERSION_MISMATCH;
    default:
      return BS_OTHER_ERROR;
  }
}

}  // namespace

bs_status report(const Error& error) {
  store(error.message);
  return status_of_code(error.code);
}

bs_status report_out_of_memory() {
  store("there is not enough memory");
  return BS_OUT_OF_MEMORY;
}

Error find_null(const char* function, std::initializer_list<Required> arguments) {
  for (const Required& argument : arguments) {
    if (argument.pointer == nullptr && argument.count > 0) {
      return {ErrorCode::invalid_argument, std::string(function) + ": " + argument.name + " is null"};
    }
  }
  return {};
}

Error check_size(const char* function, std::size_t size, std::size_t expected) {
  return size == expected ? Error{}
                          : Error{ErrorCode::invalid_argument,
                                  std::string(function) + ": the size of the options is " +
                                      std::to_string(size) + " instead of " + std::to_string(expected) +
                                      "; get them from their default function"};
}

}  // namespace broadside::inline v0_2::detail

const char* bs_status_name(bs_status status) {
  switch (status) {
    case BS_OK:
      return "ok";
    case BS_INVALID_ARGUMENT:
      return "invalid_argument";
    case BS_NOT_FINITE:
      return "not_finite";
    case BS_INVERTED_BOX:
      return "inverted_box";
    case BS_STALE_ID:
      return "stale_id";
    case BS_WRONG_WORLD:
      return "wrong_world";
    case BS_LOCKED:
      return "locked";
    case BS_TOO_MANY_PAIRS:
      return "too_many_pairs";
    case BS_TOO_LARGE:
      return "too_large";
    case BS_PARSE:
      return "parse";
    case BS_VERSION_MISMATCH:
      return "version_mismatch";
    case BS_OUT_OF_MEMORY:
      return "out_of_memory";
    case BS_OTHER_ERROR:
      return "other_error";
  }
  return "unknown";
}

const char* bs_last_error(void) {
  return broadside::detail::last_error.data();
}

const char* bs_version(void) {
  return broadside::version().data();  // a literal, so it ends with 0
}
