#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <LinearMath/btScalar.h>

#include "contender.hpp"

namespace broadside::bench {

namespace {

btDbvtVolume as_volume(const Aabb& box) {
  return btDbvtVolume::FromMM(btVector3(box.min.x, box.min.y, 0), btVector3(box.max.x, box.max.y, 0));
}

struct Collector : btDbvt::ICollide {
  std::vector<Pair> pairs;
  void Process(const btDbvtNode* a, const btDbvtNode* b) override {
    pairs.push_back(ordered_pair(static_cast<BoxIndex>(a->dataAsInt), static_cast<BoxIndex>(b->dataAsInt)));
  }
};

/// Two trees, as in its broad phase: one for moving and one for static boxes.
class BulletDbvt final : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "Bullet 3.24 dbvt"; }
  [[nodiscard]] std::string version() const override {
    return std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100);
  }
  [[nodiscard]] bool takes(const Trace& trace) const override { return suits_one_by_one(trace); }

  void load(const Trace& trace) override {
    static_tree_.clear();
    moving_tree_.clear();
    leaves_.clear();
    for (std::size_t i = 0; i < trace.static_count(); ++i) {
      insert(static_tree_, trace.static_boxes[i], i);
    }
    for (std::size_t i = 0; i < trace.moving_count(); ++i) {
      leaves_.push_back(insert(moving_tree_, trace.frame(0)[i], trace.static_count() + i));
    }
    static_tree_.optimizeTopDown();
    moving_tree_.optimizeTopDown();
  }
  std::span<const Pair> step(std::span<const Aabb> moving) override {
    for (std::size_t i = 0; i < moving.size(); ++i) {
      btDbvtVolume volume = as_volume(moving[i]);
      moving_tree_.update(leaves_[i], volume);
    }
    moving_tree_.optimizeIncremental(1 + static_cast<int>(moving.size() / 100));
    collector_.pairs.clear();
    moving_tree_.collideTT(moving_tree_.m_root, moving_tree_.m_root, collector_);
    moving_tree_.collideTT(moving_tree_.m_root, static_tree_.m_root, collector_);
    return collector_.pairs;
  }

 private:
  static btDbvtNode* insert(btDbvt& tree, const Aabb& box, std::size_t shape) {
    btDbvtNode* leaf = tree.insert(as_volume(box), nullptr);
    leaf->dataAsInt = static_cast<int>(shape);
    return leaf;
  }

  btDbvt static_tree_;
  btDbvt moving_tree_;
  std::vector<btDbvtNode*> leaves_;
  Collector collector_;
};

}  // namespace

std::unique_ptr<Contender> make_bullet_dbvt() {
  return std::make_unique<BulletDbvt>();
}

}  // namespace broadside::bench
