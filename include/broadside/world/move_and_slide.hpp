#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
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

/// A body in the way of another.
struct Obstacle {
  BodyId body;
  Vec2 normal;         ///< unit vector from the moving body to the obstacle (world)
  Vec2 point;          ///< where they touch (world; unit: length)
  Vec2 motion;         ///< the motion that is left there (unit: length)
  float depth = 0.0F;  ///< how far they overlapped before; 0 or more (unit: length)
  /// Whether the body overlapped the obstacle by its own doing: it was passing through it at the end of its
  /// last `move_and_slide`, or something else moved it since. False where the obstacle moved into the body.
  bool was_inside = false;
};

/// An obstacle and the answer to it.
struct SlideHit {
  Obstacle obstacle;
  Meeting meeting = Meeting::slide;
};

/// Options of `World::move_and_slide`.
struct SlideOptions {
  /// Decides what to do about an obstacle. If empty, the body slides, and crosses sensors. It may change the
  /// world; bodies that it removes are not met.
  std::function<Meeting(const Obstacle&)> meet = {};
  std::size_t max_hits = 8;  ///< obstacles that turn the motion; after these the rest of it is given up
  /// Gap kept to walls and ceilings: finite, 0 or more; 0 stands for a thousandth of the size of the body.
  /// Raised to 4 ulps of the largest coordinate of the body's box, below which rounding would eat it
  /// (unit: length).
  float skin = 0.0F;
  /// Direction against which the body can stand: a unit vector, or zero for the direction against the gravity
  /// of the world. If that is zero, too, nothing is ground and nothing carries the body.
  Vec2 up = {};
};

/// Result of `World::move_and_slide`.
struct SlideResult {
  Vec2 position;  ///< of the body (world; unit: length)
  /// The motion that was left, turned along the obstacle met last; as a velocity it is what remains of it.
  Vec2 rest;
  std::vector<SlideHit> hits;  ///< in the order in which they were met
  /// What the body stands on, if anything: its surface is turned by less than 60 degrees from level, and the
  /// body touches it. The next step reports the contact, of whatever types the two bodies are, also if the
  /// ground moves on before contacts are found; `separation` is above 0 then.
  std::optional<Obstacle> ground;
};

/// Decides about a one-way platform, which carries from above and lets through from below and the sides.
///
/// For `SlideOptions::meet`. A platform that moves up into a body carries it; one that the body is passing
/// through does not.
/// @param up unit vector; what comes against it is carried
[[nodiscard]] Meeting meet_one_way(const Obstacle& obstacle, Vec2 up);

}  // namespace broadside
