#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/body_id.hpp"
#include "broadside/base/function_ref.hpp"
#include "broadside/base/result.hpp"
#include "broadside/base/statistics.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/world/body.hpp"
#include "broadside/world/contact_event.hpp"
#include "broadside/world/move_and_slide.hpp"
#include "broadside/world/query_filter.hpp"
#include "broadside/world/recording.hpp"

namespace broadside {

/// Which pairs of bodies are looked at, beyond what their filters say.
enum class Interest : std::uint8_t {
  all,        ///< all of them
  listeners,  ///< those that a listener waits for by their tags, and those with a sensor; no other is even
              ///< tested
};

/// What bodies do when they touch.
enum class Response : std::uint8_t {
  none,    ///< nothing: the caller is told, and acts
  bounce,  ///< they are moved apart and bounce off each other, by their masses; sensors let through. It is no
           ///< solver for stacks: bodies on a floor rest, but piles of them sink into each other
};

/// Which comes first in a step.
enum class StepOrder : std::uint8_t {
  detect_first,  ///< contacts are those before the motion of the step
  motion_first,  ///< contacts are those after it: of the places where bodies are drawn, except for those
                 ///< that the response moves
};

/// Tells whether the value is one of those above.
constexpr bool is_valid(Interest interest) {
  return interest == Interest::all || interest == Interest::listeners;
}
constexpr bool is_valid(Response response) {
  return response == Response::none || response == Response::bounce;
}
constexpr bool is_valid(StepOrder order) {
  return order == StepOrder::detect_first || order == StepOrder::motion_first;
}

/// Options of a `World`, for `World::create`.
struct WorldOptions {
  Interest interest = Interest::all;
  Response response = Response::none;
  /// If not given, `motion_first` with `Response::bounce`, which has no other, and `detect_first` without.
  std::optional<StepOrder> order = {};
  float restitution = 1.0F;  ///< in [0, 1]: 1 bounces off as fast as it came, 0 not at all
  Vec2 gravity = {};         ///< of dynamic bodies; finite (unit: length per second squared)
  /// A contact ends when the gap between the bodies exceeds this. More than 0 keeps bodies that touch exactly
  /// from beginning and ending in turn; their `separation` is then above 0. Finite, 0 or more (unit: length).
  float end_margin = 0.0F;
};

/// Bodies that move and touch: what began, what stays, what ended, step by step.
///
///     World world;
///     const BodyId player = world.add({.shape = Circle{.radius = 16}, .tag = "player"}).value();
///     world.add({.shape = Box{{15, 15}}, .position = {20, 0}, .tag = "food"}).value();
///     world.on_begin("player", "food", [&](const BodyContact& contact) { world.remove(contact.b).value();
///     }); world.step(1.0F / 60).value();
///
/// Types are fixed for life. `can_touch` says which pairs exist; a sensor detects bodies of every type. Who
/// drives the bodies is the caller's choice: `move` them and `step(0)`, or give them velocities and let
/// `step` move them on.
///
/// Errors: whatever is not finite or has no meaning is refused with a sentence, and nothing changes; an id
/// that names no body gets `stale_id`, one of another world `wrong_world`; a change from within a query's
/// visitor, the predicate or a drawer, or a step from within a listener, `locked`. Where memory runs out,
/// `std::bad_alloc` passes through, and the world is as it was before the call; `step` says what it keeps.
///
/// Callbacks may throw. What a listener throws reaches the caller after all other listeners were called and,
/// in `step`, after all other stages were run; of several exceptions it is the first. What the predicate
/// throws reaches the caller at once, and nothing has changed: a `step` may be repeated. What a visitor, a
/// drawer or `SlideOptions::meet` throws ends the call and changes nothing.
///
/// Callbacks may also move, assign to or destroy the world: the call that runs them ends on the bodies that
/// it began with. After the world was destroyed, assigned to or restored, no other callback is called, but a
/// drawer gets its drawing to the end. A world that was moved from takes no calls: each returns
/// `invalid_argument`, or what an empty world has where it returns no `Result`; listeners get the id 0, and
/// `snapshot` is empty. It may be assigned to and destroyed. A world that is destroyed while it records
/// leaves its `Recording` as it was.
///
/// Threads: const calls may run side by side; everything else needs the world for itself; worlds are
/// independent of each other. Order: all results are ascending by body, and depend on the calls
/// made alone: not on technique, threads, machine or compiler. Letters used below: n bodies, p pairs of boxes
/// that touch.
class World {
 public:
  /// Makes an empty world with the default options.
  World();
  /// Makes an empty world.
  ///
  /// @par Errors
  /// `invalid_argument` or `not_finite` for an option that has no meaning; the sentence names it.
  static Result<World> create(const WorldOptions& options);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  // Bodies.

