#pragma once

#include <concepts>
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
#include "broadside/base/export.h"
#include "broadside/base/function_ref.hpp"
#include "broadside/base/hit.hpp"
#include "broadside/base/result.hpp"
#include "broadside/base/statistics.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/world/body_def.hpp"
#include "broadside/world/contact_event.hpp"
#include "broadside/world/move_and_slide.hpp"
#include "broadside/world/query_filter.hpp"
#include "broadside/world/recording.hpp"

namespace broadside::inline v0_2 {

/// Which pairs of bodies are tested, beyond what their filters allow.
enum class Interest : std::uint8_t {
  all,        ///< all pairs
  listeners,  ///< only pairs whose tags a listener waits for, and pairs with a sensor
};

/// What a step does to bodies that touch.
enum class Response : std::uint8_t {
  none,    ///< nothing: contacts are only reported
  bounce,  ///< they are separated and bounce off each other by their masses, except sensors. Not a solver
           ///< for stacks: bodies rest on a floor, but piles of them sink into each other
};

/// Whether a step finds contacts before or after it moves bodies.
enum class StepOrder : std::uint8_t {
  detect_first,  ///< contacts are found before the motion of the step
  motion_first,  ///< contacts are found after it, at the positions where bodies are drawn, except for bodies
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
  /// By default `detect_first`, or with `Response::bounce` `motion_first`, the only order that it supports.
  std::optional<StepOrder> order = {};
  float restitution = 1.0F;  ///< in [0, 1]: 1 keeps the speed of impact, 0 does not bounce
  Vec2 gravity = {};         ///< of dynamic bodies; finite (unit: length per second squared)
  /// A contact ends when the gap between the bodies exceeds this. A value above 0 prevents bodies that just
  /// touch from alternating between begin and end; their `separation` may then be above 0. Finite, 0 or more
  /// (unit: length).
  float end_margin = 0.0F;
};

/// Bodies that move and touch, with the contacts that begin, stay and end in each step.
///
///     World world;
///     const BodyId player = world.add({.shape = Circle{.radius = 16}, .tag = "player"}).value();
///     world.add({.shape = Box::of_size({30, 30}), .position = {20, 0}, .tag = "food"}).value();
///     world.on_begin("player", "food", [&](const BodyContact& contact) {
///       world.remove(contact.b).value();
///     });
///     world.step(1.0F / 60).value();
///
/// The type of a body never changes. `can_touch` says which types make pairs; a sensor detects bodies of
/// every type. The caller either moves bodies with `move` and calls `step(0)`, or sets velocities and lets
/// `step` move the bodies.
///
/// @par Errors
/// Invalid and non-finite arguments are refused with a sentence, and nothing changes. An id without a body
/// gets `stale_id`, an id of another world `wrong_world`. A change from within a visitor, the predicate or
/// a drawer, or a step from within a listener, gets `locked`. All calls give the strong exception guarantee
/// for `std::bad_alloc`, except `step`, which says what it keeps.
/// @par Exceptions of callbacks
/// An exception of a listener reaches the caller after all other listeners were called and, in `step`, after
/// all other stages were run; of several exceptions, the first does. An exception of the predicate reaches
/// the caller at once, and nothing has changed: `step` may be repeated. An exception of a visitor, a drawer
/// or `SlideOptions::respond` ends the call, which changes nothing.
/// @par Lifetime
/// Callbacks may also move, assign to or destroy the world: the call that runs them finishes with the bodies
/// that it began with. After the world was destroyed, assigned to or restored, no other callback is called,
/// except that a drawing is completed. A world that was moved from may be assigned to and destroyed; all
/// other calls return `invalid_argument`, or the result of an empty world if they return no `Result`. Its
/// `on_...` return an empty id, and `snapshot` is empty. Destroying a world that records leaves its
/// `Recording` unchanged.
/// @par Threads
/// Const calls may run concurrently; all other calls need exclusive access. Worlds are independent.
/// @par Order
/// All results are ascending by body. They depend only on the calls made: not on technique, threads, machine
/// or compiler.
/// @par Complexity
/// Letters used below: n bodies, p pairs of boxes that touch.
class BROADSIDE_API World {
 public:
  /// Creates an empty world with the default options.
  World();
  /// Creates an empty world.
  ///
  /// @par Errors
  /// `invalid_argument` or `not_finite` for an invalid option; the sentence names it.
  static Result<World> create(const WorldOptions& options);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Functions that visit results one by one; they return false to stop.
  using BodyVisitor = FunctionRef<bool(BodyId)>;
  using HitVisitor = FunctionRef<bool(const BodyHit&)>;
  using ContactVisitor = FunctionRef<bool(const BodyContact&)>;

