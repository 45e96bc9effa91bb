#pragma once

#include <vector>

#include "broadside/broad_phase/detail/box_tree.hpp"

namespace broadside::detail {

/// Takes note that a node is looked into, where somebody watches.
inline void note_look(const BoxTree::View& view, const BoxTree::Node& node) {
  if (view.looks != nullptr) {
    ++view.looks[&node - view.nodes];
  }
}

/// Returns a box around all children of a node.
[[nodiscard]] Aabb bounds_of(const BoxTree::Node& node);

/// Appends the names of the boxes that overlap an area.
void find_in(const BoxTree::View& view, const Aabb& area, std::vector<BoxIndex>& hits);

/// The same, those that lie within the area wholly apart from those that cross its edge.
void find_apart(const BoxTree::View& view, const Aabb& area, std::vector<BoxIndex>& within,
                std::vector<BoxIndex>& crossing);

/// Hands out the boxes that a path touches, as `BroadPhase::follow` does.
void walk(const BoxTree::View& view, const SweptBox& path, VisitSwept visit);

/// Hands out the boxes around a point, as `BroadPhase::approach` does.
void approach(const BoxTree::View& view, const NearQuery& query, NearestScratch& scratch, VisitNear visit);

}  // namespace broadside::detail
