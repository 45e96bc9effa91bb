#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "base/to_vec2.hpp"
#include "body/convex.hpp"
#include "broadside/base/hit.hpp"
#include "broadside/world/move_and_slide.hpp"
#include "world/state.hpp"

namespace broadside::inline v0_2 {

/// Least component along `up` of a normal that carries a body: slopes above 60 degrees carry none.
inline constexpr float min_up_of_ground = 0.5F;

/// One call of `World::move_and_slide`.
///
/// The exact position is kept in double; shapes are tested at its rounding.
struct World::State::Slide {
  using Point = detail::Point;

  /// An obstacle on the path, or one that the body overlaps, shape against shape.
  struct ObstacleContact {
    double distance;  ///< distance to the contact; 0 for an overlap
    double allowed;   ///< distance that leaves the skin; negative if it is closer already; 0 for an overlap
    Place part;       ///< shape of the body
    Place other;      ///< shape of the obstacle
    Obstacle obstacle;
  };
  /// The kinds of motion.
  enum class Leg : std::uint8_t {
    own,      ///< the body's own motion
    carried,  ///< that of its ground: bodies with the same motion are no obstacles
    probe,    ///< a cast without a skin, up to the contact
  };

  /// A motion without a turn, and what is cast for it.
  struct Path {
    Transform from;
    Point motion;
    Leg leg;
    double length;  ///< of the motion
    Vec2 cast;      ///< zero if there is nothing to cast
  };
  /// Where a body is stopped, and its motion from there.
  struct Deflection {
    Point place;
    Point motion;
  };

  State& state;
  BodyId body;
  const SlideOptions& options;
  QueryFilter filter;
  std::optional<Point> up = {};
  double given_skin = 0.0;  ///< (unit: length)
  double reach = 0.0;       ///< largest coordinate of the body's box, from its position (unit: length)
  std::optional<detail::SlideRecord> before = {};  ///< of the last call, if nothing moved the body since
  Point place = {};
  Transform at = {};
  std::optional<BodyId> ignored = {};  ///< the ground, while it carries the body
  std::vector<BodyId> crossed = {};    ///< ascending; each is reported once
  std::vector<SlideHit> hits = {};
  Error error = {};  ///< the rest of the call then finds nothing, and does not call `respond`

  // slide.cpp: obstacles.

  /// Returns the ulp of the largest coordinate of the body's box, with the body at `position`.
  [[nodiscard]] double ulp_at(Point position) const;
  /// Returns the depth up to which an overlap may come from rounding.
  [[nodiscard]] double rounding_at(Point position) const { return 1.5 * ulp_at(position); }
  [[nodiscard]] double skin_at(Point position) const;
  [[nodiscard]] bool is_crossed(BodyId other) const {
    return std::binary_search(crossed.begin(), crossed.end(), other);
  }
  /// Tells whether an obstacle that was found is still there: `respond` may have removed it since, or let the
  /// body cross it.
  [[nodiscard]] bool still_counts(BodyId other) const {
    return state.bodies.contains(other) && !is_crossed(other);
  }
  /// Calls `SlideOptions::respond` for an obstacle, and records the hit.
  SlideResponse respond_to(const Obstacle& obstacle);
  /// Finds the obstacles on a path from `from`, by distance. Does not call `respond`.
  [[nodiscard]] std::vector<ObstacleContact> find_obstacles(const Transform& from, Point motion,
                                                            Leg leg) const;
  /// Returns the sideways shift of the body at `from` after which it passes the obstacle; zero if it passes
  /// without a shift; nothing if no small shift suffices.
  [[nodiscard]] std::optional<Point> sidestep(const Transform& from, Point motion,
                                              const ObstacleContact& contact) const;
  /// Returns the first obstacle that stops the body and is no sensor. Does not call `respond`.
  [[nodiscard]] std::optional<ObstacleContact> first_solid(const Transform& from, Point motion,
                                                           Leg leg) const;
  /// Returns where a contact stops the body, and the motion from there.
  [[nodiscard]] Deflection deflect(Point motion, const ObstacleContact& contact,
                                   SlideResponse response) const;
  /// Returns the first obstacle that stops the body; calls `respond` for all up to it. May shift the body
  /// sideways by about the skin if it can then continue.
  std::optional<ObstacleContact> first_obstacle(Point motion, Leg leg);
  /// Returns the overlaps at `position`, deepest first: with crossed bodies if `of_crossed`, otherwise with
  /// all others.
  [[nodiscard]] std::vector<ObstacleContact> find_overlaps(Point position, bool of_crossed = false) const;
  /// Returns whether a surface of this normal is flat enough to stand on.
  [[nodiscard]] bool carries(Vec2 normal) const;

