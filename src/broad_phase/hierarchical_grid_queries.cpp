// The queries of `HierarchicalGridTechnique`: boxes in an area, on a path or around a point; the pairs of
// some boxes.

#include <algorithm>
#include <limits>

#include "box_search.hpp"
#include "hierarchical_grid_technique.hpp"

namespace broadside::inline v0_2::detail {

// Calls `find(rows)`, which appends to `names`, for all rows. In dated ones, the boxes of some entries are
// elsewhere by now: drops these.
template <typename Find>
void HierarchicalGridTechnique::find_in_rows(std::vector<BoxIndex>& names, const Find& find) const {
  const auto visit = [&](const RowIndex& rows, Place place, bool dated) {
    const auto first = static_cast<std::ptrdiff_t>(names.size());
    find(rows);
    if (dated) {
      names.erase(std::remove_if(names.begin() + first, names.end(),
                                 [&](BoxIndex index) { return places_[index] != place; }),
                  names.end());
    }
  };
  visit(static_rows_, Place::fixed, outdated_ > 0);
  visit(recent_rows_, Place::recent, false);
  if (!active_.empty()) {
    visit(active_rows_, Place::active, neighbors_.active());
  }
  if (neighbors_.active()) {
    visit(neighbors_.rows(), Place::neighborhood, true);
  }
}

// Estimates the cost of a query by the number of rows of typical height that it covers. A query of a few rows
// takes as long as inserting two dozen boxes into the tree.
void HierarchicalGridTechnique::charge_queries(double height) const {
  constexpr double max_rows = 1e6;
  if (tree_.needs_cost()) {
    const double rows = std::min(height / static_cast<double>(typical_cell_size()), max_rows);
    add_query_cost(24 + static_cast<std::size_t>(rows));
  }
}

void HierarchicalGridTechnique::add_query_cost(std::size_t cost) const {
  if (tree_.needs_cost()) {
    using Numbers = std::span<const std::uint16_t>;
    tree_.add_query_cost(cost, {.boxes = store().boxes(),
                                .used = store().used(),
                                .kind_numbers = store().has_filters() ? store().kind_numbers() : Numbers(),
                                .kinds = store().kinds()});
  }
}

void HierarchicalGridTechnique::find_in_tree(const BoxTree::View& tree, const Aabb& area,
                                             std::vector<BoxIndex>& within,
                                             std::vector<BoxIndex>& crossing) const {
  find_split(tree, area, within, crossing);
  if (tree_.has_removed()) {
    std::erase(within, BoxTree::removed);
  }
}

// Builds the tree at once, so that it can be drawn: the other queries of this state will use it.
std::optional<BoxTree::View> HierarchicalGridTechnique::tree() const {
  if (is_watched()) {
    add_query_cost(store().size());
  }
  if (!tree_.is_built()) {
    return std::nullopt;
  }
  return tree_.view(is_watched() ? visit_counters(tree_.node_count()) : nullptr);
}

std::vector<Cell> HierarchicalGridTechnique::query_cells() const {
  std::vector<Cell> nodes;
  if (tree_.is_built()) {
    tree_.append_nodes(nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      nodes[i].visits = visits_of(i);
    }
  }
  return nodes;
}

void HierarchicalGridTechnique::collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  if (const auto tree = this->tree()) {
    find_in_tree(*tree, area, hits, hits);
    return;
  }
  charge_queries(static_cast<double>(area.max.y) - static_cast<double>(area.min.y));
  const auto before = static_cast<std::ptrdiff_t>(hits.size());
  const Aabb moved = neighbors_.in_frame_of_build(area);
  find_in_rows(hits, [&](const RowIndex& rows) { rows.find_in(moved, hits); });
  if (neighbors_.active()) {  // their rows hold grown boxes
    hits.erase(std::remove_if(hits.begin() + before, hits.end(),
                              [&](BoxIndex index) { return !overlaps(store().box(index), area); }),
               hits.end());
  }
}