  // Bodies.

  /// Adds a body. Queries find it at once, contacts from the next step on.
  ///
  /// @par Errors
  /// `invalid_argument` also for a type that is not one of the enum's values.
  Result<BodyId> add(const BodyDef& body);
  /// Adds bodies [n], all or none; returns their ids [n]. Static bodies should be added together: the broad
  /// phase inserts them in one batch.
  Result<std::vector<BodyId>> add(std::span<const BodyDef> bodies);

  /// Removes a body. Its contacts end in the next step, where it may be `b` of `on_end`; no other listener is
  /// called for it.
  Result<void> remove(BodyId body);
  /// Removes bodies [m], all or none.
  ///
  /// @par Errors
  /// `invalid_argument` also if a body is named twice; the sentence gives both positions in the list.
  Result<void> remove(std::span<const BodyId> bodies);

  /// Tells whether `body` names a body of this world.
  [[nodiscard]] bool contains(BodyId body) const;
  /// Returns the number of bodies.
  [[nodiscard]] std::size_t size() const;
  /// Returns the ids of all bodies, ascending.
  [[nodiscard]] std::vector<BodyId> bodies() const;

  /// Moves a body to an exact position and rotation. Its velocity stays; a bullet is swept to the new
  /// position.
  Result<void> move(BodyId body, Vec2 position, Rotation rotation);
  Result<void> move(BodyId body, Vec2 position);
  /// The same. A template, so that `move(body, {x, y})` can only mean a position.
  template <std::same_as<Transform> T>
  Result<void> move(BodyId body, const T& transform) {
    return move(body, transform.position, transform.rotation);
  }
  /// Moves bodies [m], all or none.
  ///
  /// @par Errors
  /// `invalid_argument` also if a body is named twice, or if the two spans differ in length.
  Result<void> move(std::span<const BodyId> bodies, std::span<const Vec2> positions);
  Result<void> move(std::span<const BodyId> bodies, std::span<const Transform> transforms);
  /// Moves a body without sweeping it: even a bullet touches nothing between the two positions.
  Result<void> teleport(BodyId body, Vec2 position, Rotation rotation);
  Result<void> teleport(BodyId body, Vec2 position);
  template <std::same_as<Transform> T>
  Result<void> teleport(BodyId body, const T& transform) {
    return teleport(body, transform.position, transform.rotation);
  }
  /// Moves a body by `motion` (unit: length) and increases its velocity to match, as in Verlet integration.
  ///
  /// The velocity grows by `motion`, divided by the length of the last step (at first 1/60 second).
  /// @par Errors
  /// `not_finite` also if the position or the velocity would leave the range of float.
  Result<void> push(BodyId body, Vec2 motion);

  /// Moves a body by `motion` (unit: length) like a player: along walls and floors, never into them.
  ///
  /// Obstacles are all bodies that its filter lets it touch, of any type. The stages:
  /// 1. The ground at the end of the last call carries the body: the body makes the same displacement,
  ///    rotation included, until another obstacle stops it. This is skipped if anything else moved the body
  ///    since. An obstacle that is not static and does not overlap the body at the end counts as a part of
  ///    the ground.
  /// 2. Obstacles that overlap it by more than rounding push it out, deepest first. Between two obstacles
  ///    that leave too little space, the body stops where the deepest overlap is smallest.
  /// 3. It slides along the surfaces that it hits, over the seams of tiles, and into gaps that are exactly
  ///    as wide as the body: it is shifted sideways by about `skin` if it can then continue.
  /// 4. It snaps to the ground within reach of `skin`, and touches it, so that the next step reports the
  ///    contact to listeners. The overlap is at most 2 ulps of the largest coordinate of its box. It keeps
  ///    `skin` from all other surfaces, unless it was closer before.
  ///
  /// Distances add up exactly: the rounding error of the position is added at the next call. Of obstacles at
  /// one distance, the surface comes first that the body then slides along without meeting the others; what
  /// the body does never depends on the order in which the other bodies were added.
  ///
  /// @par Errors
  /// `invalid_argument` also for a `skin` that is negative or not finite, for an `up` that is neither zero
  /// nor of length 1 to within 1 %, and for a value returned by `respond` that is no `SlideResponse`;
  /// `not_finite` for a motion or an `up` that is not finite. On error, or if `respond` throws, the body
  /// stays where it was.
  /// @par Complexity
  /// A few shape casts for each obstacle that deflects the motion. Allocates.
  /// @par Source
  /// K. Fauerby, Improved collision detection and response, 2003; the four responses are those of E. García,
  /// bump.lua, 2012.
  Result<SlideResult> move_and_slide(BodyId body, Vec2 motion, const SlideOptions& options = {});

