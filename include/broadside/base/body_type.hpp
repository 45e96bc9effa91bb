#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace broadside::inline v0_2 {

/// How a body moves. Set when the body is added; fixed for its lifetime.
enum class BodyType : std::uint8_t {
  static_body,  ///< never moves by itself: walls, ground, bumpers
  kinematic,    ///< moved by the game, not by contacts: lifts, flippers
  dynamic,      ///< moved by contacts too: balls, players
};

/// Tells whether the value is one of the types above. A byte of a file or a script may be out of range.
constexpr bool is_valid(BodyType type) {
  return static_cast<std::uint8_t>(type) <= static_cast<std::uint8_t>(BodyType::dynamic);
}

/// Returns the type's name: "static", "kinematic" or "dynamic"; "unknown" for any other value.
constexpr std::string_view name(BodyType type) {
  // In the order of `BodyType`.
  constexpr std::array<std::string_view, 3> names = {"static", "kinematic", "dynamic"};
  return is_valid(type) ? names[static_cast<std::size_t>(type)] : "unknown";
}

/// Tells whether bodies of these types can touch: at least one must be dynamic.
///
/// A broad phase never reports static-static, static-kinematic or kinematic-kinematic pairs.
constexpr bool can_touch(BodyType a, BodyType b) {
  return a == BodyType::dynamic || b == BodyType::dynamic;
}

}  // namespace broadside::inline v0_2
