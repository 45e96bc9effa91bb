// The queries of `BroadPhase`: boxes in an area, on a path or around a point, and the pairs of some boxes.

#include <algorithm>
#include <cmath>
#include <limits>

#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/broad_phase.hpp"

namespace broadside {

Result<void> BroadPhase::query_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  hits.clear();
  if (auto valid = validate(area, "area"); !valid.has_value()) {
    return valid;
  }
  append_area(area, hits);
  if (!is_outdated()) {
    std::sort(hits.begin(), hits.end());
  }
  return {};
}

void BroadPhase::append_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  if (!is_outdated()) {
    if (watched_) {
      count_visits(area);
    }
    collect_area(area, hits);
    return;
  }
  for (BoxIndex i = 0; i < slot_count(); ++i) {
    if (is_used(i) && overlaps(boxes_[i], area)) {
      hits.push_back(i);
    }
  }
}

void BroadPhase::append_split(const Aabb& area, std::vector<BoxIndex>& within,
                              std::vector<BoxIndex>& crossing) const {
  if (is_outdated()) {
    const std::size_t first = crossing.size();
    append_area(area, crossing);
    split_by_containment(area, first, within, crossing);
  } else {
    if (watched_) {
      count_visits(area);
    }
    collect_split(area, within, crossing);
  }
}

void BroadPhase::collect_split(const Aabb& area, std::vector<BoxIndex>& within,
                               std::vector<BoxIndex>& crossing) const {
  const std::size_t first = crossing.size();
  collect_area(area, crossing);
  split_by_containment(area, first, within, crossing);
}

/// Moves those boxes of `crossing` from `first` on that are wholly within the area to `within`.
void BroadPhase::split_by_containment(const Aabb& area, std::size_t first, std::vector<BoxIndex>& within,
                                      std::vector<BoxIndex>& crossing) const {
  std::size_t kept = first;
  for (std::size_t i = first; i < crossing.size(); ++i) {
    const BoxIndex index = crossing[i];
    const Aabb& box = boxes_[index];
    if (area.min.x <= box.min.x && box.max.x <= area.max.x && area.min.y <= box.min.y &&
        box.max.y <= area.max.y) {
      within.push_back(index);
    } else {
      crossing[kept++] = index;
    }
  }
  crossing.resize(kept);
}

void BroadPhase::visit_along_path(const detail::SweptBox& path, detail::SweptBoxScratch& scratch,
                                  detail::VisitSwept visit) const {
  if (!is_outdated()) {
    walk(path, scratch, visit);
    return;
  }
  scratch.names.clear();
  for (BoxIndex i = 0; i < slot_count(); ++i) {
    if (is_used(i)) {
      scratch.names.push_back(i);
    }
  }
  visit_part(path, 0.0, 1.0, 1.0, scratch, visit);
}

void BroadPhase::walk(const detail::SweptBox& path, detail::SweptBoxScratch& scratch,
                      detail::VisitSwept visit) const {
  const double steps = std::ceil(path.length() / typical_cell_size());
  // If there would be too many parts, one is cheaper than a few long ones, each of which may test all boxes.
  const double parts = steps > max_parts() ? 1.0 : std::max(steps, 1.0);
  double limit = 1.0;
  for (double part = 0.0; part < parts && part / parts <= limit; part += 1.0) {
    const double from = part / parts;
    const double to = (part + 1.0) / parts;
    const Aabb area = path.bounds(from, to);
    if (watched_) {
      count_visits(area);
    }
    scratch.names.clear();
    collect_area(area, scratch.names);
    limit = visit_part(path, from, to, limit, scratch, visit);
  }
}

double BroadPhase::visit_part(const detail::SweptBox& path, double from, double to, double limit,
                              detail::SweptBoxScratch& scratch, detail::VisitSwept visit) const {
  scratch.met.clear();
  for (const BoxIndex index : scratch.names) {
    const double entry = path.entry(boxes_[index]);
    // A box that overlaps several parts is visited with the one in which its entry is.
    if (entry >= from && (entry < to || to >= 1.0) && entry <= limit) {
      scratch.met.push_back({entry, index});
    }
  }
  return scratch.met.empty() ? limit : std::min(limit, visit(scratch.met));
}

double BroadPhase::max_parts() const {
  return 8.0 + 2.0 * std::sqrt(static_cast<double>(size()));
}

float BroadPhase::initial_search_radius() const {
  return is_outdated() ? std::numeric_limits<float>::max() : typical_cell_size();
}

float BroadPhase::typical_cell_size() const {
  return std::numeric_limits<float>::max();
}

std::uint32_t* BroadPhase::visit_counters(std::size_t cells) const {
  looks_.resize(std::max(looks_.size(), cells));
  return looks_.data();
}

void BroadPhase::collect_pairs_of(std::span<const BoxIndex> /*asked*/, detail::PairBuffer& pairs) {
  collect_pairs(pairs);
  const auto all = pairs.pairs();
  const auto end = std::remove_if(
      all.begin(), all.end(), [this](Pair pair) { return !is_requested(pair.a) && !is_requested(pair.b); });
  pairs.shrink(static_cast<std::size_t>(end - all.begin()));
}

}  // namespace broadside
