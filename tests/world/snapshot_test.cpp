#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/world/recording.hpp"
#include "broadside/world/world.hpp"
#include "world/worlds.hpp"

namespace broadside::snapshot_test {
namespace {

using test::Random;

std::size_t first_difference(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).second - b.begin());
}

/// Returns whether the broad phases of two worlds hold the same boxes.
bool have_same_boxes(const World& a, const World& b) {
  const BroadPhase& one = a.broad_phase();
  const BroadPhase& other = b.broad_phase();
  for (BoxIndex i = 0; i < one.index_end(); ++i) {
    if (one.contains(i) != other.contains(i) ||
        (one.contains(i) && one.box(i).value() != other.box(i).value())) {
      return false;
    }
  }
  return one.index_end() == other.index_end();
}

TEST(Snapshot, continues_bit_for_bit) {
  World world = test::make_world();
  for (unsigned step = 0; step < 40; ++step) {
    const auto bytes = world.snapshot();
    World other;
    other.restore(bytes).value();
    EXPECT_EQ(first_difference(other.snapshot(), bytes), bytes.size()) << step;
    EXPECT_EQ(other.hash(), world.hash());
    EXPECT_EQ(other.bodies(), world.bodies());
    EXPECT_EQ(other.contacts().size(), world.contacts().size());
    for (unsigned further = 0; further < 3; ++further) {
      test::disturb(other, step + further);
      other.step(1.0F / 60).value();
    }
    World original;
    original.restore(bytes).value();
    original.set_technique("uniform-grid").value();
    for (unsigned further = 0; further < 3; ++further) {
      test::disturb(original, step + further);
      original.step(1.0F / 60).value();
    }
    EXPECT_EQ(original.hash(), other.hash()) << step;
    test::disturb(world, step);
    world.step(1.0F / 60).value();
  }
}

// Drawn worlds that bounce, some bodies so fast that they are swept, their stages one by one.
TEST(Snapshot, taken_between_any_two_stages_continues_bit_for_bit) {
  Random random(9);
  int fast = 0;
  for (int round = 0; round < 300; ++round) {
    World world = World::create({.response = Response::bounce, .restitution = 0.5F}).value();
    for (int i = 0; i < 12; ++i) {
      const Vec2 position{random.between(-4, 4), random.between(-4, 4)};
      const float most = random.below(2) == 0 ? 1.0F : 400.0F;
      world
          .add({.shape = Circle{.radius = random.between(0.05F, 0.5F)},
                .position = position,
                .velocity = {random.between(-most, most), random.between(-most, most)},
                .bullet = random.below(5) == 0})
          .value();
    }
    world.add({.shape = Box::of_half_size({0.05F, 9}), .type = BodyType::static_body, .position = {5, 0}})
        .value();
    const auto run = [](World& one, std::uint32_t stage) {
      switch (stage % 4) {
        case 0:
          return one.integrate(1.0F / 60);
        case 1:
          return one.detect();
        case 2:
          return one.dispatch();
        default:
          return one.respond();
      }
    };
    const std::uint32_t taken_after = random.below(12);
    World other;
    for (std::uint32_t stage = 0; stage < 20; ++stage) {
      run(world, stage).value();
      if (stage == taken_after) {
        other.restore(world.snapshot()).value();
      } else if (stage > taken_after) {
        run(other, stage).value();
      }
      if (stage >= taken_after) {
        ASSERT_EQ(other.hash(), world.hash())
            << round << ", taken after " << taken_after << ", now " << stage;
        ASSERT_EQ(other.contacts().size(), world.contacts().size()) << round;
      }
      if (stage >= taken_after && random.below(4) == 0) {
        // Otherwise one of them would compare other pairs, which near rounding may change a result.
        ASSERT_TRUE(have_same_boxes(other, world))
            << round << ", taken after " << taken_after << ", now " << stage;
      }
    }
    fast += world.contacts().empty() ? 0 : 1;
  }
  EXPECT_GT(fast, 50);
}

