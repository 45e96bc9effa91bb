// Runs frames of scenes under callgrind, which counts their instructions: tools/check_instructions.py
// compares the counts with those in baseline.json. Without callgrind it only runs them.

#include <hwy/highway.h>
#include <hwy/nanobenchmark.h>
#include <valgrind/callgrind.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "boxes.hpp"
#include "broad_phase/cost_scenes.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/world/world.hpp"

// Replaces the function that libhwy calls when it is loaded: valgrind knows no RDTSCP, which libhwy's own
// uses on processors that have it.
std::uint64_t hwy::platform::TimerResolution() {
  return 1;
}

namespace broadside::test {
namespace {

constexpr std::size_t boxes_in_scene = 4000;
constexpr int warm_frames = 4;
constexpr int counted_frames = 20;

/// Counts the instructions of some frames, after a few warm-up frames.
template <typename Frame>
void count(const std::string& name, int frames, Frame frame) {
  for (int i = 0; i < warm_frames; ++i) {
    frame();
  }
  CALLGRIND_TOGGLE_COLLECT;
  for (int i = 0; i < frames; ++i) {
    frame();
  }
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS_AT(name.c_str());
  std::printf("%s\n", name.c_str());
}

/// Finds the pairs of boxes, once from scratch and then while all move a little.
void count_frames(const CostScene& scene) {
  Random random(1);
  std::vector<Aabb> boxes = all_of(scene.make(boxes_in_scene, random));
  shuffle(boxes, random);
  const auto grid = HierarchicalGrid::create().value();
  const std::vector<BoxIndex> indices = grid->add(boxes).value();
  count("pairs/" + std::string(scene.name), 1, [&] { static_cast<void>(find_pairs(boxes).value()); });
  count("frames/" + std::string(scene.name), counted_frames, [&] {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      Aabb& box = boxes[i];
      const float by =
          i % 2 == 0 ? 0.05F : -0.05F;  // in two directions, as lists follow a world that scrolls
      if (std::abs(box.min.x) < 1.0e4F) {
        box = box_at(box.min.x + by, box.min.y, box.max.x - box.min.x, box.max.y - box.min.y);
      }
    }
    grid->move(indices, boxes).value();
    static_cast<void>(grid->find_pairs());
  });
}

/// Steps a world of flying circles and boxes.
void count_steps(const std::string& name, const WorldOptions& options, bool bullets) {
  Random random(2);
  World world = World::create(options).value();
  constexpr float side = 150.0F;
  for (int i = 0; i < 2000; ++i) {
    BodyDef body;
    body.shape = i % 2 == 0 ? Shape(Circle{.radius = 1}) : Shape(Box::of_half_size({1, 0.5F}));
    body.position.x = random.between(0.0F, side);
    body.position.y = random.between(0.0F, side);
    body.velocity.x = random.between(-10.0F, 10.0F);
    body.velocity.y = random.between(-10.0F, 10.0F);
    body.bullet = bullets && i % 20 == 0;
    world.add(body).value();
  }
  count("steps/" + name, counted_frames, [&] { world.step(1.0F / 60).value(); });
}

struct Kind {
  std::string name;
  Shape shape;
};

std::vector<Kind> kinds() {
  const Vec2 corners[] = {{1, 0.5F}, {0.5F, 1}, {-1, 0.5F}, {-0.5F, -1}, {0.5F, -1}};
  return {{"circle", Circle{.radius = 1}},
          {"box", Box::of_half_size({1, 0.5F})},
          {"capsule", Capsule{{-1, 0}, {1, 0}, 0.25F}},
          {"segment", Segment{{-1, 0}, {1, 0}}},
          {"polygon", Polygon::hull(corners, 0.25F).value()}};
}

/// Finds the contacts of two kinds of shapes close to each other, at drawn angles. A kernel that leaves
/// contacts to `collide`, which finds the same, costs more.
void count_contacts(const Kind& one, const Kind& other) {
  constexpr std::size_t pairs_in_scene = 2000;
  Random random(3);
  std::vector<Pair> pairs;
  std::vector<Shape> shapes;
  std::vector<Transform> transforms;
  for (BoxIndex i = 0; i < pairs_in_scene; ++i) {
    pairs.push_back({2 * i, 2 * i + 1});
    for (const Kind* kind : {&one, &other}) {
      shapes.push_back(kind->shape);
      transforms.push_back(
          {{random.between(-1.2F, 1.2F), random.between(-1.2F, 1.2F)}, Rotation::by(random.between(0, 6))});
    }
  }
  NarrowPhase narrow_phase;
  count("contacts/" + one.name + "_" + other.name, 1,
        [&] { static_cast<void>(narrow_phase.find_contacts(pairs, shapes, transforms).value()); });
}

void count_all_contacts() {
  const std::vector<Kind> all = kinds();
  for (std::size_t one = 0; one < all.size(); ++one) {
    for (std::size_t other = one; other < all.size(); ++other) {
      count_contacts(all[one], all[other]);
    }
  }
}

}  // namespace
}  // namespace broadside::test

int main() {
  using namespace broadside;
  hwy::SetSupportedTargetsForTest(HWY_SSE4);  // on any current x86-64 processor
  for (const test::CostScene& scene : test::cost_scenes()) {
    test::count_frames(scene);
  }
  test::count_all_contacts();
  test::count_steps("detection", {}, false);
  test::count_steps("bullets", {}, true);
  test::count_steps("bounce", {.response = Response::bounce}, false);
}
