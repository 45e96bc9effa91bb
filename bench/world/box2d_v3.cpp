#include <box2d/box2d.h>

#include "contest.hpp"

namespace broadside::bench {

namespace {

// Box2D 2.4 has different types of the same names and is linked into the same program: containers hold only
// types of this namespace, or the linker would merge their code with that for 2.4.

struct Body {
  b2BodyId id;
};

b2Vec2 as_b2(Vec2 v) {
  return {v.x, v.y};
}

b2Polygon as_b2(std::span<const Vec2> corners) {
  b2Vec2 points[B2_MAX_POLYGON_VERTICES];
  int count = 0;
  for (const Vec2 corner : corners) {
    points[count++] = as_b2(corner);
  }
  const b2Hull hull = b2ComputeHull(points, count);
  return b2MakePolygon(&hull, 0.0F);
}

/// Adds a shape to a body.
struct AddShape {
  b2BodyId body;
  const b2ShapeDef& shape;

  void operator()(const Circle& circle) const {
    const b2Circle made{as_b2(circle.center), circle.radius};
    b2CreateCircleShape(body, &shape, &made);
  }
  void operator()(const Box& box) const {
    const b2Polygon made = as_b2(corners_of(box));
    b2CreatePolygonShape(body, &shape, &made);
  }
  void operator()(const Polygon& polygon) const {
    const b2Polygon made = as_b2(polygon.vertices());
    b2CreatePolygonShape(body, &shape, &made);
  }
  template <typename Other>
  void operator()(const Other& /*shape*/) const {}
};

/// A step of 0 seconds finds contacts and solves nothing. Contacts begin up to 0.02 before shapes touch, and
/// are not computed again where bodies moved little, so some events come in another frame than ours.
class Box2dV3 final : public Contender {
 public:
  ~Box2dV3() override { clear(); }

  [[nodiscard]] std::string name() const override {
    const b2Version version = b2GetVersion();
    return "Box2D " + std::to_string(version.major) + "." + std::to_string(version.minor);
  }
  [[nodiscard]] bool takes(const Scene& /*scene*/) const override { return true; }
  [[nodiscard]] double tolerance() const override { return 0.025; }

  const Events& load(const Scene& scene) override {
    clear();
    b2WorldDef settings = b2DefaultWorldDef();
    settings.gravity = {0.0F, 0.0F};
    settings.enableContinuous = false;
    settings.enableSleep = scene.rests();
    world_ = b2CreateWorld(&settings);
    static_count_ = scene.static_count;
    first_mover_ = scene.first_mover;
    for (std::size_t i = 0; i < scene.size(); ++i) {
      b2BodyDef body = b2DefaultBodyDef();
      body.type = i < static_count_ ? b2_staticBody : b2_dynamicBody;
      body.position = as_b2(scene.starts[i]);
      body.motionLocks.angularZ = true;
      bodies_.push_back({b2CreateBody(world_, &body)});
      b2ShapeDef shape = b2DefaultShapeDef();
      shape.enableContactEvents = true;
      shape.userData = reinterpret_cast<void*>(i);
      std::visit(AddShape{bodies_.back().id, shape}, scene.shapes[i]);
    }
    step_once();
    for (std::size_t i = static_count_; i < first_mover_; ++i) {
      b2Body_SetAwake(bodies_[i].id, false);
    }
    return events_;
  }

  const Events& step(std::span<const Vec2> positions) override {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      b2Body_SetTransform(bodies_[first_mover_ + i].id, as_b2(positions[i]), b2Rot_identity);
    }
    step_once();
    return events_;
  }

  [[nodiscard]] std::size_t bytes() const override {
    return static_cast<std::size_t>(b2World_GetCounters(world_).byteCount);
  }

 private:
  void clear() {
    if (b2World_IsValid(world_)) {
      b2DestroyWorld(world_);
    }
    bodies_.clear();
  }

  void step_once() {
    b2World_Step(world_, 0.0F, 1);
    events_.clear();
    const b2ContactEvents found = b2World_GetContactEvents(world_);
    for (int i = 0; i < found.beginCount; ++i) {
      events_.begun.push_back(pair_of(found.beginEvents[i].shapeIdA, found.beginEvents[i].shapeIdB));
    }
    for (int i = 0; i < found.endCount; ++i) {
      events_.ended.push_back(pair_of(found.endEvents[i].shapeIdA, found.endEvents[i].shapeIdB));
    }
  }

  static Pair pair_of(b2ShapeId a, b2ShapeId b) {
    const auto index_of = [](b2ShapeId shape) {
      return static_cast<BoxIndex>(reinterpret_cast<std::uintptr_t>(b2Shape_GetUserData(shape)));
    };
    return ordered_pair(index_of(a), index_of(b));
  }

  b2WorldId world_ = b2_nullWorldId;
  Events events_;
  std::vector<Body> bodies_;
  std::size_t static_count_ = 0;
  std::size_t first_mover_ = 0;
};

}  // namespace

std::unique_ptr<Contender> make_box2d_v3() {
  return std::make_unique<Box2dV3>();
}

}  // namespace broadside::bench