  [[nodiscard]] Result<Transform> transform(BodyId body) const;
  [[nodiscard]] Result<Vec2> position(BodyId body) const;
  /// Writes the positions of bodies [m] to `positions` [m], all or none. A body may occur more than once.
  Result<void> positions(std::span<const BodyId> bodies, std::span<Vec2> positions) const;
  /// Does the same with positions and rotations.
  Result<void> transforms(std::span<const BodyId> bodies, std::span<Transform> transforms) const;
  /// Does the same with velocities (unit: length per second).
  Result<void> velocities(std::span<const BodyId> bodies, std::span<Vec2> velocities) const;
  /// Returns the body's velocity (unit: length per second).
  [[nodiscard]] Result<Vec2> velocity(BodyId body) const;
  /// Sets the velocity of a body that is not static. A disabled body keeps its velocity, but does not move.
  Result<void> set_velocity(BodyId body, Vec2 velocity);
  /// Returns the body's own acceleration, without gravity (unit: length per second squared).
  [[nodiscard]] Result<Vec2> acceleration(BodyId body) const;
  /// Sets the acceleration of a body that is not static, in addition to gravity.
  Result<void> set_acceleration(BodyId body, Vec2 acceleration);
  /// Returns the smallest box around the body's shapes, at its current position.
  [[nodiscard]] Result<Aabb> bounds(BodyId body) const;

  /// Returns the body's shapes: the first, then the others.
  [[nodiscard]] Result<std::vector<Shape>> shapes(BodyId body) const;
  /// Replaces the first shape of a body.
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

  // Filtering.

  [[nodiscard]] Result<Filter> filter(BodyId body) const;
  /// Sets the filter; its `tags` and `report_tags` are ignored.
  ///
  /// @par Errors
  /// `invalid_argument` also if bodies would have more than 20,000 different filters at once, including the
  /// default filter and the old one of this body, or, with `Interest::listeners`, more than 65,000 different
  /// combinations of type, filter without its group, and tag. The same holds for `add`, `set_tag` and
  /// `set_sensor`.
  Result<void> set_filter(BodyId body, const Filter& filter);
  /// Returns the tag, empty if the body has none. It is a copy, as tags are freed once they are unused.
  [[nodiscard]] Result<std::string> tag(BodyId body) const;
  Result<void> set_tag(BodyId body, std::string_view tag);
  /// Ignores a pair of bodies, or stops ignoring it. An ignored pair never touches, whatever its filters.
  Result<void> set_ignored(BodyId a, BodyId b, bool ignored);
  /// Sets a predicate that decides whether two bodies may touch; an empty function removes it.
  ///
  /// Each step calls it for each pair whose boxes touch and that nothing else keeps apart, before the shapes
  /// are tested; false ignores the pair. It must not change the world.
  Result<void> set_predicate(std::function<bool(BodyId, BodyId)> predicate);

  // Listeners. Tags are names; `any` matches every body, with or without a tag. A listener is called once per
  // matching order of its two tags, with a and b of the contact in that order, or once if both tags are
  // equal. Listeners run after detection, in ascending order of the contacts, then in the order in which they
  // were added. They may add, move and remove anything, and are not called for removed bodies. An empty
  // function is never called, but its tags count for `Interest::listeners`.

  static constexpr std::string_view any = "*";
  using ContactListener = std::function<void(const BodyContact&)>;
  using EndListener = std::function<void(const ContactEnd&)>;

  /// Calls `listener` in each step in which two bodies with these tags touch.
  ListenerId on_contact(std::string_view tag_a, std::string_view tag_b, ContactListener listener);
  /// Calls `listener` in each step in which two bodies with these tags touch and touched in the step before.
  ListenerId on_stay(std::string_view tag_a, std::string_view tag_b, ContactListener listener);
  /// Calls `listener` when two bodies with these tags begin to touch.
  ListenerId on_begin(std::string_view tag_a, std::string_view tag_b, ContactListener listener);
  /// Calls `listener` when two bodies with these tags stop touching; b may have been removed, a exists.
  ListenerId on_end(std::string_view tag_a, std::string_view tag_b, EndListener listener);
  /// Removes a listener; returns whether it existed.
  bool remove_listener(ListenerId listener);

