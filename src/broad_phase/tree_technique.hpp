#pragma once

#include <cstdint>
#include <vector>

#include "broadside/broad_phase/technique.hpp"

namespace broadside::detail {

/// What the trees for comparison share: each dynamic box searches the tree for the boxes that it overlaps.
///
/// They are textbook structures, to compare the default with; no option tunes them.
/// @tparam Tree the derived class; its `visit_near(area, visit)` visits a set of boxes that includes all
/// which overlap an area, each once, and returns the number of nodes visited
template <typename Tree>
class TreeTechnique : public Technique {
 protected:
  void collect_pairs(PairBuffer& pairs) override {
    store().for_each([&](BoxIndex index) {
      if (store().type(index) != BodyType::dynamic) {
        return;
      }
      const Aabb& box = store().box(index);
      statistics_.cells_visited += tree().visit_near(box, [&](BoxIndex other) {
        // Of two dynamic boxes the one with the smaller index reports the pair.
        if ((store().type(other) == BodyType::dynamic && other <= index) ||
            !store().may_touch(index, other)) {
          return;
        }
        ++statistics_.tests;
        if (overlaps(box, store().box(other))) {
          pairs.push_back(ordered_pair(index, other));
        }
      });
    });
  }
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override {
    tree().visit_near(area, [&](BoxIndex index) {
      if (overlaps(store().box(index), area)) {
        hits.push_back(index);
      }
    });
  }
  [[nodiscard]] bool applies_filters() const override { return true; }

 private:
  [[nodiscard]] const Tree& tree() const { return static_cast<const Tree&>(*this); }
};

}  // namespace broadside::detail
