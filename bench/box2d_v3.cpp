#include <box2d/box2d.h>
#include <box2d/collision.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "broadside/scene/random.hpp"
#include "contender.hpp"

namespace broadside::bench {

namespace {

// Box2D 2.4 has different types of the same names and is linked into the same program: no standard container
// or pointer may hold a type of Box2D here, or the linker would merge its code with the one for 2.4.

constexpr std::uint64_t any_category = ~std::uint64_t{0};

b2AABB as_b2(const Aabb& box) {
  return {{box.min.x, box.min.y}, {box.max.x, box.max.y}};
}

template <typename Create>
b2DynamicTree create_tree(Create create, std::size_t capacity) {
  if constexpr (std::is_invocable_v<Create, int>) {
    return create(static_cast<int>(std::max<std::size_t>(capacity, 16)));
  } else {
    return create();  // before 3.2
  }
}

class Tree {
 public:
  explicit Tree(std::size_t capacity) : tree_(create_tree(&b2DynamicTree_Create, capacity)) {}
  ~Tree() { b2DynamicTree_Destroy(&tree_); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  [[nodiscard]] b2DynamicTree* get() { return &tree_; }
  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(b2DynamicTree_GetByteCount(&tree_));
  }

 private:
  b2DynamicTree tree_;
};

/// Works as in its engine: one tree for moving and one for static boxes; boxes with margins; a box that
/// leaves its margins is enlarged in place and queries both trees. Two changes favor Box2D: the tree is
/// rebuilt before the queries, which is a few per cent faster, and a list of candidates replaces the hash
/// table of contacts.
class Box2dV3 final : public Contender {
 public:
  [[nodiscard]] std::string name() const override {
    const b2Version version = b2GetVersion();
    return "Box2D " + std::to_string(version.major) + "." + std::to_string(version.minor) + " tree";
  }
  [[nodiscard]] std::string version() const override {
    const b2Version version = b2GetVersion();
    return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
           std::to_string(version.revision);
  }

  [[nodiscard]] bool takes(const Trace& trace) const override { return suits_one_by_one(trace); }

