#include "broadside/broad_phase/hierarchical_grid.hpp"

namespace broadside {

namespace {

constexpr std::size_t place_of(BodyType type) {
  return static_cast<std::size_t>(type);
}

}  // namespace

void HierarchicalGrid::on_added(std::span<const BoxIndex> indices) {
  for (const BoxIndex index : indices) {
    by_type_[place_of(type_at(index))].stale = true;
  }
}

void HierarchicalGrid::bring_up_to_date() {
  if (!is_stale()) {
    return;
  }
  std::array<std::size_t, 3> counts{};
  for (BoxIndex i = 0; i < slots(); ++i) {
    counts[place_of(type_at(i))] += is_used(i) ? 1U : 0U;
  }
  for (std::size_t t = 0; t < by_type_.size(); ++t) {
    Rows& rows = by_type_[t];
    if (rows.stale) {
      rows.boxes.clear();
      rows.indices.clear();
      rows.boxes.reserve(counts[t]);
      rows.indices.reserve(counts[t]);
    }
  }
  for (BoxIndex i = 0; i < slots(); ++i) {
    Rows& rows = by_type_[place_of(type_at(i))];
    if (is_used(i) && rows.stale) {
      rows.boxes.push_back(box_at(i));
      rows.indices.push_back(i);
    }
  }
  statistics_.cells = 0;
  statistics_.occupied_cells = 0;
  statistics_.entries = 0;
  for (Rows& rows : by_type_) {
    if (rows.stale) {
      rows.index.build(rows.boxes, rows.indices);
      rows.stale = false;
    }
    statistics_.cells += rows.index.rows();
    statistics_.occupied_cells += rows.index.occupied_rows();
    statistics_.entries += rows.index.size();
  }
}

void HierarchicalGrid::collect_pairs(detail::PairBuffer& pairs) {
  const Rows& dynamic = by_type_[place_of(BodyType::dynamic)];
  statistics_.tests += dynamic.index.find_pairs(pairs);
  for (const BodyType type : {BodyType::static_body, BodyType::kinematic}) {
    // The smaller set looks itself up in the rows of the larger.
    const Rows& others = by_type_[place_of(type)];
    const bool few_others = others.index.size() < dynamic.index.size();
    const Rows& asking = few_others ? others : dynamic;
    const Rows& asked = few_others ? dynamic : others;
    statistics_.tests += asked.index.find_pairs_with(asking.boxes, asking.indices, true, pairs);
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
  std::size_t bytes = 0;
  for (const Rows& rows : by_type_) {
    bytes += rows.index.bytes() + rows.boxes.capacity() * sizeof(Aabb) +
             rows.indices.capacity() * sizeof(BoxIndex);
  }
  return bytes;
}

}  // namespace broadside
