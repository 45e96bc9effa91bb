#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/body_type.hpp"
#include "broadside/base/result.hpp"

namespace broadside::test {

/// Returns the number in an environment variable, at least `least`; `otherwise` if it is not set.
inline std::size_t number_from_environment(const char* name, std::size_t otherwise, std::size_t least) {
  const char* wanted = std::getenv(name);
  return wanted == nullptr ? otherwise : std::max<std::size_t>(std::strtoul(wanted, nullptr, 10), least);
}

/// Returns a number that selects the draws of all tests: 0, or the value of `BROADSIDE_DRAWS`.
inline std::uint64_t draws() {
  static const std::uint64_t number = number_from_environment("BROADSIDE_DRAWS", 0, 0);
  return number;
}

/// Random numbers that are the same on every machine: the engine is portable, the standard's distributions
/// are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed + 1'000'000'007U * draws()) {}

  std::uint32_t bits() { return static_cast<std::uint32_t>(engine_() >> 32U); }

  /// Returns a number in [0, end).
  std::uint32_t below(std::uint32_t end) {
    return static_cast<std::uint32_t>((std::uint64_t{bits()} * end) >> 32U);
  }

  /// Returns a multiple of 2^-24 in [0, 1).
  float unit() { return static_cast<float>(bits() >> 8U) * 0x1p-24F; }

  float between(float low, float high) { return low + (high - low) * unit(); }

 private:
  std::mt19937_64 engine_;
};

/// Puts the elements of a list into a random order.
template <typename List>
void shuffle(List& list, Random& random) {
  for (std::size_t i = list.size(); i > 1; --i) {
    std::swap(list[i - 1], list[random.below(static_cast<std::uint32_t>(i))]);
  }
}

/// Makes about n valid boxes of one kind; some kinds have a fixed number (none, one).
struct BoxMaker {
  std::string_view name;
  std::vector<Aabb> (*make)(std::size_t n, Random& random);
};

/// Returns all kinds of boxes on which the techniques must agree.
std::span<const BoxMaker> box_makers();

/// Returns n boxes of the kind, which must exist.
std::vector<Aabb> make_boxes(std::string_view kind, std::size_t n, std::uint64_t seed);

/// Returns boxes of a drawn kind, fewer than `most`.
std::vector<Aabb> draw_boxes(Random& random, std::uint32_t most);

BodyType random_type(Random& random);

/// A box that must be refused, and what the error must mention.
struct BadBox {
  std::string name;
  Aabb box;
  ErrorCode code;
  std::string field;
};

/// Returns boxes that are bad in every possible way: each field NaN or infinite, each axis inverted.
std::vector<BadBox> bad_boxes();

/// Returns whether `text` contains `part`.
inline bool mentions(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace broadside::test
