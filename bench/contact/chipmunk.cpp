#include <chipmunk/chipmunk.h>

#include <algorithm>
#include <cmath>

#include "contest.hpp"

namespace broadside::bench {

namespace {

cpVect as_vect(Vec2 v) {
  return cpv(v.x, v.y);
}

/// Returns the body that all shapes share. Shapes have transforms of their own; only its rotation is read.
cpBody* body() {
  static cpBody* const made = cpBodyNewStatic();
  return made;
}

cpShape* make_polygon(std::span<const Vec2> corners, float radius) {
  std::vector<cpVect> points(corners.size());
  std::transform(corners.begin(), corners.end(), points.begin(), as_vect);
  return cpPolyShapeNew(body(), static_cast<int>(points.size()), points.data(), cpTransformIdentity, radius);
}

struct MakeShape {
  cpShape* operator()(const Circle& circle) const {
    return cpCircleShapeNew(body(), circle.radius, as_vect(circle.center));
  }
  cpShape* operator()(const Box& box) const {
    const Vec2 half = box.half_size;
    return cpBoxShapeNew2(body(), cpBBNew(-half.x, -half.y, half.x, half.y), 0.0);
  }
  cpShape* operator()(const Capsule& capsule) const {
    return cpSegmentShapeNew(body(), as_vect(capsule.a), as_vect(capsule.b), capsule.radius);
  }
  cpShape* operator()(const Segment& segment) const {
    return cpSegmentShapeNew(body(), as_vect(segment.a), as_vect(segment.b), 0.0);
  }
  cpShape* operator()(const Polygon& polygon) const {
    return make_polygon(polygon.vertices(), polygon.radius());
  }
  cpShape* operator()(const Mask& /*mask*/) const { return nullptr; }
};

/// Two of its shapes with updated world coordinates, which its engine computes once per frame.
struct Pairing {
  cpShape* a;
  cpShape* b;
  cpVect start;
  cpVect end;
  cpFloat radius;
};

class Chipmunk final : public Contender {
 public:
  ~Chipmunk() override { release(); }

  [[nodiscard]] std::string name() const override { return "Chipmunk 7"; }

  [[nodiscard]] bool takes(const Row& row) const override {
    if (row.a == Kind::mask || row.b == Kind::mask) {
      return false;
    }
    switch (row.function) {
      case Function::overlaps:
      case Function::collide:
      case Function::cast_ray:
        return true;
      case Function::distance:  // of a point from a shape
      case Function::cast:      // of a thick segment
        return row.a == Kind::circle;
      case Function::area:
        return false;
    }
    return false;
  }

  [[nodiscard]] float tolerance(const Row& /*row*/) const override { return 1e-4F; }

  void load(const Row& row, std::span<const Case> cases) override {
    release();
    function_ = row.function;
    for (const Case& one : cases) {
      const auto put = [](const Shape& shape, const Transform& at) {
        cpShape* made = std::visit(MakeShape{}, shape);
        const Rotation turned = at.rotation;
        cpShapeUpdate(made, cpTransformNew(turned.cos, turned.sin, -turned.sin, turned.cos, at.position.x,
                                           at.position.y));
        return made;
      };
      const auto* circle = std::get_if<Circle>(&one.a);
      const cpVect start = as_vect(one.at_a.position);
      pairings_.push_back({put(one.a, one.at_a), put(one.b, one.at_b), start,
                           cpvadd(start, as_vect(one.motion)), circle == nullptr ? 0.0 : circle->radius});
    }
  }

  void run(std::span<const std::uint32_t> order, std::span<Answer> answers) override {
    switch (function_) {
      case Function::overlaps:
        return each(order, answers, [](const Pairing& one) {
          return Answer{cpShapesCollide(one.a, one.b).count > 0, 0.0F};
        });
      case Function::collide:
        return each(order, answers, [](const Pairing& one) {
          const cpContactPointSet found = cpShapesCollide(one.a, one.b);
          Answer answer{found.count > 0, 0.0F};
          for (int i = 0; i < found.count; ++i) {
            // The sign is reversed if it swapped the shapes.
            answer.value = std::min(answer.value, -std::abs(static_cast<float>(found.points[i].distance)));
          }
          return answer;
        });
      case Function::distance:
        return each(order, answers, [](const Pairing& one) {
          cpPointQueryInfo info;
          cpShapePointQuery(one.b, one.start, &info);
          const cpFloat apart = std::max(info.distance - one.radius, 0.0);
          return Answer{apart == 0.0, static_cast<float>(apart)};
        });
      case Function::cast:
      case Function::cast_ray:
        return each(order, answers, [](const Pairing& one) {
          cpSegmentQueryInfo info;
          const bool hit = cpShapeSegmentQuery(one.b, one.start, one.end, one.radius, &info) != 0;
          return Answer{hit, hit ? static_cast<float>(info.alpha) : 0.0F};
        });
      case Function::area:
        return;
    }
  }

 private:
  template <typename Ask>
  void each(std::span<const std::uint32_t> order, std::span<Answer> answers, Ask ask) const {
    for (const std::uint32_t i : order) {
      answers[i] = ask(pairings_[i]);
    }
  }
  void release() {
    for (const Pairing& one : pairings_) {
      cpShapeFree(one.a);
      cpShapeFree(one.b);
    }
    pairings_.clear();
  }

  Function function_ = Function::overlaps;
  std::vector<Pairing> pairings_;
};

}  // namespace

std::unique_ptr<Contender> make_chipmunk() {
  return std::make_unique<Chipmunk>();
}

}  // namespace broadside::bench
