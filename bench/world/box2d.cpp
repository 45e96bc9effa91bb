#include <box2d/box2d.h>

#include <optional>

#include "contest.hpp"

namespace broadside::bench {

namespace {

b2Vec2 as_b2(Vec2 v) {
  return {v.x, v.y};
}

// By default its polygons have a skin of two slops; without it they have their exact size.
std::unique_ptr<b2Shape> make_polygon(std::span<const Vec2> corners) {
  std::vector<b2Vec2> points;
  for (const Vec2 corner : corners) {
    points.push_back(as_b2(corner));
  }
  auto made = std::make_unique<b2PolygonShape>();
  made->Set(points.data(), static_cast<int32>(points.size()));
  made->m_radius = 0.0F;
  return made;
}

struct MakeShape {
  std::unique_ptr<b2Shape> operator()(const Circle& circle) const {
    auto made = std::make_unique<b2CircleShape>();
    made->m_p = as_b2(circle.center);
    made->m_radius = circle.radius;
    return made;
  }
  std::unique_ptr<b2Shape> operator()(const Box& box) const { return make_polygon(corners_of(box)); }
  std::unique_ptr<b2Shape> operator()(const Polygon& polygon) const {
    return make_polygon(polygon.vertices());
  }
  template <typename Other>
  std::unique_ptr<b2Shape> operator()(const Other& /*shape*/) const {
    return nullptr;
  }
};

class Listener final : public b2ContactListener {
 public:
  explicit Listener(Events& events) : events_(events) {}

  void BeginContact(b2Contact* contact) override { events_.begun.push_back(pair_of(contact)); }
  void EndContact(b2Contact* contact) override { events_.ended.push_back(pair_of(contact)); }

 private:
  static BoxIndex index_of(b2Fixture* fixture) {
    return static_cast<BoxIndex>(fixture->GetUserData().pointer);
  }
  static Pair pair_of(b2Contact* contact) {
    return ordered_pair(index_of(contact->GetFixtureA()), index_of(contact->GetFixtureB()));
  }

  Events& events_;
};

/// A step of 0 seconds finds contacts and does nothing else. Box2D tests sensors with GJK, and makes
/// manifolds of other shapes by closed forms.
class Box2d final : public Contender {
 public:
  explicit Box2d(bool sensors) : sensors_(sensors), listener_(events_) {}

  [[nodiscard]] std::string name() const override { return sensors_ ? "Box2D 2.4 sensors" : "Box2D 2.4"; }
  [[nodiscard]] bool takes(const Scene& /*scene*/) const override { return true; }
  [[nodiscard]] double tolerance() const override { return 1e-3; }

  const Events& load(const Scene& scene) override {
    world_.emplace(b2Vec2(0.0F, 0.0F));
    world_->SetContactListener(&listener_);
    static_count_ = scene.static_count;
    first_mover_ = scene.first_mover;
    bodies_.clear();
    for (std::size_t i = 0; i < scene.size(); ++i) {
      b2BodyDef told;
      told.type = i < static_count_ ? b2_staticBody : b2_dynamicBody;
      told.position = as_b2(scene.starts[i]);
      told.fixedRotation = true;
      bodies_.push_back(world_->CreateBody(&told));
      const std::unique_ptr<b2Shape> shape = std::visit(MakeShape{}, scene.shapes[i]);
      b2FixtureDef fixture;
      fixture.shape = shape.get();
      fixture.isSensor = sensors_;
      fixture.density = 1.0F;
      fixture.userData.pointer = i;
      bodies_.back()->CreateFixture(&fixture);
    }
    events_.clear();
    world_->Step(0.0F, 0, 0);
    for (std::size_t i = static_count_; i < first_mover_; ++i) {
      bodies_[i]->SetAwake(false);
    }
    return events_;
  }

  const Events& step(std::span<const Vec2> positions) override {
    events_.clear();
    for (std::size_t i = 0; i < positions.size(); ++i) {
      bodies_[first_mover_ + i]->SetTransform(as_b2(positions[i]), 0.0F);
    }
    world_->Step(0.0F, 0, 0);
    if (static_count_ < first_mover_) {
      put_to_sleep(events_.begun);
      put_to_sleep(events_.ended);
    }
    return events_;
  }

 private:
  // A contact wakes bodies that are not sensors.
  void put_to_sleep(std::span<const Pair> pairs) {
    for (const Pair pair : pairs) {
      for (const BoxIndex i : {pair.a, pair.b}) {
        if (i < first_mover_) {
          bodies_[i]->SetAwake(false);
        }
      }
    }
  }

  bool sensors_;
  Events events_;
  Listener listener_;
  std::optional<b2World> world_;
  std::vector<b2Body*> bodies_;
  std::size_t static_count_ = 0;
  std::size_t first_mover_ = 0;
};

}  // namespace

std::unique_ptr<Contender> make_box2d(bool sensors) {
  return std::make_unique<Box2d>(sensors);
}

}  // namespace broadside::bench