/// Makes one change of few bodies at few places; zeros have either sign.
void change_among_zeros(World& world, Random random) {
  const auto drawn = [&random] {
    constexpr std::array numbers{0.0F, -0.0F, 1.0F, -1.0F};
    return numbers[random.below(4)];
  };
  const auto drawn_vec2 = [&drawn] {
    const float x = drawn();
    return Vec2{x, drawn()};
  };
  const std::vector<BodyId> bodies = world.bodies();
  const std::uint32_t kind = random.below(9);
  if (bodies.size() < 2 || kind == 0) {
    const bool is_static = random.below(4) == 0;
    BodyDef body{.shape = Circle{.radius = random.below(2) == 0 ? 0.0F : 0.5F},
                 .type = is_static ? BodyType::static_body : BodyType::dynamic};
    body.position = drawn_vec2();
    body.bullet = random.below(3) == 0;
    if (!is_static) {
      body.velocity = drawn_vec2();
      body.acceleration = drawn_vec2();
    }
    static_cast<void>(world.add(body).value());
    return;
  }
  const BodyId body = bodies[random.below(static_cast<std::uint32_t>(bodies.size()))];
  const Vec2 vector = drawn_vec2();
  switch (kind) {
    case 1:
      world.remove(body).value();
      break;
    case 2:
      world.move(body, vector).value();
      break;
    case 3:
      world.teleport(body, vector).value();
      break;
    case 4:
      static_cast<void>(world.set_velocity(body, vector));
      break;
    case 5:
      static_cast<void>(world.push(body, vector));
      break;
    case 6:
      world.set_gravity(vector).value();
      break;
    case 7:
      world.set_bullet(body, random.below(2) == 0).value();
      break;
    default:
      world.step(random.below(2) == 0 ? 0.0F : 1.0F).value();
      break;
  }
}

TEST(Snapshot, continues_bit_for_bit_among_zeros_of_both_signs) {
  Random random(14);
  for (int round = 0; round < 3000; ++round) {
    World world =
        World::create({.response = random.below(2) == 0 ? Response::none : Response::bounce}).value();
    const std::uint32_t taken_after = random.below(12);
    World other;
    for (std::uint32_t change = 0; change < 24; ++change) {
      const std::uint32_t seed = random.bits();
      change_among_zeros(world, Random(seed));
      if (change == taken_after) {
        other.restore(world.snapshot()).value();
      } else if (change > taken_after) {
        change_among_zeros(other, Random(seed));
      }
      if (change >= taken_after) {
        ASSERT_EQ(other.hash(), world.hash())
            << round << ", taken after " << taken_after << ", now " << change;
      }
    }
  }
}

TEST(Snapshot, has_the_same_hash_with_any_technique_and_threads) {
  ThreadPool pool(3);
  std::vector<std::uint64_t> expected;
  for (const TechniqueEntry& technique : techniques()) {
    for (TaskRunner* runner : {static_cast<TaskRunner*>(nullptr), static_cast<TaskRunner*>(&pool)}) {
      World world = test::make_world();
      world.set_technique(technique.name).value();
      world.use_threads(runner).value();
      std::vector<std::uint64_t> hashes;
      for (unsigned step = 0; step < 50; ++step) {
        test::disturb(world, step);
        world.step(1.0F / 60).value();
        hashes.push_back(world.hash());
      }
      if (expected.empty()) {
        expected = hashes;
      }
      EXPECT_EQ(hashes, expected) << technique.name;
    }
  }
}

TEST(Snapshot, keeps_listeners_and_reverts_all_changes) {
  World world = World::create({.interest = Interest::listeners}).value();
  int begun = 0;
  world.on_begin("a", "b", [&](const BodyContact&) { ++begun; });
  const BodyId a = world.add({.shape = Circle{.radius = 1}, .tag = "a"}).value();
  const auto before = world.snapshot();
  world.add({.shape = Circle{.radius = 1}, .tag = "b"}).value();
  world.step(0).value();
  EXPECT_EQ(begun, 1);
  world.restore(before).value();
  EXPECT_EQ(world.size(), 1U);
  EXPECT_TRUE(world.contains(a));
  EXPECT_TRUE(world.contacts().empty());
  world.add({.shape = Circle{.radius = 1}, .tag = "b"}).value();
  world.step(0).value();
  EXPECT_EQ(begun, 2);
}

