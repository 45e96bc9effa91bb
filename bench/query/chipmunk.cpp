#include <chipmunk/chipmunk.h>

#include <algorithm>

#include "contest.hpp"

namespace broadside::bench {

namespace {

cpVect as_cp(Vec2 v) {
  return cpv(static_cast<cpFloat>(v.x), static_cast<cpFloat>(v.y));
}

cpBB as_cp(const Aabb& box) {
  return cpBBNew(static_cast<cpFloat>(box.min.x), static_cast<cpFloat>(box.min.y),
                 static_cast<cpFloat>(box.max.x), static_cast<cpFloat>(box.max.y));
}

/// A space with box shapes on its static body, so its tree has no margins.
class Chipmunk final : public Contender {
 public:
  ~Chipmunk() override { release(); }

  [[nodiscard]] std::string name() const override { return "Chipmunk 7"; }
  [[nodiscard]] bool takes(const Question& question) const override {
    return !question.rare && (question.kind != Kind::nearest || question.count == 1);
  }

  void load(std::span<const Aabb> boxes) override {
    release();
    space_ = cpSpaceNew();
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      cpShape* shape = cpBoxShapeNew2(cpSpaceGetStaticBody(space_), as_cp(boxes[i]), 0.0);
      cpShapeSetUserData(shape, reinterpret_cast<cpDataPointer>(i + 1));
      shapes_.push_back(cpSpaceAddShape(space_, shape));
    }
    farthest_ = 0.0F;
    for (const Aabb& box : boxes) {
      farthest_ = std::max({farthest_, box.max.x, box.max.y});
    }
  }

  Answer answer(const Question& question, const Query& query) override {
    switch (question.kind) {
      case Kind::area: {
        std::uint64_t sum = 0;
        cpSpaceBBQuery(
            space_, as_cp(query.area), CP_SHAPE_FILTER_ALL,
            [](cpShape* shape, void* to) {
              *static_cast<std::uint64_t*>(to) += reinterpret_cast<std::size_t>(cpShapeGetUserData(shape));
            },
            &sum);
        return static_cast<Answer>(sum);
      }
      case Kind::ray: {
        cpSegmentQueryInfo info;
        const cpShape* hit = cpSpaceSegmentQueryFirst(
            space_, as_cp(query.start), as_cp(query.start + query.way), 0.0, CP_SHAPE_FILTER_ALL, &info);
        return hit != nullptr ? info.alpha : 2.0;
      }
      case Kind::nearest:
        break;
    }
    // It tests all shapes within the given distance, so the distance grows until a shape is found.
    cpPointQueryInfo info;
    for (double reach = static_cast<double>(farthest_) * 0x1p-9;; reach *= 2.0) {
      const cpShape* hit =
          cpSpacePointQueryNearest(space_, as_cp(query.start), reach, CP_SHAPE_FILTER_ALL, &info);
      if (hit != nullptr) {
        return std::max(info.distance, 0.0);
      }
    }
  }

 private:
  void release() {
    for (cpShape* shape : shapes_) {
      cpSpaceRemoveShape(space_, shape);
      cpShapeFree(shape);
    }
    shapes_.clear();
    if (space_ != nullptr) {
      cpSpaceFree(space_);
      space_ = nullptr;
    }
  }

  cpSpace* space_ = nullptr;
  std::vector<cpShape*> shapes_;
  float farthest_ = 0.0F;
};

}  // namespace

std::unique_ptr<Contender> make_chipmunk() {
  return std::make_unique<Chipmunk>();
}

}  // namespace broadside::bench
