#include <box2d/b2_distance.h>
#include <box2d/box2d.h>

#include <algorithm>
#include <limits>

#include "contest.hpp"

namespace broadside::bench {

namespace {

b2Vec2 as_b2(Vec2 v) {
  return {v.x, v.y};
}

b2Transform as_b2(const Transform& at) {
  b2Rot turned;
  turned.c = at.rotation.cos;
  turned.s = at.rotation.sin;
  return {as_b2(at.position), turned};
}

// By default its polygons and edges have a skin of two slops; without it they have their exact size.
std::unique_ptr<b2Shape> make_edge(Vec2 a, Vec2 b, float radius) {
  auto edge = std::make_unique<b2EdgeShape>();
  edge->SetTwoSided(as_b2(a), as_b2(b));
  edge->m_radius = radius;
  return edge;
}

struct MakeShape {
  std::unique_ptr<b2Shape> operator()(const Circle& circle) const {
    auto made = std::make_unique<b2CircleShape>();
    made->m_p = as_b2(circle.center);
    made->m_radius = circle.radius;
    return made;
  }
  std::unique_ptr<b2Shape> operator()(const Box& box) const {
    auto made = std::make_unique<b2PolygonShape>();
    made->SetAsBox(box.half_size.x, box.half_size.y);
    made->m_radius = 0.0F;
    return made;
  }
  std::unique_ptr<b2Shape> operator()(const Capsule& capsule) const {
    return make_edge(capsule.a, capsule.b, capsule.radius);
  }
  std::unique_ptr<b2Shape> operator()(const Segment& segment) const {
    return make_edge(segment.a, segment.b, 0.0F);
  }
  std::unique_ptr<b2Shape> operator()(const Polygon& polygon) const {
    std::vector<b2Vec2> points;
    for (const Vec2 corner : polygon.vertices()) {
      points.push_back(as_b2(corner));
    }
    auto made = std::make_unique<b2PolygonShape>();
    made->Set(points.data(), static_cast<int32>(points.size()));
    made->m_radius = polygon.radius();
    return made;
  }
  std::unique_ptr<b2Shape> operator()(const Mask& /*mask*/) const { return nullptr; }
};

struct Pairing {
  std::unique_ptr<b2Shape> a;
  std::unique_ptr<b2Shape> b;
  b2Transform at_a;
  b2Transform at_b;
  b2Vec2 motion;
};

bool is_edge(Kind kind) {
  return kind == Kind::capsule || kind == Kind::segment;
}

const b2CircleShape* circle(const std::unique_ptr<b2Shape>& shape) {
  return static_cast<const b2CircleShape*>(shape.get());
}
const b2PolygonShape* polygon(const std::unique_ptr<b2Shape>& shape) {
  return static_cast<const b2PolygonShape*>(shape.get());
}
const b2EdgeShape* edge(const std::unique_ptr<b2Shape>& shape) {
  return static_cast<const b2EdgeShape*>(shape.get());
}

class Box2d final : public Contender {
 public:
  explicit Box2d(bool in_world) : in_world_(in_world) {}

  [[nodiscard]] std::string name() const override { return in_world_ ? "Box2D in world" : "Box2D 2.4"; }

  [[nodiscard]] bool takes(const Row& row) const override {
    if (row.a == Kind::mask || row.b == Kind::mask || (in_world_ && row.function != Function::collide)) {
      return false;
    }
    switch (row.function) {
      case Function::overlaps:
      case Function::distance:
      case Function::cast:
        return true;
      case Function::collide:
        // It has no function for two edges, and supports the radius of rounded polygons only with a circle.
        return !(is_edge(row.a) && is_edge(row.b)) && (row.b != Kind::rounded || row.a == Kind::circle);
      case Function::cast_ray:
        return row.b != Kind::capsule && row.b != Kind::rounded;
      case Function::area:
        return false;
    }
    return false;
  }

  // It computes in float, at 100 units from the origin; casts stop at a distance of two slops.
  [[nodiscard]] float tolerance(const Row& row) const override {
    return row.function == Function::cast ? 3.0F * b2_linearSlop : 1e-3F;
  }

  void load(const Row& row, std::span<const Case> cases) override {
    row_ = row;
    pairings_.clear();
    for (const Case& one : cases) {
      pairings_.push_back({std::visit(MakeShape{}, one.a), std::visit(MakeShape{}, one.b), as_b2(one.at_a),
                           as_b2(one.at_b), as_b2(one.motion)});
    }
  }

