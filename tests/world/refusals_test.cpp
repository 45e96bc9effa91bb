// Invalid calls are refused and change nothing: lists that name a body twice, and values that are not in an
// enum.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "boxes.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/world/debug_draw.hpp"
#include "broadside/world/fixed_step.hpp"
#include "broadside/world/recording.hpp"
#include "broadside/world/world.hpp"
#include "damages.hpp"
#include "world/worlds.hpp"

namespace broadside::test::refusals_test {
namespace {

/// Draws `size` different bodies in any order: ascending, descending, or shuffled.
std::vector<BodyId> draw_bodies(const World& world, std::size_t size, Random& random) {
  std::vector<BodyId> bodies = world.bodies();
  test::shuffle(bodies, random);
  bodies.resize(size);
  if (const std::uint32_t order = random.below(3); order != 0) {
    std::sort(bodies.begin(), bodies.end());
    if (order == 2) {
      std::reverse(bodies.begin(), bodies.end());
    }
  }
  return bodies;
}

TEST(WorldRefusals, a_body_that_a_list_names_twice_is_refused_with_both_places) {
  World world = make_world();
  world.step(0.02F).value();
  Random random(20261122);
  const auto bodies = static_cast<std::uint32_t>(world.size());
  for (int round = 0; round < 3000; ++round) {
    std::vector<BodyId> list = draw_bodies(world, 1 + random.below(bodies), random);
    const std::uint32_t from = random.below(static_cast<std::uint32_t>(list.size()));
    const std::uint32_t to = random.below(static_cast<std::uint32_t>(list.size() + 1));
    list.insert(list.begin() + to, list[from]);
    const auto first = static_cast<std::size_t>(std::find(list.begin(), list.end(), list[to]) - list.begin());
    const auto second = static_cast<std::size_t>(
        std::find(list.begin() + static_cast<std::ptrdiff_t>(first) + 1, list.end(), list[to]) -
        list.begin());
    const std::vector<Vec2> positions(list.size(), Vec2{random.between(-9, 9), 1});
    const std::vector<Transform> transforms(list.size(), Transform{{random.between(-9, 9), 2}, {}});
    const std::uint64_t before = world.hash();
    const std::string places = "at places " + std::to_string(first) + " and " + std::to_string(second);
    for (const Error& error : {world.move(list, positions).error(), world.move(list, transforms).error(),
                               world.remove(list).error()}) {
      ASSERT_EQ(error.code, ErrorCode::invalid_argument);
      ASSERT_NE(error.message.find(places), std::string::npos) << error.message << "; expected " << places;
    }
    ASSERT_EQ(world.hash(), before);
    // Reading a body twice is allowed.
    std::vector<Vec2> read(list.size());
    world.positions(list, read).value();
    ASSERT_EQ(read[first], read[second]);
    std::vector<Transform> read_transforms(list.size());
    world.transforms(list, read_transforms).value();
    ASSERT_EQ(read_transforms[first], read_transforms[second]);
    world.velocities(list, read).value();
    ASSERT_EQ(read[first], read[second]);
  }
}

TEST(WorldRefusals, lists_that_name_each_body_once_are_taken_in_any_order) {
  World world = make_world();
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    const auto list = draw_bodies(world, 1 + random.below(60), random);
    std::vector<Vec2> positions;
    for (std::size_t i = 0; i < list.size(); ++i) {
      positions.push_back({random.between(0, 20), random.between(0, 20)});
    }
    world.move(list, positions).value();
    std::vector<Vec2> read(list.size());
    world.positions(list, read).value();
    ASSERT_EQ(read, positions);
    std::vector<Transform> transforms;
    for (const Vec2 position : positions) {
      transforms.push_back({{position.y, position.x}, Rotation::by(random.between(-9, 9))});
    }
    world.move(list, transforms).value();
    std::vector<Transform> read_transforms(list.size());
    world.transforms(list, read_transforms).value();
    ASSERT_EQ(read_transforms, transforms);
    world.velocities(list, read).value();
    for (std::size_t i = 0; i < list.size(); ++i) {
      ASSERT_EQ(read[i], world.velocity(list[i]).value());
    }
  }
  for (const std::size_t count : {3U, 2U, 1U}) {
    const std::size_t size = world.size();
    world.remove(draw_bodies(world, count, random)).value();
    ASSERT_EQ(world.size(), size - count);
  }
}

TEST(WorldRefusals, a_body_type_that_does_not_exist_is_refused) {
  World world = make_world();
  world.step(0.02F).value();
  for (unsigned value = 0; value < 256; ++value) {
    const auto type = static_cast<BodyType>(value);
    for (const bool in_a_list : {false, true}) {
      World copy;
      copy.restore(world.snapshot()).value();
      const std::uint64_t before = copy.hash();
      const std::array<BodyDef, 3> bodies{
          BodyDef{}, BodyDef{.type = type, .tag = "new", .filter = {.layer = 512}}, BodyDef{}};
      const Error error = in_a_list ? copy.add(bodies).error() : copy.add(bodies[1]).error();
      if (value < 3) {
        EXPECT_EQ(error.code, ErrorCode::none) << error.message;
        EXPECT_EQ(copy.size(), world.size() + (in_a_list ? 3 : 1));
        continue;
      }
      EXPECT_EQ(error.code, ErrorCode::invalid_argument) << value;
      EXPECT_NE(error.message.find("type " + std::to_string(value)), std::string::npos) << error.message;
      EXPECT_EQ(error.message.find(in_a_list ? "body 1 to add" : "body to add"), 0U) << error.message;
      EXPECT_EQ(copy.hash(), before);
    }
  }
}

TEST(WorldRefusals, an_invalid_slide_response_is_refused_and_nothing_moves) {
  for (unsigned value = 0; value < 256; ++value) {
    for (const float wall : {0.5F, 3.0F}) {  // overlapping at the start, and ahead
      World world;
      const BodyId player = world.add({.shape = Circle{.radius = 1}, .type = BodyType::kinematic}).value();
      world
          .add({.shape = Box::of_half_size({0.25F, 5}), .type = BodyType::static_body, .position = {wall, 0}})
          .value();
      const std::uint64_t before = world.hash();
      const auto respond = [value](const Obstacle&) { return static_cast<SlideResponse>(value); };
      const auto result = world.move_and_slide(player, {9, 1}, {.respond = respond});
      if (value < 4) {
        EXPECT_EQ(result.error().code, ErrorCode::none) << result.error().message;
        continue;
      }
      ASSERT_EQ(result.error().code, ErrorCode::invalid_argument) << value;
      EXPECT_NE(result.error().message.find("respond returned " + std::to_string(value)), std::string::npos)
          << result.error().message;
      EXPECT_EQ(world.hash(), before);
    }
  }
}

/// Returns a world with bodies of each type and ended contacts of several causes: a few hundred bytes.
World small_world(std::uint32_t count, Recording* recording = nullptr) {
  World world;
  if (recording != nullptr) {
    world.record(recording).value();
  }
  std::vector<BodyId> bodies;
  for (std::uint32_t i = 0; i < count; ++i) {
    bodies.push_back(world
                         .add({.shape = Circle{.radius = 1},
                               .type = static_cast<BodyType>(i % 3),
                               .position = {static_cast<float>(i) * 0.75F, 0},
                               .sensor = i == 1})
                         .value());
  }
  world.step(0).value();
  world.remove(bodies[0]).value();
  world.set_enabled(bodies[1], false).value();
  world.set_filter(bodies[2], {.mask = 0}).value();
  world.move(bodies.back(), Vec2{50, 0}).value();
  world.step(0).value();
  if (recording != nullptr) {
    world.record(nullptr).value();
  }
  return world;
}

void expect_no_unknown_values(World& world) {
  for (const BodyId body : world.bodies()) {
    ASSERT_TRUE(is_valid(world.type(body).value()));
  }
  for (const ContactEnd& end : world.ended()) {
    ASSERT_NE(name(end.cause), "unknown");
  }
  World again;
  again.restore(world.snapshot()).value();
  world.step(0.1F).value();
}

// Every byte of the state takes every value, so all enums are covered.
TEST(WorldRefusals, a_snapshot_with_any_byte_changed_is_refused_or_has_known_values_only) {
#ifdef BROADSIDE_FEW_CASES
  constexpr unsigned stride = 15;
#else
  constexpr unsigned stride = 1;
#endif
  const std::vector<std::byte> good = small_world(5).snapshot();
  std::size_t refused = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::vector<std::byte> bytes = good;
    for (unsigned value = 0; value < 256; value += value < 16 ? 1 : stride) {
      bytes[at] = static_cast<std::byte>(value);
      renew_checksums(bytes);
      World world;
      const std::uint64_t before = world.hash();
      if (world.restore(bytes).error()) {
        ++refused;
        ASSERT_EQ(world.hash(), before);
        continue;
      }
      ASSERT_NO_FATAL_FAILURE(expect_no_unknown_values(world)) << "byte " << at << " is " << value;
    }
  }
  EXPECT_GT(refused, 1'000U);
}

TEST(WorldRefusals, a_recording_with_any_byte_changed_is_refused_or_has_known_values_only) {
  Recording recording;
  small_world(3, &recording);
  std::size_t refused = 0;
  std::vector<std::byte> bytes(recording.bytes().begin(), recording.bytes().end());
  for (std::byte& byte : bytes) {
    const std::byte good = byte;
    for (unsigned value = 0; value < 256; value += value < 16 ? 1 : 15) {
      byte = static_cast<std::byte>(value);
      std::vector<std::byte> changed = bytes;
      renew_checksums(changed);
      World world;
      refused += replay(Recording(std::move(changed)), world).error() ? 1U : 0U;
      ASSERT_NO_FATAL_FAILURE(expect_no_unknown_values(world));
    }
    byte = good;
  }
  EXPECT_GT(refused, 1'000U);
}

/// Returns numbers that options are likely to handle wrongly.
std::vector<float> drawn_numbers() {
  using Limits = std::numeric_limits<float>;
  std::vector<float> numbers{0.0F,
                             -0.0F,
                             1.0F,
                             -1.0F,
                             std::nextafter(1.0F, 2.0F),
                             -Limits::denorm_min(),
                             Limits::denorm_min(),
                             Limits::max(),
                             Limits::lowest(),
                             Limits::infinity(),
                             -Limits::infinity(),
                             Limits::quiet_NaN(),
                             -Limits::quiet_NaN()};
  Random random(4);
  for (int i = 0; i < 2000; ++i) {
    numbers.push_back(std::bit_cast<float>(random.bits()));
  }
  return numbers;
}

/// Returns the i-th of many different filters that let every pair touch.
Filter filter_of(std::size_t i) {
  return {.layer = 1, .mask = 1 | (std::uint64_t{i} << 1U)};
}

/// Returns `count` bodies: those with the same filter touch, and have different tags.
std::vector<BodyDef> many_kinds(std::size_t count, std::size_t filters, float height = 0.0F) {
  std::vector<BodyDef> bodies;
  for (std::size_t i = 0; i < count; ++i) {
    bodies.push_back({.shape = Circle{.radius = 0.25F},
                      .position = {static_cast<float>(i % filters), height},
                      .tag = "tag " + std::to_string(i / filters),
                      .filter = filter_of(i % filters)});
  }
  return bodies;
}

// While filters change, some bodies of a kind have the old filter and some the new one: together these may be
// more classes than a broad phase supports.
TEST(WorldRefusals, a_new_listener_reaches_bodies_of_any_number_of_kinds) {
  constexpr std::size_t filters = 19'999;  // and the default one
  for (const std::string_view technique : {"hierarchical-grid", "sweep-and-prune"}) {
    for (const std::size_t count : {filters, 2 * filters, 3 * filters}) {
      World world = World::create({.interest = Interest::listeners}).value();
      world.set_technique(technique).value();
      world.add(many_kinds(count, filters)).value();
      world.add(many_kinds(count, filters, 5.0F)).value();
      world.detect().value();
      EXPECT_EQ(world.contacts().size(), 0U);
      world.on_begin("tag 0", "tag 1", [](const BodyContact&) {});
      world.detect().value();
      EXPECT_EQ(world.contacts().size(), count < 2 * filters ? 0 : 2 * filters) << technique << ' ' << count;
      world.on_begin("tag 0", "tag 2", [](const BodyContact&) {});
      world.detect().value();
      EXPECT_EQ(world.contacts().size(), 2 * (count - filters)) << technique << ' ' << count;
    }
  }
}

TEST(WorldRefusals, more_kinds_than_a_broad_phase_takes_are_refused_and_nothing_changes) {
  constexpr std::size_t filters = 19'999;  // and the default one
  constexpr std::size_t most = 64'000;     // of the 65,000 some are always in use
  World world = World::create({.interest = Interest::listeners}).value();
  world.on_begin(World::any, World::any, [](const BodyContact&) {});
  const auto bodies = many_kinds(most + 2'000, filters);
  const auto known = world.add(std::span(bodies).first(most)).value();
  world.detect().value();
  const std::uint64_t before = world.hash();
  const std::size_t size = world.size();
  EXPECT_EQ(world.add(std::span(bodies).subspan(most)).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(world.hash(), before);
  EXPECT_EQ(world.size(), size);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < 2'000; ++i) {
    // Most bodies are the only ones of their kind, so the change frees the old kind.
    const auto set = i % 2 == 0 ? world.set_tag(known[i], "tag " + std::to_string(5 + i))
                                : world.set_sensor(known[i], true);
    EXPECT_TRUE(set.has_value() || set.error().code == ErrorCode::invalid_argument);
    refused += set.has_value() ? 0U : 1U;
  }
  EXPECT_EQ(refused, 0U);
  world.detect().value();
}

/// Runs tasks in the caller's thread, and counts its calls. The number of threads that it reports can be set.
class FickleRunner : public TaskRunner {
 public:
  explicit FickleRunner(std::size_t threads) : threads_(threads) {}
  [[nodiscard]] std::size_t threads() const override {
    ++reads_;
    return threads_;
  }
  void run(std::size_t count, TaskRef task) override {
    ++runs_;
    for (std::size_t i = 0; i < count; ++i) {
      task(i);
    }
  }
  void set_threads(std::size_t threads) { threads_ = threads; }
  [[nodiscard]] std::size_t reads() const { return reads_; }
  [[nodiscard]] std::size_t runs() const { return runs_; }

 private:
  std::size_t threads_;
  mutable std::size_t reads_ = 0;
  std::size_t runs_ = 0;
};

/// Makes drawn calls in a world of many bodies, in which the broad phase and the narrow phase use threads.
/// @param later the number of threads that the runner reports after `use_threads`
/// @return how often the runner was used
std::size_t runs_of_drawn_calls(std::uint64_t seed, std::size_t threads, std::size_t later) {
  constexpr std::size_t side = 150;
  Random random(seed);
  FickleRunner runner(threads);
  World world;
  world.use_threads(&runner).value();
  runner.set_threads(later);
  const std::size_t reads = runner.reads();
  std::vector<BodyDef> bodies(side * side, BodyDef{.shape = Circle{.radius = 0.5F}});
  std::vector<Vec2> positions;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].position = {0.9F * static_cast<float>(i % side), 0.9F * static_cast<float>(i / side)};
    positions.push_back(bodies[i].position);
  }
  const std::vector<BodyId> ids = world.add(bodies).value();
  world.step(0).value();
  const auto snapshot = world.snapshot();
  FickleRunner none(0);
  EXPECT_EQ(world.use_threads(&none).error().code, ErrorCode::invalid_argument);  // the other one stays
  for (int call = 0; call < 8; ++call) {
    switch (random.below(4)) {
      case 0:
        world.set_technique(random.below(2) == 0 ? "hierarchical-grid" : "hash-grid").value();
        break;
      case 1:
        world.restore(snapshot).value();
        break;
      case 2:
        EXPECT_FALSE(world.query_area({{0, 0}, {9, 9}}).value().empty());
        break;
      default:
        for (Vec2& position : positions) {
          position = {position.x + random.between(-0.25F, 0.25F), position.y + random.between(-0.25F, 0.25F)};
        }
        world.move(ids, positions).value();
        break;
    }
    if (random.below(2) == 0) {
      world.step(0).value();
    }
  }
  world.set_technique("hierarchical-grid").value();
  world.move(ids, positions).value();
  EXPECT_FALSE(world.query_area({{0, 0}, {9, 9}}).value().empty());
  world.step(0).value();
  EXPECT_EQ(runner.reads(), reads) << seed;
  return runner.runs();
}

TEST(WorldRefusals, the_number_of_threads_is_read_by_use_threads_alone) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const std::size_t threads = 2 + seed % 3;
    const std::size_t expected = runs_of_drawn_calls(seed, threads, threads);
    EXPECT_GT(expected, 0U);
    for (const std::size_t later :
         {std::size_t{0}, std::size_t{1}, std::numeric_limits<std::size_t>::max()}) {
      EXPECT_EQ(runs_of_drawn_calls(seed, threads, later), expected) << seed << ", then " << later;
    }
  }
}

