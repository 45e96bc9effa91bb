#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "broadside/distributed/communicator.hpp"
#include "broadside/distributed/global_id.hpp"
#include "broadside/distributed/partition.hpp"
#include "distributed/messages.hpp"

namespace broadside::inline v0_2::detail {

/// Parts that hold an item although its box does not say so.
struct MoreHolders {
  std::optional<int> owner = {};  ///< instead of the part of the min corner
  std::span<const int> holders = {};
};

/// Which parts hold copies of the items of this part, and the messages that keep these copies up to date.
///
/// An item has a box. The part of its min corner owns it, unless the caller names another one, and all other
/// parts that it meets hold a copy, a *ghost*. So do parts that the caller names. Only the owner sends
/// messages about an item, so each part gets at most one record of an item in an exchange, after one that
/// drops an older item of the same id.
class Halo {
 public:
  using Slot = std::uint32_t;

  /// What a record says.
  enum class What : std::uint8_t {
    drop,    ///< the receiver holds the item no longer
    change,  ///< the receiver holds it already: what has changed
    all,     ///< the receiver gets a ghost of it, or one that replaces its own
    own,     ///< the receiver owns it now: the other parts that hold it, and all data
  };
  /// How much of an item changed since it was last sent.
  enum class Changed : std::uint8_t { nothing, position, all };
  /// Whether this part still holds an item.
  enum class Stay : std::uint8_t { owned, ghost, gone };

  struct Counts {
    std::uint64_t migrants = 0;
    std::uint64_t ghost_records = 0;
    std::uint64_t bytes = 0;  ///< sent to other parts
  };

  Halo(int rank, int size) : rank_(rank), messages_(static_cast<std::size_t>(size)) {}

  [[nodiscard]] const Partition& partition() const { return partition_; }
  void set_partition(Partition partition) {
    partition_ = std::move(partition);
    region_ = partition_.region(rank_);
  }

  /// Returns whether a box meets this part only.
  [[nodiscard]] bool is_inside(const Aabb& box) const {
    const bool above = (box.min.x >= region_.min.x) & (box.min.y >= region_.min.y);
    return above & (box.max.x < region_.max.x) & (box.max.y < region_.max.y);
  }
  [[nodiscard]] bool has_holders(Slot slot) const {
    return slot < has_holders_.size() && has_holders_[slot] != 0;
  }

  /// Writes the records of an owned item to the messages, and returns whether it stays.
  /// @param write is called as write(out, what) to write what `change` or `all` needs
  template <typename Write>
  Stay update(Slot slot, GlobalId id, const Aabb& box, Changed changed, const Write& write,
              const MoreHolders& also = {}) {
    const bool is_here_alone = is_inside(box) && !has_holders(slot) && !also.owner && also.holders.empty();
    return is_here_alone ? Stay::owned : route(slot, id, box, changed, write, also);
  }

  /// Makes the other holders drop an item that this part removes.
  void drop(Slot slot, GlobalId id) {
    for (const int holder : holders(slot)) {
      start(holder, What::drop, id);
    }
    forget(slot);
  }

  /// Sets the other parts that hold an item, ascending.
  void set_holders(Slot slot, std::vector<int> holders) {
    if (holders.empty()) {
      forget(slot);
      return;
    }
    if (slot >= has_holders_.size()) {
      has_holders_.resize(slot + std::size_t{1});
    }
    has_holders_[slot] = 1;
    holders_[slot] = std::move(holders);
  }

  /// Returns the messages written since the last call, by receiver.
  [[nodiscard]] std::vector<Communicator::Message> take_messages() {
    for (const ByteWriter& message : messages_) {
      counts_.bytes += message.size();
    }
    return take_all(messages_);
  }
  [[nodiscard]] Counts take_counts() { return std::exchange(counts_, {}); }

  /// Reads the other holders of an item that this part owns from now on.
  [[nodiscard]] static std::vector<int> read_holders(ByteReader& in) {
    std::vector<int> holders(in.take_count(sizeof(std::uint32_t)));
    for (int& holder : holders) {
      holder = static_cast<int>(in.take_below<std::uint32_t>(Partition::max_parts));
    }
    return holders;
  }

 private:
  [[nodiscard]] std::span<const int> holders(Slot slot) const {
    return has_holders(slot) ? std::span<const int>(holders_.find(slot)->second) : std::span<const int>();
  }
  void forget(Slot slot) {
    if (has_holders(slot)) {
      has_holders_[slot] = 0;
      holders_.erase(slot);
    }
  }

  ByteWriter& start(int to, What what, GlobalId id) {
    ByteWriter& out = messages_[static_cast<std::size_t>(to)];
    out.put(static_cast<std::uint8_t>(what));
    out.put(id.value);
    ++(what == What::own ? counts_.migrants : counts_.ghost_records);
    return out;
  }

  /// Writes the parts that hold an item from now on, except its new owner.
  void put_holders(ByteWriter& out, int owner) const {
    out.put_count(met_.size() - 1);
    for (const int part : met_) {
      if (part != owner) {
        out.put(static_cast<std::uint32_t>(part));
      }
    }
  }

  template <typename Write>
  Stay route(Slot slot, GlobalId id, const Aabb& box, Changed changed, const Write& write,
             const MoreHolders& also) {
    const int owner = also.owner.value_or(partition_.part_of(box.min));
    met_.clear();
    partition_.parts_of(box, [this](int part) { met_.push_back(part); });
    if (also.owner || !also.holders.empty()) {
      met_.push_back(owner);
      met_.insert(met_.end(), also.holders.begin(), also.holders.end());
      std::sort(met_.begin(), met_.end());
      met_.erase(std::unique(met_.begin(), met_.end()), met_.end());
    }
    const std::span<const int> before = holders(slot);
    for (const int part : met_) {
      const bool is_held = std::binary_search(before.begin(), before.end(), part);
      if (part == owner && part != rank_) {
        ByteWriter& out = start(part, What::own, id);
        put_holders(out, owner);
        write(out, What::all);
      } else if (part != rank_ && !(is_held && changed == Changed::nothing)) {
        const What what = is_held && changed == Changed::position ? What::change : What::all;
        write(start(part, what, id), what);
      }
    }
    for (const int part : before) {
      if (!std::binary_search(met_.begin(), met_.end(), part)) {
        start(part, What::drop, id);
      }
    }
    return keep(slot, owner);
  }

  /// Stores the holders of an item after its records were written.
  Stay keep(Slot slot, int owner) {
    const auto own = std::lower_bound(met_.begin(), met_.end(), rank_);
    const bool is_met = own != met_.end() && *own == rank_;
    if (owner != rank_) {
      forget(slot);
      return is_met ? Stay::ghost : Stay::gone;
    }
    met_.erase(own);
    set_holders(slot, met_);
    return Stay::owned;
  }

  int rank_;
  Partition partition_;
  Aabb region_ = partition_.region(0);
  std::vector<ByteWriter> messages_;  ///< by receiver
  std::vector<std::uint8_t> has_holders_;
  std::unordered_map<Slot, std::vector<int>> holders_;  ///< the others, ascending; only looked up
  std::vector<int> met_;                                ///< by the current item, or named by the caller
  Counts counts_;
};

}  // namespace broadside::inline v0_2::detail