  void run(std::span<const std::uint32_t> order, std::span<Answer> answers) override {
    switch (row_.function) {
      case Function::overlaps:
        return each(order, answers, [](const Pairing& one) {
          return Answer{b2TestOverlap(one.a.get(), 0, one.b.get(), 0, one.at_a, one.at_b), 0.0F};
        });
      case Function::collide:
        return collide(order, answers);
      case Function::distance:
        return each(order, answers, [](const Pairing& one) {
          b2DistanceInput input;
          input.proxyA.Set(one.a.get(), 0);
          input.proxyB.Set(one.b.get(), 0);
          input.transformA = one.at_a;
          input.transformB = one.at_b;
          input.useRadii = true;
          b2SimplexCache cache;
          cache.count = 0;
          b2DistanceOutput output;
          b2Distance(&output, &cache, &input);
          return Answer{output.distance <= 0.0F, output.distance};
        });
      case Function::cast:
        return each(order, answers, [](const Pairing& one) {
          b2ShapeCastInput input;
          input.proxyA.Set(one.b.get(), 0);
          input.proxyB.Set(one.a.get(), 0);
          input.transformA = one.at_b;
          input.transformB = one.at_a;
          input.translationB = one.motion;
          b2ShapeCastOutput output;
          const bool hit = b2ShapeCast(&output, &input);
          return Answer{hit, hit ? output.lambda : 0.0F};
        });
      case Function::cast_ray:
        return each(order, answers, [](const Pairing& one) {
          const b2RayCastInput input{one.at_a.p, one.at_a.p + one.motion, 1.0F};
          b2RayCastOutput output;
          const bool hit = one.b->RayCast(&output, input, one.at_b, 0);
          return Answer{hit, hit ? output.fraction : 0.0F};
        });
      case Function::area:
        return;
    }
  }

 private:
  void collide(std::span<const std::uint32_t> order, std::span<Answer> answers) const {
    const auto with = [&](auto fill) {
      each(order, answers, [&](const Pairing& one) {
        b2Manifold manifold;
        manifold.pointCount = 0;
        fill(&manifold, one);
        return answer(manifold, one);
      });
    };
    const bool polygon_b = !is_edge(row_.b);
    if (row_.a == Kind::circle && row_.b == Kind::circle) {
      with([](b2Manifold* out, const Pairing& one) {
        b2CollideCircles(out, circle(one.a), one.at_a, circle(one.b), one.at_b);
      });
    } else if (row_.a == Kind::circle && polygon_b) {
      with([](b2Manifold* out, const Pairing& one) {
        b2CollidePolygonAndCircle(out, polygon(one.b), one.at_b, circle(one.a), one.at_a);
      });
    } else if (row_.a == Kind::circle) {
      with([](b2Manifold* out, const Pairing& one) {
        b2CollideEdgeAndCircle(out, edge(one.b), one.at_b, circle(one.a), one.at_a);
      });
    } else if (is_edge(row_.a)) {
      with([](b2Manifold* out, const Pairing& one) {
        b2CollideEdgeAndPolygon(out, edge(one.a), one.at_a, polygon(one.b), one.at_b);
      });
    } else if (polygon_b) {
      with([](b2Manifold* out, const Pairing& one) {
        b2CollidePolygons(out, polygon(one.a), one.at_a, polygon(one.b), one.at_b);
      });
    } else {
      with([](b2Manifold* out, const Pairing& one) {
        b2CollideEdgeAndPolygon(out, edge(one.b), one.at_b, polygon(one.a), one.at_a);
      });
    }
  }

  [[nodiscard]] Answer answer(const b2Manifold& manifold, const Pairing& one) const {
    // Only the world manifold has the depth.
    Answer result{manifold.pointCount > 0, in_world_ ? 0.0F : std::numeric_limits<float>::quiet_NaN()};
    if (in_world_ && manifold.pointCount > 0) {
      // Its functions take the circle second, and a polygon after an edge.
      const bool swapped = (row_.a == Kind::circle && row_.b != Kind::circle) || is_edge(row_.b);
      b2WorldManifold world;
      if (swapped) {
        world.Initialize(&manifold, one.at_b, one.b->m_radius, one.at_a, one.a->m_radius);
      } else {
        world.Initialize(&manifold, one.at_a, one.a->m_radius, one.at_b, one.b->m_radius);
      }
      for (int32 i = 0; i < manifold.pointCount; ++i) {
        result.value = std::min(result.value, world.separations[i]);
      }
    }
    return result;
  }

  template <typename Ask>
  void each(std::span<const std::uint32_t> order, std::span<Answer> answers, Ask ask) const {
    for (const std::uint32_t i : order) {
      answers[i] = ask(pairings_[i]);
    }
  }

  bool in_world_;
  Row row_;
  std::vector<Pairing> pairings_;
};

}  // namespace

std::unique_ptr<Contender> make_box2d(bool in_world) {
  return std::make_unique<Box2d>(in_world);
}

}  // namespace broadside::bench
