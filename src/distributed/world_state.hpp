#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "broadside/distributed/world.hpp"
#include "distributed/balance.hpp"
#include "distributed/contact_owners.hpp"
#include "distributed/halo.hpp"
#include "distributed/holdings.hpp"
#include "world/body_transfer.hpp"

namespace broadside::inline v0_2 {

/// The part of a `DistributedWorld`.
struct DistributedWorld::State {
  using Halo = detail::Halo;
  using Place = Halo::Slot;  ///< of a body in `local`: the index of its id

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
  };

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
  void send(Place place, std::vector<BodyId>& gone);
  void read(detail::ByteReader& in, Received& received);
  Result<void> apply(const Received& received);
  Result<void> find_contacts();
  Result<void> step(float seconds);

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
  std::vector<std::uint8_t> met_others;  ///< 1 if the body met other parts in the step before; 1 for new ones

  DistributedWorldStatistics statistics;
};

}  // namespace broadside::inline v0_2
