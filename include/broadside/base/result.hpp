#pragma once

#include <cassert>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "broadside/base/export.h"

#if defined(__cpp_exceptions)
#include <exception>
#endif

// g++ 14 takes a span that a temporary `Result` returned for a reference into that `Result`.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(gnu::no_dangling)
#define BROADSIDE_NO_DANGLING [[gnu::no_dangling]]
#endif
#endif
#if !defined(BROADSIDE_NO_DANGLING)
#define BROADSIDE_NO_DANGLING
#endif

namespace broadside::inline v0_2 {

/// Kinds of errors. The sentence in `Error::message` says where it happened, and what would be correct.
enum class ErrorCode {
  none,
  invalid_argument,  ///< an argument that has no meaning here
  not_finite,        ///< a NaN or an infinity
  inverted_box,      ///< a box with min > max
  stale_id,          ///< the id of a box or body that was removed or never existed
  wrong_world,       ///< the id of a body of another world
  locked,            ///< a change during a query or a step
  too_many_pairs,    ///< more pairs than the caller's limit
  too_large,         ///< would need more memory than the documented bound
  io,                ///< the operating system reported a failure
  parse,             ///< a malformed file
  version_mismatch,  ///< bytes of another version of this library
};

/// Returns the code's name, such as "not_finite".
[[nodiscard]] BROADSIDE_API std::string_view name(ErrorCode code);

/// An error code and one sentence. Converts to true when there is an error.
struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::none;
  std::string message;

  explicit operator bool() const { return code != ErrorCode::none; }
};

#if defined(__cpp_exceptions)
/// Thrown only by `Result::value()`, and only where exceptions are enabled.
class BROADSIDE_API Exception : public std::exception {
 public:
  explicit Exception(Error error) : error_(std::move(error)) {}
  [[nodiscard]] const char* what() const noexcept override { return error_.message.c_str(); }
  [[nodiscard]] const Error& error() const noexcept { return error_; }

 private:
  Error error_;
};
#endif

namespace detail {

// How `value()` fails in this translation unit. `value()` is instantiated with one of two types, so that
// units with and without exceptions can be linked together in any order, and each keeps its behavior. A
// single inline function would violate the one-definition rule: the linker would choose one behavior for all
// units.
#if defined(__cpp_exceptions)
struct Throw {
  [[noreturn]] static void raise(const Error& error) { throw Exception(error); }
};
using Raise = Throw;
#else
struct Abort {
  [[noreturn]] static void raise(const Error&) { std::abort(); }
};
using Raise = Abort;
#endif

}  // namespace detail

/// A value, or the error that explains why there is none.
///
/// Check `has_value()` or `error()`, or call `value()` directly: on an error `value()` throws `Exception`, or
/// aborts if the calling translation unit is compiled without exceptions. `*result` and `result->` have the
/// precondition `has_value()`.
///
/// A `Result` does not convert to bool: `if (world.touching(a, b))` would test whether the call succeeded,
/// but read as if it tested whether the bodies touch. Write `if (world.touching(a, b).value())`.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {
    assert(std::get<1>(state_).code != ErrorCode::none);
  }

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const = delete;  // see above: use has_value(), error() or value()

  /// Returns the error; `ErrorCode::none` (false) on success.
  [[nodiscard]] const Error& error() const {
    static const Error no_error{};
    const Error* error = std::get_if<1>(&state_);
    return error == nullptr ? no_error : *error;
  }

  template <typename Raise = detail::Raise>
  T& value() & {
    raise_error<Raise>();
    return *std::get_if<0>(&state_);
  }
  template <typename Raise = detail::Raise>
  const T& value() const& {
    raise_error<Raise>();
    return *std::get_if<0>(&state_);
  }
  /// Returns by value, so that `for (auto pair : find_pairs(boxes).value())` keeps the range alive.
  template <typename Raise = detail::Raise>
  BROADSIDE_NO_DANGLING T value() && {
    raise_error<Raise>();
    return std::move(*std::get_if<0>(&state_));
  }

  /// Returns the value, or `other` if there is an error.
  template <typename U>
  BROADSIDE_NO_DANGLING [[nodiscard]] T value_or(U&& other) const& {
    return has_value() ? *std::get_if<0>(&state_) : static_cast<T>(std::forward<U>(other));
  }
  template <typename U>
  BROADSIDE_NO_DANGLING [[nodiscard]] T value_or(U&& other) && {
    return has_value() ? std::move(*std::get_if<0>(&state_)) : static_cast<T>(std::forward<U>(other));
  }

  T& operator*() & { return *unchecked(); }
  const T& operator*() const& { return *unchecked(); }
  BROADSIDE_NO_DANGLING T operator*() && { return std::move(*unchecked()); }
  T* operator->() { return unchecked(); }
  const T* operator->() const { return unchecked(); }

 private:
  template <typename Raise>
  void raise_error() const {
    if (!has_value()) {
      Raise::raise(*std::get_if<1>(&state_));
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
  explicit operator bool() const = delete;  // as for every other `Result`
  [[nodiscard]] const Error& error() const { return error_; }
  template <typename Raise = detail::Raise>
  void value() const {
    if (!has_value()) {
      Raise::raise(error_);
    }
  }

 private:
  Error error_;
};

}  // namespace broadside::inline v0_2
