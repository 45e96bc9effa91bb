#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "broadside/broad_phase/detail/swept_box.hpp"
#include "broadside/query/shape_set.hpp"
#include "query/scratch.hpp"

namespace broadside::detail {

/// Scratch of a query along a path.
struct AlongScratch : SweptBoxScratch {
  [[nodiscard]] std::size_t capacity() const { return names.capacity() + met.capacity(); }
};

/// Orders hits by (time, index).
template <typename Hit>
bool is_before(const Hit& a, const Hit& b) {
  return a.hit.time < b.hit.time || (a.hit.time == b.hit.time && a.index < b.index);
}

/// Returns the first hit by (time, index). `test(index)` returns a hit with a `time`, or nothing.
template <typename Hit, typename Test>
std::optional<Hit> find_first(const BroadPhase& boxes, const SweptBox& path, Accept accept,
                              const Test& test) {
  std::optional<Hit> first;
  double limit = 1.0;
  Scratch<AlongScratch> scratch;
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
        const Hit found{one.index, *hit};
        if (!first || is_before(found, *first)) {
          first = found;
          // A box with an entry time after the next float cannot be hit earlier, however its time is rounded.
          limit = std::nextafter(hit->time, std::numeric_limits<float>::max());
        }
      }
    }
    return limit;
  };
  boxes.visit_along_path(path, *scratch, visit);
  return first;
}

/// Visits all hits by (time, index), until `visit` returns false.
template <typename Hit, typename Test, typename VisitHit>
void visit_all(const BroadPhase& boxes, const SweptBox& path, Accept accept, const Test& test,
               const VisitHit& visit) {
  Scratch<std::vector<Hit>> hits;
  hits->clear();
  {
    Scratch<AlongScratch> scratch;
    const auto collect = [&](std::span<Met> met) {
      for (const Met& one : met) {
        if (accept(one.index)) {
          if (const auto hit = test(one.index)) {
            hits->push_back({one.index, *hit});
          }
        }
      }
      return 1.0;
    };
    boxes.visit_along_path(path, *scratch, collect);
  }
  std::sort(hits->begin(), hits->end(), is_before<Hit>);
  for (const Hit& hit : *hits) {
    if (!visit(hit)) {
      return;
    }
  }
}

}  // namespace broadside::detail