  /// Adds a body. Seen by queries at once, by contacts from the next step on.
  ///
  /// @par Errors
  /// `invalid_argument` also for a type that is not one of the enum's values.
  Result<BodyId> add(const Body& body);
  /// Adds bodies [n], all or none; returns their ids [n]. Static ones that are added together are put in
  /// place together, once.
  Result<std::vector<BodyId>> add(std::span<const Body> bodies);

  /// Removes a body. Its contacts end in the next step; it gets no further callback.
  Result<void> remove(BodyId body);
  /// Removes bodies [m], all or none.
  ///
  /// @par Errors
  /// `invalid_argument` also where a body is named twice; the sentence gives both places in the list.
  Result<void> remove(std::span<const BodyId> bodies);

  /// Tells whether `body` names a body of this world.
  [[nodiscard]] bool contains(BodyId body) const;
  /// Returns the number of bodies.
  [[nodiscard]] std::size_t size() const;
  /// Returns the ids of all bodies, ascending.
  [[nodiscard]] std::vector<BodyId> bodies() const;

  /// Moves a body to exactly that place; its velocity stays, and a bullet is swept along the way.
  Result<void> move(BodyId body, const Transform& transform);
  Result<void> move(BodyId body, Vec2 position);
  /// Moves bodies [m], all or none.
  ///
  /// @par Errors
  /// `invalid_argument` also where a body is named twice, and where there are not as many places as bodies.
  Result<void> move(std::span<const BodyId> bodies, std::span<const Vec2> positions);
  Result<void> move(std::span<const BodyId> bodies, std::span<const Transform> transforms);
  /// Puts a body somewhere else: as `move`, but not even a bullet touches what is between.
  Result<void> teleport(BodyId body, const Transform& transform);
  /// Moves a body by `way`, and adds to its velocity what covers the same way in a step as long as the last
  /// one (at first 1/60 second): a move that becomes velocity, as in Verlet integration.
  ///
  /// @par Errors
  /// `not_finite` also where the position or the velocity would leave the range of float.
  Result<void> push(BodyId body, Vec2 way);

  /// Moves a body by `motion` (unit: length) as a player moves: along walls and floors, never into anything.
  ///
  /// Obstacles are the bodies that its filter lets it meet, of any type. The stages:
  /// 1. What the body stood on at the end of the last call carries it: the body makes the same displacement,
  ///    rotation included, as far as other obstacles let it. Not where anything else moved the body since.
  ///    What is not static and not in the way at the end counts as a piece of the same platform.
  /// 2. Obstacles that overlap it by more than rounding push it out, deepest first. Between two that leave
  ///    too little space the body stops where the deepest overlap is smallest.
  /// 3. It moves along the surfaces that it meets, over the seams of tiles, and into gaps that are exactly as
  ///    wide as it is: where that lets it go on, it is shifted sideways by about `skin`.
  /// 4. It is put down on the ground within reach of `skin`, and touches it, so that the next step reports
  ///    the contact to listeners. The overlap is at most 2 ulps of the largest coordinate of its box. Of all
  ///    other surfaces it keeps `skin`, unless it was closer before.
  ///
  /// Distances add up exactly: what rounding of the position takes away is added at the next call.
  ///
  /// @par Errors
  /// `invalid_argument` also for a `skin` that is negative or not finite, for an `up` that is neither zero
  /// nor of length 1 to within 1 %, and for a value returned by `meet` that is no `Meeting`; `not_finite` for
  /// a motion or an `up` that is not finite. On error, or if `meet` throws, the body stays where it was.
  /// @par Complexity
  /// A few shape casts for each obstacle that turns the motion. Allocates.
  /// @par Source
  /// K. Fauerby, Improved collision detection and response, 2003; the four kinds of meeting are those of
  /// E. García, bump.lua, 2012.
  Result<SlideResult> move_and_slide(BodyId body, Vec2 motion, const SlideOptions& options = {});

