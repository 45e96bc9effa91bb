// Every public call that allocates, when memory runs out: it throws std::bad_alloc or goes on without the
// memory, and the next call has the same result as if nothing had happened.

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <new>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "adapters/registry.hpp"
#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/adapters/ecs.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/body/outline.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/query/area.hpp"
#include "broadside/query/cast.hpp"
#include "broadside/query/nearest.hpp"
#include "broadside/query/ray.hpp"
#include "broadside/world/recording.hpp"
#include "broadside/world/world.hpp"
#include "fnv_hash.hpp"
#include "random_shapes.hpp"

namespace broadside::test::out_of_memory_calls_test {
namespace {

constexpr std::size_t boxes_here = 300;

/// The data that calls use. Nothing in it has scratch from an earlier call.
struct Scene {
  Scene() {
    Random random(3);
    for (std::size_t i = 0; i < boxes_here; ++i) {
      shapes.push_back(random_shape(Family::ordinary, random.below(convex_kinds), random));
      transforms.push_back(random_transform(Family::ordinary, random));
      transforms.back().position = 8 * transforms.back().position;
      boxes.push_back(bounds(shapes.back(), transforms.back()));
      worlds_bodies.push_back({.shape = shapes.back(),
                               .position = transforms.back().position,
                               .rotation = transforms.back().rotation,
                               .velocity = {1, static_cast<float>(i % 3)}});
    }
    indices = grid.add(boxes).value();
    world.add(worlds_bodies).value();
    Recording recorded;
    World played;
    played.record(&recorded).value();
    played.add(worlds_bodies).value();
    played.step(0.02F).value();
    played.record(nullptr).value();
    recording = recorded;
    snapshot = played.snapshot();
  }

  [[nodiscard]] ShapeSet set() const { return {grid, shapes, transforms}; }

