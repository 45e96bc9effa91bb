#include <numeric>

#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "contender.hpp"

namespace broadside::bench {

namespace {

class OurTechnique final : public Contender {
 public:
  explicit OurTechnique(const TechniqueEntry& technique) : technique_(technique) {}

  [[nodiscard]] std::string name() const override { return std::string(technique_.name); }
  [[nodiscard]] bool ours() const override { return true; }
  [[nodiscard]] bool is_default() const override { return technique_.name == default_technique().name; }
  [[nodiscard]] bool takes(const Trace& trace) const override {
    const bool brute = technique_.name == "brute-force";
    return !brute || trace.moving_count() * trace.shape_count() <= 100'000'000;
  }

  void load(const Trace& trace) override {
    broad_phase_ = technique_.create({}).value();
    broad_phase_->add(trace.static_boxes, BodyType::static_body).value();
    moving_ = broad_phase_->add(trace.frame(0)).value();
    broad_phase_->update();
  }
  std::span<const Pair> step(std::span<const Aabb> moving) override {
    broad_phase_->move(moving_, moving).value();
    return broad_phase_->find_pairs();
  }
  [[nodiscard]] std::size_t bytes() const override { return broad_phase_->statistics().bytes; }

 private:
  const TechniqueEntry& technique_;
  std::unique_ptr<BroadPhase> broad_phase_;
  std::vector<BoxIndex> moving_;
};

class FindPairs final : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "find_pairs"; }
  [[nodiscard]] bool ours() const override { return true; }
  void load(const Trace& trace) override { static_boxes_ = trace.static_boxes; }
  std::span<const Pair> step(std::span<const Aabb> moving) override {
    const auto first = static_cast<BoxIndex>(static_boxes_.size());
    pairs_ = find_pairs(moving).value();
    for (Pair& pair : pairs_) {
      pair = {pair.a + first, pair.b + first};
    }
    if (!static_boxes_.empty()) {
      for (const Pair pair : find_pairs(static_boxes_, moving).value()) {
        pairs_.push_back({pair.a, pair.b + first});
      }
    }
    return pairs_;
  }

 private:
  std::vector<Aabb> static_boxes_;
  std::vector<Pair> pairs_;
};

}  // namespace

Contenders make_ours() {
  Contenders result;
  for (const TechniqueEntry& technique : techniques()) {
    result.push_back(std::make_unique<OurTechnique>(technique));
  }
  result.push_back(std::make_unique<FindPairs>());
  return result;
}

}  // namespace broadside::bench
