#include "broadside/contact/narrow_phase.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "allocation_watch.hpp"
#include "broadside/contact/collide.hpp"
#include "instruction_sets.hpp"
#include "random_shapes.hpp"

namespace broadside::narrow_phase_test {
namespace {

struct World {
  std::vector<Shape> shapes;
  std::vector<Transform> transforms;
  std::vector<Pair> pairs;

  void add(const Shape& shape, const Transform& transform) {
    shapes.push_back(shape);
    transforms.push_back(transform);
  }
  /// Pairs each shape with neighbors and with shapes further away; not sorted.
  void pair_up() {
    const auto n = static_cast<BoxIndex>(shapes.size());
    for (BoxIndex i = 0; i < n; ++i) {
      for (const BoxIndex step : {1U, 2U, 5U, 17U}) {
        if (i + step < n) {
          pairs.push_back(step == 2 ? Pair{i + step, i} : Pair{i, i + step});
        }
      }
    }
  }
};

/// Returns n shapes of random kinds; `kinds` lists those to choose from, as indices in [0, 5).
World make_world(test::Family family, const std::vector<std::size_t>& kinds, std::size_t n, unsigned seed) {
  test::Random random(seed);
  World world;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t kind = kinds[random.below(static_cast<std::uint32_t>(kinds.size()))];
    world.add(test::random_shape(family, kind, random), test::random_transform(family, random));
  }
  world.pair_up();
  return world;
}

std::vector<Contact> one_by_one(const World& world) {
  std::vector<Contact> contacts;
  for (const Pair pair : world.pairs) {
    const Manifold manifold = collide(world.shapes[pair.a], world.transforms[pair.a], world.shapes[pair.b],
                                      world.transforms[pair.b]);
    if (manifold.touching()) {
      contacts.push_back({pair, manifold});
    }
  }
  return contacts;
}

std::vector<Contact> in_bulk(const World& world, TaskRunner* runner = nullptr) {
  NarrowPhase narrow_phase;
  narrow_phase.use_threads(runner).value();
  const auto contacts = narrow_phase.find_contacts(world.pairs, world.shapes, world.transforms).value();
  const auto touching = narrow_phase.touching();
  EXPECT_TRUE(std::equal(contacts.begin(), contacts.end(), touching.begin(), touching.end(),
                         [](const Contact& contact, Pair pair) { return contact.pair == pair; }));
  return {contacts.begin(), contacts.end()};
}

/// Compares the bits, so that -0 differs from 0.
bool is_same(const Contact& a, const Contact& b) {
  static_assert(sizeof(Manifold) == 2 * sizeof(float) + 2 * sizeof(ManifoldPoint) + sizeof(std::uint32_t));
  return a.pair == b.pair && std::memcmp(&a.manifold, &b.manifold, sizeof(Manifold)) == 0;
}

std::size_t count_differences(const std::vector<Contact>& a, const std::vector<Contact>& b) {
  if (a.size() != b.size()) {
    return std::max(a.size(), b.size());
  }
  std::size_t differences = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    differences += is_same(a[i], b[i]) ? 0U : 1U;
  }
  return differences;
}

class Families : public testing::TestWithParam<test::Family> {};

