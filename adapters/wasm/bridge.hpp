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

// How the package in web/ and the library talk. What crosses are plain numbers: arguments, and for what has
// no fixed length two arrays of doubles, one for each direction. JavaScript writes to `input()` before a
// call, and reads `output()` after it.

/// Exports a function of the module under the name it has here.
#define BROADSIDE_EXPORT(type, function) extern "C" __attribute__((export_name(#function))) type function

/// Imports a function that JavaScript provides.
#define BROADSIDE_IMPORT(type, function) \
  extern "C" __attribute__((import_module("broadside"), import_name(#function))) type function

namespace broadside::wasm {

/// The numbers that the next call reads.
std::vector<double>& input();
/// The numbers that the last call wrote.
std::vector<double>& output();

/// Keeps an error for JavaScript to ask for; returns its code.
int report(const Error& error);

/// Keeps the error of a result; returns its code, 0 for none.
template <typename T>
int report(const Result<T>& result) {
  return report(result.error());
}

/// Returns the nearest float; what is beyond them is infinite, and refused by the library.
float to_float(double number);

/// Reads `input()` number by number. What is beyond its end is 0.
class Reader {
 public:
  double number() { return at_ < input().size() ? input()[at_++] : 0.0; }
  float real() { return to_float(number()); }
  bool flag() { return number() != 0.0; }
  /// Reads an option: a flag, and a number that counts only if the flag is set.
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
  /// Returns what is left.
  std::span<const double> rest() const { return std::span(input()).subspan(at_); }
  void skip(std::size_t numbers) { at_ += numbers; }

 private:
  std::size_t at_ = 0;
};

/// Writes to `output()`, from its beginning.
class Writer {
 public:
  Writer() { output().clear(); }
  /// Writes a number of any kind; of 64 bits the upper 53.
  template <typename T>
  void number(T number) {
    output().push_back(static_cast<double>(number));
  }
  void vec2(Vec2 v);
  void body(BodyId body);
  void shape(const Shape& shape);
  /// Returns how many numbers were written.
  int size() const { return static_cast<int>(output().size()); }
};

/// Lets `write` write what a result has, or keeps its error; returns the error's code, 0 for none.
template <typename T, typename Write>
int answer(const Result<T>& result, Write write) {
  if (result.has_value()) {
    Writer writer;
    write(writer, *result);
  }
  return report(result);
}

/// Where something is, in two words.
struct Range {
  const void* begin;
  std::size_t size;
};

/// Tells where something is that stays as it is until the next call; so it is with the answer.
template <typename Things>
const Range* answer_in_place(const Things& things) {
  static Range range;
  range = {things.data(), things.size()};
  return &range;
}

}  // namespace broadside::wasm
