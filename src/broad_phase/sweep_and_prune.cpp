#include "broadside/broad_phase/sweep_and_prune.hpp"

#include <algorithm>

namespace broadside {

void SweepAndPrune::on_added(std::span<const BoxIndex> indices) {
  added_.insert(added_.end(), indices.begin(), indices.end());
  stale_ = true;
}

void SweepAndPrune::clear_structure() {
  sorted_.clear();
  added_.clear();
}

void SweepAndPrune::on_removed(BoxIndex index) {
  // The slot may be reused before the next update; the box would then have two extents.
  const auto matches = [index](const Extent& extent) { return extent.box == index; };
  const auto place = std::find_if(sorted_.begin(), sorted_.end(), matches);
  if (place != sorted_.end()) {
    sorted_.erase(place);
  } else {
    added_.erase(std::find(added_.begin(), added_.end(), index));
  }
}

SweepAndPrune::Extent SweepAndPrune::extent_of(BoxIndex index) const {
  const Aabb& box = box_at(index);
  return vertical_ ? Extent{box.min.y, box.max.y, index} : Extent{box.min.x, box.max.x, index};
}

// Compares the variances of the min corners, in double and relative to the first box, so that the distance of
// the scene from the origin does not matter.
bool SweepAndPrune::spread_is_vertical() const {
  if (sorted_.empty()) {
    return false;
  }
  const Vec2 about = box_at(sorted_[0].box).min;
  double sum_x = 0.0;
  double sum_y = 0.0;
  double square_x = 0.0;
  double square_y = 0.0;
  for (const Extent& extent : sorted_) {
    const double x = double{box_at(extent.box).min.x} - about.x;
    const double y = double{box_at(extent.box).min.y} - about.y;
    sum_x += x;
    sum_y += y;
    square_x += x * x;
    square_y += y * y;
  }
  const auto n = static_cast<double>(sorted_.size());
  const double variance_x = square_x - sum_x * sum_x / n;
  const double variance_y = square_y - sum_y * sum_y / n;
  // Hysteresis: the axis changes only if the other one is clearly better, since a change costs a full sort.
  return vertical_ ? 1.5 * variance_y >= variance_x : variance_y > 1.5 * variance_x;
}

void SweepAndPrune::update_structure() {
  statistics_.entries = sorted_.size() + added_.size();
  if (!stale_) {
    return;
  }
  for (const BoxIndex index : added_) {
    sorted_.push_back(extent_of(index));
  }
  added_.clear();
  vertical_ = spread_is_vertical();
  for (Extent& extent : sorted_) {
    extent = extent_of(extent.box);
  }
  sort();
  stale_ = false;
}

void SweepAndPrune::sort() {
  std::size_t budget = 8 * sorted_.size();
  for (std::size_t i = 1; i < sorted_.size(); ++i) {
    const Extent moving = sorted_[i];
    std::size_t j = i;
    for (; j > 0 && moving < sorted_[j - 1]; --j) {
      sorted_[j] = sorted_[j - 1];
    }
    sorted_[j] = moving;
    if (i - j > budget) {
      std::sort(sorted_.begin(), sorted_.end());
      return;
    }
    budget -= i - j;
  }
}

void SweepAndPrune::collect_pairs(detail::PairBuffer& pairs) {
  for (std::size_t i = 0; i < sorted_.size(); ++i) {
    const Extent& extent = sorted_[i];
    const Aabb& box = box_at(extent.box);
    const BodyType type = type_at(extent.box);
    for (std::size_t j = i + 1; j < sorted_.size() && sorted_[j].min <= extent.max; ++j) {
      const BoxIndex other = sorted_[j].box;
      if (!can_touch(type, type_at(other))) {
        continue;
      }
      ++statistics_.tests;
      if (overlaps(box, box_at(other))) {
        pairs.push_back(ordered_pair(extent.box, other));
      }
    }
  }
}

void SweepAndPrune::collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  const float end = vertical_ ? area.max.y : area.max.x;
  for (const Extent& extent : sorted_) {
    if (extent.min > end) {
      break;
    }
    if (overlaps(box_at(extent.box), area)) {
      hits.push_back(extent.box);
    }
  }
}

std::size_t SweepAndPrune::structure_bytes() const {
  return sorted_.capacity() * sizeof(Extent) + added_.capacity() * sizeof(BoxIndex);
}

}  // namespace broadside
