#include "broadside/broad_phase/hierarchical_grid.hpp"

namespace broadside {

void HierarchicalGrid::on_added(std::span<const BoxIndex> indices) {
  places_.resize(slots());
  if (!indices.empty() && rows_of(indices.front()).boxes.empty()) {
    rows_of(indices.front()).boxes.reserve(indices.size());
    rows_of(indices.front()).indices.reserve(indices.size());
  }
  for (const BoxIndex index : indices) {
    Rows& rows = rows_of(index);
    places_[index] = static_cast<std::uint32_t>(rows.boxes.size());
    rows.boxes.push_back(box_at(index));
    rows.indices.push_back(index);
    rows.stale = true;
  }
}

void HierarchicalGrid::on_moved(std::span<const BoxIndex> indices) {
  for (const BoxIndex index : indices) {
    Rows& rows = rows_of(index);
    rows.boxes[places_[index]] = box_at(index);
    rows.stale = true;
  }
}

void HierarchicalGrid::on_removed(BoxIndex index) {
  Rows& rows = rows_of(index);
  const std::uint32_t gap = places_[index];
  rows.boxes[gap] = rows.boxes.back();
  rows.indices[gap] = rows.indices.back();
  places_[rows.indices[gap]] = gap;
  rows.boxes.pop_back();
  rows.indices.pop_back();
  rows.stale = true;
}

void HierarchicalGrid::bring_up_to_date() {
  statistics_.cells = 0;
  statistics_.occupied_cells = 0;
  statistics_.entries = 0;
  for (Rows& rows : by_type_) {
    if (rows.stale) {
      rows.index.build(rows.boxes, rows.indices);
      rows.occupied = rows.index.occupied_rows();
      rows.stale = false;
    }
    statistics_.cells += rows.index.rows();
    statistics_.occupied_cells += rows.occupied;
    statistics_.entries += rows.index.size();
  }
}

void HierarchicalGrid::collect_pairs(detail::PairBuffer& pairs) {
  Rows& dynamic = by_type_[static_cast<std::size_t>(BodyType::dynamic)];
  statistics_.tests += dynamic.index.find_pairs(pairs);
  for (const BodyType type : {BodyType::static_body, BodyType::kinematic}) {
    // The smaller set looks itself up in the rows of the larger.
    const Rows& others = rows_of(type);
    const bool few_others = others.index.size() < dynamic.index.size();
    const Rows& asking = few_others ? others : dynamic;
    const Rows& asked = few_others ? dynamic : others;
    statistics_.tests += asked.index.find_pairs_with(asking.index, pairs);
  }
}

void HierarchicalGrid::collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  for (const Rows& rows : by_type_) {
    rows.index.find_in(area, hits);
  }
}

std::vector<Cell> HierarchicalGrid::cells() const {
  std::vector<Cell> result;
  for (const Rows& rows : by_type_) {
    rows.index.append_cells(result);
  }
  return result;
}

std::size_t HierarchicalGrid::structure_bytes() const {
  std::size_t bytes = places_.capacity() * sizeof(std::uint32_t);
  for (const Rows& rows : by_type_) {
    bytes += rows.index.bytes() + rows.boxes.capacity() * sizeof(Aabb) +
             rows.indices.capacity() * sizeof(BoxIndex);
  }
  return bytes;
}

}  // namespace broadside
