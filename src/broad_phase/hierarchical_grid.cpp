#include "broadside/broad_phase/hierarchical_grid.hpp"

namespace broadside {

namespace {

constexpr std::size_t slot_of(BodyType type) {
  return static_cast<std::size_t>(type);
}

}  // namespace

void HierarchicalGrid::on_added(std::span<const BoxIndex> indices) {
  for (const BoxIndex index : indices) {
    stale_[slot_of(type_at(index))] = true;
  }
}

void HierarchicalGrid::bring_up_to_date() {
  if (!is_stale()) {
    return;
  }
  for (std::size_t t = 0; t < by_type_.size(); ++t) {
    if (stale_[t]) {
      by_type_[t].clear();
    }
  }
  for (BoxIndex i = 0; i < slots(); ++i) {
    const std::size_t t = slot_of(type_at(i));
    if (is_used(i) && stale_[t]) {
      by_type_[t].add(box_at(i), i);
    }
  }
  statistics_.occupied_cells = 0;
  statistics_.entries = 0;
  for (std::size_t t = 0; t < by_type_.size(); ++t) {
    if (stale_[t]) {
      by_type_[t].build();
      stale_[t] = false;
    }
    statistics_.occupied_cells += by_type_[t].rows();
    statistics_.entries += by_type_[t].size();
  }
  statistics_.cells = statistics_.occupied_cells;
}

void HierarchicalGrid::collect_pairs(std::vector<Pair>& pairs) {
  const auto& dynamic = by_type_[slot_of(BodyType::dynamic)];
  statistics_.tests +=
      dynamic.for_each_pair([&pairs](BoxIndex i, BoxIndex j) { pairs.push_back(ordered_pair(i, j)); });
  for (const BodyType type : {BodyType::static_body, BodyType::kinematic}) {
    const auto& others = by_type_[slot_of(type)];
    if (others.size() == 0) {
      continue;
    }
    for (BoxIndex i = 0; i < slots(); ++i) {
      if (is_used(i) && type_at(i) == BodyType::dynamic) {
        statistics_.tests +=
            others.for_each_in(box_at(i), [&pairs, i](BoxIndex j) { pairs.push_back(ordered_pair(i, j)); });
      }
    }
  }
}

void HierarchicalGrid::collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  for (const auto& index : by_type_) {
    index.for_each_in(area, [&hits](BoxIndex i) { hits.push_back(i); });
  }
}

std::vector<Cell> HierarchicalGrid::cells() const {
  std::vector<Cell> result;
  for (const auto& index : by_type_) {
    index.append_cells(result);
  }
  return result;
}

std::size_t HierarchicalGrid::structure_bytes() const {
  std::size_t bytes = 0;
  for (const auto& index : by_type_) {
    bytes += index.bytes();
  }
  return bytes;
}

}  // namespace broadside