void HierarchicalGridTechnique::collect_split(const Aabb& area, std::vector<BoxIndex>& within,
                                              std::vector<BoxIndex>& crossing) const {
  if (const auto tree = this->tree()) {
    find_in_tree(*tree, area, within, crossing);
  } else {
    Technique::collect_split(area, within, crossing);
  }
}

bool HierarchicalGridTechnique::visit_nearest(const NearQuery& query, NearestScratch& scratch,
                                              VisitNear visit) const {
  const auto tree = this->tree();
  if (tree) {
    detail::visit_nearest(*tree, query, scratch, visit);
  }
  return tree.has_value();
}

// Builds rows of the boxes asked for, and tests these among themselves and against all other rows.
void HierarchicalGridTechnique::collect_pairs_of(const Request& request, PairBuffer& pairs) {
  if (request.indices.empty()) {
    return;
  }
  build(requested_rows_, request.indices);
  const auto boxes = store().boxes();
  const std::size_t first = pairs.size();
  count(requested_rows_.find_pairs(pairs, workers()));
  if (neighbors_.drift() != Vec2{}) {  // these rows are larger boxes
    const auto found = pairs.pairs().subspan(first);
    pairs.shrink(first + keep_overlapping(found, boxes, found.data()));
  }
  for (const auto& [rows, place] :
       {std::pair{&static_rows_, Place::fixed}, std::pair{&recent_rows_, Place::recent},
        std::pair{&active_rows_, Place::active}, std::pair{&neighbors_.rows(), Place::neighborhood}}) {
    if (place == Place::neighborhood && !neighbors_.active()) {
      continue;
    }
    raw_.clear();
    count(find_pairs_between(*rows, requested_rows_, raw_, workers()));
    for (const Pair pair : raw_.pairs()) {
      const BoxIndex other = request.includes(pair.a) ? pair.b : pair.a;
      if (!request.includes(other) && places_[other] == place && overlaps(boxes[pair.a], boxes[pair.b])) {
        pairs.push_back(pair);
      }
    }
  }
}

float HierarchicalGridTechnique::typical_cell_size() const {
  const RowIndex* largest = &static_rows_;
  for (const RowIndex* rows : {&active_rows_, &neighbors_.rows()}) {
    largest = rows->size() > largest->size() ? rows : largest;
  }
  return largest->small_size() > 0.0F ? largest->small_size() : std::numeric_limits<float>::max();
}

// Parts of the path get longer while nothing is hit: the search in rows visits only boxes near the path, so a
// long part costs little more than a short one. They get shorter again where many boxes are near.
void HierarchicalGridTechnique::visit_along_path(const SweptBox& path, std::uint64_t layers,
                                                 SweptBoxScratch& scratch, VisitSwept visit) const {
  if (const auto tree = this->tree()) {
    walk(*tree, path, layers, visit);
    return;
  }
  constexpr std::size_t many = 24;
  const SweptBox moved = path.moved(-neighbors_.drift());
  const auto usual = static_cast<double>(typical_cell_size());
  const double min_share = usual < path.length() ? usual / path.length() : 1.0;
  const double parts = max_parts(store().size());
  double share = min_share;
  double limit = 1.0;
  double from = 0.0;
  for (double searches = 1.0; from <= limit; searches += 1.0) {
    const double to = share < 1.0 - from ? from + share : 1.0;
    charge_queries((to - from) * path.length());
    scratch.names.clear();
    find_in_rows(scratch.names,
                 [&](const RowIndex& rows) { rows.find_along(moved, from, to, scratch.names); });
    limit = visit_part(store(), path, from, to, limit, scratch, visit);
    if (to >= 1.0) {
      return;
    }
    from = to;
    if (scratch.hits.empty() || searches > parts) {
      share *= 2.0;
    } else if (scratch.names.size() > many && share > min_share) {
      share *= 0.5;
    }
  }
}

}  // namespace broadside::inline v0_2::detail
