#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "broadside/base/function_ref.hpp"
#include "broadside/base/result.hpp"
#include "broadside/distributed/broad_phase.hpp"
#include "broadside/distributed/communicator.hpp"
#include "broadside/distributed/global_id.hpp"
#include "broadside/distributed/partition.hpp"
#include "broadside/world/world.hpp"

namespace broadside::inline v0_2 {

/// A ray of a query: from `start` to `start + motion`.
struct RayQuery {
  Vec2 start = {};                      ///< (unit: length)
  Vec2 motion = {};                     ///< (unit: length)
  std::optional<GlobalId> except = {};  ///< a body to leave out, such as the one that casts the ray
};

/// A shape of a query, which moves by `motion` without turning.
struct CastQuery {
  Shape shape = {};
  Transform transform = {};             ///< at the start
  Vec2 motion = {};                     ///< (unit: length)
  std::optional<GlobalId> except = {};  ///< a body to leave out, such as the one that has this shape
};

/// The first body that a ray or a moving shape hits.
struct GlobalHit {
  GlobalId body;
  Hit hit;
};

/// A point whose nearest bodies a query finds.
struct NearestQuery {
  Vec2 point = {};                                           ///< (unit: length)
  std::size_t count = 1;                                     ///< greatest number of bodies to find
  float max_distance = (std::numeric_limits<float>::max)();  ///< finite, 0 or more (unit: length)
  std::optional<GlobalId> except = {};                       ///< a body to leave out
};

/// A body near a point.
struct GlobalNearest {
  GlobalId body;
  float distance = 0.0F;  ///< from the query point; 0 if the body contains it (unit: length)
  /// Closest point of the body (unit: length); the query point itself if the body contains it.
  Vec2 point;

  friend constexpr bool operator==(const GlobalNearest& a, const GlobalNearest& b) = default;
};

/// What the last step of a part did. The counts are those of this part.
struct DistributedWorldStatistics {
  std::uint64_t owned = 0;          ///< bodies that it owns
  std::uint64_t ghosts = 0;         ///< copies of bodies of other parts
  std::uint64_t contacts = 0;       ///< contacts that it reports
  std::uint64_t migrants = 0;       ///< bodies that it gave to other parts
  std::uint64_t ghost_records = 0;  ///< ghosts that it sent, changed or removed
  std::uint64_t notices = 0;        ///< contacts whose part changed, or that may begin or end there
  std::uint64_t bytes = 0;          ///< of these; the fixed message that each step begins with is left out
  std::uint64_t rebalances = 0;     ///< how often the cuts were moved so far
  double imbalance = 1.0;           ///< work of the slowest part divided by the mean
};

/// A `World` whose bodies are distributed over parts of the plane.
///
/// Each part has an object of this class and owns the bodies whose box has its min corner in its region. It
/// also holds *ghosts*, copies of the bodies of other parts that meet its region. Copies move by the same
/// formulas to the same bits, so a body that moves freely is sent only when it enters a region. Together, the
/// parts report the contacts and events of one `World` with all bodies, each once.
///
/// Bullets whose paths cross are in one group, as a bullet that is stopped touches nothing later. The part
/// that has the min corner of the box around the paths of a group owns its bullets, and gets a ghost of
/// whatever meets such a path. So a step costs more, the more bullets are in one group; and all parts
/// exchange the boxes of all bullets. If the centers of two circles or boxes coincide, what a bullet among
/// them touches depends on the order of the bodies, in one `World` as well. Calls of several parts between
/// two steps have no order: if one of them adds the first bullet of the world, the moves that others make
/// count as made before. A world that loses its last bullet and gets another between two steps still sweeps
/// the moves made before, which a `World` forgets. A body that becomes a bullet has forgotten what it touched
/// in the last step if its part does not hold it: at a corner it may then take another normal.
///
/// Functions called *collective* must be called by all parts, in the same order.
///
/// @par Errors
/// What `World` refuses is refused, and so is the id of a body that this part does not own (`stale_id`).
/// Nothing changes then, and the next `step` returns the same error on all parts.
/// @par Threads
/// An object is used by one thread. The objects of several parts are independent.
/// @par Complexity
/// Letters used below: n bodies of this part, g ghosts, k parts, p contacts.
class DistributedWorld {
 public:
  /// Creates an empty world. Collective; the options must be the same on all parts.
  ///
  /// @param others must outlive it
  /// @par Errors
  /// Those of `World::create`. `invalid_argument` for `Response::bounce`, where the answer depends on the
  /// order of contacts across parts, for `Interest::listeners`, and for an `end_margin` above 0: whether two
  /// bodies within it touch depends on whether they did before, which the part that reports them may not
  /// know.
  [[nodiscard]] static Result<std::unique_ptr<DistributedWorld>> create(Communicator& others,
                                                                        const WorldOptions& options = {});
  ~DistributedWorld();
  DistributedWorld(const DistributedWorld&) = delete;
  DistributedWorld& operator=(const DistributedWorld&) = delete;

  /// Sets when the cuts are moved.
  /// @par Errors
  /// Those of `DistributedBroadPhase::set_rebalance`.
  Result<void> set_rebalance(const RebalanceOptions& options);