  std::vector<Shape> shapes;
  std::vector<Transform> transforms;
  std::vector<Aabb> boxes;
  std::vector<BodyDef> worlds_bodies;
  std::vector<BoxIndex> indices;
  HierarchicalGrid grid;
  World world;
  Recording recording;
  std::vector<std::byte> snapshot;
  ThreadPool pool{3};
};

std::uint64_t hash_of(std::span<const Pair> pairs) {
  FnvHash hash;
  for (const Pair pair : pairs) {
    hash.add(pair.a);
    hash.add(pair.b);
  }
  return hash.value();
}

std::uint64_t hash_of(std::span<const BodyId> bodies) {
  FnvHash hash;
  for (const BodyId body : bodies) {
    hash.add(body.index);
  }
  return hash.value();
}

/// Returns a visitor that adds what it sees to a hash.
auto seen(FnvHash& hash) {
  return [&hash](BoxIndex index) {
    hash.add(index);
    return true;
  };
}

struct Call {
  std::string_view name;
  std::function<std::uint64_t(Scene&)> make;  ///< returns a hash of the result
};

constexpr Aabb area{{-40, -40}, {40, 40}};
constexpr Vec2 from{-50, -30};
constexpr Vec2 way{90, 70};

std::vector<Call> calls_without_a_world() {
  return {
      {"ThreadPool", [](Scene&) { return ThreadPool(4).threads(); }},
      {"Polygon::hull",
       [](Scene&) {
         const std::array<Vec2, 5> points{{{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 1}}};
         const Polygon hull = Polygon::hull(points).value();
         return hull.vertices().size();
       }},
      {"Mask::from_rows",
       [](Scene&) {
         const std::array<std::string_view, 3> rows{"##..#", ".####", "#...#"};
         const Mask mask = Mask::from_rows(rows, {}).value();
         return mask.rectangles().size();
       }},
      {"Mask::from_alpha",
       [](Scene&) {
         const std::vector<std::uint8_t> alpha(300 * 40, 200);
         return Mask::from_alpha(alpha, 300, 40, {}).value().count();
       }},
      {"outlines",
       [](Scene& scene) {
         std::size_t points = 0;
         for (std::size_t i = 0; i < 20; ++i) {
           for (const auto& outline : outlines(scene.shapes[i], scene.transforms[i], 10)) {
             points += outline.size();
           }
         }
         return points;
       }},
      {"find_pairs", [](Scene& scene) { return hash_of(find_pairs(scene.boxes).value()); }},
      {"find_pairs, sorted",
       [](Scene& scene) { return hash_of(find_pairs(scene.boxes, {.sorted = true}).value()); }},
      {"find_pairs with threads of its own",
       [](Scene& scene) { return hash_of(find_pairs(scene.boxes, {.threads = 3}).value()); }},
      {"find_pairs with threads",
       [](Scene& scene) { return hash_of(find_pairs(scene.boxes, {.tasks = &scene.pool}).value()); }},
      {"find_pairs of two arrays",
       [](Scene& scene) {
         return hash_of(
             find_pairs(scene.boxes, std::span(scene.boxes).first(90), {.tasks = &scene.pool}).value());
       }},
      {"find_pairs of too many",
       [](Scene& scene) {
         return static_cast<std::uint64_t>(find_pairs(scene.boxes, {.max_pairs = 3}).error().code);
       }},
      {"NarrowPhase::find_contacts",
       [](Scene& scene) {
         NarrowPhase narrow_phase;
         narrow_phase.use_threads(&scene.pool).value();
         const auto pairs = find_pairs(scene.boxes).value();
         return narrow_phase.find_contacts(pairs, scene.shapes, scene.transforms).value().size();
       }},
  };
}

std::vector<Call> calls_of_a_broad_phase() {
  std::vector<Call> calls{
      {"BroadPhase::find_pairs_of",
       [](Scene& scene) {
         scene.grid.keep_sorted(true);
         return hash_of(scene.grid.find_pairs_of(std::span(scene.indices).first(100)).value());
       }},
      {"BroadPhase::set_kind",
       [](Scene& scene) {
         scene.grid.set_kind(scene.indices[5], {BodyType::kinematic, {.layer = 4}}).value();
         return scene.grid.find_pairs().size();
       }},
      {"BroadPhase::cells",
       [](Scene& scene) {
         scene.grid.update();
         return scene.grid.cells().size();
       }},
      {"BroadPhase::tuning",
       [](Scene& scene) {
         scene.grid.update();
         return scene.grid.tuning().size();
       }},
      {"visit_area",
       [](Scene& scene) {
         FnvHash hash;
         visit_area(scene.set(), area, seen(hash)).value();
         return hash.value();
       }},
      {"collect_area",
       [](Scene& scene) {
         std::vector<BoxIndex> hits;
         query_area(scene.set(), area, hits).value();
         return hits.size();
       }},
      {"visit_point",
       [](Scene& scene) {
         FnvHash hash;
         visit_point(scene.set(), scene.boxes[0].min, seen(hash)).value();
         return hash.value();
       }},
      {"visit_shape",
       [](Scene& scene) {
         FnvHash hash;
         visit_shape(scene.set(), Circle{.radius = 20}, {}, seen(hash)).value();
         return hash.value();
       }},
      {"cast_ray",
       [](Scene& scene) {
         const auto hit = cast_ray(scene.set(), from, way).value();
         return hit ? hit->index + std::uint64_t{1} : 0;
       }},
      {"cast_shape",
       [](Scene& scene) {
         const auto hit = cast_shape(scene.set(), Circle{.radius = 2}, {from, {}}, way).value();
         return hit ? hit->index + std::uint64_t{1} : 0;
       }},
      {"nearest",
       [](Scene& scene) {
         std::vector<NearestShape> hits;
         nearest(scene.set(), {1, 2}, 9, 1e9F, hits).value();
         return std::uint64_t{hits.back().index};
       }},
  };
  for (const TechniqueEntry& technique : techniques()) {
    calls.push_back({technique.name, [&technique](Scene& scene) {
                       const auto phase = technique.create({}).value();
                       phase->add(scene.boxes).value();
                       return phase->find_pairs().size() + phase->cells().size();
                     }});
  }
  return calls;
}

std::vector<Call> calls_of_a_world() {
  return {
      {"World::create", [](Scene&) { return World::create({}).value().size(); }},
      {"World::bodies", [](Scene& scene) { return hash_of(scene.world.bodies()); }},
      {"World::query_area", [](Scene& scene) { return hash_of(scene.world.query_area(area).value()); }},
      {"World::query_point",
       [](Scene& scene) {
         return hash_of(scene.world.query_point({1, 1}).value());
       }},
      {"World::query_shape",
       [](Scene& scene) { return hash_of(scene.world.query_shape(Circle{.radius = 20}, {}).value()); }},
      {"World::cast_ray",
       [](Scene& scene) {
         const auto hit = scene.world.cast_ray(from, way).value();
         return hit ? hit->body.index + std::uint64_t{1} : 0;
       }},
      {"World::nearest",
       [](Scene& scene) {
         return scene.world.nearest({1, 2}, 9).value().size();
       }},
      {"World::snapshot", [](Scene& scene) { return scene.world.snapshot().size(); }},
      {"World::restore",
       [](Scene& scene) {
         World restored;
         restored.restore(scene.snapshot).value();
         return restored.hash();
       }},
      {"replay",
       [](Scene& scene) {
         World again;
         replay(scene.recording, again).value();
         return again.hash();
       }},
      {"World::step with threads",
       [](Scene& scene) {
         scene.world.use_threads(&scene.pool).value();
         scene.world.detect().value();
         return scene.world.contacts().size();
       }},
      {"CollisionSystem::update",
       [](Scene&) {
         struct Position {
           float x = 0.0F;
           float y = 0.0F;
         };
         using Collider = ecs::Collider<Entity>;
         Registry<Position, Collider> registry;
         std::uint64_t calls = 0;
         for (int i = 0; i < 30; ++i) {
           const Entity entity = registry.create();
           registry.emplace(entity, Position{static_cast<float>(3 * i), 0});
           registry.emplace(entity, Collider{.width = 10, .height = 10, .tag = "a tag that is not short"});
           registry.template get<Collider>(entity).callbacks["a tag that is not short"] = [&calls] {
             ++calls;
           };
         }
         ecs::CollisionSystem<Entity, Position> system;
         system.update(registry).value();
         return calls;
       }},
  };
}

struct Group {
  std::string_view name;
  std::vector<Call> (*calls)();
};

void PrintTo(const Group& group, std::ostream* out) {
  *out << group.name;
}

class OutOfMemoryOfCalls : public testing::TestWithParam<Group> {};

INSTANTIATE_TEST_SUITE_P(Public, OutOfMemoryOfCalls,
                         testing::Values(Group{"free_functions", calls_without_a_world},
                                         Group{"broad_phase", calls_of_a_broad_phase},
                                         Group{"world", calls_of_a_world}),
                         [](const auto& group) { return std::string(group.param.name); });

/// Runs a function in a new thread, where queries have no scratch yet.
void in_a_new_thread(const std::function<void()>& run) {
  std::thread(run).join();
}

TEST_P(OutOfMemoryOfCalls, is_reported_and_the_next_call_gives_the_same_result) {
  for (const Call& call : GetParam().calls()) {
    SCOPED_TRACE(call.name);
    std::uint64_t expected = 0;
    in_a_new_thread([&] {
      Scene scene;
      expected = call.make(scene);
    });
    std::size_t failures = 0;
    for (const Failing failing : {Failing::once, Failing::from_there_on}) {
      Scene scene;
      std::uint64_t got = 0;
      bool struck = true;
      for (std::size_t allowed = 0; struck; ++allowed) {
        in_a_new_thread([&] {
          const SharedAllocationLimit limit(allowed, failing);
          try {
            got = call.make(scene);
          } catch (const std::bad_alloc&) {
          }
          struck = limit.struck();
        });
        failures += struck ? 1U : 0U;
      }
      EXPECT_EQ(got, expected);
    }
    EXPECT_GT(failures, 0U) << "a call that allocates nothing";
  }
}

}  // namespace
}  // namespace broadside::test::out_of_memory_calls_test
