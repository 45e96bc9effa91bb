#include <box2d/box2d.h>
#include <box2d/collision.h>

#include "contest.hpp"

namespace broadside::bench {

namespace {

b2AABB as_b2(const Aabb& box) {
  return {{box.min.x, box.min.y}, {box.max.x, box.max.y}};
}

/// Uses its tree directly, with tests of boxes instead of shapes, like `make_box2d`. The tree is packed: it
/// is rebuilt after loading.
class Box2dV3 final : public Contender {
 public:
  Box2dV3() : tree_(b2DynamicTree_Create(16)) {}
  ~Box2dV3() override { b2DynamicTree_Destroy(&tree_); }

  [[nodiscard]] std::string name() const override {
    const b2Version version = b2GetVersion();
    return "Box2D " + std::to_string(version.major) + "." + std::to_string(version.minor) + " tree";
  }
  [[nodiscard]] bool takes(const Question& question) const override { return question.kind != Kind::nearest; }
  [[nodiscard]] Job job(const Question& question) const override {
    return question.kind == Kind::area ? Job::boxes : Job::shapes;
  }

  void load(std::span<const Aabb> boxes) override {
    boxes_.assign(boxes.begin(), boxes.end());
    b2DynamicTree_Destroy(&tree_);
    tree_ = b2DynamicTree_Create(16);
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      b2DynamicTree_CreateProxy(&tree_, as_b2(boxes_[i]), layer_of(i), i);
    }
    b2DynamicTree_Rebuild(&tree_, true);
  }

  Answer answer(const Question& question, const Query& query) override {
    query_ = &query;
    layers_ = layers_of(question);
    if (question.kind == Kind::area) {
      sum_ = 0;
      b2DynamicTree_Query(&tree_, as_b2(query.area), layers_, add_overlapping, this);
      return static_cast<Answer>(sum_);
    }
    first_ = 2.0F;
    const b2RayCastInput ray{{query.start.x, query.start.y}, {query.way.x, query.way.y}, 1.0F};
    b2DynamicTree_RayCast(&tree_, &ray, layers_, clip, this);
    return static_cast<double>(first_);
  }

 private:
  static bool add_overlapping(int /*proxy*/, std::uint64_t index, void* context) {
    auto& self = *static_cast<Box2dV3*>(context);
    if (overlaps(self.boxes_[index], self.query_->area)) {
      self.sum_ += index + 1;
    }
    return true;
  }
  static float clip(const b2RayCastInput* ray, int /*proxy*/, std::uint64_t index, void* context) {
    auto& self = *static_cast<Box2dV3*>(context);
    const float time = entry_time(self.boxes_[index], self.query_->start, self.query_->way);
    if (time > ray->maxFraction || (layer_of(index) & self.layers_) == 0) {
      return ray->maxFraction;
    }
    self.first_ = time;
    return time;
  }

  b2DynamicTree tree_;
  std::vector<Aabb> boxes_;
  const Query* query_ = nullptr;
  std::uint64_t layers_ = 0;
  std::uint64_t sum_ = 0;
  float first_ = 2.0F;
};

}  // namespace

std::unique_ptr<Contender> make_box2d_v3() {
  return std::make_unique<Box2dV3>();
}

}  // namespace broadside::bench