  [[nodiscard]] Result<Transform> transform(BodyId body) const;
  [[nodiscard]] Result<Vec2> position(BodyId body) const;
  /// Writes the positions of bodies [m] to `positions` [m], all or none. A body may be named more than once.
  Result<void> positions(std::span<const BodyId> bodies, std::span<Vec2> positions) const;
  /// Returns the body's velocity (unit: length per second).
  [[nodiscard]] Result<Vec2> velocity(BodyId body) const;
  /// Sets the velocity of a body that is not static. A disabled body keeps it, and stays where it is.
  Result<void> set_velocity(BodyId body, Vec2 velocity);
  /// Returns the body's own acceleration, without gravity (unit: length per second squared).
  [[nodiscard]] Result<Vec2> acceleration(BodyId body) const;
  /// Sets the own acceleration of a body that is not static.
  Result<void> set_acceleration(BodyId body, Vec2 acceleration);
  /// Returns the smallest box around the body's shapes, where it is now.
  [[nodiscard]] Result<Aabb> bounds(BodyId body) const;

  /// Returns the body's shapes: the first, then the others.
  [[nodiscard]] Result<std::vector<Shape>> shapes(BodyId body) const;
  /// Gives a body another shape in the place of its first.
  Result<void> set_shape(BodyId body, const Shape& shape);
  [[nodiscard]] Result<BodyType> type(BodyId body) const;
  [[nodiscard]] Result<float> mass(BodyId body) const;
  [[nodiscard]] Result<bool> enabled(BodyId body) const;
  Result<void> set_enabled(BodyId body, bool enabled);
  [[nodiscard]] Result<bool> sensor(BodyId body) const;
  Result<void> set_sensor(BodyId body, bool sensor);
  [[nodiscard]] Result<bool> bullet(BodyId body) const;
  Result<void> set_bullet(BodyId body, bool bullet);
  [[nodiscard]] Result<std::uint64_t> user_data(BodyId body) const;
  Result<void> set_user_data(BodyId body, std::uint64_t user_data);

  // Who may touch whom.

  [[nodiscard]] Result<Filter> filter(BodyId body) const;
  /// Sets the filter; `tags` and `hears` of it are not looked at.
  ///
  /// @par Errors
  /// `invalid_argument` also where bodies would have more than 20,000 different filters at once, the default
  /// one and the old one of this body included, or, with `Interest::listeners`, 65,000 different combinations
  /// of type, filter and tag; so in `add`, `set_tag` and `set_sensor`.
  Result<void> set_filter(BodyId body, const Filter& filter);
  /// Returns a copy of the tag, empty if the body has none: tags that nothing has any more are freed.
  [[nodiscard]] Result<std::string> tag(BodyId body) const;
  Result<void> set_tag(BodyId body, std::string_view tag);
  /// Keeps two bodies apart, or lets them meet again, whatever else is said.
  Result<void> set_ignored(BodyId a, BodyId b, bool ignored);
  /// Asks `predicate` of each pair whose boxes touch, in each step, before the shapes are looked at; false
  /// keeps them apart. An empty one asks nothing. It must not change the world.
  Result<void> set_predicate(std::function<bool(BodyId, BodyId)> predicate);

  // Listening. Tags are names; `any` fits all, and those without. A listener is called once for each way
  // round in which the tags of a contact fit, with a and b of the contact in the order of its tags, but once
  // where both are the same. Listeners run after detection is over, in ascending order of the contacts, then
  // in the order in which they were added; they may add, move and remove anything, and are not called for
  // bodies that are no more.

  static constexpr std::string_view any = "*";
  using ContactListener = std::function<void(const BodyContact&)>;
  using EndListener = std::function<void(const ContactEnd&)>;
  using ListenerId = std::uint32_t;

  /// Calls `listener` in each step in which such bodies touch.
  ListenerId on_contact(std::string_view tag_a, std::string_view tag_b, ContactListener listener);
  /// Calls `listener` when such bodies begin to touch.
  ListenerId on_begin(std::string_view tag_a, std::string_view tag_b, ContactListener listener);
  /// Calls `listener` when such bodies no longer touch; b may be no more, a is always there.
  ListenerId on_end(std::string_view tag_a, std::string_view tag_b, EndListener listener);
  /// Removes a listener; tells whether it was there.
  bool remove_listener(ListenerId listener);

  // The step.

