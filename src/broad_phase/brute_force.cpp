#include "broadside/broad_phase/brute_force.hpp"

#include "all_pairs.hpp"
#include "broadside/broad_phase/technique.hpp"

namespace broadside::inline v0_2 {

namespace {

class BruteForceTechnique final : public Technique {
 public:
  [[nodiscard]] std::string_view name() const override { return "brute-force"; }

 private:
  void clear() override {}
  void update() override { dynamic_count_ = detail::list_dynamic_first(store(), order_); }
  void collect_pairs(PairBuffer& pairs) override {
    statistics_.tests = detail::collect_all_pairs(store(), order_, dynamic_count_, pairs);
  }
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override {
    store().append_overlapping(area, hits);
  }
  [[nodiscard]] bool is_stale() const override { return false; }
  [[nodiscard]] std::size_t bytes() const override { return order_.capacity() * sizeof(BoxIndex); }
  [[nodiscard]] bool applies_filters() const override { return true; }

  std::vector<BoxIndex> order_;  ///< dynamic boxes first, then all others; ascending within each
  std::size_t dynamic_count_ = 0;
};

}  // namespace

BruteForce::BruteForce() : BroadPhase(technique()) {}

std::unique_ptr<Technique> BruteForce::technique() {
  return std::make_unique<BruteForceTechnique>();
}

}  // namespace broadside::inline v0_2
