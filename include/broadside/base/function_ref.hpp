#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace broadside::inline v0_2 {

template <typename Signature>
class FunctionRef;

/// A non-owning reference to a callable, for parameters. Does not allocate; the callable must outlive it.
template <typename R, typename... Args>
class FunctionRef<R(Args...)> {
 public:
  template <typename F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<R, F&, Args...>)
      // clang-tidy 14 does not see that the constraint keeps it from hiding the copy constructor.
      FunctionRef(F&& function) {  // NOLINT(bugprone-forwarding-reference-overload)
    using Callee = std::remove_reference_t<F>;
    if constexpr (std::is_function_v<Callee>) {
      callee_.function = reinterpret_cast<void (*)()>(&function);
      call_ = [](Callable callee, Args... args) -> R {
        return static_cast<R>((*reinterpret_cast<Callee*>(callee.function))(std::forward<Args>(args)...));
      };
    } else {
      callee_.object = std::addressof(function);
      call_ = [](Callable callee, Args... args) -> R {
        return static_cast<R>(
            (*static_cast<Callee*>(const_cast<void*>(callee.object)))(std::forward<Args>(args)...));
      };
    }
  }

  R operator()(Args... args) const { return call_(callee_, std::forward<Args>(args)...); }

 private:
  union Callable {
    const void* object;
    void (*function)();
  };

  Callable callee_;
  R (*call_)(Callable, Args...);
};

}  // namespace broadside::inline v0_2
