// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/tree_area_kernels.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "box_tree.hpp"
#include "compress.hpp"
#include "tree_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::CappedTag<float, BoxTree::fanout>;
using U32 = hn::RebindToUnsigned<F32>;

/// Finds all boxes that overlap an area. `within` gets those wholly within it, `crossing` the others; the two
/// may be the same.
void find_split(const BoxTree::View& view, const Aabb& area, std::vector<BoxIndex>& within_list,
                std::vector<BoxIndex>& crossing_list) {
  BufferedWriter within(within_list);
  BufferedWriter crossing(crossing_list);
  struct Place {
    std::uint32_t node;  ///< number within its level
    std::uint32_t level;
  };
  constexpr std::size_t fanout = BoxTree::fanout;
  const F32 d;
  const U32 du;
  const auto left = hn::Set(d, area.min.x);
  const auto right = hn::Set(d, area.max.x);
  const auto bottom = hn::Set(d, area.min.y);
  const auto top = hn::Set(d, area.max.y);
  Place places[BoxTree::max_height * fanout];
  std::size_t waiting = 0;
  while (waiting < view.roots) {
    places[waiting] = {static_cast<std::uint32_t>(waiting), static_cast<std::uint32_t>(view.height) - 1};
    ++waiting;
  }
  while (waiting > 0) {
    const Place place = places[--waiting];
    const BoxTree::Node& node = view.nodes[view.level_begin[place.level] + place.node];
    count_visit(view, node);
    const std::uint32_t first_child = static_cast<std::uint32_t>(fanout) * place.node;
    for (std::size_t i = 0; i < fanout; i += hn::Lanes(d)) {
      const auto min_x = hn::Load(d, node.min_x.data() + i);
      const auto max_x = hn::Load(d, node.max_x.data() + i);
      const auto min_y = hn::Load(d, node.min_y.data() + i);
      const auto max_y = hn::Load(d, node.max_y.data() + i);
      const auto on_x = hn::And(hn::Le(min_x, right), hn::Le(left, max_x));
      const auto on_y = hn::And(hn::Le(min_y, top), hn::Le(bottom, max_y));
      const auto hit = hn::RebindMask(du, hn::And(on_x, on_y));
      if (hn::AllFalse(du, hit)) {
        continue;
      }
      const auto within_x = hn::And(hn::Le(left, min_x), hn::Le(max_x, right));
      const auto within_y = hn::And(hn::Le(bottom, min_y), hn::Le(max_y, top));
      const auto inside = hn::And(hit, hn::RebindMask(du, hn::And(within_x, within_y)));
      if (place.level == 0) {
        const BoxIndex* names = view.names + first_child + i;
        within.push(du, names, inside);
        crossing.push(du, names, hn::AndNot(inside, hit));
        continue;
      }
      const std::uint32_t child = first_child + static_cast<std::uint32_t>(i);
      const std::uint32_t insides = bits_of(du, inside);
      for (std::uint32_t bits = insides; bits != 0; bits &= bits - 1) {
        const std::size_t number = child + static_cast<std::uint32_t>(std::countr_zero(bits));
        const std::size_t begin = number << (4 * place.level);
        const std::size_t end = (number + 1) << (4 * place.level);
        within.push_all(view.names + begin, std::min(end, view.size) - begin);
      }
      for (std::uint32_t bits = bits_of(du, hit) & ~insides; bits != 0; bits &= bits - 1) {
        const std::uint32_t number = child + static_cast<std::uint32_t>(std::countr_zero(bits));
        fetch(view.nodes[view.level_begin[place.level - 1] + number]);
        places[waiting++] = {number, place.level - 1};
      }
    }
  }
  within.flush();
  crossing.flush();
}

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::inline v0_2::detail {

HWY_EXPORT(find_split);

void find_split(const BoxTree::View& view, const Aabb& area, std::vector<BoxIndex>& within,
                std::vector<BoxIndex>& crossing) {
  HWY_DYNAMIC_DISPATCH(find_split)(view, area, within, crossing);
}

}  // namespace broadside::inline v0_2::detail

#endif
