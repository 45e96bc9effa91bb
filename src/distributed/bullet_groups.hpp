#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"
#include "broadside/distributed/communicator.hpp"
#include "broadside/distributed/global_id.hpp"
#include "broadside/distributed/partition.hpp"

namespace broadside::inline v0_2::detail {

/// The bullets of all parts, in groups.
///
/// A bullet that is stopped touches nothing later, so a contact of one bullet may depend on all contacts of
/// another one, whose path it crosses. Bullets whose paths are connected by such crossings form a *group*; it
/// depends on no bullet outside. One part owns the whole group, holds all bodies that its bullets may touch,
/// and reports its contacts:
///
///     ┌───────────────────┬───────────┐      boxes of paths; the min corner of the
///     │ part 0  ┌─────┐   │   part 1  │      box around b and c, which are a group,
///     │ ┌───┐   │b ┌──┼───┼──┐        │      is in part 0: it owns both, and holds
///     │ │ a │   └──┼──┘   │ c│  x     │      whatever meets b or c, but not x
///     │ └───┘      └──────┼──┘        │
///     └───────────────────┴───────────┘
class BulletGroups {
 public:
  struct Bullet {
    GlobalId id;
    Aabb box;  ///< around its path
  };

  /// Finds the groups of the bullets that the parts own; they are the same in all parts. Collective.
  static Result<BulletGroups> gather(Communicator& others, std::span<const Bullet> own,
                                     const Partition& partition);

  /// Returns the part that owns a bullet. @pre a part passed it to `gather`
  [[nodiscard]] int owner_of(GlobalId bullet) const;
  /// Finds which boxes [n] meet bullets: pairs of an index and a part that owns such a bullet, ascending,
  /// each once.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, int>> find_owners(std::span<const Aabb> boxes) const;

 private:
  void find_groups(const Partition& partition);

  std::vector<GlobalId> ids_;  ///< of all bullets, ascending
  std::vector<Aabb> boxes_;    ///< [bullets]
  std::vector<int> owners_;    ///< [bullets]
};

}  // namespace broadside::inline v0_2::detail
