#include "neighbor_list.hpp"

#include "neighbor_kernels.hpp"

namespace broadside::detail {

namespace {

/// Replaces the boxes of some slots by `no_box`, and restores them at the end of the scope.
class Mask {
 public:
  Mask(std::span<Aabb> boxes, std::span<const BoxIndex> slots, std::vector<Aabb>& masked)
      : boxes_(boxes), slots_(slots), masked_(masked) {
    masked_.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      masked_[i] = boxes[slots[i]];
      boxes[slots[i]] = no_box;
    }
  }
  Mask(const Mask&) = delete;
  Mask& operator=(const Mask&) = delete;
  ~Mask() {
    for (std::size_t i = slots_.size(); i-- > 0;) {
      boxes_[slots_[i]] = masked_[i];
    }
  }

 private:
  std::span<Aabb> boxes_;
  std::span<const BoxIndex> slots_;
  std::vector<Aabb>& masked_;
};

}  // namespace

// A slot without a grown box has no candidates, and a retired slot is listed already.
void NeighborList::retire(BoxIndex index) {
  if (grown_[index] != no_box && grown_[index] != retired_box) {
    retired_.push_back(index);
    grown_[index] = retired_box;
  }
}

void NeighborList::end_retirement() {
  for (const BoxIndex index : retired_) {
    grown_[index] = is_retired(index) ? no_box : grown_[index];
  }
  retired_.clear();
}

void NeighborList::build(std::span<const BoxIndex> names, std::span<const std::uint16_t> kinds,
                         std::span<const FilterBits> filters, Workers& workers) {
  active_ = !names.empty();
  candidates_.clear();
  end_retirement();
  if (names.empty()) {
    return;
  }
  rows_.build({grown_, names.size() == grown_.size() ? std::span<const BoxIndex>() : names, kinds, filters},
              workers);
}

void NeighborList::find_leavers(const Moves& moves, const std::uint8_t* places, std::uint8_t place) {
  leavers_.resize(moves.indices.size());
  leaver_count_ = detail::find_leavers(moves, grown_.data(), places, place, leavers_.data());
}

std::span<const std::uint32_t> NeighborList::grow_all(std::span<const BoxIndex> indices,
                                                      std::span<const Aabb> before, std::span<const Aabb> now,
                                                      float small_size) {
  leavers_.resize(indices.size());
  const std::size_t count =
      grow_boxes(indices, before.data(), now.data(), small_size, grown_.data(), leavers_.data());
  for (std::size_t k = 0; k < count; ++k) {
    grown_[indices[leavers_[k]]] = no_box;
  }
  return {leavers_.data(), count};
}

void NeighborList::clear() {
  active_ = false;
  candidates_.clear();
  retired_.clear();
}

Work NeighborList::purge() {
  const auto pairs = candidates_.pairs();
  candidates_.shrink(keep_overlapping(pairs.data(), pairs.size(), grown_.data(), pairs.data()));
  end_retirement();
  return {.tests = pairs.size()};
}

Work NeighborList::append_touching(std::span<Aabb> boxes, PairBuffer& pairs, PairWorkers& workers) {
  constexpr std::size_t least = 16384;
  const Mask mask(boxes, retired_, masked_);
  const std::span<const Pair> candidates = candidates_.pairs();
  workers.collect(
      candidates.size(), least, pairs,
      [&](std::size_t, std::size_t begin, std::size_t end, PairBuffer& found) {
        Pair* const out = found.tail(end - begin);
        found.advance(keep_overlapping(candidates.data() + begin, end - begin, boxes.data(), out));
        return Work{};
      });
  return {.tests = candidates.size()};
}

std::size_t NeighborList::bytes() const {
  return (grown_.capacity() + masked_.capacity()) * sizeof(Aabb) + retired_.capacity() * sizeof(BoxIndex) +
         leavers_.capacity() * sizeof(std::uint32_t) + rows_.bytes();
}

}  // namespace broadside::detail
