// Default implementations of `Technique`, and the services of the broad phase.

#include "broadside/broad_phase/technique.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "box_search.hpp"
#include "broad_phase_state.hpp"
#include "broadside/base/validate.hpp"
#include "moves.hpp"

namespace broadside {

Technique::~Technique() = default;

bool Technique::are_valid(const detail::Moves& moves) {
  std::atomic<bool> valid = true;
  workers().for_chunks(moves.boxes.size(), workers().chunks(moves.boxes.size(), detail::min_boxes_per_task),
                       [&](std::size_t, std::size_t begin, std::size_t end) {
                         if (validate(moves.boxes.subspan(begin, end - begin)).error()) {
                           valid = false;
                         }
                       });
  return valid;
}

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

bool Technique::visit_nearest(const detail::NearQuery& /*query*/, detail::NearestScratch& /*scratch*/,
                              detail::VisitNear /*visit*/) const {
  return false;
}

void Technique::visit_along_path(const detail::SweptBox& path, detail::SweptBoxScratch& scratch,
                                 detail::VisitSwept visit) const {
  const double steps = std::ceil(path.length() / typical_cell_size());
  // If there would be too many parts, one is cheaper than a few long ones, each of which may test all boxes.
  const double parts = steps > detail::max_parts(store().size()) ? 1.0 : std::max(1.0, steps);
  double limit = 1.0;
  for (double part = 0.0; part < parts && part / parts <= limit; part += 1.0) {
    const double from = part / parts;
    const double to = (part + 1.0) / parts;
    const Aabb area = path.bounds(from, to);
    if (is_watched()) {
      count_visits(area);
    }
    scratch.names.clear();
    collect_area(area, scratch.names);
    limit = detail::visit_part(store(), path, from, to, limit, scratch, visit);
  }
}

bool Technique::wants_sorted() const {
  return state_->is_sorted;
}

void Technique::sort(std::span<Pair> pairs) {
  state_->sorter.sort(pairs, store().slot_count());
}

detail::PairWorkers& Technique::workers() const {
  return state_->workers;
}

std::span<Aabb> Technique::boxes_to_mask() {
  return state_->boxes.boxes_to_change();
}

std::span<const std::uint16_t> Technique::kind_numbers() {
  return state_->boxes.kind_numbers_;
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

}  // namespace broadside
