#include <box2d/b2_dynamic_tree.h>

#include "contest.hpp"

namespace broadside::bench {

namespace {

b2Vec2 as_b2(Vec2 v) {
  return {v.x, v.y};
}

b2AABB as_b2(const Aabb& box) {
  b2AABB result;
  result.lowerBound = as_b2(box.min);
  result.upperBound = as_b2(box.max);
  return result;
}

/// Uses its tree directly, with tests of boxes instead of fixtures: faster than its world.
class Box2d final : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "Box2D 2.4 tree"; }
  [[nodiscard]] bool takes(const Question& question) const override {
    return question.kind != Kind::nearest && !question.rare;
  }
  [[nodiscard]] Job job(const Question& question) const override {
    return question.kind == Kind::area ? Job::boxes : Job::shapes;
  }

  void load(std::span<const Aabb> boxes) override {
    boxes_.assign(boxes.begin(), boxes.end());
    tree_ = std::make_unique<b2DynamicTree>();
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      tree_->CreateProxy(as_b2(boxes_[i]), reinterpret_cast<void*>(i));
    }
  }

  Answer answer(const Question& question, const Query& query) override {
    query_ = &query;
    if (question.kind == Kind::area) {
      sum_ = 0;
      tree_->Query(this, as_b2(query.area));
      return static_cast<Answer>(sum_);
    }
    first_ = 2.0F;
    tree_->RayCast(this, b2RayCastInput{as_b2(query.start), as_b2(query.start + query.way), 1.0F});
    return static_cast<double>(first_);
  }

  bool QueryCallback(int32 proxy) {  // NOLINT(readability-identifier-naming): Box2D's name
    const auto index = reinterpret_cast<std::size_t>(tree_->GetUserData(proxy));
    if (overlaps(boxes_[index], query_->area)) {
      sum_ += index + 1;
    }
    return true;
  }
  float RayCastCallback(const b2RayCastInput& input, int32 proxy) {  // NOLINT(readability-identifier-naming)
    const auto index = reinterpret_cast<std::size_t>(tree_->GetUserData(proxy));
    const float time = entry_time(boxes_[index], query_->start, query_->way);
    if (time > input.maxFraction) {
      return input.maxFraction;
    }
    first_ = time;
    return time;
  }

 private:
  std::unique_ptr<b2DynamicTree> tree_;
  std::vector<Aabb> boxes_;
  const Query* query_ = nullptr;
  std::uint64_t sum_ = 0;
  float first_ = 2.0F;
};

}  // namespace

std::unique_ptr<Contender> make_box2d() {
  return std::make_unique<Box2d>();
}

}  // namespace broadside::bench
