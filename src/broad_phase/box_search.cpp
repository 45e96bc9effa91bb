#include "box_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tracking_technique.hpp"

namespace broadside::inline v0_2::detail {

void BoxSearch::append(const Aabb& area, std::vector<BoxIndex>& hits) const {
  if (!is_outdated()) {
    if (state_.is_watched) {
      state_.technique->count_visits(area);
    }
    state_.technique->collect_area(area, hits);
    return;
  }
  count_scan();
  state_.boxes.append_overlapping(area, hits);
}

std::uint64_t BoxSearch::layers_of(BoxIndex index) const {
  return state_.boxes.filter(index).layer;
}

void BoxSearch::count_scan() const {
  constexpr std::size_t tests_per_insertion = 64;
  if (state_.tracking != nullptr && !state_.needs_rebuild) {
    state_.tracking->add_query_cost(size() / tests_per_insertion);
  }
}

void BoxSearch::append_split(const Aabb& area, std::vector<BoxIndex>& within,
                             std::vector<BoxIndex>& crossing) const {
  if (is_outdated()) {
    const std::size_t first = crossing.size();
    append(area, crossing);
    split_by_containment(state_.boxes, area, first, within, crossing);
    return;
  }
  if (state_.is_watched) {
    state_.technique->count_visits(area);
  }
  state_.technique->collect_split(area, within, crossing);
}

void split_by_containment(const BoxStore& boxes, const Aabb& area, std::size_t first,
                          std::vector<BoxIndex>& within, std::vector<BoxIndex>& crossing) {
  std::size_t kept = first;
  for (std::size_t i = first; i < crossing.size(); ++i) {
    const BoxIndex index = crossing[i];
    if (encloses(area, boxes.box(index))) {
      within.push_back(index);
    } else {
      crossing[kept++] = index;
    }
  }
  crossing.resize(kept);
}

void BoxSearch::visit_along_path(const SweptBox& path, std::uint64_t layers, SweptBoxScratch& scratch,
                                 VisitSwept visit) const {
  if (is_outdated()) {
    count_scan();
    scratch.names.clear();
    state_.boxes.for_each([&](BoxIndex index) { scratch.names.push_back(index); });
    visit_part(state_.boxes, path, 0.0, 1.0, 1.0, scratch, visit);
    return;
  }
  if (state_.tracking != nullptr) {
    state_.tracking->visit_along_path(path, layers, scratch, visit);
    return;
  }
  const double steps = std::ceil(path.length() / initial_radius());
  // If there would be too many parts, one is cheaper than a few long ones, each of which may test all boxes.
  const double parts = steps > max_parts(size()) ? 1.0 : std::max(1.0, steps);
  double limit = 1.0;
  for (double part = 0.0; part < parts && part / parts <= limit; part += 1.0) {
    const double from = part / parts;
    const double to = (part + 1.0) / parts;
    scratch.names.clear();
    append(path.bounds(from, to), scratch.names);
    limit = visit_part(state_.boxes, path, from, to, limit, scratch, visit);
  }
}

double visit_part(const BoxStore& boxes, const SweptBox& path, double from, double to, double limit,
                  SweptBoxScratch& scratch, VisitSwept visit) {
  scratch.hits.clear();
  for (const BoxIndex index : scratch.names) {
    const double entry = path.entry(boxes.box(index));
    // A box that overlaps several parts is visited with the one in which its entry is.
    if (entry >= from && (entry < to || to >= 1.0) && entry <= limit) {
      scratch.hits.push_back({entry, index});
    }
  }
  return scratch.hits.empty() ? limit : std::min(limit, visit(scratch.hits));
}

double max_parts(std::size_t n) {
  return 8.0 + 2.0 * std::sqrt(static_cast<double>(n));
}

float BoxSearch::initial_radius() const {
  return is_outdated() ? std::numeric_limits<float>::max() : state_.technique->typical_cell_size();
}

bool BoxSearch::visit_nearest(const NearQuery& query, NearestScratch& scratch, VisitNear visit) const {
  return !is_outdated() && state_.tracking != nullptr &&
         state_.tracking->visit_nearest(query, scratch, visit);
}

}  // namespace broadside::inline v0_2::detail
