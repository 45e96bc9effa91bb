#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "broadside/base/body_id.hpp"
#include "broadside/base/filter.hpp"
#include "broadside/base/result.hpp"
#include "broadside/body/shape.hpp"

// The interface between the package in web/ and the library. Only numbers cross it: the arguments, and for
// data of variable length two arrays of doubles, one for each direction. JavaScript writes to `input()`
// before a call and reads `output()` after it.

/// Exports a function from the module under its own name.
#define BROADSIDE_EXPORT(type, function) extern "C" __attribute__((export_name(#function))) type function

/// Imports a function that JavaScript provides.
#define BROADSIDE_IMPORT(type, function) \
  extern "C" __attribute__((import_module("broadside"), import_name(#function))) type function

namespace broadside::wasm {

/// Returns the numbers that the next call reads.
std::vector<double>& input();
/// Returns the numbers that the last call wrote.
std::vector<double>& output();

/// Stores an error for JavaScript to read; returns its code.
int report(const Error& error);

/// Stores the error of a result; returns its code, 0 for none.
template <typename T>
int report(const Result<T>& result) {
  return report(result.error());
}

/// Returns the nearest float; infinity beyond their range, which the library refuses.
float to_float(double number);

/// Reads `input()` number by number; 0 after its end.
class Reader {
 public:
  double number() { return at_ < input().size() ? input()[at_++] : 0.0; }
  float real() { return to_float(number()); }
  bool flag() { return number() != 0.0; }
  /// Reads an option: a flag, and a number that is used only if the flag is set.
  std::optional<double> option() {
    const bool is_given = flag();
    const double value = number();
    return is_given ? std::optional(value) : std::nullopt;
  }
  /// Reads a whole number from 0 to 2^32 - 1; anything else is 0.
  std::uint32_t count();
  /// Reads 64 bits in two halves, the lower first.
  std::uint64_t bits();
  Vec2 vec2();
  Rotation rotation();
  BodyId body();
  Filter filter();
  /// Reads a shape: its kind, then its numbers.
  Result<Shape> shape();
  /// Returns the numbers that are not yet read.
  std::span<const double> rest() const { return std::span(input()).subspan(at_); }

 private:
  std::size_t at_ = 0;
};

/// Writes to `output()`, from the beginning.
class Writer {
 public:
  Writer() { output().clear(); }
  /// Writes a number of any type; integers of 64 bits are rounded to 53.
  template <typename T>
  void number(T number) {
    output().push_back(static_cast<double>(number));
  }
  void vec2(Vec2 v);
  void body(BodyId body);
  void shape(const Shape& shape);
  /// Returns the number of numbers written.
  int size() const { return static_cast<int>(output().size()); }
};

/// Passes the value of a result to `write`, or stores its error; returns the code of the error, 0 for none.
template <typename T, typename Write>
int answer(const Result<T>& result, Write write) {
  if (result.has_value()) {
    Writer writer;
    write(writer, *result);
  }
  return report(result);
}

/// The address and size of an array.
struct Range {
  const void* begin;
  std::size_t size;
};

/// Returns the address and size of an array that stays unchanged until the next call, as does the returned
/// range.
template <typename Things>
const Range* answer_in_place(const Things& things) {
  static Range range;
  range = {things.data(), things.size()};
  return &range;
}

}  // namespace broadside::wasm
