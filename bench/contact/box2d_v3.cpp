#include <box2d/box2d.h>
#include <box2d/collision.h>

#include <algorithm>
#include <limits>

#include "contest.hpp"

namespace broadside::bench {

namespace {

// Box2D 2.4 has different types of the same names and is linked into the same program: containers hold only
// types of this namespace, or the linker would merge their code with that for 2.4.

b2Vec2 as_b2(Vec2 v) {
  return {v.x, v.y};
}

b2Transform as_b2(const Transform& at) {
  return {as_b2(at.position), {at.rotation.cos, at.rotation.sin}};
}

/// A shape of Box2D, and the same as a point cloud with a radius.
struct Solid {
  b2Circle circle;
  b2Capsule capsule;
  b2Segment segment;
  b2Polygon polygon;
  b2ShapeProxy proxy;
};

struct MakeSolid {
  Solid operator()(const Circle& circle) const {
    Solid solid{};
    solid.circle = {as_b2(circle.center), circle.radius};
    solid.proxy = b2MakeProxy(&solid.circle.center, 1, circle.radius);
    return solid;
  }
  Solid operator()(const Box& box) const { return of(b2MakeBox(box.half_size.x, box.half_size.y)); }
  Solid operator()(const Capsule& capsule) const {
    Solid solid{};
    solid.capsule = {as_b2(capsule.a), as_b2(capsule.b), capsule.radius};
    solid.proxy = b2MakeProxy(&solid.capsule.center1, 2, capsule.radius);
    return solid;
  }
  Solid operator()(const Segment& segment) const {
    Solid solid{};
    solid.segment = {as_b2(segment.a), as_b2(segment.b)};
    solid.proxy = b2MakeProxy(&solid.segment.point1, 2, 0.0F);
    return solid;
  }
  Solid operator()(const Polygon& polygon) const {
    b2Vec2 points[B2_MAX_POLYGON_VERTICES];
    int count = 0;
    for (const Vec2 corner : polygon.vertices()) {
      points[count++] = as_b2(corner);
    }
    const b2Hull hull = b2ComputeHull(points, count);
    return of(b2MakePolygon(&hull, polygon.radius()));
  }
  Solid operator()(const Mask& /*mask*/) const { return {}; }

 private:
  static Solid of(const b2Polygon& polygon) {
    Solid solid{};
    solid.polygon = polygon;
    solid.proxy = b2MakeProxy(polygon.vertices, polygon.count, polygon.radius);
    return solid;
  }
};

/// Two shapes; the transform of each as seen from the other.
struct Pairing {
  Solid a;
  Solid b;
  b2Transform b_in_a;
  b2Transform a_in_b;
  b2Vec2 motion_in_b;  ///< of a
};

bool is_polygon(Kind kind) {
  return kind == Kind::box || kind == Kind::polygon || kind == Kind::rounded;
}

/// Computes in the frame of one of the two shapes.
class Box2dV3 final : public Contender {
 public:
  [[nodiscard]] std::string name() const override {
    const b2Version version = b2GetVersion();
    return "Box2D " + std::to_string(version.major) + "." + std::to_string(version.minor);
  }

  [[nodiscard]] bool takes(const Row& row) const override {
    if (row.a == Kind::mask || row.b == Kind::mask || row.function == Function::area) {
      return false;
    }
    return row.function != Function::collide || row.a != Kind::segment || row.b != Kind::segment;
  }

  // It computes in float, at 100 units from the origin; casts stop at a distance of a slop.
  [[nodiscard]] float tolerance(const Row& row) const override {
    return row.function == Function::cast ? 0.015F : 1e-3F;
  }

  void load(const Row& row, std::span<const Case> cases) override {
    row_ = row;
    pairings_.clear();
    for (const Case& one : cases) {
      const b2Transform a = as_b2(one.at_a);
      const b2Transform b = as_b2(one.at_b);
      pairings_.push_back({std::visit(MakeSolid{}, one.a), std::visit(MakeSolid{}, one.b),
                           b2InvMulTransforms(a, b), b2InvMulTransforms(b, a),
                           b2InvRotateVector(b.q, as_b2(one.motion))});
    }
  }

