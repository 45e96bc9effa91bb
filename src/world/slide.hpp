#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "body/convex.hpp"
#include "broadside/world/move_and_slide.hpp"
#include "contact/to_vec2.hpp"
#include "world/state.hpp"

namespace broadside {

/// One call of `World::move_and_slide`.
///
/// The exact position is kept in double, the transform that shapes are compared at is its rounding.
struct World::State::Slide {
  using Point = detail::Point;

  /// An obstacle in the way, shape against shape.
  struct Met {
    double way;      ///< to where they touch
    double allowed;  ///< to where the skin is left; negative if it is closer already
    Place part;      ///< shape of the body
    Place other;     ///< shape of the obstacle
    Obstacle obstacle;
  };
  /// How far two shapes overlap.
  struct Overlap {
    Place part;   ///< shape of the body
    Place other;  ///< shape of the obstacle
    Obstacle obstacle;
  };
  /// Which moves are under way.
  enum class Leg : std::uint8_t {
    own,      ///< the body's own motion
    carried,  ///< that of its ground: bodies that make the same one are not in the way
    probe,    ///< a look for the ground: to where shapes touch, without a skin
  };

  State& state;
  BodyId body;
  const SlideOptions& options;
  QueryFilter filter;
  std::optional<Point> up = {};
  double given_skin = 0.0;
  double reach = 0.0;                              ///< of the shapes, from the position
  std::optional<detail::SlideRecord> before = {};  ///< of the last call, if nothing moved the body since
  Point place = {};
  Transform at = {};
  std::optional<BodyId> ignored = {};  ///< the ground, as long as it carries the body
  std::vector<BodyId> crossed = {};    ///< ascending; each is reported once
  std::vector<SlideHit> hits = {};
  Error error = {};  ///< ends the call

  // slide.cpp: what is in the way.

  /// Returns the spacing of floats near the largest coordinate of the body's box, with the body at a point.
  [[nodiscard]] double ulp_at(Point position) const;
  /// Returns up to which depth an overlap is the work of rounding.
  [[nodiscard]] double rounding_at(Point position) const { return 1.5 * ulp_at(position); }
  [[nodiscard]] double skin_at(Point position) const;
  [[nodiscard]] bool is_crossed(BodyId other) const {
    return std::binary_search(crossed.begin(), crossed.end(), other);
  }
  /// Asks what to do about an obstacle, and remembers the answer.
  Meeting meet(const Obstacle& obstacle);
  /// Finds what is in the way from `from`, by distance. Asks nothing.
  [[nodiscard]] std::vector<Met> find_met(const Transform& from, Point motion, Leg leg) const;
  /// Returns the sideways shift of the body, from `from`, after which it passes the obstacle; zero if it
  /// passes as it is; nothing if none does.
  [[nodiscard]] std::optional<Point> sidestep(const Transform& from, Point motion, const Met& met) const;
  /// Returns the first that stops the body, as far as can be known without asking about it.
  [[nodiscard]] std::optional<Met> find_block(const Transform& from, Point motion, Leg leg) const;
  /// Finds the first that stops the body and asks about all up to it. May shift the body sideways by the skin
  /// if that lets it go on.
  std::optional<Met> first_obstacle(Point motion, Leg leg);
  /// Returns all that touches the body at `position` and is not crossed, or is, deepest first.
  [[nodiscard]] std::vector<Overlap> find_overlaps(Point position, bool of_crossed = false) const;
  [[nodiscard]] bool carries(Vec2 normal) const;

  // move_and_slide.cpp: the stages.

  void start();
  void put_at(Point position) {
    place = position;
    at.position = detail::to_vec2(position);
  }
  /// Moves the body along `motion` and what it meets; returns what is left of the motion.
  Point run(Point motion, Leg leg);
  double nudge(Point motion);
  void take_skin(Vec2 normal);
  void be_carried();
  /// Returns what touches the body still.
  std::vector<Overlap> leave_obstacles();
  /// Tells whether the deepest of these overlaps is more than rounding.
  [[nodiscard]] bool is_stuck(const std::vector<Overlap>& found) const {
    return !found.empty() && static_cast<double>(found.front().obstacle.depth) > rounding_at(place);
  }
  void take_clearance(const std::vector<Overlap>& found);
  [[nodiscard]] std::optional<Obstacle> put_down(Point motion, double gone);
  void touch(const Met& met);
  [[nodiscard]] detail::SlideRecord record(const std::optional<Obstacle>& ground) const;

  double lifted = 0.0;  ///< off the ground, at the start

 private:
  [[nodiscard]] bool may_meet_it(BodyId other) const;
  [[nodiscard]] bool is_mask(Place shape) const {
    return std::holds_alternative<Mask>(state.bodies.shape(shape));
  }
  /// Tells whether an obstacle seems to make the same motion as the ground that carries the body, as the next
  /// piece of a platform does: it is where the body comes from, or on its way, but not where it goes to.
  [[nodiscard]] bool moves_along(const Transform& from, Point motion, const Met& met) const;
  bool try_shift(Point shift, Point motion, Leg leg, const Met& met);
  /// Asks about what is in the way of a push, unless it is in `solid`; adds it there.
  std::optional<Met> find_counterpart(Point push, std::vector<BodyId>& solid);
};

}  // namespace broadside
