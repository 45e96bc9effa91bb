#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"
#include "broadside/contact/narrow_phase.hpp"

namespace broadside::test {

// Draws pairs of shapes and moves them to the inputs at which a public answer changes: touching or not, the
// number of points, a feature, the normal, a jump of a point. There, two code paths that must agree are most
// likely to differ. Needs no test framework, so that it also runs as WebAssembly.

/// Two shapes where they stand, and the motion of casts and rays.
struct Decision {
  std::uint32_t shapes = 0;  ///< the index of shape a; shape b follows
  Transform at_a;
  Transform at_b;
  Vec2 motion;  ///< of a, and of a ray (unit: length)
};

/// Decisions around drawn borders.
struct DecisionChunk {
  std::vector<Shape> shapes;
  std::vector<Decision> decisions;
  std::size_t borders = 0;   ///< found to the last bit of a double
  std::size_t directed = 0;  ///< of these: jumps of a common point under one normal
  std::size_t coarse = 0;    ///< found to the last bit of a float, as the pair is far from the origin
};

/// Draws about 4,000 decisions, always the same for the same number.
[[nodiscard]] DecisionChunk draw_decisions(std::uint32_t chunk);

inline constexpr std::array<std::string_view, 9> asked_functions = {
    "overlaps", "collide", "distance", "cast", "cast_ray", "contains", "bounds", "overlap", "World"};

/// The answers of all public functions.
struct DecisionAnswers {
  /// For each decision, a hash of the bits that each function returns, in the order of `asked_functions`.
  std::vector<std::array<std::uint64_t, asked_functions.size()>> hashes;
  std::vector<Contact> contacts;        ///< `find_contacts` over all decisions
  std::size_t bulk_differences = 0;     ///< contacts with a byte that differs from those of `collide`
  std::size_t unused_bytes_in_use = 0;  ///< bytes of unused manifold points that are not 0

  /// Returns a hash of all members, the contacts by their bytes.
  [[nodiscard]] std::uint64_t hash() const;
};

/// Answers all decisions of a chunk.
[[nodiscard]] DecisionAnswers answer_decisions(const DecisionChunk& chunk);

/// Writes all numbers of a decision.
[[nodiscard]] std::string to_text(const DecisionChunk& chunk, const Decision& decision);

}  // namespace broadside::test
