// The layers of a `ShapeSet`: queries find what they would find with a predicate for the same layers, and a
// tree skips the places where no box is on one of them.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "broadside/query/area.hpp"
#include "broadside/query/cast.hpp"
#include "broadside/query/nearest.hpp"
#include "broadside/query/ray.hpp"
#include "instruction_sets.hpp"
#include "variants.hpp"

namespace broadside::test::layers_test {

namespace {

constexpr std::uint64_t every_layer = ~std::uint64_t{0};
constexpr float any_distance = std::numeric_limits<float>::max();

/// Circles with filters, in a broad phase.
class FilteredCircles {
 public:
  FilteredCircles(std::unique_ptr<BroadPhase> phase, std::uint64_t seed)
      : random_(seed), phase_(std::move(phase)) {}

  /// No layer, one, two or all.
  std::uint64_t drawn_layers() {
    const auto one = [this] { return std::uint64_t{1} << random_.below(64); };
    switch (random_.below(8)) {
      case 0:
        return 0;
      case 1:
        return every_layer;
      case 2:
        return one() | one();
      default:
        return one();
    }
  }

  void add() {
    const Circle circle{{}, random_.between(0.1F, 3.0F)};
    const Transform at{point(), {}};
    const auto type = static_cast<BodyType>(random_.below(3));
    const BoxIndex index = phase_->add(bounds(circle, at), type, {.layer = drawn_layers()}).value();
    if (index >= shapes_.size()) {
      shapes_.resize(index + 1);
      transforms_.resize(index + 1);
    }
    shapes_[index] = circle;
    transforms_[index] = at;
    indices_.push_back(index);
  }

  /// Moves, removes or adds a circle, or changes its filter.
  void change() {
    const std::size_t at = random_.below(static_cast<std::uint32_t>(indices_.size()));
    const BoxIndex index = indices_[at];
    switch (random_.below(16)) {
      case 0:
        add();
        return;
      case 1:
        phase_->remove(index).value();
        indices_.erase(indices_.begin() + static_cast<std::ptrdiff_t>(at));
        return;
      case 2:
      case 3:
      case 4:
        phase_->set_filter(index, {.layer = drawn_layers()}).value();
        return;
      default:
        transforms_[index].position = point();
        phase_->move(index, bounds(shapes_[index], transforms_[index])).value();
    }
  }

  Vec2 point() { return {random_.between(-50.0F, 50.0F), random_.between(-50.0F, 50.0F)}; }
  [[nodiscard]] ShapeSet set(std::uint64_t layers) const { return {*phase_, shapes_, transforms_, layers}; }
  [[nodiscard]] bool is_on(BoxIndex index, std::uint64_t layers) const {
    return layers == every_layer || (phase_->filter(index).value().layer & layers) != 0;
  }
  [[nodiscard]] std::size_t size() const { return indices_.size(); }
  [[nodiscard]] BroadPhase& phase() { return *phase_; }
  [[nodiscard]] Random& random() { return random_; }