/// Returns polygons of every number of corners, sharp and rounded, and masks with widths near the word size.
std::vector<Shape> shapes_of_all_sizes(test::Random& random) {
  std::vector<Shape> shapes;
  for (std::size_t corners = 3; corners <= Polygon::max_vertices; ++corners) {
    for (const float radius : {0.0F, random.between(0.01F, 1.0F)}) {
      std::vector<Vec2> around;
      for (std::size_t i = 0; i < corners; ++i) {
        const auto share = static_cast<float>(i) / static_cast<float>(corners);
        const Rotation turn = Rotation::by(6.2831853F * share + random.between(0.0F, 0.1F));
        around.push_back({3.0F * turn.cos, 2.0F * turn.sin});
      }
      shapes.emplace_back(Polygon::hull(around, radius).value());
      EXPECT_EQ(std::get<Polygon>(shapes.back()).vertices().size(), corners);
    }
  }
  for (const std::uint32_t width : {1U, 2U, 63U, 64U, 65U, 127U, 128U, 129U}) {
    for (const std::uint32_t height : {1U, 2U, 65U}) {
      std::vector<std::uint8_t> alpha(std::size_t{width} * height);
      for (std::uint8_t& pixel : alpha) {
        pixel = random.below(2) == 0 ? 0 : 255;
      }
      alpha.back() = 255;
      const MaskOptions options{.pixel_size = random.between(0.01F, 1.0F),
                                .origin = {random.between(-9, 9), random.between(-9, 9)}};
      shapes.emplace_back(Mask::from_alpha(alpha, width, height, options).value());
    }
  }
  return shapes;
}

TEST(Snapshot, keeps_polygons_and_masks_of_all_sizes) {
  test::Random random(4);
  const std::vector<Shape> shapes = shapes_of_all_sizes(random);
  Recording recording;
  World world;
  world.record(&recording).value();
  std::vector<BodyId> bodies;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::vector<Shape> more{shapes[random.below(static_cast<std::uint32_t>(shapes.size()))],
                                  Circle{.radius = 1}, shapes[i]};
    bodies.push_back(world.add({.shape = shapes[i], .more_shapes = more}).value());
    world.set_shape(bodies.back(), shapes[shapes.size() - 1 - i]).value();
    bodies.push_back(world.add({.shape = shapes[i], .more_shapes = more}).value());
  }
  const auto bytes = world.snapshot();
  World restored;
  ASSERT_TRUE(restored.restore(bytes).has_value());
  EXPECT_EQ(restored.snapshot(), bytes);
  world.record(nullptr).value();
  World again;
  ASSERT_TRUE(replay(recording, again).has_value());
  EXPECT_EQ(again.snapshot(), bytes);
  for (const BodyId body : bodies) {
    EXPECT_EQ(restored.shapes(body).value(), world.shapes(body).value());
    EXPECT_EQ(again.shapes(body).value(), world.shapes(body).value());
  }
}

// Refused calls change no option, and neither does restoring a snapshot, once or twice.
TEST(Snapshot, leaves_the_technique_with_its_options) {
  test::Random random(5);
  for (const TechniqueEntry& technique : techniques()) {
    for (int round = 0; round < 10; ++round) {
      World world = test::make_world();
      const Aabb bounds{{random.between(-99, -50), random.between(-99, -50)},
                        {random.between(50, 99), random.between(50, 99)}};
      const float size = random.between(0.5F, 20.0F);
      const bool has_size = technique.has_cell_size && round > 0;
      const TechniqueOptions options =
          has_size ? TechniqueOptions{.cell_size = Vec2{size, size}, .bounds = bounds} : TechniqueOptions{};
      world.set_technique(technique.name, options).value();
      EXPECT_FALSE(world.set_technique("none").has_value());
      EXPECT_FALSE(world.set_technique("hash-grid", {.cell_size = Vec2{1, -1}}).has_value());
      const auto bytes = world.snapshot();
      const auto cells_of = [](const World& of) {
        std::vector<std::pair<Aabb, std::size_t>> cells;
        for (const Cell& cell : of.broad_phase().cells()) {
          cells.emplace_back(cell.bounds, cell.boxes);
        }
        return cells;
      };
      const auto before = cells_of(world);
      for (int again = 0; again < 2; ++again) {
        world.restore(bytes).value();
        EXPECT_EQ(cells_of(world), before) << technique.name;
      }
    }
  }
}

TEST(Snapshot, refuses_invalid_bytes) {
  World world = test::make_world();
  world.step(1.0F / 60).value();
  const std::uint64_t hash = world.hash();
  const auto bytes = world.snapshot();
  EXPECT_EQ(world.restore({}).error().code, ErrorCode::parse);
  auto other_version = bytes;
  other_version[4] = std::byte{9};
  EXPECT_EQ(world.restore(other_version).error().code, ErrorCode::version_mismatch);
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    EXPECT_EQ(world.restore(std::span(bytes).first(size)).error().code, ErrorCode::parse) << size;
  }
  EXPECT_EQ(world.hash(), hash);
}

