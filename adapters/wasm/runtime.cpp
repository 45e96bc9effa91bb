#include <array>
#include <chrono>
#include <cstdlib>
#include <new>
#include <string>

#include "base/number_text.hpp"
#include "bridge.hpp"

// Replaces functions of the library and the C++ runtime, for a module without threads, files and an end.

// Writes a number as text (UTF-8, 32 bytes at most); returns its length.
BROADSIDE_IMPORT(int, number_text)(float number, int digits, char* text);

// Returns the time since a fixed moment (unit: millisecond).
BROADSIDE_IMPORT(double, milliseconds)();

namespace broadside::inline v0_2::detail {

// The tables of `std::to_chars` alone are 100 kB; JavaScript has its own.
std::string number_text(float number, int digits) {
  std::array<char, 32> text{};
  return {text.data(), static_cast<std::size_t>(::number_text(number, digits, text.data()))};
}

}  // namespace broadside::inline v0_2::detail

// Without a message: libc++ would print it with printf, which is large, and nobody would see it.

extern "C" [[noreturn]] void abort_message(const char* /*format*/, ...) {
  std::abort();
}

_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char* /*format*/, ...) {
  std::abort();
}

namespace chrono {
// That of libc++ goes through WASI, and can fail.
steady_clock::time_point steady_clock::now() noexcept {
  return time_point(duration(static_cast<rep>(1e6 * ::milliseconds())));
}
}  // namespace chrono
_LIBCPP_END_NAMESPACE_STD

// Abort when out of memory; the operator of libc++ throws.

void* operator new(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) {
    std::abort();
  }
  return memory;
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}
