#include <algorithm>
#include <cstdint>

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

/// `find_pairs` on the static boxes and the moving ones after them.
class FindPairs : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "find_pairs"; }
  [[nodiscard]] bool ours() const override { return true; }
  void load(const Trace& trace) override {
    statics_ = trace.static_boxes.size();
    boxes_ = trace.static_boxes;
    boxes_.resize(statics_ + trace.moving_count());
    is_static_.assign(statics_, 1);
    is_static_.resize(boxes_.size(), 0);
  }
  std::span<const Pair> step(std::span<const Aabb> moving) override {
    std::copy(moving.begin(), moving.end(), boxes_.begin() + static_cast<std::ptrdiff_t>(statics_));
    return find(boxes_, {.is_static = is_static_});
  }

 private:
  virtual std::span<const Pair> find(std::span<const Aabb> boxes, const FindPairsOptions& options) {
    pairs_ = find_pairs(boxes, options).value();
    return pairs_;
  }

  std::size_t statics_ = 0;
  std::vector<Aabb> boxes_;
  std::vector<std::uint8_t> is_static_;
  std::vector<Pair> pairs_;
};

/// The same in memory that is kept from frame to frame.
class FindPairsInKeptMemory final : public FindPairs {
 public:
  [[nodiscard]] std::string name() const override { return "PairFinder"; }

 private:
  std::span<const Pair> find(std::span<const Aabb> boxes, const FindPairsOptions& options) override {
    return finder_.find_pairs(boxes, options).value();
  }

  PairFinder finder_;
};

}  // namespace

Contenders make_ours() {
  Contenders result;
  for (const TechniqueEntry& technique : techniques()) {
    result.push_back(std::make_unique<OurTechnique>(technique));
  }
  result.push_back(std::make_unique<FindPairs>());
  result.push_back(std::make_unique<FindPairsInKeptMemory>());
  return result;
}

}  // namespace broadside::bench