 private:
  Random random_;
  std::unique_ptr<BroadPhase> phase_;
  std::vector<Shape> shapes_;
  std::vector<Transform> transforms_;
  std::vector<BoxIndex> indices_;
};

/// Asks one query of each kind, with layers or with a predicate instead; returns all that they find.
std::vector<double> ask(const FilteredCircles& circles, std::uint64_t layers, bool by_predicate, Vec2 from,
                        Vec2 to, std::size_t count) {
  const ShapeSet set = circles.set(by_predicate ? every_layer : layers);
  const auto wanted = [&](BoxIndex index) { return !by_predicate || circles.is_on(index, layers); };
  std::vector<double> found;
  const auto note = [&](BoxIndex index) {
    found.push_back(index);
    return true;
  };
  const auto note_hit = [&](const ShapeHit& hit) {
    found.push_back(hit.index);
    found.push_back(static_cast<double>(hit.fraction));
    return true;
  };
  const auto note_first = [&](const std::optional<ShapeHit>& hit) {
    found.push_back(hit ? 1.0 : 0.0);
    if (hit) {
      note_hit(*hit);
    }
  };
  const Shape box = Box::of_half_size({1.0F, 0.5F});
  const Transform at{from, {}};
  const Aabb area{{std::min(from.x, to.x), std::min(from.y, to.y)},
                  {std::max(from.x, to.x), std::max(from.y, to.y)}};
  note_first(cast_ray(set, from, to - from, wanted).value());
  note_first(cast_shape(set, box, at, to - from, wanted).value());
  visit_ray(set, from, to - from, note_hit, wanted).value();
  visit_cast(set, box, at, to - from, note_hit, wanted).value();
  visit_area(set, area, note, wanted).value();
  visit_point(set, from, note, wanted).value();
  visit_shape(set, box, at, note, wanted).value();
  std::vector<BoxIndex> indices;
  query_area(set, area, indices, wanted).value();
  found.insert(found.end(), indices.begin(), indices.end());
  std::vector<NearestShape> near;
  nearest(set, from, count, any_distance, near, wanted).value();
  for (const NearestShape& one : near) {
    found.push_back(one.index);
    found.push_back(static_cast<double>(one.distance));
  }
  return found;
}

class Layers : public testing::TestWithParam<Variant> {};

TEST_P(Layers, of_a_query_find_what_a_predicate_for_them_finds) {
  for (const std::size_t size : {3U, 70U, 600U}) {
    FilteredCircles circles(GetParam().make(), 31 + size);
    for (std::size_t i = 0; i < size; ++i) {
      circles.add();
    }
    for (int round = 0; round < 60; ++round) {
      SCOPED_TRACE(testing::Message() << size << " circles, round " << round);
      for (std::uint32_t changes = circles.random().below(4); changes > 0 && circles.size() > 1; --changes) {
        circles.change();
      }
      if (circles.random().below(3) > 0) {
        circles.phase().update();
      }
      for (int i = 0; i < 6; ++i) {
        const std::uint64_t layers = circles.drawn_layers();
        const Vec2 from = circles.point();
        const Vec2 to = circles.point();
        const std::size_t count = 1 + circles.random().below(9);
        ASSERT_EQ(ask(circles, layers, false, from, to, count), ask(circles, layers, true, from, to, count))
            << layers;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Techniques, Layers, testing::ValuesIn(variants()), variant_name);

TEST(QueryTree, skips_places_without_a_box_on_the_layers_of_the_query) {
  constexpr std::size_t boxes = 20'000;
  constexpr std::uint64_t rare = std::uint64_t{1} << 40;
  for_instruction_sets([&](const char* instruction_set) {
    Random random(5);
    HierarchicalGrid grid;
    std::vector<Shape> shapes;
    std::vector<Transform> transforms;
    std::vector<Aabb> bounding;
    std::vector<BoxKind> kinds(boxes);
    for (std::size_t i = 0; i < boxes; ++i) {
      shapes.emplace_back(Circle{{}, 0.5F});
      transforms.push_back({{random.between(0.0F, 300.0F), random.between(0.0F, 300.0F)}, {}});
      bounding.push_back(bounds(shapes.back(), transforms.back()));
      kinds[i].filter.layer = i % 1000 == 0 ? rare : 1;
    }
    grid.add(bounding, kinds).value();
    grid.watch_queries(true);
    const auto visits_of = [&](std::uint64_t layers, auto query) {
      grid.update();
      query(ShapeSet{grid, shapes, transforms, layers});
      std::size_t visits = 0;
      for (const Cell& cell : grid.query_cells()) {
        visits += cell.visits;
      }
      grid.move(BoxIndex{0}, bounding[0]).value();  // starts the next count
      return visits;
    };
    std::size_t rays = 0;
    std::size_t nearest_eight = 0;
    for (int i = 0; i < 20; ++i) {
      const Vec2 from{random.between(0.0F, 300.0F), random.between(0.0F, 300.0F)};
      const Vec2 to{random.between(0.0F, 300.0F), random.between(0.0F, 300.0F)};
      rays += visits_of(rare, [&](const ShapeSet& set) { cast_ray(set, from, to - from).value(); });
      nearest_eight += visits_of(rare, [&](const ShapeSet& set) {
        std::vector<NearestShape> hits;
        nearest(set, from, 8, any_distance, hits).value();
        ASSERT_EQ(hits.size(), 8U);
      });
    }
    // Without layers a ray that hits nothing visits some 300 of the 1,337 nodes, and `nearest` all of them.
    EXPECT_LE(rays, 20 * 40U) << instruction_set;
    EXPECT_LE(nearest_eight, 20 * 60U) << instruction_set;
  });
}

}  // namespace

}  // namespace broadside::test::layers_test