  // The step.

  /// Advances the world by `seconds`: detect, dispatch, respond, integrate.
  ///
  /// With `StepOrder::motion_first`, `integrate` comes first. Any sequence of step lengths gives the same
  /// motion: velocities and positions follow the formulas for constant acceleration, with a remainder for the
  /// rounding error of each position.
  /// @param seconds 0 or more; with 0 velocities move nothing, and the step only updates the contacts
  /// @par Errors
  /// `invalid_argument`, `locked`, and `not_finite` if a body would leave the range of float; nothing changes
  /// then. The same holds if the predicate throws or memory runs out before contacts are found. If memory
  /// runs out in a later stage, that stage is skipped, the others are run, and `std::bad_alloc` is thrown at
  /// the end. A body that a callback sends out of range does not move, and the next step is refused.
  /// @par Complexity
  /// O(m + p) expected for m changed bodies and the p pairs of boxes that they are in, if m is less than a
  /// sixth of the bodies that are not static and the technique is `HierarchicalGrid`. Otherwise, or with a
  /// predicate, O(n + p) for all p. Free if no body changed. Allocates only if a count reaches a new maximum.
  Result<void> step(float seconds);

  // The stages of `step`, for callers that run code between them. With `StepOrder::motion_first`, `integrate`
  // comes first.

  /// Finds boxes, pairs and contacts.
  Result<void> detect();
  /// Calls the listeners.
  Result<void> dispatch();
  /// Separates bodies that touch and lets them bounce, with `Response::bounce`.
  Result<void> respond();
  /// Moves bodies by their velocities and accelerations: p += v t + a t^2 / 2, v += a t.
  Result<void> integrate(float seconds);

  /// Disables the response to the contact of two bodies in this step; for use by listeners.
  ///
  /// @par Errors
  /// `invalid_argument` also if both ids are the same.
  Result<void> skip_response(BodyId a, BodyId b);

  [[nodiscard]] Vec2 gravity() const;
  Result<void> set_gravity(Vec2 gravity);

  // Results of the last step, valid until the next one. After a step in which few bodies changed, the first
  // call that needs all contacts sorts them, in O(p).

  /// Returns all contacts: those that began in the last step, and those that stayed.
  [[nodiscard]] ContactRange contacts() const;
  /// Returns the contacts of bodies that did not touch in the step before.
  [[nodiscard]] ContactRange begun() const;
  /// Returns the contacts of bodies that touched in the step before as well.
  [[nodiscard]] ContactRange stayed() const;
  /// Returns the contacts that ended, ascending by (a, b).
  [[nodiscard]] std::span<const ContactEnd> ended() const;
  /// Returns the contacts of shapes, as pairs of indices in the broad phase. The index of a body's first
  /// shape is that of its id.
  [[nodiscard]] std::span<const Contact> shape_contacts() const;
  /// Tells whether two bodies touched in the last step.
  [[nodiscard]] Result<bool> touching(BodyId a, BodyId b) const;
  /// Returns the contacts of a body in the last step, ascending by the other body.
  ///
  /// The body is `a` of each contact.
  /// @par Complexity
  /// O(log p) plus the contacts found; O(p) at the first call after a step.
  [[nodiscard]] Result<std::vector<BodyContact>> contacts_of(BodyId body) const;
  /// Visits the same contacts, until `visit` returns false.
  Result<void> visit_contacts(BodyId body, ContactVisitor visit) const;
  /// Returns the bodies, ascending, that the narrow phase has to test against a body at present.
  ///
  /// Their boxes overlap, and types, filters, ignored pairs and the predicate let them touch.
  /// @par Complexity
  /// That of an area query of the broad phase, plus O(k log k) for the k boxes found; allocates.
  [[nodiscard]] Result<std::vector<BodyId>> candidates(BodyId body) const;
  /// Explains in one sentence why two bodies touch or do not at present.
  [[nodiscard]] std::string why(BodyId a, BodyId b) const;

