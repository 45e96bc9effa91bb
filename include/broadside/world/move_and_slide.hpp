#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "broadside/base/body_id.hpp"
#include "broadside/base/vec2.hpp"

namespace broadside {

/// What a body does that meets another on its way.
enum class Meeting : std::uint8_t {
  slide,   ///< goes on along the surface, as a player along a wall
  bounce,  ///< is thrown back, as a ball
  cross,   ///< goes on as if nothing were there; it is told, as of a coin
  touch,   ///< stops there, as an arrow
};

/// Tells whether the value is one of those above.
constexpr bool is_valid(Meeting meeting) {
  return static_cast<std::uint8_t>(meeting) <= static_cast<std::uint8_t>(Meeting::touch);
}

/// Somebody in the way.
struct Obstacle {
  BodyId body;
  Vec2 normal;         ///< unit vector from who moves to the obstacle (world)
  Vec2 point;          ///< where they touch (world; unit: length)
  Vec2 motion;         ///< what is left of the way there (unit: length)
  float depth = 0.0F;  ///< how far they were inside each other before; 0 or more (unit: length)
};

/// An obstacle, and what became of it.
struct SlideHit {
  Obstacle obstacle;
  Meeting meeting = Meeting::slide;
};

/// Options of `World::move_and_slide`.
struct SlideOptions {
  /// Says what to do about an obstacle; where empty, to slide, and to cross sensors. It may change the world;
  /// what it removes is not met.
  std::function<Meeting(const Obstacle&)> meet = {};
  std::size_t most_hits = 8;  ///< obstacles that turn the way; what is left of it then is given up
  float skin = 0.0F;  ///< kept between surfaces, so that one slides over seams: finite, 0 or more; 0 stands
                      ///< for a thousandth of the size of the body (unit: length)
};

/// Where a body came to.
struct SlideResult {
  Vec2 position;  ///< (world; unit: length)
  Vec2
      rest;  ///< what is left of the way, turned along what was met last; as a speed it is what remains of it
  std::vector<SlideHit> hits;  ///< in the order in which they were met
};

/// Says what to do about a platform that lets through from below and to the sides, and carries from above:
/// for `SlideOptions::meet`.
/// @param up unit vector; what comes against it is carried
[[nodiscard]] Meeting meet_one_way(const Obstacle& obstacle, Vec2 up);

}  // namespace broadside
