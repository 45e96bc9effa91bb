#include <chipmunk/chipmunk.h>

#include <algorithm>

#include "broadside/broad_phase/cell_size.hpp"
#include "broadside/scene/random.hpp"
#include "contender.hpp"

namespace broadside::bench {

namespace {

constexpr double frames_a_second = 60.0;

struct Object {
  cpBB box;
  cpVect velocity;
  BoxIndex shape;
};

cpBB box_of(void* object) {
  return static_cast<Object*>(object)->box;
}

cpVect velocity_of(void* object) {
  return static_cast<Object*>(object)->velocity;
}

cpBB as_bb(const Aabb& box) {
  return cpBBNew(box.min.x, box.min.y, box.max.x, box.max.y);
}

// The tree reports overlaps of fat boxes; the exact test is part of the timed work.
cpCollisionID on_pair(void* first, void* second, cpCollisionID id, void* pairs) {
  const auto& a = *static_cast<Object*>(first);
  const auto& b = *static_cast<Object*>(second);
  if (cpBBIntersects(a.box, b.box) != 0) {
    static_cast<std::vector<Pair>*>(pairs)->push_back(ordered_pair(a.shape, b.shape));
  }
  return id;
}

class Chipmunk final : public Contender {
 public:
  explicit Chipmunk(bool hash) : hash_(hash) {}
  ~Chipmunk() override { release(); }

  [[nodiscard]] std::string name() const override { return hash_ ? "Chipmunk 7 hash" : "Chipmunk 7 tree"; }
  [[nodiscard]] std::string version() const override { return cpVersionString; }
  [[nodiscard]] bool takes(const Trace& trace) const override { return suits_one_by_one(trace); }

  void load(const Trace& trace) override {
    release();
    static_index_ = make_index(trace, nullptr);
    moving_index_ = make_index(trace, static_index_);
    if (!hash_) {
      // As in its engine, moving boxes have margins: a tenth of their size, and their motion in a tenth of a
      // second.
      cpBBTreeSetVelocityFunc(moving_index_, velocity_of);
    }
    objects_.resize(trace.shape_count());
    first_moving_ = trace.static_count();
    // Random velocities give random margins, as in a running world: otherwise all boxes of one size and speed
    // would leave them in the same frame, and the median would miss that frame.
    Random random(1);
    const std::size_t next = std::min<std::size_t>(1, trace.frame_count() - 1);
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      const bool moves = i >= first_moving_;
      const Aabb& box = moves ? trace.frame(0)[i - first_moving_] : trace.static_boxes[i];
      objects_[i] = {as_bb(box), cpvzero, static_cast<BoxIndex>(i)};
      if (moves) {
        const Vec2 way = trace.frame(next)[i - first_moving_].min - box.min;
        objects_[i].velocity = cpvmult(cpv(way.x, way.y), frames_a_second * random.uniform());
      }
      cpSpatialIndexInsert(moves ? moving_index_ : static_index_, &objects_[i], static_cast<cpHashValue>(i));
    }
  }
  std::span<const Pair> step(std::span<const Aabb> moving) override {
    for (std::size_t i = 0; i < moving.size(); ++i) {
      Object& object = objects_[first_moving_ + i];
      const cpBB box = as_bb(moving[i]);
      object.velocity = cpvmult(cpv(box.l - object.box.l, box.b - object.box.b), frames_a_second);
      object.box = box;
    }
    pairs_.clear();
    cpSpatialIndexReindexQuery(moving_index_, on_pair, &pairs_);
    return pairs_;
  }

 private:
  cpSpatialIndex* make_index(const Trace& trace, cpSpatialIndex* static_index) const {
    if (!hash_) {
      return cpBBTreeNew(box_of, static_index);
    }
    // As its manual recommends: cells about as large as a typical object, and ten times as many as objects.
    const auto cells = static_cast<int>(10 * trace.shape_count());
    return cpSpaceHashNew(suggest_cell_size(trace.frame(0)).value(), cells, box_of, static_index);
  }
  void release() {
    for (cpSpatialIndex** index : {&moving_index_, &static_index_}) {
      if (*index != nullptr) {
        cpSpatialIndexFree(*index);
        *index = nullptr;
      }
    }
  }

  bool hash_;
  cpSpatialIndex* static_index_ = nullptr;
  cpSpatialIndex* moving_index_ = nullptr;
  std::vector<Object> objects_;
  std::size_t first_moving_ = 0;
  std::vector<Pair> pairs_;
};

}  // namespace

std::unique_ptr<Contender> make_chipmunk_tree() {
  return std::make_unique<Chipmunk>(false);
}
std::unique_ptr<Contender> make_chipmunk_hash() {
  return std::make_unique<Chipmunk>(true);
}

}  // namespace broadside::bench
