#include <chipmunk/chipmunk.h>

#include <algorithm>

#include "contest.hpp"

namespace broadside::bench {

namespace {

constexpr cpFloat seconds = 1.0 / 60.0;

cpVect as_vect(Vec2 v) {
  return cpv(v.x, v.y);
}

cpShape* make_polygon(cpBody* body, std::span<const Vec2> corners) {
  std::vector<cpVect> points(corners.size());
  std::transform(corners.begin(), corners.end(), points.begin(), as_vect);
  return cpPolyShapeNew(body, static_cast<int>(points.size()), points.data(), cpTransformIdentity, 0.0);
}

struct MakeShape {
  cpBody* body;

  cpShape* operator()(const Circle& circle) const {
    return cpCircleShapeNew(body, circle.radius, as_vect(circle.center));
  }
  cpShape* operator()(const Box& box) const { return make_polygon(body, corners_of(box)); }
  cpShape* operator()(const Polygon& polygon) const { return make_polygon(body, polygon.vertices()); }
  template <typename Other>
  cpShape* operator()(const Other& /*shape*/) const {
    return nullptr;
  }
};

BoxIndex index_of(const cpShape* shape) {
  return static_cast<BoxIndex>(reinterpret_cast<std::uintptr_t>(cpShapeGetUserData(shape)));
}

Pair pair_of(const cpArbiter* arbiter) {
  cpShape* a = nullptr;
  cpShape* b = nullptr;
  cpArbiterGetShapes(arbiter, &a, &b);
  return ordered_pair(index_of(a), index_of(b));
}

cpBool on_begin(cpArbiter* arbiter, cpSpace* /*space*/, cpDataPointer events) {
  static_cast<Events*>(events)->begun.push_back(pair_of(arbiter));
  return cpTrue;
}

void on_separate(cpArbiter* arbiter, cpSpace* /*space*/, cpDataPointer events) {
  static_cast<Events*>(events)->ended.push_back(pair_of(arbiter));
}

/// If some movable bodies rest, all movable bodies are dynamic: only dynamic bodies can sleep, and the space
/// skips sleeping ones. Otherwise they are kinematic, which costs less.
class Chipmunk final : public Contender {
 public:
  explicit Chipmunk(bool hash) : hash_(hash) {}
  ~Chipmunk() override { release(); }

  [[nodiscard]] std::string name() const override { return hash_ ? "Chipmunk 7 hash" : "Chipmunk 7"; }
  [[nodiscard]] bool takes(const Scene& /*scene*/) const override { return true; }
  [[nodiscard]] double tolerance() const override { return 1e-4; }

  const Events& load(const Scene& scene) override {
    release();
    space_ = cpSpaceNew();
    cpSpaceSetIterations(space_, 1);
    if (hash_) {
      // As its manual recommends: cells about as large as a typical object, and ten times as many as objects.
      cpSpaceUseSpatialHash(space_, scene.usual_size, static_cast<int>(10 * scene.size()));
    }
    sleeps_ = scene.rests();
    if (sleeps_) {
      cpSpaceSetSleepTimeThreshold(space_, 2.5 * seconds);
    }
    cpCollisionHandler* handler = cpSpaceAddDefaultCollisionHandler(space_);
    handler->beginFunc = on_begin;
    handler->separateFunc = on_separate;
    handler->userData = &events_;
    first_mover_ = scene.first_mover;
    for (std::size_t i = 0; i < scene.size(); ++i) {
      cpBody* body = make_body(i < scene.static_count);
      cpBodySetPosition(body, as_vect(scene.starts[i]));
      bodies_.push_back(cpSpaceAddBody(space_, body));
      cpShape* shape = std::visit(MakeShape{body}, scene.shapes[i]);
      cpShapeSetSensor(shape, cpTrue);
      cpShapeSetUserData(shape, reinterpret_cast<cpDataPointer>(i));
      shapes_.push_back(cpSpaceAddShape(space_, shape));
    }
    events_.clear();
    const std::span<const Vec2> starts(scene.starts);
    for (int i = 0; i < (sleeps_ ? 6 : 1); ++i) {
      run(starts.subspan(first_mover_));
    }
    return events_;
  }

  const Events& step(std::span<const Vec2> positions) override {
    events_.clear();
    run(positions);
    return events_;
  }

 private:
  [[nodiscard]] cpBody* make_body(bool is_static) const {
    if (is_static) {
      return cpBodyNewStatic();
    }
    return sleeps_ ? cpBodyNew(1.0, 1.0) : cpBodyNewKinematic();
  }

  void run(std::span<const Vec2> positions) {
    // The space integrates all movable bodies, so setting a velocity is the cheapest way to move them; and
    // its tree extends the margins in that direction.
    for (std::size_t i = 0; i < positions.size(); ++i) {
      cpBody* body = bodies_[first_mover_ + i];
      const cpVect way = cpvsub(as_vect(positions[i]), cpBodyGetPosition(body));
      cpBodySetVelocity(body, cpvmult(way, 1.0 / seconds));
    }
    cpSpaceStep(space_, seconds);
  }

  void release() {
    if (space_ != nullptr) {
      cpSpaceFree(space_);
      space_ = nullptr;
    }
    std::for_each(shapes_.begin(), shapes_.end(), cpShapeFree);
    std::for_each(bodies_.begin(), bodies_.end(), cpBodyFree);
    shapes_.clear();
    bodies_.clear();
  }

  bool hash_;
  bool sleeps_ = false;
  cpSpace* space_ = nullptr;
  std::vector<cpBody*> bodies_;
  std::vector<cpShape*> shapes_;
  std::size_t first_mover_ = 0;
  Events events_;
};

}  // namespace

std::unique_ptr<Contender> make_chipmunk(bool hash) {
  return std::make_unique<Chipmunk>(hash);
}

}  // namespace broadside::bench
