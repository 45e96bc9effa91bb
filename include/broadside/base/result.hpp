#pragma once

#include <cassert>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#if defined(__cpp_exceptions)
#include <exception>
#endif

namespace broadside {

/// What kind of thing went wrong. The sentence in `Error::message` says where, and what would be right.
enum class ErrorCode {
  none,
  invalid_argument,  ///< an argument that has no meaning here
  not_finite,        ///< a NaN or an infinity
  inverted_box,      ///< a box with min > max
  stale_id,          ///< names a box or a body that was removed, or never was
  wrong_world,       ///< names a body of another world
  locked,            ///< a change from within a query or a step that is under way
  too_many_pairs,    ///< more pairs than the caller's limit
  too_large,         ///< would need more memory than the documented bound
  io,                ///< the operating system refused
  parse,             ///< a file that is not what it should be
  version_mismatch,  ///< bytes of another version of this library
};

/// Returns the code's name, such as "not_finite".
[[nodiscard]] std::string_view name(ErrorCode code);

/// An error code and one sentence. Converts to true when there is an error.
struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::none;
  std::string message;

  explicit operator bool() const { return code != ErrorCode::none; }
};

#if defined(__cpp_exceptions)
/// Thrown by `Result::value()` alone, and only where exceptions are switched on.
class Exception : public std::exception {
 public:
  explicit Exception(Error error) : error_(std::move(error)) {}
  [[nodiscard]] const char* what() const noexcept override { return error_.message.c_str(); }
  [[nodiscard]] const Error& error() const noexcept { return error_; }

 private:
  Error error_;
};
#endif

namespace detail {
[[noreturn]] inline void raise([[maybe_unused]] const Error& error) {
#if defined(__cpp_exceptions)
  throw Exception(error);
#else
  std::abort();
#endif
}
}  // namespace detail

/// A value, or the error that kept it from being made.
///
/// Ask `error()`, or take `value()` at once: it throws `Exception` on an error (and aborts where exceptions
/// are switched off). `*result` and `result->` are for when the error was looked at; their precondition is
/// success.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {
    assert(std::get<1>(state_).code != ErrorCode::none);
  }

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  /// Returns the error; `ErrorCode::none` (false) on success.
  [[nodiscard]] const Error& error() const {
    static const Error no_error{};
    const Error* error = std::get_if<1>(&state_);
    return error == nullptr ? no_error : *error;
  }

  T& value() & {
    check();
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    check();
    return *std::get_if<0>(&state_);
  }
  /// By value, so that `for (auto pair : find_pairs(boxes).value())` keeps what it loops over alive.
  T value() && {
    check();
    return std::move(*std::get_if<0>(&state_));
  }

  T& operator*() & { return *unchecked(); }
  const T& operator*() const& { return *unchecked(); }
  T operator*() && { return std::move(*unchecked()); }
  T* operator->() { return unchecked(); }
  const T* operator->() const { return unchecked(); }

 private:
  void check() const {
    if (!has_value()) {
      detail::raise(*std::get_if<1>(&state_));
    }
  }
  T* unchecked() {
    assert(has_value());
    return std::get_if<0>(&state_);
  }
  const T* unchecked() const {
    assert(has_value());
    return std::get_if<0>(&state_);
  }

  std::variant<T, Error> state_;
};

/// Success, or an error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool has_value() const { return error_.code == ErrorCode::none; }
  explicit operator bool() const { return has_value(); }
  [[nodiscard]] const Error& error() const { return error_; }
  void value() const {
    if (!has_value()) {
      detail::raise(error_);
    }
  }

 private:
  Error error_;
};

}  // namespace broadside
