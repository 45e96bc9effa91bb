#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "broadside/distributed/world.hpp"
#include "distributed/balance.hpp"
#include "distributed/bullet_groups.hpp"
#include "distributed/contact_owners.hpp"
#include "distributed/halo.hpp"
#include "distributed/holdings.hpp"
#include "world/body_transfer.hpp"

namespace broadside::inline v0_2 {

/// The part of a `DistributedWorld`.
struct DistributedWorld::State {
  using Halo = detail::Halo;
  using Place = Halo::Slot;  ///< of a body in `local`: the index of its id

  /// A contact of a bullet's shape in the last step: see `detail::BulletTouch`.
  struct Touch {
    GlobalId bullet;
    GlobalId other;
    std::uint32_t shape = 0;
    std::uint32_t other_shape = 0;
    Vec2 normal = {};

    [[nodiscard]] auto key() const { return std::tuple(bullet, other, shape, other_shape); }
  };

  /// Which parts hold the owned bodies because of bullets.
  struct BulletRoutes {
    detail::BulletGroups groups;
    std::vector<std::pair<std::uint32_t, int>> holders;  ///< numbers of owned bodies, and parts; ascending
  };

  /// What other parts change in this one, to be applied as a whole.
  struct Received {
    /// A body that this part did not hold, or that replaces a ghost.
    struct Added {
      GlobalId id;
      bool is_owned;
      std::vector<int> holders;
    };

    std::vector<BodyId> removed;
    std::vector<Added> added;
    detail::TransferredBodies bodies;
    std::vector<Touch> touches;  ///< of bullets that this part owns from now on
  };

  // What is known of a body in the step before, as bits; both are set if nothing is.
  static constexpr std::uint8_t met_other_parts = 1;
  static constexpr std::uint8_t was_bullet = 2;

  State(Communicator& given, const WorldOptions& of_world, World world)
      : others(given),
        options(of_world),
        local(std::move(world)),
        halo(given.rank(), given.size()),
        balance(given),
        contacts(given) {}

  // Bodies.

  Result<void> add(GlobalId id, const BodyDef& body);
  void insert(GlobalId id, BodyId body, bool is_owned_here);

  // Stages.

  Result<void> move_cuts(const detail::Agreement& agreement);
  /// Moves bodies to their owners and updates the ghosts. Collective.
  Result<void> settle();
  void send(Place place, const detail::MoreHolders& also, std::vector<BodyId>& gone);
  void read(detail::ByteReader& in, Received& received);
  Result<void> apply(const Received& received);
  [[nodiscard]] bool reports(Place a, Place b) const;
  Result<void> find_contacts();
  Result<void> step(float seconds);

  // Bullets.

  Result<detail::Agreement> agree();
  void set_has_bullets(bool has);
  [[nodiscard]] bool is_bullet(Place place) const { return local.bullet(bodies[place]).value_or(false); }
  Result<BulletRoutes> find_routes();
  void keep_touches();
  void append_touches(BodyId bullet);
  void sort_touches();
  void give_touches();
  /// Writes a body, and what it touched in the last step if it is a bullet.
  void write(detail::ByteWriter& out, Place place) const;
  static void read_body(detail::ByteReader& in, GlobalId id, detail::TransferredBodies& read,
                        std::vector<Touch>& read_touches);

  // Queries.

  /// Tells whether this part answers for a body that meets an area: by the owner rule.
  [[nodiscard]] bool answers(const Aabb& area, const Aabb& box) const;
  /// Returns a filter that leaves out a body, if this part holds it.
  [[nodiscard]] QueryFilter filter_of(std::optional<GlobalId> except) const;
  /// Agrees on an error, and brings all parts up to date. Collective.
  Result<void> prepare_query(Error error);
  [[nodiscard]] std::vector<GlobalNearest> nearest_here(const NearestQuery& query) const;

  // Snapshots.

  Result<std::vector<std::byte>> snapshot() const;
  Result<void> restore(std::span<const std::byte> snapshot);

  Communicator& others;
  WorldOptions options;
  World local;  ///< the owned bodies and the ghosts
  Halo halo;
  detail::Balance balance;
  detail::ContactOwners contacts;
  std::uint64_t next_counter = 0;

  detail::Holdings held;  ///< by index of the bodies in `local`
  // By the same index.
  std::vector<BodyId> bodies;
  std::vector<Aabb> boxes;               ///< of bodies that meet other parts, when contacts were last found
  std::vector<std::uint8_t> met_others;  ///< in the step before: `met_other_parts`, `was_bullet`

  bool has_bullets = false;    ///< in any part, as of the last agreement
  bool had_bullets = false;    ///< in the last step
  std::vector<Touch> touches;  ///< of the bullets that this part owns; sorted

  DistributedWorldStatistics statistics;
};

}  // namespace broadside::inline v0_2
