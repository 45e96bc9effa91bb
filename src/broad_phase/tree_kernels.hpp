#pragma once

#include <vector>

#include "box_tree.hpp"

namespace broadside::detail {

/// Counts a visit to a node, if queries are watched.
inline void count_visit(const BoxTree::View& view, const BoxTree::Node& node) {
  if (view.looks != nullptr) {
    ++view.looks[&node - view.nodes];
  }
}

/// Appends the boxes that overlap an area: those wholly within it to `within`, the others to `crossing`,
/// which may be the same list.
void find_split(const BoxTree::View& view, const Aabb& area, std::vector<BoxIndex>& within,
                std::vector<BoxIndex>& crossing);

/// Visits the boxes that a swept box touches, like `BoxSearch::visit_along_path`.
void walk(const BoxTree::View& view, const SweptBox& path, VisitSwept visit);

/// Visits the boxes around a point, like `BoxSearch::visit_nearest`.
void visit_nearest(const BoxTree::View& view, const NearQuery& query, NearestScratch& scratch,
                   VisitNear visit);

}  // namespace broadside::detail
