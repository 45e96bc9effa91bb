// Default implementations of `Technique`, and the services of the broad phase.

#include "broadside/broad_phase/technique.hpp"

#include <algorithm>
#include <limits>

#include "box_search.hpp"
#include "broad_phase_state.hpp"

namespace broadside::inline v0_2 {

Technique::~Technique() = default;

std::vector<Cell> Technique::cells() const {
  std::vector<Cell> cells;
  visit_cells([&](const Cell& cell, std::span<const BoxIndex> /*members*/) { cells.push_back(cell); });
  return cells;
}

void Technique::collect_pairs_of(const Request& request, PairBuffer& pairs) {
  collect_pairs(pairs);
  const auto all = pairs.pairs();
  const auto end = std::remove_if(all.begin(), all.end(), [&](Pair pair) {
    return !request.includes(pair.a) && !request.includes(pair.b);
  });
  pairs.shrink(static_cast<std::size_t>(end - all.begin()));
}

void Technique::collect_split(const Aabb& area, std::vector<BoxIndex>& within,
                              std::vector<BoxIndex>& crossing) const {
  const std::size_t first = crossing.size();
  collect_area(area, crossing);
  detail::split_by_containment(store(), area, first, within, crossing);
}

float Technique::typical_cell_size() const {
  return std::numeric_limits<float>::max();
}

bool Technique::wants_sorted() const {
  return state_->is_sorted;
}

void Technique::sort(std::span<Pair> pairs) {
  state_->sorter.sort(pairs);
}

std::uint32_t* Technique::visit_counters(std::size_t cells) const {
  auto& visits = state_->visits;
  visits.resize(std::max(visits.size(), cells));
  return visits.data();
}

std::uint32_t Technique::visits_of(std::size_t cell) const {
  return cell < state_->visits.size() ? state_->visits[cell] : 0;
}

bool Technique::is_watched() const {
  return state_->is_watched;
}

}  // namespace broadside::inline v0_2