/// Restores a world and returns how many bytes of memory that requests per byte of the snapshot. What does
/// not depend on the number of bodies is left out.
double memory_per_byte(const World& world) {
  constexpr std::size_t fixed = 50'000;
  const auto bytes = world.snapshot();
  EXPECT_GT(bytes.size(), fixed / 2);
  World other;
  const test::MemoryWatch watch;
  const bool is_restored = other.restore(bytes).has_value();
  const std::size_t requested = watch.bytes();
  EXPECT_TRUE(is_restored);
  return static_cast<double>(requested - std::min(requested, fixed)) / static_cast<double>(bytes.size());
}

/// Returns one of 2^32 different places of a shape.
Vec2 drawn_offset(test::Random& random) {
  const auto x = static_cast<float>(random.below(1U << 16U));
  return {x, static_cast<float>(random.below(1U << 16U))};
}

// Many bodies, of which one part of the state takes the most: shapes that are all different, places of bodies
// that were removed, contacts, tags, filters, motions and parts.
TEST(Snapshot, takes_at_most_60_times_its_size_to_restore_without_masks) {
  test::Random random(20261207);
  for (int round = 0; round < 48; ++round) {
    const int most = round % 8;
    const bool bounces = most != 3 && random.below(2) == 0;
    World world = World::create({.response = bounces ? Response::bounce : Response::none}).value();
    std::mt19937 shapes(random.bits());
    const std::size_t count = most == 3 ? 100 + random.below(100) : 2500 + random.below(2500);
    std::vector<BodyDef> bodies(count);
    for (std::size_t i = 0; i < count; ++i) {
      BodyDef& body = bodies[i];
      body.shape = Circle{.radius = 1};
      if (most == 0) {
        const Shape shape = test::some_shape(shapes);
        body.shape = std::holds_alternative<Mask>(shape) ? body.shape : shape;
      } else if (most == 1) {
        const Vec2 at = drawn_offset(random);
        std::vector<Vec2> corners{at, at + Vec2{4, 0}, at + Vec2{0, 4}};
        for (std::uint32_t more = random.below(3); more > 0; --more) {
          corners.push_back(at + Vec2{3.0F + 0.25F * static_cast<float>(more), 3});
        }
        body.shape = Polygon::hull(corners).value();
      } else if (most == 4) {
        body.tag = std::to_string(i);
      } else if (most == 5) {
        body.filter.layer = i + 1;
      } else if (most == 6) {
        body.velocity = {1, static_cast<float>(i)};
        body.acceleration = {static_cast<float>(i % 3), 1};
        body.bullet = i % 3 == 0;
        body.user_data = i;
      } else if (most == 7) {
        body.more_shapes.assign(1 + random.below(4), Circle{.center = {1, 0}, .radius = 1});
      }
      body.position = most == 3 ? Vec2{} : Vec2{3.0F * static_cast<float>(i), 0};
    }
    const auto ids = world.add(bodies).value();
    if (most == 2) {
      world.step(0).value();
      world.remove(std::span(ids).first(count - random.below(20))).value();
    }
    for (std::uint32_t step = random.below(3); step > 0; --step) {
      world.step(0.01F).value();
    }
    if (most == 3) {
      world.step(0).value();
      ASSERT_GT(world.contacts().size(), 1000U);
    }
    EXPECT_LE(memory_per_byte(world), 60.0) << "part " << most << ", " << count << " bodies";
  }
}

// From masks of a single pixel to checkerboards of one or many rows, which have the most rectangles.
TEST(Snapshot, takes_at_most_350_times_its_size_to_restore_with_masks) {
  test::Random random(20261208);
  for (int round = 0; round < 32; ++round) {
    World world;
    std::size_t pixels = 0;
    while (pixels < 400'000 && world.size() < 1500) {
      const std::uint32_t width = round % 4 == 0 ? 1 : 1 + (random.bits() >> (21 + random.below(11)));
      const std::uint32_t height = round % 4 < 2 ? 1 : 1 + (random.bits() >> (24 + random.below(8)));
      std::vector<std::uint8_t> alpha(std::size_t{width} * height);
      for (std::size_t i = 0; i < alpha.size(); ++i) {
        const bool is_even = (i % width + i / width) % 2 == 0;
        alpha[i] = (round % 8 < 4 ? is_even : i == 0 || random.below(3) == 0) ? 255 : 0;
      }
      const Mask mask =
          Mask::from_alpha(alpha, width, height, {.pixel_size = 1, .origin = drawn_offset(random)}).value();
      static_cast<void>(
          world.add({.shape = mask, .position = {0, 2000.0F * static_cast<float>(world.size())}}).value());
      pixels += alpha.size();
    }
    EXPECT_LE(memory_per_byte(world), 350.0) << round;
  }
}

}  // namespace
}  // namespace broadside::snapshot_test
