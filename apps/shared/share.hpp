#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "broadside/distributed/broad_phase.hpp"
#include "broadside/distributed/communicator.hpp"

namespace broadside::app {

/// Keeps the boxes of one part as a source has them. All parts have the whole source, whose boxes have the
/// ids 0 to n - 1 of rank 0.
///
/// `Source` has `size()`, `box(i)`, `kind(i)` and `has_changed(i)`.
class Share {
 public:
  static GlobalId id_of(BoxIndex box) { return GlobalId::of(0, box); }
  static BoxIndex index_of(GlobalId id) { return static_cast<BoxIndex>(id.counter()); }

  /// Adds a share of the boxes, wherever they are; the first search moves them to their owners.
  template <typename Source>
  Result<void> add(DistributedBroadPhase& part, const Source& source, const Communicator& others) {
    clear();
    std::vector<BoxKind> kinds;
    for (auto i = static_cast<BoxIndex>(others.rank()); i < source.size();
         i += static_cast<BoxIndex>(others.size())) {
      ids_.push_back(id_of(i));
      boxes_.push_back(source.box(i));
      kinds.push_back(source.kind(i));
    }
    return part.add(ids_, boxes_, kinds);
  }

  /// Moves those of the owned boxes that have changed.
  template <typename Source>
  Result<void> move(DistributedBroadPhase& part, const Source& source) {
    clear();
    for (const GlobalId id : part.owned()) {
      if (source.has_changed(index_of(id))) {
        ids_.push_back(id);
        boxes_.push_back(source.box(index_of(id)));
      }
    }
    return part.move(ids_, boxes_);
  }

 private:
  void clear() {
    ids_.clear();
    boxes_.clear();
  }

  std::vector<GlobalId> ids_;
  std::vector<Aabb> boxes_;
};

}  // namespace broadside::app