  /// Carries the world on by `seconds`: detect, dispatch, respond, integrate; with `StepOrder::motion_first`
  /// integrate, detect, dispatch, respond.
  ///
  /// @param seconds 0 or more; with 0 nothing moves by itself, and only what touches is found out
  ///
  /// Any sequence of step lengths gives the same motion: velocities and positions follow the formulas for
  /// constant acceleration, with a remainder for what a position loses when it is rounded to a float.
  /// @par Errors
  /// `invalid_argument`, `locked`, and `not_finite` where a body would leave the range of float; nothing
  /// changes then. Nor does it where the predicate throws or memory runs out before contacts are found. Where
  /// memory runs out in a later stage, that stage is left out, the others are run, and `std::bad_alloc` comes
  /// at the end. A body that a callback of this step sends out of range stays, and the next step is refused.
  /// @par Complexity
  /// O(m + p) expected for m bodies that changed and the p pairs of boxes that they are in, where these are
  /// fewer than a sixth and the technique is `HierarchicalGrid`; O(n + p) for all p otherwise, or where there
  /// is a predicate; nothing at all for a world in which none changed. Allocates only where there is more of
  /// anything than ever before.
  Result<void> step(float seconds);

  // The stages of `step`, for callers that run code between them. With `Response::bounce`, `integrate` comes
  // first.

  /// Finds boxes, pairs and contacts.
  Result<void> detect();
  /// Runs the listeners.
  Result<void> dispatch();
  /// Moves bodies that touch apart and lets them bounce, if the options say so.
  Result<void> respond();
  /// Moves bodies by their velocities and accelerations: p += v t + a t^2 / 2, v += a t.
  Result<void> integrate(float seconds);

  /// Keeps the contact of two bodies from being answered in this step: for listeners. Errors:
  /// `invalid_argument` also for a body and itself.
  Result<void> skip_response(BodyId a, BodyId b);

  [[nodiscard]] Vec2 gravity() const;
  Result<void> set_gravity(Vec2 gravity);

  // What the last step found. Valid until the next. After a step in which few bodies changed, the first call
  // that wants all contacts puts them in order, in O(p).

  /// Returns all bodies that touch: those that began to, and those that still do.
  [[nodiscard]] ContactRange contacts() const;
  [[nodiscard]] ContactRange begun() const;
  [[nodiscard]] ContactRange stayed() const;
  [[nodiscard]] std::span<const ContactEnd> ended() const;
  /// Returns the contacts of single shapes, named by their places; for bodies of one shape the place is the
  /// index of their id.
  [[nodiscard]] std::span<const Contact> shape_contacts() const;
  /// Tells whether two bodies touched in the last step.
  [[nodiscard]] Result<bool> overlaps(BodyId a, BodyId b) const;
  /// Writes the contacts of a body in the last step to `contacts`, ascending by the other one; the body is
  /// `a` of each. Complexity: O(log p) and the contacts found; O(p) at the first call after a step.
  Result<void> contacts_of(BodyId body, std::vector<BodyContact>& contacts) const;
  /// Returns the bodies, ascending, that the narrow phase has to compare a body with, where all are now.
  ///
  /// Their boxes overlap, and types, filters, ignored pairs and the predicate let them meet. Complexity: that
  /// of asking the broad phase for an area, and O(k log k) for the k boxes found; allocates.
  [[nodiscard]] Result<std::vector<BodyId>> candidates(BodyId body) const;
  /// Says in one sentence why two bodies touch or do not, where they are now.
  [[nodiscard]] std::string why(BodyId a, BodyId b) const;

  // Queries: who is here, on this way, next to this point? They see the latest change, before and between
  // steps, and leave out disabled bodies. Each comes in two forms: one that collects, and one that shows what
  // it finds to a visitor, who ends it by returning false and may not change the world. A body of several
  // shapes is found once, by the first of them that fits. The first query after changes brings the structure
  // up to date, for all that follow. Errors: what is not finite or not valid is refused (`not_finite`,
  // `inverted_box`, `invalid_argument`).

  using BodyVisitor = FunctionRef<bool(BodyId)>;
  using RayVisitor = FunctionRef<bool(const BodyRayHit&)>;
  using CastVisitor = FunctionRef<bool(const BodyCastHit&)>;

