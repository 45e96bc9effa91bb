#pragma once

#include <cstdint>

namespace broadside {

/// How a body moves. It is chosen when the body is added and stays for its lifetime.
enum class BodyType : std::uint8_t {
  static_body,  ///< never moves by itself: walls, ground, bumpers
  kinematic,    ///< moved by the game, not by contacts: lifts, flippers
  dynamic,      ///< moved by contacts too: balls, players
};

/// Tells whether a pair of these types can matter at all: at least one side must be dynamic.
///
/// Static-static, static-kinematic and kinematic-kinematic pairs never come out of a broad phase.
constexpr bool can_touch(BodyType a, BodyType b) {
  return a == BodyType::dynamic || b == BodyType::dynamic;
}

}  // namespace broadside
