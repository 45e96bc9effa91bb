#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace broadside::inline v0_2 {

/// Random numbers that are the same on every machine.
///
/// The standard defines the bits of the engine; the conversions are our own, because those of `<random>`
/// differ between standard libraries.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Returns a number in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }

  /// Returns a number in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// Returns a whole number in [0, n). @pre n > 0
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }

  /// Returns an approximately normal number of mean 0 and variance 1.
  ///
  /// The sum of twelve uniform numbers, less 6 (Irwin-Hall): no function that libraries round differently.
  double normal() {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) {
      sum += uniform();
    }
    return sum;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace broadside::inline v0_2