  // Queries. They see the latest changes, also before the first step, and leave out disabled bodies. Each
  // query has two forms: one collects its results, the other calls a visitor, which ends the query by
  // returning false and must not change the world. A body with several shapes is found once, by the first
  // shape that matches. The first query after a change updates the broad phase for all later ones. Errors:
  // `not_finite`, `inverted_box` or `invalid_argument` for arguments that are not finite or not valid.

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
  /// Finds the first body on a ray from `start` to `start + motion` (unit: length), if there is one.
  [[nodiscard]] Result<std::optional<BodyHit>> cast_ray(Vec2 start, Vec2 motion,
                                                        const QueryFilter& filter = {}) const;
  /// Visits all bodies on a ray, by (fraction, body).
  Result<void> visit_ray(Vec2 start, Vec2 motion, HitVisitor visit, const QueryFilter& filter = {}) const;
  /// Finds the first body that a moving shape hits; nothing if there is none.
  [[nodiscard]] Result<std::optional<BodyHit>> cast_shape(const Shape& shape, const Transform& transform,
                                                          Vec2 motion, const QueryFilter& filter = {}) const;
  /// Visits all bodies that a moving shape hits if none stops it, by (fraction, body).
  Result<void> visit_cast(const Shape& shape, const Transform& transform, Vec2 motion, HitVisitor visit,
                          const QueryFilter& filter = {}) const;
  /// Finds the `count` bodies nearest to a point, within `max_distance`, by (distance, body).
  [[nodiscard]] Result<std::vector<Nearest>> nearest(Vec2 point, std::size_t count = 1,
                                                     float max_distance = (std::numeric_limits<float>::max)(),
                                                     const QueryFilter& filter = {}) const;

  // The broad phase, threads, memory.

  /// Changes the technique of the broad phase, which affects the cost and never a result.
  Result<void> set_technique(std::string_view technique, const TechniqueOptions& options = {});
  /// Sets a technique of the caller: a class that derives from `Technique` (broad_phase/technique.hpp).
  ///
  /// @param make returns a new technique, and must not use the world. The world calls it now, in `restore`,
  /// and when it needs an empty broad phase because its bodies have got too many other filters
  /// @par Errors
  /// `invalid_argument` if `make` is empty or returns null; nothing changes.
  Result<void> set_technique(std::function<std::unique_ptr<Technique>()> make);
  /// Returns the broad phase, brought up to date; it has one box per shape.
  [[nodiscard]] const BroadPhase& broad_phase() const;
  /// Enables or disables timings in the statistics of the broad phase. Off by default.
  void measure_times(bool on);
  /// Enables or disables counting of the cells that queries visit, for `broad_phase().query_cells()`. Off by
  /// default; while it is on, queries must not run concurrently.
  void watch_queries(bool on);
  /// Sets the runner of parallel tasks; results do not depend on it.
  ///
  /// @param runner must outlive its use; null for a single thread
  /// @par Errors
  /// `invalid_argument` if `runner->threads()` is 0; only this call reads it.
  Result<void> use_threads(TaskRunner* runner);
  /// Returns the bytes held for bodies, tags, filters, the broad phase and listeners.
  ///
  /// Left out are contacts, pairs, the data that shapes share, what functions of the caller hold, and a
  /// recording in progress.
  [[nodiscard]] std::size_t bytes() const;
  /// Returns the bytes held for contacts and events.
  [[nodiscard]] std::size_t contact_bytes() const;

  // Snapshots and recordings.

  /// Returns the whole state as bytes, except the listeners and the predicate.
  ///
  /// Except for the number of the world, the same calls give the same bytes on any machine. The bytes end
  /// with a checksum.
  [[nodiscard]] std::vector<std::byte> snapshot() const;
  /// Restores the state of a snapshot: its ids become valid again, and it continues bit for bit.
  ///
  /// Listeners and the predicate stay.
  /// @par Errors
  /// `parse` for bytes that are damaged or not a snapshot, `version_mismatch`; nothing changes then.
  Result<void> restore(std::span<const std::byte> snapshot);
  /// Starts to record all changes of the world; null ends the recording.
  ///
  /// @param recording is filled when the recording ends, and must live until then
  /// @par Errors
  /// `locked`.
  Result<void> record(Recording* recording);
  /// Returns the number of this world, which is part of its body ids.
  [[nodiscard]] std::uint32_t number() const;
  /// Returns a hash of the whole state, without the world's number: equal states have equal hashes.
  [[nodiscard]] std::uint64_t hash() const;

 private:
  struct State;
  explicit World(std::shared_ptr<State> state);

  friend class ContactRange;
  friend class BodyTransfer;
  friend class DebugDrawing;
  friend Result<void> replay(const Recording& recording, World& world,
                             const std::function<bool()>& after_step);
  class Handle;
  std::shared_ptr<State> state_;  ///< never null; `State::moved_from_state()` once this was moved from
};

}  // namespace broadside::inline v0_2
