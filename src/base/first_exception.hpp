#pragma once

#if defined(__cpp_exceptions)
#include <exception>
#endif

namespace broadside::inline v0_2::detail {

/// Makes several calls even if some throw, and keeps the first exception for the end. Without support for
/// exceptions it only makes the calls.
class FirstException {
 public:
  template <typename Call>
  void guard(const Call& call) {
#if defined(__cpp_exceptions)
    try {
      call();
    } catch (...) {
      if (first_ == nullptr) {
        first_ = std::current_exception();
      }
    }
#else
    call();
#endif
  }

  /// Rethrows the first exception, if any.
  void rethrow() const {
#if defined(__cpp_exceptions)
    if (first_ != nullptr) {
      std::rethrow_exception(first_);
    }
#endif
  }

#if defined(__cpp_exceptions)
 private:
  std::exception_ptr first_;
#endif
};

}  // namespace broadside::inline v0_2::detail
