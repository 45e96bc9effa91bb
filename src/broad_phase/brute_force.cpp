#include "broadside/broad_phase/brute_force.hpp"

#include "broadside/broad_phase/technique.hpp"
#include "dynamic_first.hpp"

namespace broadside {

namespace {

class BruteForceTechnique final : public Technique {
 public:
  [[nodiscard]] std::string_view name() const override { return "brute-force"; }

 private:
  void clear() override {}
  void update() override { dynamic_count_ = detail::list_dynamic_first(store(), order_); }
  void collect_pairs(PairBuffer& pairs) override;
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override;
  [[nodiscard]] bool is_stale() const override { return false; }
  [[nodiscard]] std::size_t bytes() const override { return order_.capacity() * sizeof(BoxIndex); }

  std::vector<BoxIndex> order_;  ///< dynamic boxes first, then all others; ascending within each
  std::size_t dynamic_count_ = 0;
};

void BruteForceTechnique::collect_pairs(PairBuffer& pairs) {
  const std::size_t n = order_.size();
  for (std::size_t i = 0; i < dynamic_count_; ++i) {
    const Aabb box = store().box(order_[i]);
    for (std::size_t j = i + 1; j < n; ++j) {
      if (overlaps(box, store().box(order_[j]))) {
        pairs.push_back(ordered_pair(order_[i], order_[j]));
      }
    }
    statistics_.tests += n - i - 1;
  }
}

void BruteForceTechnique::collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  store().append_overlapping(area, hits);
}

}  // namespace

BruteForce::BruteForce() : BroadPhase(technique()) {}

std::unique_ptr<Technique> BruteForce::technique() {
  return std::make_unique<BruteForceTechnique>();
}

}  // namespace broadside