TEST(WorldRefusals, lists_of_different_lengths_and_stale_ids_are_refused) {
  World world;
  const BodyId body = world.add({.shape = Circle{.radius = 1}}).value();
  const std::array both{body, body};
  const std::array<Vec2, 1> positions{};
  const std::array<Transform, 1> transforms{};
  EXPECT_EQ(world.move(both, positions).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(world.move(both, transforms).error().code, ErrorCode::invalid_argument);
  std::array<Vec2, 1> room{Vec2{7, 7}};
  EXPECT_EQ(world.positions(both, room).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(room[0], (Vec2{7, 7}));
  std::array<Transform, 1> place{Transform{{7, 7}, {}}};
  EXPECT_EQ(world.transforms(both, place).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(place[0].position, (Vec2{7, 7}));
  EXPECT_EQ(world.velocities(both, room).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(room[0], (Vec2{7, 7}));
  EXPECT_NEAR(world.mass(body).value(), 3.14159F, 1e-5F);
  world.remove(body).value();
  EXPECT_EQ(world.acceleration(body).error().code, ErrorCode::stale_id);
  EXPECT_EQ(world.velocity(body).error().code, ErrorCode::stale_id);
  EXPECT_EQ(world.mass(body).error().code, ErrorCode::stale_id);
}

TEST(WorldRefusals, a_mass_is_1_without_an_area_and_at_most_the_largest_float) {
  World world;
  for (const Shape& shape :
       {Shape(Circle{.radius = 0}), Shape(Segment{.a = {}, .b = {1, 0}}), Shape(Box::of_half_size({0, 4}))}) {
    EXPECT_EQ(world.mass(world.add({.shape = shape, .more_shapes = {shape}}).value()).value(), 1.0F);
  }
  for (const float side : {1e19F, 1e30F}) {
    const Shape shape = Box::of_half_size({side, side});
    for (const std::size_t more : {0U, 1U, 3U}) {
      const BodyDef body{.shape = shape, .more_shapes = std::vector<Shape>(more, shape)};
      EXPECT_EQ(world.mass(world.add(body).value()).value(), std::numeric_limits<float>::max());
    }
  }
}

TEST(WorldRefusals, a_recording_may_not_begin_while_listeners_are_called) {
  World world;
  Recording recording;
  ErrorCode code = ErrorCode::none;
  world.on_begin(World::any, World::any,
                 [&](const BodyContact&) { code = world.record(&recording).error().code; });
  world.add({.shape = Circle{.radius = 1}}).value();
  world.add({.shape = Circle{.radius = 1}}).value();
  world.step(0).value();
  EXPECT_EQ(code, ErrorCode::locked);
  EXPECT_TRUE(recording.empty());
}

TEST(WorldRefusals, a_velocity_that_gravity_takes_out_of_range_ends_the_step_before_it_begins) {
  constexpr float most = std::numeric_limits<float>::max();
  for (const Vec2 velocity : {Vec2{most, 0}, Vec2{0, -most}}) {
    for (const Vec2 at : {Vec2{}, Vec2{-most, most}}) {
      World world = World::create({.gravity = velocity}).value();
      world.add({.shape = Circle{.radius = 0}, .position = at, .velocity = velocity}).value();
      const std::uint64_t before = world.hash();
      EXPECT_EQ(world.step(1e-3F).error().code, ErrorCode::not_finite);
      EXPECT_EQ(world.hash(), before);
    }
  }
}

TEST(WorldRefusals, invalid_options_of_a_world_are_refused) {
  for (unsigned value = 0; value < 256; ++value) {
    EXPECT_EQ(World::create({.interest = static_cast<Interest>(value)}).error().code,
              value < 2 ? ErrorCode::none : ErrorCode::invalid_argument);
    EXPECT_EQ(World::create({.response = static_cast<Response>(value)}).error().code,
              value < 2 ? ErrorCode::none : ErrorCode::invalid_argument);
  }
  for (const float number : drawn_numbers()) {
    const bool is_share = number >= 0.0F && number <= 1.0F;
    EXPECT_EQ(World::create({.restitution = number}).error().code,
              is_share ? ErrorCode::none : ErrorCode::invalid_argument)
        << number;
    for (const Vec2 gravity : {Vec2{number, 0}, Vec2{0, number}}) {
      const auto code = std::isfinite(number) ? ErrorCode::none : ErrorCode::not_finite;
      const auto world = World::create({.gravity = gravity});
      EXPECT_EQ(world.error().code, code) << number;
      if (world.has_value()) {
        EXPECT_EQ(world->gravity(), gravity);
      } else {
        EXPECT_NE(world.error().message.find("gravity"), std::string::npos);
      }
      World changed;
      EXPECT_EQ(changed.set_gravity(gravity).error().code, code) << number;
    }
  }
}

TEST(WorldRefusals, invalid_numbers_are_refused_by_bodies_and_steps) {
  World world = make_world();
  const std::uint64_t before = world.hash();
  const BodyId body = world.bodies().front();
  for (const float number : drawn_numbers()) {
    const bool is_mass = std::isfinite(number) && number > 0.0F;
    World other;
    EXPECT_EQ(other.add({.mass = number}).error().code,
              is_mass ? ErrorCode::none : ErrorCode::invalid_argument)
        << number;
    if (!(std::isfinite(number) && number >= 0.0F)) {
      for (const Error& error : {world.step(number).error(), world.integrate(number).error(),
                                 world.move_and_slide(body, {1, 0}, {.skin = number}).error()}) {
        EXPECT_EQ(error.code, ErrorCode::invalid_argument) << number;
      }
    }
    if (!(number >= 0.0F)) {  // not a distance; infinity means no limit
      EXPECT_NE(world.nearest({0, 0}, 1, number).error().code, ErrorCode::none) << number;
    }
    if (!std::isfinite(number)) {
      EXPECT_EQ(world.move_and_slide(body, {number, 0}).error().code, ErrorCode::not_finite) << number;
    }
  }
  EXPECT_EQ(world.hash(), before);
}

TEST(WorldRefusals, steps_of_no_length_are_refused) {
  for (const float number : drawn_numbers()) {
    auto clock = FixedStep::create(number);
    ASSERT_EQ(clock.error().code,
              std::isfinite(number) && number > 0.0F ? ErrorCode::none : ErrorCode::invalid_argument)
        << number;
    if (clock.has_value()) {
      const auto same = [&](float seconds) { ASSERT_EQ(seconds, number); };
      EXPECT_EQ(clock->advance(static_cast<double>(number), same), 1U);
      EXPECT_EQ(clock->advance(std::numeric_limits<double>::infinity(), same), 8U);
      EXPECT_TRUE(clock->alpha() >= 0.0F && clock->alpha() <= 1.0F);
    }
  }
  EXPECT_EQ(FixedStep::create(0.1F, 0).error().code, ErrorCode::invalid_argument);
}

TEST(WorldRefusals, a_step_that_throws_takes_no_other_from_a_clock) {
  FixedStep clock = FixedStep::create(0.25F).value();
  std::size_t steps = 0;
  const auto step = [&](float) {
    if (++steps == 2) {
      throw steps;
    }
  };
  EXPECT_THROW(clock.advance(1.0, step), std::size_t);
  EXPECT_LE(clock.alpha(), 1.0F);
  clock.advance(0.0, step);
  EXPECT_EQ(steps, 4U);
}

class CountingDraw final : public DebugDraw {
 public:
  void line(DrawPoint, DrawPoint, const DrawStyle&) override { ++calls; }
  void box(const Aabb&, const DrawStyle&) override { ++calls; }
  void circle(DrawPoint, double, const DrawStyle&) override { ++calls; }
  void polygon(std::span<const DrawPoint>, const DrawStyle&) override { ++calls; }
  void text(DrawPoint, std::string_view, const DrawStyle&) override { ++calls; }

  std::size_t calls = 0;
};

TEST(WorldRefusals, invalid_drawing_options_are_refused_and_nothing_is_drawn) {
  World world;
  const BodyId body = world.add({.velocity = {1, 1}}).value();
  for (const float number : drawn_numbers()) {
    const bool is_scale = std::isfinite(number) && number > 0.0F;
    const bool is_time = std::isfinite(number) && number >= 0.0F;
    const Aabb view{{0, 0}, {number, 1}};
    const std::array<std::pair<DebugDrawOptions, bool>, 4> all{
        {{{.picked = body, .scale = number}, is_scale},
         {{.picked = body, .seconds_ahead = number}, is_time},
         {{.picked = body, .min_shape_size = number}, is_time},
         {{.picked = body, .view = view}, is_valid(view)}}};
    for (const auto& [options, has_meaning] : all) {
      CountingDraw drawer;
      EXPECT_EQ(draw(world, drawer, options).error().code == ErrorCode::none, has_meaning) << number;
      EXPECT_EQ(drawer.calls > 0, has_meaning) << number;
    }
  }
}

TEST(WorldRefusals, a_world_that_was_moved_from_is_not_drawn) {
  Random random(20261204);
  for (int round = 0; round < 200; ++round) {
    World world = round % 2 == 0 ? make_world() : World();
    const BodyId body = world.add({.velocity = {1, 1}}).value();
    if (random.below(2) == 0) {
      world.step(0.02F).value();
    }
    DebugDrawOptions options{.cells = random.below(2) == 0,
                             .boxes = random.below(2) == 0,
                             .shapes = random.below(2) == 0,
                             .contacts = random.below(2) == 0,
                             .picked = random.below(2) == 0 ? body : BodyId{},
                             .scale = 0.5 + random.below(9)};
    if (random.below(2) == 0) {
      options.view = Aabb{{-9, -9}, {random.between(-9, 9), random.between(-9, 9)}};
    }
    World owner;
    if (random.below(2) == 0) {
      owner = std::move(world);
    } else {
      World other(std::move(world));
      owner = std::move(other);
    }
    CountingDraw drawer;
    World& gone = world;  // NOLINT(bugprone-use-after-move): that is what is tested
    EXPECT_EQ(draw(gone, drawer, options).error().code, ErrorCode::invalid_argument) << round;
    EXPECT_EQ(drawer.calls, 0U) << round;
    EXPECT_TRUE(draw(owner, drawer, options).has_value()) << round;
  }
}

}  // namespace
}  // namespace broadside::test::refusals_test
