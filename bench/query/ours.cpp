#include <limits>
#include <span>
#include <vector>

#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "broadside/query/area.hpp"
#include "broadside/query/nearest.hpp"
#include "broadside/query/ray.hpp"
#include "contest.hpp"

namespace broadside::bench {

namespace {

/// Adds up the results, as the peers do.
Answer sum_of(std::span<const BoxIndex> found) {
  std::uint64_t sum = 0;
  for (const BoxIndex index : found) {
    sum += std::uint64_t{index} + 1;
  }
  return static_cast<Answer>(sum);
}

/// Tests exact shapes, and returns them in the documented order.
class Ours : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "ours"; }
  [[nodiscard]] bool is_ours() const final { return true; }
  [[nodiscard]] bool takes(const Question& /*question*/) const override { return true; }

  void load(std::span<const Aabb> boxes) final {
    grid_ = std::make_unique<HierarchicalGrid>();
    shapes_.clear();
    transforms_.clear();
    std::vector<Aabb> tight;
    for (const Aabb& box : boxes) {
      shapes_.emplace_back(Box::of_size(box.max - box.min));
      transforms_.push_back({0.5F * (box.min + box.max), {}});
      tight.push_back(bounds(shapes_.back(), transforms_.back()));
    }
    std::vector<BoxKind> kinds(tight.size());
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      kinds[i].filter.layer = layer_of(i);
    }
    static_cast<void>(grid_->add(tight, kinds).value());
    grid_->update();
  }

  Answer answer(const Question& question, const Query& query) override {
    ShapeSet set = this->set();
    set.layers = layers_of(question);
    switch (question.kind) {
      case Kind::area:
        query_area(set, query.area, found_).value();
        return sum_of(found_);
      case Kind::ray: {
        const auto first = cast_ray(set, query.start, query.way).value();
        return first ? static_cast<double>(first->fraction) : 2.0;
      }
      case Kind::nearest:
        break;
    }
    nearest(set, query.start, question.count, std::numeric_limits<float>::max(), hits_).value();
    Answer sum = 0.0;
    for (const NearestShape& hit : hits_) {
      sum += static_cast<double>(hit.distance);
    }
    return sum;
  }

 protected:
  [[nodiscard]] const BroadPhase& boxes() const { return *grid_; }
  [[nodiscard]] ShapeSet set() const { return {*grid_, shapes_, transforms_}; }

  std::vector<BoxIndex> found_;

 private:
  std::unique_ptr<HierarchicalGrid> grid_;
  std::vector<Shape> shapes_;
  std::vector<Transform> transforms_;
  std::vector<NearestShape> hits_;
};

/// Tests exact shapes, and visits them one by one through a filter and a visitor.
class OursVisited final : public Ours {
 public:
  [[nodiscard]] std::string name() const override { return "ours, visited"; }
  [[nodiscard]] bool takes(const Question& question) const override { return question.kind == Kind::area; }

  Answer answer(const Question& /*question*/, const Query& query) override {
    std::uint64_t sum = 0;
    visit_area(set(), query.area, [&sum](BoxIndex index) {
      sum += std::uint64_t{index} + 1;
      return true;
    }).value();
    return static_cast<Answer>(sum);
  }
};

/// Tests only boxes, in any order, as the peers do.
class OursBoxes final : public Ours {
 public:
  [[nodiscard]] std::string name() const override { return "ours, boxes"; }
  [[nodiscard]] bool takes(const Question& question) const override { return question.kind == Kind::area; }
  [[nodiscard]] Job job(const Question& /*question*/) const override { return Job::boxes; }

  Answer answer(const Question& /*question*/, const Query& query) override {
    found_.clear();
    boxes().append_area(query.area, found_);
    return sum_of(found_);
  }
};

}  // namespace

std::unique_ptr<Contender> make_ours() {
  return std::make_unique<Ours>();
}

std::unique_ptr<Contender> make_ours_visited() {
  return std::make_unique<OursVisited>();
}

std::unique_ptr<Contender> make_ours_boxes() {
  return std::make_unique<OursBoxes>();
}

}  // namespace broadside::bench