TEST_P(Families, bulk_equals_collide_to_the_bit) {
  for (const std::size_t n : {1U, 2U, 3U, 9U, 70U, 2000U}) {
    std::vector<std::vector<std::size_t>> mixtures{{0, 1, 2, 3, 4}};
    for (std::size_t one = 0; one < 5; ++one) {
      for (std::size_t other = 0; other <= one; ++other) {
        mixtures.push_back({other, one});
      }
    }
    for (const auto& kinds : mixtures) {
      const World world = make_world(GetParam(), kinds, n, static_cast<unsigned>(n));
      EXPECT_EQ(count_differences(in_bulk(world), one_by_one(world)), 0U)
          << n << " of kinds " << testing::PrintToString(kinds);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(NarrowPhase, Families, testing::ValuesIn(test::families),
                         [](const auto& family) { return std::string(test::name(family.param)); });

/// Counts the contacts that bulk and `collide` report differently, over all pairs and instruction sets.
std::size_t count_differences_of_all(const World& world, const std::vector<Contact>& expected) {
  std::size_t differences = 0;
  test::for_instruction_sets(
      [&](const char* /*instruction_set*/) { differences += count_differences(in_bulk(world), expected); });
  return differences;
}

TEST(NarrowPhase, bulk_equals_collide_for_shapes_that_just_touch_rest_on_each_other_or_are_aligned) {
  const Polygon octagon =
      Polygon::hull(
          std::array<Vec2, 8>{{{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}}})
          .value();
  const Polygon house =
      Polygon::hull(std::array<Vec2, 5>{{{-1, -1}, {1, -1}, {1, 1}, {0, 2}, {-1, 1}}}, 0.5F).value();
  const Shape shapes[] = {Circle{{}, 1.0F},
                          Box::of_half_size({2, 1}),
                          Box::of_half_size({1, 1}, {0.5F, 0}, Rotation::by(0.785398F)),
                          Capsule{{-1, 0}, {1, 0}, 0.5F},
                          Segment{{-2, -1}, {1, 2}},
                          octagon,
                          house};
  constexpr float nudges[] = {0.0F, 1e-7F, -1e-7F, 1e-5F, -1e-5F, 0.25F};
  World world;
  for (const Shape& one : shapes) {
    for (const Shape& other : shapes) {
      for (int x = -8; x <= 8; ++x) {
        for (int y = -8; y <= 8; ++y) {
          for (const float nudge : nudges) {
            for (const float angle : {0.0F, 1.5707964F, nudge}) {
              const auto first = static_cast<BoxIndex>(world.shapes.size());
              world.pairs.push_back({first, first + 1});
              world.add(one, {});
              world.add(other, {{0.5F * static_cast<float>(x), 0.5F * static_cast<float>(y) + nudge},
                                Rotation::by(angle)});
            }
          }
        }
      }
    }
  }
  const auto expected = one_by_one(world);
  EXPECT_GE(expected.size(), world.pairs.size() / 5);
  EXPECT_EQ(count_differences_of_all(world, expected), 0U);
}

// There, a guess in float may select the face beyond the corner, or the face before it.
TEST(NarrowPhase, bulk_equals_collide_for_circles_centered_near_a_corner_of_a_polygon) {
  test::Random random(13);
  World world;
  for (int n = 0; n < 1500; ++n) {
    const Shape shape = test::random_shape(test::Family::ordinary, 4, random);
    const Polygon& polygon = std::get<Polygon>(shape);
    for (const Vec2 corner : polygon.vertices()) {
      for (int k = 0; k < 8; ++k) {
        const float away = std::ldexp(1.0F, -static_cast<int>(random.below(30)));
        const Vec2 center{away * random.between(-1.0F, 1.0F), away * random.between(-1.0F, 1.0F)};
        const auto first = static_cast<BoxIndex>(world.shapes.size());
        world.pairs.push_back(k % 2 == 0 ? Pair{first, first + 1} : Pair{first + 1, first});
        world.add(polygon, {});
        world.add(Circle{center, random.between(0.0F, 1.0F)}, {corner, {}});
      }
    }
  }
  const auto expected = one_by_one(world);
  EXPECT_GE(expected.size(), world.pairs.size() / 2);
  EXPECT_EQ(count_differences_of_all(world, expected), 0U);
}

TEST(NarrowPhase, bulk_equals_collide_near_the_largest_float) {
  World world;
  for (const float size : {1e36F, 1e37F, 1e38F, 2.5e38F}) {
    const Polygon triangle =
        Polygon::hull(std::array<Vec2, 3>{{{-size, -size}, {size, 0}, {0, size}}}).value();
    const Shape shapes[] = {Circle{{}, 0.5F * size}, Box::of_half_size({size, 0.5F * size}),
                            Capsule{{-size, 0}, {size, 0}, 0.5F * size}, Segment{{-size, 0}, {size, size}},
                            triangle};
    for (const Shape& one : shapes) {
      for (const Shape& other : shapes) {
        for (const float far : {0.0F, 1e37F, 1e38F, 3.3e38F}) {
          for (const float way : {0.25F, 0.75F, 1.25F}) {
            const auto first = static_cast<BoxIndex>(world.shapes.size());
            world.pairs.push_back({first, first + 1});
            world.add(one, {{far, -far}, Rotation::by(0.25F)});
            world.add(other, {{far - way * size, 0.5F * way * size - far}, Rotation{}});
          }
        }
      }
    }
  }
  const auto expected = one_by_one(world);
  EXPECT_GT(expected.size(), 0U);
  EXPECT_EQ(count_differences_of_all(world, expected), 0U);
}

TEST(NarrowPhase, finds_contacts_among_circles_and_among_boxes) {
  for (const std::size_t kind : {0U, 1U}) {
    const World world = make_world(test::Family::ordinary, {kind}, 500, 3);
    const std::size_t found = in_bulk(world).size();
    EXPECT_GT(found, world.pairs.size() / 10);
    EXPECT_LT(found, world.pairs.size());
  }
}

TEST(NarrowPhase, gives_the_same_bits_with_every_instruction_set) {
  for (const test::Family family : test::families) {
    for (const auto kinds :
         {std::initializer_list<std::size_t>{0, 1, 1, 1}, {0, 1, 4, 4}, {0, 2, 3}, {1, 2, 3, 4, 4, 4}}) {
      const World world = make_world(family, kinds, 600, 5);
      const auto expected = one_by_one(world);
      test::for_instruction_sets([&](const char* instruction_set) {
        EXPECT_EQ(count_differences(in_bulk(world), expected), 0U)
            << test::name(family) << ' ' << instruction_set;
      });
    }
  }
}

TEST(NarrowPhase, gives_the_same_contacts_in_the_same_order_with_threads) {
  const World world = make_world(test::Family::ordinary, {0, 1, 2}, 9000, 7);
  const auto expected = in_bulk(world);
  for (const std::size_t threads : {1U, 2U, 4U}) {
    ThreadPool pool(threads);
    EXPECT_EQ(count_differences(in_bulk(world, &pool), expected), 0U) << threads;
  }
}

/// Runs the tasks one after the other, and records the number of tasks of each run.
class Counting final : public TaskRunner {
 public:
  explicit Counting(std::size_t threads) : threads_(threads) {}
  [[nodiscard]] std::size_t threads() const override { return threads_; }
  void run(std::size_t count, TaskRef task) override {
    runs.push_back(count);
    for (std::size_t i = 0; i < count; ++i) {
      task(i);
    }
  }
  std::vector<std::size_t> runs;

 private:
  std::size_t threads_;
};

// Using threads costs more than a few pairs.
TEST(NarrowPhase, uses_threads_once_and_only_for_many_pairs) {
  const World world = make_world(test::Family::ordinary, {0}, 10000, 11);
  for (const std::size_t threads : {1U, 2U, 3U, 8U, 64U}) {
    Counting runner(threads);
    NarrowPhase narrow_phase;
    narrow_phase.use_threads(&runner).value();
    const std::span<const Pair> pairs = world.pairs;
    for (const std::size_t few : {0U, 1U, 2U, 3U, 64U, 1000U}) {
      (void)narrow_phase.find_contacts(pairs.first(few), world.shapes, world.transforms).value();
      EXPECT_TRUE(runner.runs.empty()) << few << " pairs, " << threads << " threads";
    }
    (void)narrow_phase.find_contacts(pairs, world.shapes, world.transforms).value();
    if (threads == 1) {
      EXPECT_TRUE(runner.runs.empty());
    } else {
      ASSERT_EQ(runner.runs.size(), 1U);
      EXPECT_GE(runner.runs[0], 2U);
      EXPECT_LE(runner.runs[0], threads);
    }
  }
}

/// Runs the tasks one after the other, and allocates nothing.
class InOrder final : public TaskRunner {
 public:
  explicit InOrder(std::size_t threads) : threads_(threads) {}
  [[nodiscard]] std::size_t threads() const override { return threads_; }
  void run(std::size_t count, TaskRef task) override {
    for (std::size_t i = 0; i < count; ++i) {
      task(i);
    }
  }

 private:
  std::size_t threads_;
};

// The first call allocates each array once. Later calls may request more than they then hold, as arrays grow.
TEST(NarrowPhase, counts_the_bytes_that_it_allocates) {
  const World world = make_world(test::Family::ordinary, {0, 1, 2}, 6000, 16);
  const std::span<const Pair> pairs = world.pairs;
  (void)in_bulk(world);  // whatever is allocated once for a thread
  test::Random random(17);
  for (int round = 0; round < 40; ++round) {
    InOrder runner(1 + random.below(8));
    NarrowPhase narrow_phase;
    narrow_phase.use_threads(&runner).value();
    ASSERT_EQ(narrow_phase.bytes(), 0U);
    const test::MemoryWatch watch;
    for (int call = 0; call < 4; ++call) {
      const std::size_t count = random.below(static_cast<std::uint32_t>(pairs.size()) + 1);
      (void)narrow_phase.find_contacts(pairs.first(count), world.shapes, world.transforms).value();
      const std::size_t allocated = watch.bytes();
      ASSERT_LE(narrow_phase.bytes(), allocated) << round;
      ASSERT_TRUE(call > 0 || narrow_phase.bytes() == allocated) << round << ": " << allocated;
    }
  }
}

// Whatever the call before found, and whichever of the two mistakes is made.
TEST(NarrowPhase, touches_nothing_after_an_error) {
  const World world = make_world(test::Family::ordinary, {0, 1, 4}, 300, 18);
  test::Random random(19);
  for (int round = 0; round < 200; ++round) {
    NarrowPhase narrow_phase;
    std::vector<Pair> pairs(world.pairs.begin(), world.pairs.begin() + 1 + random.below(1000));
    const auto found = narrow_phase.find_contacts(pairs, world.shapes, world.transforms).value();
    ASSERT_EQ(narrow_phase.touching().size(), found.size());
    const auto size = static_cast<std::uint32_t>(world.shapes.size());
    const bool of_different_lengths = random.below(2) == 0;
    std::span<const Transform> transforms = world.transforms;
    if (of_different_lengths) {
      transforms = transforms.first(random.below(size));
    } else {
      pairs[random.below(static_cast<std::uint32_t>(pairs.size()))].b = size + random.below(5);
    }
    ASSERT_EQ(narrow_phase.find_contacts(pairs, world.shapes, transforms).error().code,
              ErrorCode::invalid_argument);
    ASSERT_TRUE(narrow_phase.touching().empty()) << round << (of_different_lengths ? ": lengths" : ": index");
  }
}

TEST(NarrowPhase, treats_invalid_numbers_as_collide_does) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinite = std::numeric_limits<float>::infinity();
  constexpr float largest = std::numeric_limits<float>::max();
  World world;
  for (const float odd : {nan, infinite, -infinite, largest, -1.0F, 0.0F, 1e-45F}) {
    world.add(Circle{{odd, 0.0F}, 1.0F}, {});
    world.add(Circle{{}, odd}, {});
    world.add(Circle{{}, 1.0F}, {{odd, 0.0F}, {}});
    world.add(Circle{{}, 1.0F}, {{}, {odd, 0.0F}});
    world.add(Box::of_half_size({odd, 1.0F}), {});
    world.add(Box::of_half_size({1.0F, 1.0F}, {0.0F, odd}), {});
    world.add(Box::of_half_size({1.0F, 1.0F}, {}, {odd, odd}), {});
    world.add(Box::of_half_size({1.0F, 1.0F}), {{odd, odd}, {}});
  }
  for (BoxIndex a = 0; a < world.shapes.size(); ++a) {
    for (BoxIndex b = 0; b < world.shapes.size(); ++b) {
      world.pairs.push_back({a, b});
    }
  }
  const auto expected = one_by_one(world);
  EXPECT_GT(expected.size(), 0U);
  test::for_instruction_sets([&](const char* instruction_set) {
    EXPECT_EQ(count_differences(in_bulk(world), expected), 0U) << instruction_set;
  });
}

TEST(NarrowPhase, reports_what_is_wrong_with_its_input) {
  const World world = make_world(test::Family::ordinary, {0}, 3, 1);
  NarrowPhase narrow_phase;
  const auto few =
      narrow_phase.find_contacts(world.pairs, world.shapes, std::span(world.transforms).first(2));
  EXPECT_EQ(few.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(few.error().message, "find_contacts: 3 shapes but 2 transforms; there must be as many");
  const std::vector<Pair> strange = {{0, 1}, {2, 7}};
  const auto stranger = narrow_phase.find_contacts(strange, world.shapes, world.transforms);
  EXPECT_EQ(stranger.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(stranger.error().message, "find_contacts: a pair names shape 7, but there are 3");
  EXPECT_TRUE(narrow_phase.touching().empty());
  EXPECT_TRUE(narrow_phase.find_contacts({}, {}, {}).value().empty());
}

// Also with a single shape, and wherever the unknown shape is among the pairs.
TEST(NarrowPhase, refuses_pairs_with_an_unknown_shape) {
  for (BoxIndex n = 0; n <= 4; ++n) {
    World world = make_world(test::Family::ordinary, {0, 1, 4}, n, 15);
    for (BoxIndex a = 0; a < 6; ++a) {
      for (BoxIndex b = 0; b < 6; ++b) {
        for (const std::size_t known : {0U, 1U, 63U, 64U, 200U}) {
          if (n == 0 && known > 0) {
            continue;
          }
          world.pairs.assign(known, {0, n - 1});
          world.pairs.insert(world.pairs.begin() + static_cast<std::ptrdiff_t>(known / 2), {a, b});
          NarrowPhase narrow_phase;
          const auto found = narrow_phase.find_contacts(world.pairs, world.shapes, world.transforms);
          ASSERT_EQ(found.has_value(), std::max(a, b) < n) << n << " shapes, " << a << " and " << b;
          if (found.has_value()) {
            const std::vector<Contact> contacts(found.value().begin(), found.value().end());
            ASSERT_EQ(count_differences(contacts, one_by_one(world)), 0U) << n << " shapes";
          }
        }
      }
    }
  }
}

TEST(NarrowPhase, a_steady_frame_allocates_nothing) {
  const World world = make_world(test::Family::ordinary, {0, 1, 2, 3, 4}, 3000, 9);
  NarrowPhase narrow_phase;
  (void)narrow_phase.find_contacts(world.pairs, world.shapes, world.transforms).value();
  const test::AllocationWatch watch;
  (void)narrow_phase.find_contacts(world.pairs, world.shapes, world.transforms).value();
  EXPECT_EQ(watch.count(), 0U);
}

}  // namespace
}  // namespace broadside::narrow_phase_test