  // move_and_slide.cpp: the stages.

  void start();
  void put_at(Point position) {
    place = position;
    at.position = detail::to_vec2(position);
  }
  /// Moves the body along `motion` and the surfaces that it meets; returns the remaining motion.
  Point run(Point motion, Leg leg);
  /// Moves the body along `motion`, at most half of the distance to an obstacle; returns the distance moved.
  double nudge(Point motion);
  /// Moves the body off a surface by the skin, as far as there is space.
  void restore_skin(Vec2 normal);
  /// Moves the body with the ground of the last call.
  void follow_ground();
  /// Pushes the body out of obstacles; returns the remaining overlaps.
  std::vector<ObstacleContact> depenetrate();
  /// Tells whether the deepest of these overlaps is more than rounding.
  [[nodiscard]] bool is_stuck(const std::vector<ObstacleContact>& found) const {
    return !found.empty() && static_cast<double>(found.front().obstacle.depth) > rounding_at(place);
  }
  /// Restores the skin to obstacles that the body overlaps by no more than rounding.
  void restore_skins(const std::vector<ObstacleContact>& found);
  /// Moves the body down to the ground within reach, or back by as much as it was lifted; returns the ground,
  /// if any.
  [[nodiscard]] std::optional<Obstacle> snap_to_ground(Point motion, double traveled);
  /// Lowers the body until it just touches what is below it.
  void lower_to(const ObstacleContact& contact);
  [[nodiscard]] detail::SlideRecord record(const std::optional<Obstacle>& ground) const;

  double lifted = 0.0;  ///< how far `restore_skin` lifted the body off the ground (unit: length)

 private:
  [[nodiscard]] bool may_meet_it(BodyId other) const;
  [[nodiscard]] Path path_of(const Transform& from, Point motion, Leg leg) const;
  /// Returns the contact of a hit on a path, or nothing if it does not stop the body.
  [[nodiscard]] std::optional<ObstacleContact> contact_on(const Path& path, Place part,
                                                          const ShapeHit& hit) const;
  /// Returns contacts sorted by distance, the deepest overlap first. At one distance sensors come first; the
  /// order does not depend on the ids of bodies, unless all else is equal.
  [[nodiscard]] std::vector<ObstacleContact> sorted(const std::vector<ObstacleContact>& found) const;
  [[nodiscard]] bool is_mask(Place shape) const {
    return std::holds_alternative<Mask>(state.bodies.shape(shape));
  }
  /// Tells whether an obstacle seems to move with the ground that carries the body, as the next piece of a
  /// platform does: it is not static, and does not overlap the body at the end of the motion.
  [[nodiscard]] bool moves_along(const Transform& from, Point motion, const ObstacleContact& contact) const;
  /// Tells whether the body that slides along a surface does not meet a contact: the skin keeps it from both,
  /// and the contact is with the side of the next tile.
  ///
  ///      box ↘            Where the box lands, it meets the top of the first tile
  ///     ┌──────┬──────┐    and the corner of the second one at the same distance.
  [[nodiscard]] bool hides(const ObstacleContact& surface, const ObstacleContact& contact, Point motion,
                           Leg leg) const;
  /// Returns the contact that hides another and is not hidden by it, or null.
  [[nodiscard]] const ObstacleContact* find_surface(const ObstacleContact& contact,
                                                    std::span<const ObstacleContact> found, Point motion,
                                                    Leg leg) const;
  bool try_shift(Point shift, Point motion, Leg leg, const ObstacleContact& contact);
  /// Returns the first solid obstacle on a push. Calls `respond` for bodies not in `solid`, and adds solid
  /// ones.
  std::optional<ObstacleContact> find_counterpart(Point push, std::vector<BodyId>& solid);
};

}  // namespace broadside::inline v0_2