  void run(std::span<const std::uint32_t> order, std::span<Answer> answers) override {
    for (const std::uint32_t i : order) {
      answers[i] = answer(pairings_[i]);
    }
  }

 private:
  [[nodiscard]] Answer answer(const Pairing& one) const {
    switch (row_.function) {
      case Function::overlaps:
        return {distance(one) <= 0.0F, 0.0F};
      case Function::distance: {
        const float found = distance(one);
        return {found <= 0.0F, found};
      }
      case Function::collide:
        return answer(collide(one));
      case Function::cast: {
        b2ShapeCastPairInput input{};
        input.proxyA = one.b.proxy;
        input.proxyB = one.a.proxy;
        input.transform = one.a_in_b;
        input.translationB = one.motion_in_b;
        input.maxFraction = 1.0F;
        const b2CastOutput found = b2ShapeCast(&input);
        return {found.hit, found.hit ? found.fraction : 0.0F};
      }
      case Function::cast_ray: {
        const b2CastOutput found = cast_ray(one);
        return {found.hit, found.hit ? found.fraction : 0.0F};
      }
      case Function::area:
        break;
    }
    return {};
  }

  static float distance(const Pairing& one) {
    b2DistanceInput input{};
    input.proxyA = one.a.proxy;
    input.proxyB = one.b.proxy;
    input.transform = one.b_in_a;
    input.useRadii = true;
    b2SimplexCache cache{};
    return b2ShapeDistance(&input, &cache, nullptr, 0).distance;
  }

  [[nodiscard]] b2CastOutput cast_ray(const Pairing& one) const {
    const b2RayCastInput ray{one.a_in_b.p, one.motion_in_b, 1.0F};
    switch (row_.b) {
      case Kind::circle:
        return b2RayCastCircle(&one.b.circle, &ray);
      case Kind::capsule:
        return b2RayCastCapsule(&one.b.capsule, &ray);
      case Kind::segment:
        return b2RayCastSegment(&one.b.segment, &ray, false);
      default:
        return b2RayCastPolygon(&one.b.polygon, &ray);
    }
  }

  // Each of its functions takes the two kinds in one order.
  [[nodiscard]] b2LocalManifold collide(const Pairing& one) const {
    const auto& [a, b, b_in_a, a_in_b, motion] = one;
    if (row_.a == Kind::circle) {
      return row_.b == Kind::circle    ? b2CollideCircles(&a.circle, &b.circle, b_in_a)
             : row_.b == Kind::capsule ? b2CollideCapsuleAndCircle(&b.capsule, &a.circle, a_in_b)
             : row_.b == Kind::segment ? b2CollideSegmentAndCircle(&b.segment, &a.circle, a_in_b)
                                       : b2CollidePolygonAndCircle(&b.polygon, &a.circle, a_in_b);
    }
    if (row_.a == Kind::capsule) {
      return row_.b == Kind::capsule   ? b2CollideCapsules(&a.capsule, &b.capsule, b_in_a)
             : row_.b == Kind::segment ? b2CollideSegmentAndCapsule(&b.segment, &a.capsule, a_in_b)
                                       : b2CollidePolygonAndCapsule(&b.polygon, &a.capsule, a_in_b);
    }
    if (row_.a == Kind::segment) {
      return b2CollideSegmentAndPolygon(&a.segment, &b.polygon, b_in_a);
    }
    return is_polygon(row_.b)        ? b2CollidePolygons(&a.polygon, &b.polygon, b_in_a)
           : row_.b == Kind::capsule ? b2CollidePolygonAndCapsule(&a.polygon, &b.capsule, b_in_a)
                                     : b2CollideSegmentAndPolygon(&b.segment, &a.polygon, a_in_b);
  }

  // Its manifolds begin before shapes touch.
  static Answer answer(const b2LocalManifold& manifold) {
    float deepest = std::numeric_limits<float>::max();
    for (int i = 0; i < manifold.pointCount; ++i) {
      deepest = std::min(deepest, manifold.points[i].separation);
    }
    const bool touching = deepest <= 0.0F;
    return {touching, touching ? deepest : 0.0F};
  }

  Row row_;
  std::vector<Pairing> pairings_;
};

}  // namespace

std::unique_ptr<Contender> make_box2d_v3() {
  return std::make_unique<Box2dV3>();
}

}  // namespace broadside::bench