  /// Finds the bodies that touch an axis-aligned box, ascending.
  [[nodiscard]] Result<std::vector<BodyId>> query_area(const Aabb& area,
                                                       const QueryFilter& filter = {}) const;
  Result<void> visit_area(const Aabb& area, BodyVisitor visit, const QueryFilter& filter = {}) const;
  /// Finds the bodies that contain a point, ascending.
  [[nodiscard]] Result<std::vector<BodyId>> query_point(Vec2 point, const QueryFilter& filter = {}) const;
  Result<void> visit_point(Vec2 point, BodyVisitor visit, const QueryFilter& filter = {}) const;
  /// Finds the bodies that touch a shape, a circle for example, ascending.
  [[nodiscard]] Result<std::vector<BodyId>> query_shape(const Shape& shape, const Transform& transform,
                                                        const QueryFilter& filter = {}) const;
  Result<void> visit_shape(const Shape& shape, const Transform& transform, BodyVisitor visit,
                           const QueryFilter& filter = {}) const;
  /// Finds the first body on a ray from `start` along `way` (unit: length); nothing if there is none.
  [[nodiscard]] Result<std::optional<BodyRayHit>> cast_ray(Vec2 start, Vec2 way,
                                                           const QueryFilter& filter = {}) const;
  /// Shows all bodies on a ray, by (time, body).
  Result<void> visit_ray(Vec2 start, Vec2 way, RayVisitor visit, const QueryFilter& filter = {}) const;
  /// Finds the first body that a shape would meet on its way; nothing if there is none.
  [[nodiscard]] Result<std::optional<BodyCastHit>> cast_shape(const Shape& shape, const Transform& transform,
                                                              Vec2 motion,
                                                              const QueryFilter& filter = {}) const;
  /// Shows all bodies that a shape would meet, if none stopped it, by (time, body).
  Result<void> visit_cast(const Shape& shape, const Transform& transform, Vec2 motion, CastVisitor visit,
                          const QueryFilter& filter = {}) const;
  /// Finds the `count` bodies that are nearest to a point, none farther than `max_distance`, by (distance,
  /// body).
  [[nodiscard]] Result<std::vector<NearBody>> nearest(Vec2 point, std::size_t count = 1,
                                                      float max_distance = std::numeric_limits<float>::max(),
                                                      const QueryFilter& filter = {}) const;

  // How it works.

  /// Changes the technique of the broad phase: the cost, never an answer.
  Result<void> set_technique(std::string_view technique, const TechniqueOptions& options = {});
  /// Returns the broad phase, brought up to date; its indices are places of shapes.
  [[nodiscard]] const BroadPhase& broad_phase() const;
  /// Switches on or off that the statistics of the broad phase tell how long things took. Off at first.
  void measure_times(bool on);
  /// Switches on or off that `broad_phase().query_cells()` tells where queries look. Off at first; as long as
  /// it is on, they may not run side by side.
  void watch_queries(bool on);
  /// Lets threads take part; nothing that comes out depends on it. `runner` must outlive its use; null for
  /// none. Errors: `invalid_argument` where `runner->threads()` is 0; it is asked here and not again.
  Result<void> use_threads(TaskRunner* runner);
  /// Returns the bytes held for bodies; contacts, pairs and what the shapes share are left out.
  [[nodiscard]] std::size_t bytes() const;
  /// Returns the bytes held for contacts and events.
  [[nodiscard]] std::size_t contact_bytes() const;

  // The whole state.

  /// Returns the whole state but the listeners and the predicate, as bytes: the same for the same calls, on
  /// any machine. They end with a checksum.
  [[nodiscard]] std::vector<std::byte> snapshot() const;
  /// Becomes the world that `snapshot` was taken of: its ids are valid again, and it goes on bit for bit as
  /// that one would have. Listeners stay. Errors: `parse` for bytes that are no snapshot or are damaged,
  /// `version_mismatch`; nothing changes then.
  Result<void> restore(std::span<const std::byte> snapshot);
  /// Writes down all that is done to the world from here on; null ends it. What was recorded is in
  /// `recording` then, which must live that long. Errors: `locked`.
  Result<void> record(Recording* recording);
  /// Returns the number that is in the ids of its bodies.
  [[nodiscard]] std::uint32_t number() const;
  /// Returns a hash of the whole state, ids of the world left out: equal states have equal hashes.
  [[nodiscard]] std::uint64_t hash() const;

 private:
  struct State;
  explicit World(std::shared_ptr<State> state) noexcept;

  friend class ContactRange;
  friend class DebugDrawing;
  friend Result<void> replay(const Recording& recording, World& world,
                             const std::function<bool()>& after_step);
  class Handle;
  std::shared_ptr<State> state_;  ///< that of no world once this was moved from; never null
};

}  // namespace broadside
