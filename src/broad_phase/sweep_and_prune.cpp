#include "broadside/broad_phase/sweep_and_prune.hpp"

#include <algorithm>

#include "all_pairs.hpp"
#include "broadside/broad_phase/technique.hpp"

namespace broadside::inline v0_2 {

namespace {

class SweepAndPruneTechnique final : public Technique {
 public:
  [[nodiscard]] std::string_view name() const override { return "sweep-and-prune"; }

 private:
  void on_added(std::span<const BoxIndex> indices) override;
  void clear() override { sorted_.clear(); }
  void on_moved(std::span<const BoxIndex> indices) override { stale_ = stale_ || !indices.empty(); }
  void on_removed(BoxIndex index) override;
  void update() override;
  void collect_pairs(PairBuffer& pairs) override;
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override;
  [[nodiscard]] bool is_stale() const override { return stale_; }
  [[nodiscard]] bool applies_filters() const override { return true; }
  [[nodiscard]] std::size_t bytes() const override { return sorted_.capacity() * sizeof(Extent); }

  struct Extent {
    float min;
    float max;
    BoxIndex box;
    /// Ties are broken by the index, so that the order depends on the boxes alone.
    friend bool operator<(const Extent& a, const Extent& b) {
      return a.min < b.min || (a.min == b.min && a.box < b.box);
    }
  };

  [[nodiscard]] bool spread_is_vertical() const;
  [[nodiscard]] Extent extent_of(BoxIndex index) const;

  std::vector<Extent> sorted_;
  bool vertical_ = false;
  bool stale_ = false;
};

// New boxes go to the end; the next update sorts them in.
void SweepAndPruneTechnique::on_added(std::span<const BoxIndex> indices) {
  for (const BoxIndex index : indices) {
    sorted_.push_back(extent_of(index));
  }
  stale_ = true;
}

// The slot may be reused before the next update; the box would then have two extents.
void SweepAndPruneTechnique::on_removed(BoxIndex index) {
  std::erase_if(sorted_, [index](const Extent& extent) { return extent.box == index; });
}

SweepAndPruneTechnique::Extent SweepAndPruneTechnique::extent_of(BoxIndex index) const {
  const Aabb& box = store().box(index);
  return vertical_ ? Extent{box.min.y, box.max.y, index} : Extent{box.min.x, box.max.x, index};
}

// Compares the variances of the min corners, in double and relative to the first box, so that the distance of
// the scene from the origin does not matter.
bool SweepAndPruneTechnique::spread_is_vertical() const {
  if (sorted_.empty()) {
    return false;
  }
  const Vec2 about = store().box(sorted_[0].box).min;
  double sum_x = 0.0;
  double sum_y = 0.0;
  double square_x = 0.0;
  double square_y = 0.0;
  for (const Extent& extent : sorted_) {
    const double x = double{store().box(extent.box).min.x} - about.x;
    const double y = double{store().box(extent.box).min.y} - about.y;
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

void SweepAndPruneTechnique::update() {
  statistics_.entries = sorted_.size();
  if (!stale_) {
    return;
  }
  stale_ = false;
  vertical_ = spread_is_vertical();
  for (Extent& extent : sorted_) {
    extent = extent_of(extent.box);
  }
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

void SweepAndPruneTechnique::collect_pairs(PairBuffer& pairs) {
  for (std::size_t i = 0; i < sorted_.size(); ++i) {
    const Extent& extent = sorted_[i];
    for (std::size_t j = i + 1; j < sorted_.size() && sorted_[j].min <= extent.max; ++j) {
      detail::test_pair(store(), extent.box, sorted_[j].box, statistics_.tests, pairs);
    }
  }
}

void SweepAndPruneTechnique::collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  const float end = vertical_ ? area.max.y : area.max.x;
  for (const Extent& extent : sorted_) {
    if (extent.min > end) {
      break;
    }
    if (overlaps(store().box(extent.box), area)) {
      hits.push_back(extent.box);
    }
  }
}

}  // namespace

SweepAndPrune::SweepAndPrune() : BroadPhase(technique()) {}

std::unique_ptr<Technique> SweepAndPrune::technique() {
  return std::make_unique<SweepAndPruneTechnique>();
}

}  // namespace broadside::inline v0_2
