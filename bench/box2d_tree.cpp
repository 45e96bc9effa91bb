#include <box2d/b2_common.h>
#include <box2d/b2_dynamic_tree.h>

#include "contender.hpp"

namespace broadside::bench {

namespace {

b2AABB as_b2(const Aabb& box) {
  b2AABB result;
  result.lowerBound.Set(box.min.x, box.min.y);
  result.upperBound.Set(box.max.x, box.max.y);
  return result;
}

/// Moves each proxy, with its displacement as in the engine, which enlarges fat boxes along it; then queries
/// the tree with each box, as the engine does for proxies that left their fat boxes.
class Box2dTree final : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "Box2D 2.4 tree"; }
  [[nodiscard]] std::string version() const override {
    return std::to_string(b2_version.major) + "." + std::to_string(b2_version.minor) + "." +
           std::to_string(b2_version.revision);
  }
  [[nodiscard]] bool takes(const Trace& trace) const override { return suits_one_by_one(trace); }

  void load(const Trace& trace) override {
    tree_ = std::make_unique<b2DynamicTree>();
    boxes_ = trace.static_boxes;
    first_moving_ = boxes_.size();
    boxes_.insert(boxes_.end(), trace.frame(0).begin(), trace.frame(0).end());
    proxies_.clear();
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      proxies_.push_back(tree_->CreateProxy(as_b2(boxes_[i]), reinterpret_cast<void*>(i)));
    }
  }
  std::span<const Pair> step(std::span<const Aabb> moving) override {
    for (std::size_t i = 0; i < moving.size(); ++i) {
      Aabb& box = boxes_[first_moving_ + i];
      const b2AABB to = as_b2(moving[i]);
      tree_->MoveProxy(proxies_[first_moving_ + i], to, to.GetCenter() - as_b2(box).GetCenter());
      box = moving[i];
    }
    pairs_.clear();
    for (asking_ = first_moving_; asking_ < boxes_.size(); ++asking_) {
      tree_->Query(this, as_b2(boxes_[asking_]));
    }
    return pairs_;
  }
  bool QueryCallback(int32 proxy) {  // NOLINT(readability-identifier-naming): Box2D's name
    const auto other = reinterpret_cast<std::size_t>(tree_->GetUserData(proxy));
    if ((other < asking_) && overlaps(boxes_[other], boxes_[asking_])) {
      pairs_.push_back({static_cast<BoxIndex>(other), static_cast<BoxIndex>(asking_)});
    }
    return true;
  }

 private:
  std::unique_ptr<b2DynamicTree> tree_;
  std::vector<Aabb> boxes_;
  std::vector<int32> proxies_;
  std::size_t first_moving_ = 0;
  std::size_t asking_ = 0;
  std::vector<Pair> pairs_;
};

}  // namespace

std::unique_ptr<Contender> make_box2d_tree() {
  return std::make_unique<Box2dTree>();
}

}  // namespace broadside::bench
