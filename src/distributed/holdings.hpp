#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "broadside/distributed/global_id.hpp"
#include "distributed/halo.hpp"

namespace broadside::inline v0_2::detail {

/// The items that a part holds: those that it owns, and copies of others, the ghosts. Each has a slot, its
/// index among the boxes or bodies of this part.
class Holdings {
 public:
  using Slot = Halo::Slot;

  static constexpr GlobalId no_id{~std::uint64_t{0}};

  [[nodiscard]] std::optional<Slot> find(GlobalId id) const {
    // Programs name items in the order of `owned`, which is that of the slots.
    if (last_found_ + 1 < ids_.size() && ids_[last_found_ + 1] == id) {
      return ++last_found_;
    }
    const auto found = slot_of_.find(id.value);
    if (found == slot_of_.end()) {
      return std::nullopt;
    }
    last_found_ = found->second;
    return last_found_;
  }
  [[nodiscard]] std::optional<Slot> find_owned(GlobalId id) const {
    const auto slot = find(id);
    return slot && is_owned(*slot) ? slot : std::nullopt;
  }

  /// Returns the ids by slot, `no_id` for none.
  [[nodiscard]] std::span<const GlobalId> ids() const { return ids_; }
  [[nodiscard]] bool is_owned(Slot slot) const { return is_owned_[slot] != 0; }
  /// Whether an item meets other parts as well; true until it is set.
  [[nodiscard]] bool meets_others(Slot slot) const { return meets_others_[slot] != 0; }
  void set_meets_others(Slot slot, bool meets) { meets_others_[slot] = meets ? 1 : 0; }
  /// How much of an owned item changed since it was last sent.
  [[nodiscard]] Halo::Changed& changed(Slot slot) { return changes_[slot]; }

  [[nodiscard]] std::size_t owned_count() const { return owned_count_; }
  [[nodiscard]] std::size_t ghost_count() const { return slot_of_.size() - owned_count_; }
  /// Returns the ids of the owned items, by slot.
  [[nodiscard]] std::span<const GlobalId> owned() const {
    if (!are_owned_valid_) {
      owned_.clear();
      for_each_owned([this](Slot slot) { owned_.push_back(ids_[slot]); });
      are_owned_valid_ = true;
    }
    return owned_;
  }
  template <typename Visit>
  void for_each_owned(const Visit& visit) const {
    for (Slot slot = 0; slot < ids_.size(); ++slot) {
      if (is_owned_[slot] != 0) {
        visit(slot);
      }
    }
  }

  /// @pre the slot and the id are free
  void insert(Slot slot, GlobalId id, bool is_owned_here) {
    const std::size_t end = std::max<std::size_t>(ids_.size(), slot + std::size_t{1});
    ids_.resize(end, no_id);
    is_owned_.resize(end);
    meets_others_.resize(end);
    changes_.resize(end);
    ids_[slot] = id;
    is_owned_[slot] = 0;
    meets_others_[slot] = 1;
    changes_[slot] = Halo::Changed::nothing;
    slot_of_[id.value] = slot;
    set_owned(slot, is_owned_here);
  }
  void erase(Slot slot) {
    set_owned(slot, false);
    slot_of_.erase(ids_[slot].value);
    ids_[slot] = no_id;
    changes_[slot] = Halo::Changed::nothing;
  }
  /// Makes this part the owner of an item that it holds.
  /// @param holders the other parts that hold it, ascending
  void take_over(Slot slot, const Aabb& box, std::vector<int> holders, Halo& halo) {
    set_owned(slot, true);
    halo.set_holders(slot, std::move(holders));
    set_meets_others(slot, !halo.is_inside(box));
  }
  void set_owned(Slot slot, bool is_owned_here) {
    if (is_owned(slot) != is_owned_here) {
      is_owned_[slot] = is_owned_here ? 1 : 0;
      is_owned_here ? ++owned_count_ : --owned_count_;
      are_owned_valid_ = false;
    }
  }

 private:
  // By slot.
  std::vector<GlobalId> ids_;
  std::vector<std::uint8_t> is_owned_;
  std::vector<std::uint8_t> meets_others_;
  std::vector<Halo::Changed> changes_;

  std::unordered_map<std::uint64_t, Slot> slot_of_;  ///< by id; only looked up
  mutable Slot last_found_ = 0;
  std::size_t owned_count_ = 0;
  mutable std::vector<GlobalId> owned_;  ///< if valid
  mutable bool are_owned_valid_ = false;
};

}  // namespace broadside::inline v0_2::detail