  void load(const Trace& trace) override {
    first_moving_ = trace.static_count();
    boxes_ = std::vector<Aabb>(trace.static_boxes);
    boxes_.insert(boxes_.end(), trace.frame(0).begin(), trace.frame(0).end());
    fat_ = std::vector<Aabb>(boxes_);
    static_tree_ = std::make_unique<Tree>(trace.static_count());
    moving_tree_ = std::make_unique<Tree>(trace.moving_count());
    proxies_ = std::vector<int>(boxes_.size());
    moved_ = std::vector<std::uint8_t>(boxes_.size());
    asking_ = std::vector<BoxIndex>();
    candidates_ = std::vector<Pair>();
    // Each box is placed randomly within its margins, as in a running world: otherwise all boxes of one size
    // and speed would leave them in the same frame, and the median would miss that frame.
    Random random(1);
    for (std::size_t shape = 0; shape < boxes_.size(); ++shape) {
      const bool moves = shape >= first_moving_;
      if (moves) {
        fat_[shape] = with_margin(boxes_[shape], random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
        moved_[shape] = 1;
        asking_.push_back(static_cast<BoxIndex>(shape));
      }
      proxies_[shape] = b2DynamicTree_CreateProxy((moves ? moving_tree_ : static_tree_)->get(),
                                                  as_b2(fat_[shape]), any_category, shape);
    }
    b2DynamicTree_Rebuild(static_tree_->get(), true);
    b2DynamicTree_Rebuild(moving_tree_->get(), true);
    pairs_.clear();
    ask();
  }

  std::span<const Pair> step(std::span<const Aabb> moving) override {
    for (std::size_t i = 0; i < moving.size(); ++i) {
      const std::size_t shape = first_moving_ + i;
      boxes_[shape] = moving[i];
      if (!contains(fat_[shape], moving[i])) {
        fat_[shape] = with_margin(moving[i]);
        b2DynamicTree_EnlargeProxy(moving_tree_->get(), proxies_[shape], as_b2(fat_[shape]));
        moved_[shape] = 1;
        asking_.push_back(static_cast<BoxIndex>(shape));
      }
    }
    pairs_.clear();
    keep_candidates();
    if (!asking_.empty()) {
      b2DynamicTree_Rebuild(moving_tree_->get(), false);
      ask();
    }
    return pairs_;
  }

  [[nodiscard]] std::size_t bytes() const override {
    return static_tree_->bytes() + moving_tree_->bytes() +
           (boxes_.capacity() + fat_.capacity()) * sizeof(Aabb) + proxies_.capacity() * sizeof(int) +
           moved_.capacity() + asking_.capacity() * sizeof(BoxIndex) + candidates_.capacity() * sizeof(Pair);
  }

 private:
  /// Returns a box with the engine's margin, an eighth of the radius, without its upper bound, which depends
  /// on the chosen unit of length. The shares offset the fat box to the left and down (unit: margin).
  [[nodiscard]] Aabb with_margin(const Aabb& box, double share_x = 0.0, double share_y = 0.0) const {
    const float radius = 0.5F * std::hypot(box.max.x - box.min.x, box.max.y - box.min.y);
    const float margin = 0.125F * radius;
    const float x = margin * static_cast<float>(share_x);
    const float y = margin * static_cast<float>(share_y);
    return {{box.min.x - (margin + x), box.min.y - (margin + y)},
            {box.max.x + (margin - x), box.max.y + (margin - y)}};
  }

  static bool contains(const Aabb& outer, const Aabb& inner) {
    return outer.min.x <= inner.min.x && outer.min.y <= inner.min.y && inner.max.x <= outer.max.x &&
           inner.max.y <= outer.max.y;
  }

  /// Keeps and reports the candidates of which neither box queries again, and drops the others.
  void keep_candidates() {
    std::size_t kept = 0;
    for (const Pair pair : candidates_) {
      if ((moved_[pair.a] | moved_[pair.b]) == 0) {
        candidates_[kept++] = pair;
        if (overlaps(boxes_[pair.a], boxes_[pair.b])) {
          pairs_.push_back(pair);
        }
      }
    }
    candidates_.resize(kept);
  }

  void ask() {
    for (const BoxIndex shape : asking_) {
      asker_ = shape;
      const b2AABB box = as_b2(fat_[shape]);
      b2DynamicTree_Query(static_tree_->get(), box, any_category, on_overlap, this);
      b2DynamicTree_Query(moving_tree_->get(), box, any_category, on_overlap, this);
    }
    for (const BoxIndex shape : asking_) {
      moved_[shape] = 0;
    }
    asking_.clear();
  }

  static bool on_overlap(int /*proxy*/, std::uint64_t shape, void* context) {
    static_cast<Box2dV3*>(context)->take(static_cast<BoxIndex>(shape));
    return true;
  }

  void take(BoxIndex other) {
    // If both boxes query, the one with the higher index finds the pair.
    if (other == asker_ || (moved_[other] != 0 && other > asker_)) {
      return;
    }
    const Pair pair = ordered_pair(other, asker_);
    candidates_.push_back(pair);
    if (overlaps(boxes_[other], boxes_[asker_])) {
      pairs_.push_back(pair);
    }
  }

  std::unique_ptr<Tree> static_tree_;
  std::unique_ptr<Tree> moving_tree_;
  std::size_t first_moving_ = 0;
  std::vector<Aabb> boxes_;
  std::vector<Aabb> fat_;
  std::vector<int> proxies_;
  std::vector<std::uint8_t> moved_;  ///< whether the shape queries in this frame
  std::vector<BoxIndex> asking_;
  BoxIndex asker_ = 0;
  std::vector<Pair> candidates_;  ///< all pairs whose fat boxes overlap
  std::vector<Pair> pairs_;
};

}  // namespace

std::unique_ptr<Contender> make_box2d_v3() {
  return std::make_unique<Box2dV3>();
}

}  // namespace broadside::bench