  /// Adds a body and returns its id: the next one of this rank. The next `step` moves it to its owner.
  Result<GlobalId> add(const BodyDef& body);
  /// Adds a body with an id of the caller.
  ///
  /// @pre no part has a body with this id; that of a removed body may be used again after the next step
  /// @par Errors
  /// `invalid_argument` also if this part holds a body with this id.
  Result<void> add(GlobalId id, const BodyDef& body);
  /// Removes a body. Its contacts end in the next step.
  Result<void> remove(GlobalId id);
  /// Changes a body that this part owns: calls `change(world, body)` for a `World` of this part.
  ///
  /// `change` may call functions that change this body, such as `World::set_velocity`, and no others. Other
  /// parts that have copies receive the whole body in the next step.
  Result<void> change(GlobalId id, FunctionRef<Result<void>(World&, BodyId)> change);

  /// Returns the ids of the bodies that this part owns, in no particular order. Valid until the next call of
  /// a non-const function.
  [[nodiscard]] std::span<const GlobalId> owned() const;
  /// Tells whether this part owns a body.
  [[nodiscard]] bool owns(GlobalId id) const;
  /// Returns the body with an id in `world()`, or `stale_id` if this part does not own it.
  [[nodiscard]] Result<BodyId> body(GlobalId id) const;
  /// Returns the world of this part, with the bodies that it owns and the ghosts, to read them.
  [[nodiscard]] const World& world() const;

  /// Advances the world by `seconds`. Collective; `seconds` must be the same on all parts.
  ///
  /// @par Errors
  /// The error of a change that some part refused since the last call, or of this step, of the least such
  /// rank, on all parts. No part has changed then. `io` if another part ended, and `parse` for a damaged
  /// message: then the object can only be destroyed.
  /// @par Complexity
  /// O(n + g + k + p log p) besides that of `World::step` with n + g bodies. Allocates.
  Result<void> step(float seconds);

  // Results of the last step, ascending, valid until the next one. Each pair is reported by one part.

  /// Returns the pairs of bodies that touch.
  [[nodiscard]] std::span<const GlobalPair> touching() const;
  /// Returns the pairs that did not touch in the step before.
  [[nodiscard]] std::span<const GlobalPair> begun() const;
  /// Returns the pairs that touched in the step before and no longer do.
  [[nodiscard]] std::span<const GlobalPair> ended() const;

  // Queries. Collective: each part asks for itself, with any number of questions. They see the state after
  // the last step.

  /// Finds the bodies that touch each of some areas [n]; returns their ids [n], ascending.
  ///
  /// @par Errors
  /// Those of `World::query_area` for an area of any part, on all parts.
  /// @par Complexity
  /// O(n + k), and that of the queries in each part that an area meets.
  [[nodiscard]] Result<std::vector<std::vector<GlobalId>>> query_areas(std::span<const Aabb> areas);
  /// Finds the first body on each of some rays [n]; of several at the same fraction, that of the least id.
  ///
  /// @par Errors
  /// Those of `World::cast_ray` for a ray of any part, on all parts.
  /// @par Complexity
  /// O(n + k), and that of the queries in each part that the box around a ray meets.
  [[nodiscard]] Result<std::vector<std::optional<GlobalHit>>> cast_rays(std::span<const RayQuery> rays);
  /// Finds the first body that each of some moving shapes [n] hits; of several at the same fraction, that of
  /// the least id.
  ///
  /// @par Errors
  /// Those of `World::cast_shape` for a shape of any part, on all parts.
  /// @par Complexity
  /// O(n + k), and that of the queries in each part that the box around a path meets.
  [[nodiscard]] Result<std::vector<std::optional<GlobalHit>>> cast_shapes(std::span<const CastQuery> casts);
  /// Finds the bodies nearest to each of some points [n], by (distance, id).
  ///
  /// @par Errors
  /// Those of `World::nearest` for a point of any part, on all parts.
  /// @par Complexity
  /// O(n + k), and that of the queries in the part of a point and in those that are nearer than the bodies
  /// found there: all parts within `max_distance` if that part holds fewer bodies than `count`.
  [[nodiscard]] Result<std::vector<std::vector<GlobalNearest>>> nearest(std::span<const NearestQuery> points);

  /// Returns the whole state as bytes, the same on all parts and for any number of parts. Collective.
  ///
  /// @par Errors
  /// `io` if another part ended.
  /// @par Complexity
  /// Linear in the bodies of all parts, also in memory.
  [[nodiscard]] Result<std::vector<std::byte>> snapshot();
  /// Restores the state of a snapshot, which another number of parts may have made. Collective; all parts
  /// pass the same bytes.
  ///
  /// @par Errors
  /// `parse` for bytes that are damaged or not a snapshot; nothing changes then.
  /// @par Complexity
  /// Linear in the bodies of all parts, also in memory.
  Result<void> restore(std::span<const std::byte> snapshot);
  /// Returns a hash of all bodies and of the contacts and events of the last step, the same on all parts and
  /// for any number of parts. Collective.
  ///
  /// @par Errors
  /// `io` if another part ended.
  [[nodiscard]] Result<std::uint64_t> hash();
  /// Returns the hash of one `World`, to compare with `hash`.
  ///
  /// @param bodies all bodies of the world, and those that were removed since the step before the last
  /// @param ids [n] the ids of these bodies
  /// @par Errors
  /// `invalid_argument` if the numbers of bodies and ids differ, or a contact has another body.
  [[nodiscard]] static Result<std::uint64_t> hash_of(const World& world, std::span<const BodyId> bodies,
                                                     std::span<const GlobalId> ids);

  [[nodiscard]] const Partition& partition() const;
  [[nodiscard]] DistributedWorldStatistics statistics() const;

 private:
  struct State;
  explicit DistributedWorld(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace broadside::inline v0_2
