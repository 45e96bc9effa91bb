#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "broadside/base/body_id.hpp"
#include "broadside/base/export.h"
#include "broadside/base/vec2.hpp"

namespace broadside::inline v0_2 {

/// How a moving body responds to an obstacle.
enum class SlideResponse : std::uint8_t {
  slide,   ///< slides along the surface, as a player along a wall
  bounce,  ///< bounces off, as a ball
  cross,   ///< passes through; the hit is still reported, as for a coin
  touch,   ///< stops there, as an arrow
};

/// Tells whether the value is one of those above.
constexpr bool is_valid(SlideResponse response) {
  return static_cast<std::uint8_t>(response) <= static_cast<std::uint8_t>(SlideResponse::touch);
}

/// A body in the path of another.
struct Obstacle {
  BodyId body;
  Vec2 normal;  ///< outward unit normal of the surface that is hit (world): from the obstacle to the body
  Vec2 point;   ///< where they touch (world; unit: length)
  Vec2 motion;  ///< the remaining motion at that point (unit: length)
  float depth = 0.0F;  ///< how far they overlapped before; 0 or more (unit: length)
  /// Whether the overlap comes from the body's own motion: it was passing through the obstacle at the end of
  /// its last `move_and_slide`, or something else moved it since. False if the obstacle moved into the body.
  bool was_inside = false;
};

/// An obstacle and the response to it.
struct SlideHit {
  Obstacle obstacle;
  SlideResponse response = SlideResponse::slide;
};

/// Options of `World::move_and_slide`.
struct SlideOptions {
  /// Returns the response to an obstacle. If empty, the body slides, and crosses sensors. The function may
  /// change the world; bodies that it removes are not hit.
  std::function<SlideResponse(const Obstacle&)> respond = {};
  std::size_t max_hits = 8;  ///< obstacles that deflect the motion; the body stops at the last one
  /// Gap kept to walls and ceilings: finite, 0 or more; 0 stands for a thousandth of the size of the body.
  /// Raised to 4 ulps of the largest coordinate of the body's box: rounding would cancel a smaller gap (unit:
  /// length).
  float skin = 0.0F;
  /// Up direction, which defines what ground is: a unit vector, or zero for the opposite of the world's
  /// gravity. If both are zero, there is no ground and nothing carries the body.
  Vec2 up = {};
};

/// Result of `World::move_and_slide`.
struct SlideResult {
  Vec2 position;  ///< of the body (world; unit: length)
  /// The motion that was not carried out: after `SlideResponse::touch`, or, deflected by the last obstacle,
  /// after `SlideOptions::max_hits`; else zero (unit: length).
  Vec2 remaining;
  std::vector<SlideHit> hits;  ///< in the order of the impacts
  /// The ground, if there is one: a surface that slopes by less than 60 degrees, and that the body touches
  /// (or is within 2 ulps of, if neither has a thickness, so that no float position may let them touch). The
  /// next step reports the contact whatever the types of the two bodies, even if the ground moves away before
  /// contacts are found; `separation` is then above 0.
  std::optional<Obstacle> ground;
};

/// Returns the response to a one-way platform, which is solid from above and not from below or the sides.
///
/// For `SlideOptions::respond`. A platform that moves up into a body carries it; a platform that the body is
/// passing through does not.
/// @param up unit vector; the platform stops motion against it
[[nodiscard]] BROADSIDE_API SlideResponse one_way_response(const Obstacle& obstacle, Vec2 up);

}  // namespace broadside::inline v0_2
