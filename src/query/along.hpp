#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "broad_phase/box_search.hpp"
#include "broad_phase/swept_box.hpp"
#include "broadside/base/hit.hpp"
#include "broadside/query/shape_set.hpp"
#include "query/scratch.hpp"

namespace broadside::detail {

/// Orders hits by (fraction, index).
inline bool is_before(const ShapeHit& a, const ShapeHit& b) {
  return a.fraction < b.fraction || (a.fraction == b.fraction && a.index < b.index);
}

/// Returns the first hit by (fraction, index). `test(index)` returns the `Hit` of a shape, or nothing.
template <typename Test>
std::optional<ShapeHit> find_first(const BoxSearch& boxes, const SweptBox& path, Accept accept,
                                   const Test& test) {
  std::optional<ShapeHit> first;
  double limit = 1.0;
  Scratch<SweptBoxScratch> scratch;
  const auto visit = [&](std::span<Met> met) {
    std::sort(met.begin(), met.end(), [](const Met& a, const Met& b) { return a.entry < b.entry; });
    for (const Met& one : met) {
      if (one.entry > limit) {
        break;
      }
      if (!accept(one.index)) {
        continue;
      }
      if (const auto hit = test(one.index)) {
        const ShapeHit found{*hit, one.index};
        if (!first || is_before(found, *first)) {
          first = found;
          // A box with an entry time after the next float cannot be hit earlier, however its fraction is
          // rounded.
          limit = std::nextafter(hit->fraction, std::numeric_limits<float>::max());
        }
      }
    }
    return limit;
  };
  boxes.visit_along_path(path, *scratch, visit);
  return first;
}

/// Visits all hits by (fraction, index), until `visit` returns false.
template <typename Test>
void visit_all(const BoxSearch& boxes, const SweptBox& path, Accept accept, const Test& test,
               VisitHit visit) {
  Scratch<std::vector<ShapeHit>> hits;
  hits->clear();
  {
    Scratch<SweptBoxScratch> scratch;
    const auto collect = [&](std::span<Met> met) {
      for (const Met& one : met) {
        if (accept(one.index)) {
          if (const std::optional<Hit> hit = test(one.index)) {
            hits->push_back({*hit, one.index});
          }
        }
      }
      return 1.0;
    };
    boxes.visit_along_path(path, *scratch, collect);
  }
  std::sort(hits->begin(), hits->end(), is_before);
  for (const ShapeHit& hit : *hits) {
    if (!visit(hit)) {
      return;
    }
  }
}

}  // namespace broadside::detail
