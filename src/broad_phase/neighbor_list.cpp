#include "broadside/broad_phase/detail/neighbor_list.hpp"

#include "neighbor_kernels.hpp"

namespace broadside::detail {

void NeighborList::build(std::span<const BoxIndex> names, std::span<const std::uint16_t> classes,
                         std::span<const FilterBits> filters, Workers& workers) {
  active_ = !names.empty();
  candidates_.clear();
  if (names.empty()) {
    return;
  }
  rows_.build({grown_, names.size() == grown_.size() ? std::span<const BoxIndex>() : names, classes, filters},
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
}

void NeighborList::purge() {
  const auto pairs = candidates_.pairs();
  candidates_.shrink(keep_overlapping(pairs.data(), pairs.size(), grown_.data(), pairs.data()));
}

std::uint64_t NeighborList::append_touching(std::span<const Aabb> boxes, PairBuffer& pairs,
                                            Workers& workers) const {
  constexpr std::size_t least = 16384;
  const auto candidates = candidates_.pairs();
  workers.collect(
      candidates.size(), least, pairs,
      [&](std::size_t, std::size_t begin, std::size_t end, PairBuffer& found) {
        Pair* const out = found.tail(end - begin);
        found.advance(keep_overlapping(candidates.data() + begin, end - begin, boxes.data(), out));
        return std::uint64_t{0};
      });
  return candidates.size();
}

std::size_t NeighborList::bytes() const {
  return grown_.capacity() * sizeof(Aabb) + leavers_.capacity() * sizeof(std::uint32_t) + rows_.bytes();
}

}  // namespace broadside::detail
