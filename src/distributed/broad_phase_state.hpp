#pragma once

#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "broadside/distributed/broad_phase.hpp"
#include "distributed/balance.hpp"
#include "distributed/halo.hpp"
#include "distributed/holdings.hpp"
#include "distributed/messages.hpp"

namespace broadside::inline v0_2 {

/// The part of a `DistributedBroadPhase`.
struct DistributedBroadPhase::State {
  using Halo = detail::Halo;

  /// What other parts change in this one, to be applied as a whole.
  struct Received {
    /// A box that this part did not hold.
    struct Added {
      GlobalId id;
      bool is_owned;
      std::vector<int> holders;
    };

    std::vector<BoxIndex> removed;
    std::vector<BoxIndex> moved;
    std::vector<Aabb> moved_to;
    std::vector<Added> added;
    std::vector<Aabb> added_boxes;
    std::vector<BoxKind> added_kinds;
  };

  explicit State(Communicator& given) : others(given), halo(given.rank(), given.size()), balance(given) {}

  Result<std::vector<BoxIndex>> find_all(std::span<const GlobalId> wanted) const {
    std::vector<BoxIndex> indices;
    indices.reserve(wanted.size());
    for (const GlobalId id : wanted) {
      const auto index = held.find_owned(id);
      if (!index) {
        return detail::not_owned("box", id);
      }
      indices.push_back(*index);
    }
    return indices;
  }

  // Boxes: broad_phase.cpp.

  Error check_new(std::span<const GlobalId> added) const;
  Result<void> add(std::span<const GlobalId> added, std::span<const Aabb> boxes,
                   std::span<const BoxKind> kinds);
  void insert(BoxIndex index, GlobalId id, BodyType type, bool owned);
  void mark(BoxIndex index, bool with_kind);

  Result<void> move_cuts(const detail::Agreement& agreement, bool& have_moved);
  void select();

  // Records of boxes: broad_phase_exchange.cpp.

  void send_changed(BoxIndex index);
  void send_all();
  Result<std::vector<Communicator::Message>> exchange();
  Result<void> receive(const std::vector<Communicator::Message>& incoming);
  void read(detail::ByteReader& in, Received& received);
  void read_box(detail::ByteReader& in, Halo::What what, GlobalId id, Received& received);
  Result<void> apply(Received& received);

  Communicator& others;
  Halo halo;
  detail::Balance balance;
  HierarchicalGrid local;  ///< the owned boxes and the ghosts
  std::uint64_t next_counter = 0;
  bool is_sorted = false;

  detail::Holdings held;          ///< by index in `local`
  std::vector<BodyType> types;    ///< likewise
  std::vector<BoxIndex> changed;  ///< may name boxes twice, or such that were removed since
  std::vector<BoxIndex> gone;     ///< boxes that the current search gave to other parts
  std::vector<GlobalPair> pairs;
  DistributedStatistics statistics;
};

}  // namespace broadside::inline v0_2
