// Damaged snapshots and recordings, half of them with recomputed checksums: an input that is not refused must
// give a valid world. `BROADSIDE_DAMAGES=1000000` draws a million.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "broadside/world/recording.hpp"
#include "broadside/world/world.hpp"
#include "damages.hpp"
#include "world/drawn_movers.hpp"

namespace broadside::test::damage_test {
namespace {

constexpr std::size_t checksum_size = 8;
constexpr std::array<std::string_view, 4> tag_names{"", "a", "b", "a tag of more than sixteen bytes"};

Vec2 drawn_vec2(float most, Random& random) {
  const float x = random.between(-most, most);
  return {x, random.between(-most, most)};
}

BodyDef drawn_body(Random& random) {
  constexpr std::array types{BodyType::dynamic, BodyType::dynamic, BodyType::kinematic,
                             BodyType::static_body};
  BodyDef body{.shape = drawn_shape(2.0F, random), .type = types[random.below(types.size())]};
  for (std::uint32_t more = random.below(8); more > 5; --more) {
    body.more_shapes.push_back(drawn_shape(1.0F, random));
  }
  body.position = drawn_vec2(4.0F, random);
  body.rotation = drawn_rotation(random);
  if (body.type != BodyType::static_body) {
    body.velocity = random.below(3) == 0 ? Vec2{} : drawn_vec2(30.0F, random);
    body.acceleration = random.below(4) == 0 ? drawn_vec2(5.0F, random) : Vec2{};
  }
  body.tag = tag_names[random.below(tag_names.size())];
  body.filter.group = -static_cast<std::int32_t>(random.below(3));
  body.sensor = random.below(8) == 0;
  body.bullet = random.below(4) == 0;
  body.enabled = random.below(8) != 0;
  if (random.below(4) == 0) {
    body.mass = random.between(0.5F, 2.0F);
  }
  body.user_data = random.below(4) == 0 ? random.bits() : 0;
  return body;
}

/// Makes one random change, of the kinds that a recording supports. @pre the world has a body
void change(World& world, Random& random) {
  const std::vector<BodyId> bodies = world.bodies();
  const auto count = static_cast<std::uint32_t>(bodies.size());
  const BodyId one = bodies[random.below(count)];
  const BodyId other = bodies[random.below(count)];
  const bool flag = random.below(2) == 0;
  const Vec2 place = drawn_vec2(4.0F, random);
  const Transform transform{place, drawn_rotation(random)};
  switch (random.below(16)) {
    case 0:
    case 1:
      static_cast<void>(world.add(drawn_body(random)));
      break;
    case 2:
      if (count > 1) {
        world.remove(one).value();
      }
      break;
    case 3:
      world.move(one, transform).value();
      break;
    case 4:
      world.teleport(one, transform).value();
      break;
    case 5:
    case 6:
      static_cast<void>(world.move_and_slide(one, place, {.up = {0, 1}}));
      break;
    case 7:
      static_cast<void>(world.push(one, place));
      break;
    case 8:
      static_cast<void>(world.set_velocity(one, place));
      static_cast<void>(world.set_acceleration(other, place));
      break;
    case 9:
      world.set_shape(one, drawn_shape(2.0F, random)).value();
      break;
    case 10:
      world.set_enabled(one, flag).value();
      world.set_sensor(other, !flag).value();
      break;
    case 11:
      world.set_bullet(one, flag).value();
      break;
    case 12:
      world.set_tag(one, tag_names[random.below(tag_names.size())]).value();
      break;
    case 13:
      static_cast<void>(world.set_ignored(one, other, flag));
      static_cast<void>(world.skip_response(one, other));
      break;
    case 14:
      world.set_filter(one, {.layer = 1 + random.below(3)}).value();
      world.set_user_data(other, random.bits()).value();
      break;
    default:
      world.set_gravity(place).value();
      break;
  }
}

/// Runs the stages of a step, sometimes only some of them.
void run_stages(World& world, Random& random) {
  constexpr float seconds = 1.0F / 32;
  if (random.below(3) != 0) {
    world.step(seconds).value();
    return;
  }
  world.detect().value();
  if (random.below(2) == 0) {
    world.respond().value();
    static_cast<void>(world.integrate(seconds));
  }
}

World drawn_world(Random& random) {
  WorldOptions options;
  options.interest = random.below(4) == 0 ? Interest::listeners : Interest::all;
  options.response = random.below(2) == 0 ? Response::bounce : Response::none;
  options.restitution = 0.5F;
  options.gravity = {0, random.below(2) == 0 ? 0.0F : -10.0F};
  options.end_margin = random.below(2) == 0 ? 0.0F : 0.125F;
  World world = World::create(options).value();
  if (random.below(2) == 0) {
    world.on_begin("a", World::any, [](const BodyContact&) {});
  }
  for (std::uint32_t left = 1 + random.below(10); left > 0; --left) {
    world.add(drawn_body(random)).value();
  }
  return world;
}

void live(World& world, Random& random) {
  for (std::uint32_t left = 1 + random.below(6); left > 0; --left) {
    for (std::uint32_t changes = random.below(4); changes > 0; --changes) {
      change(world, random);
    }
    run_stages(world, random);
  }
  for (std::uint32_t changes = random.below(4); changes > 0; --changes) {
    change(world, random);
  }
}

std::vector<Bytes> drawn_snapshots(std::size_t count) {
  Random random(19);
  std::vector<Bytes> files{World().snapshot()};
  while (files.size() < count) {
    World world = drawn_world(random);
    live(world, random);
    files.push_back(world.snapshot());
  }
  return files;
}

std::vector<Bytes> drawn_recordings(std::size_t count) {
  Random random(20);
  std::vector<Bytes> files;
  while (files.size() < count) {
    World world = drawn_world(random);
    const Bytes before = world.snapshot();
    Recording recording;
    world.record(&recording).value();
    live(world, random);
    if (random.below(4) == 0) {
      world.restore(before).value();
      live(world, random);
    }
    world.record(nullptr).value();
    files.emplace_back(recording.bytes().begin(), recording.bytes().end());
  }
  return files;
}

/// Calls the queries about a body and its neighbors.
void query(const World& world, BodyId body) {
  const Transform at = world.transform(body).value();
  const Shape shape = world.shapes(body).value().front();
  const Vec2 way{3, -2};
  const auto found = world.query_area(world.bounds(body).value()).value();
  EXPECT_LE(found.size(), world.size());
  EXPECT_LE(world.query_point(at.position).value().size(), world.size());
  EXPECT_LE(world.query_shape(shape, at).value().size(), world.size());
  EXPECT_LE(world.nearest(at.position, 4).value().size(), 4U);
  EXPECT_LE(world.candidates(body).value().size(), world.size());
  static_cast<void>(world.cast_ray(at.position, way).value());
  static_cast<void>(world.cast_shape(shape, at, way).value());
  std::vector<BodyContact> contacts;
  contacts = world.contacts_of(body).value();
  static_cast<void>(world.why(body, found.empty() ? body : found.front()));
  for (const BodyContact& contact : contacts) {
    EXPECT_EQ(contact.a, body);
  }
}

/// Changes what a body is.
void change(World& world, BodyId body, Random& random) {
  const bool flag = random.below(2) == 0;
  switch (random.below(4)) {
    case 0:
      return world.set_bullet(body, flag).value();
    case 1:
      return world.set_sensor(body, flag).value();
    case 2:
      return world.set_enabled(body, flag).value();
    default:
      return world.set_tag(body, flag ? "changed" : "again").value();
  }
}

/// Expects a valid world: steps, queries and changes succeed or return an error.
void expect_a_world(World& world, Random& random) {
  const auto may_fail = [&](const Result<void>& done) {
    if (done.error()) {
      EXPECT_EQ(done.error().code, ErrorCode::not_finite) << done.error().message;
    }
  };
  std::size_t heard = 0;
  world.on_contact(World::any, World::any, [&](const BodyContact& contact) {
    EXPECT_FALSE(std::isnan(contact.approach_speed));
    ++heard;
  });
  for (const BodyId body : world.bodies()) {
    const Transform at = world.transform(body).value();
    EXPECT_TRUE(std::isfinite(at.position.x) && std::isfinite(at.position.y));
    EXPECT_NEAR(std::hypot(at.rotation.cos, at.rotation.sin), 1.0, 0.01);
  }
  if (random.below(3) == 0) {
    world.dispatch().value();
    world.respond().value();
  }
  for (int step = 0; step < 3; ++step) {
    const std::vector<BodyId> bodies = world.bodies();
    EXPECT_EQ(bodies.size(), world.size());
    const auto drawn = [&] { return bodies[random.below(static_cast<std::uint32_t>(bodies.size()))]; };
    if (!bodies.empty()) {
      query(world, drawn());
      change(world, drawn(), random);
    }
    may_fail(world.step(1.0F / 60));
    for (const BodyContact contact : world.contacts()) {
      EXPECT_NE(contact.a, contact.b);
      EXPECT_FALSE(std::isnan(contact.approach_speed));
    }
    for (const ContactEnd& end : world.ended()) {
      EXPECT_NE(name(end.cause), "unknown");
    }
    if (!bodies.empty() && world.contains(bodies.back())) {
      const auto slid = world.move_and_slide(bodies.back(), {0.5F, -0.5F}, {.up = {0, 1}});
      EXPECT_TRUE(slid.has_value() || slid.error().code == ErrorCode::not_finite ||
                  slid.error().code == ErrorCode::invalid_argument)
          << slid.error().message;
      world.remove(drawn()).value();
    }
    static_cast<void>(world.add({.shape = Circle{.radius = 0.5F}}));
  }
  const Bytes now = world.snapshot();
  World again;
  again.restore(now).value();
  EXPECT_EQ(again.snapshot(), now);
}

void expect_refusal(const Error& error, const Bytes& bytes, std::size_t version_at) {
  if (error.code == ErrorCode::version_mismatch) {
    constexpr std::array version{std::byte{3}, std::byte{0}, std::byte{0}, std::byte{0}};
    const bool begins_with_another =
        bytes.size() >= version_at + version.size() &&
        !std::equal(version.begin(), version.end(), bytes.begin() + static_cast<std::ptrdiff_t>(version_at));
    // A recording may contain more snapshots, with versions of their own.
    EXPECT_TRUE(begins_with_another || mentions(error.message, "damaged")) << error.message;
    return;
  }
  EXPECT_EQ(error.code, ErrorCode::parse) << error.message;
  EXPECT_TRUE(mentions(error.message, "damaged")) << error.message;
}

struct Damaged {
  Bytes bytes;
  bool has_checksum;  ///< the bytes end with valid checksums
};

Damaged draw_damaged(std::span<const Bytes> files, Random& random) {
  const bool has_checksum = random.below(2) == 0;
  Bytes bytes = draw_damage(files, has_checksum ? checksum_size : 0, random);
  if (has_checksum) {
    add_checksums(bytes);
  }
  return {std::move(bytes), has_checksum};
}

struct Count {
  std::size_t refused_by_checksum = 0;
  std::size_t refused = 0;
  std::size_t accepted = 0;
};

void record(const Count& count) {
  testing::Test::RecordProperty("refused_by_checksum", std::to_string(count.refused_by_checksum));
  testing::Test::RecordProperty("refused", std::to_string(count.refused));
  testing::Test::RecordProperty("accepted", std::to_string(count.accepted));
}

bool is_one_of(const Bytes& bytes, std::span<const Bytes> files) {
  return std::find(files.begin(), files.end(), bytes) != files.end();
}

TEST(Damage, a_damaged_snapshot_is_refused_or_a_snapshot) {
  const std::vector<Bytes> files = drawn_snapshots(60);
  for (const Bytes& file : files) {
    World world;
    world.restore(file).value();
    ASSERT_EQ(world.snapshot(), file);
  }
  Random random(21);
  Count count;
  for (std::size_t i = 0; i < damages_to_draw() && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("damage " + std::to_string(i));
    const auto [bytes, has_checksum] = draw_damaged(files, random);
    World world;
    const std::uint64_t before = world.hash();
    const auto restored = world.restore(bytes);
    if (restored.error()) {
      expect_refusal(restored.error(), bytes, 4);
      EXPECT_EQ(world.hash(), before);
      ++(has_checksum ? count.refused : count.refused_by_checksum);
      continue;
    }
    ++count.accepted;
    EXPECT_TRUE(has_checksum || is_one_of(bytes, files));
    EXPECT_EQ(world.snapshot(), bytes);
    expect_a_world(world, random);
  }
  record(count);
  EXPECT_GT(count.accepted, damages_to_draw() / 50);
}

TEST(Damage, a_damaged_recording_is_refused_or_leaves_a_world) {
  const std::vector<Bytes> files = drawn_recordings(40);
  Random random(22);
  Count count;
  for (std::size_t i = 0; i < damages_to_draw() / 2 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("damage " + std::to_string(i));
    const auto [bytes, has_checksum] = draw_damaged(files, random);
    World world;
    const std::uint64_t before = world.hash();
    const auto replayed = replay(Recording(bytes), world);
    if (replayed.error()) {
      expect_refusal(replayed.error(), bytes, 13);
      if (!has_checksum) {
        EXPECT_EQ(world.hash(), before);
      }
      ++(has_checksum ? count.refused : count.refused_by_checksum);
    } else {
      EXPECT_TRUE(has_checksum || bytes.empty() || is_one_of(bytes, files));
      ++count.accepted;
    }
    if (has_checksum) {
      const Bytes now = world.snapshot();
      World again;
      again.restore(now).value();
      EXPECT_EQ(again.snapshot(), now);
      expect_a_world(world, random);
    }
  }
  record(count);
  EXPECT_GT(count.accepted, damages_to_draw() / 100);
}

// Flips every bit in turn: the checksum detects each, including those in the checksum itself.
TEST(Damage, any_flipped_bit_is_refused) {
  for (const Bytes& file : drawn_snapshots(6)) {
    for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
      const Bytes bytes = flipped(file, bit);
      World world;
      const auto restored = world.restore(bytes);
      ASSERT_TRUE(restored.error()) << bit;
      expect_refusal(restored.error(), bytes, 4);
    }
  }
}

// The same with correct checksums: each bit that a reader must check.
TEST(Damage, any_flipped_bit_with_a_checksum_is_refused_or_a_snapshot) {
  Random random(24);
  std::size_t accepted = 0;
  std::size_t refused = 0;
  for (const Bytes& file : drawn_snapshots(4)) {
    for (std::size_t bit = 0; bit < 8 * (file.size() - checksum_size) && !testing::Test::HasFailure();
         ++bit) {
      SCOPED_TRACE("bit " + std::to_string(bit));
      Bytes bytes = flipped(file, bit);
      renew_checksums(bytes);
      World world;
      if (const auto restored = world.restore(bytes); restored.error()) {
        expect_refusal(restored.error(), bytes, 4);
        ++refused;
      } else {
        EXPECT_EQ(world.snapshot(), bytes);
        if (++accepted % 4 == 0) {
          expect_a_world(world, random);
        }
      }
    }
  }
  EXPECT_GT(accepted, 1000U);
  EXPECT_GT(refused, 1000U);
}

// Bodies are fast only in worlds that bounce them, which keep the starts of their paths; without bounces,
// only worlds with bullets keep these, and only as long as they have some.
TEST(Damage, any_flipped_bit_leaves_a_world_that_goes_on_when_it_has_no_bullets_left) {
  std::size_t accepted = 0;
  for (const Response response : {Response::none, Response::bounce}) {
    World world = World::create({.response = response}).value();
    static_cast<void>(world.add({.shape = Circle{.radius = 1}, .velocity = {3, 0}, .bullet = true}).value());
    static_cast<void>(
        world.add({.shape = Circle{.radius = 1}, .position = {2, 0}, .velocity = {-90, 0}}).value());
    world.step(0.05F).value();
    const Bytes file = world.snapshot();
    for (std::size_t bit = 0; bit < 8 * (file.size() - checksum_size); ++bit) {
      Bytes bytes = flipped(file, bit);
      renew_checksums(bytes);
      World restored;
      if (restored.restore(bytes).error()) {
        continue;
      }
      ++accepted;
      for (const BodyId body : restored.bodies()) {
        restored.set_bullet(body, false).value();
      }
      EXPECT_FALSE(World().restore(restored.snapshot()).error()) << bit;
      const auto done = restored.step(0.05F);
      EXPECT_TRUE(!done.error() || done.error().code == ErrorCode::not_finite) << bit;
    }
  }
  EXPECT_GT(accepted, 500U);
}

/// Returns the offsets of a number in bytes.
std::vector<std::size_t> places_of(float number, const Bytes& bytes) {
  const auto wanted = std::bit_cast<std::array<std::byte, 4>>(number);
  std::vector<std::size_t> places;
  for (auto from = bytes.begin();;) {
    from = std::search(from, bytes.end(), wanted.begin(), wanted.end());
    if (from == bytes.end()) {
      return places;
    }
    places.push_back(static_cast<std::size_t>(from++ - bytes.begin()));
  }
}

// A snapshot stores the position of a body several times, for example as the ground that carried another
// body.
TEST(Damage, a_non_finite_position_or_an_invalid_rotation_is_refused_wherever_it_is_stored) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Random random(23);
  for (int round = 0; round < 20; ++round) {
    World world;
    const float x = random.between(-9.0F, 9.0F);
    const float y = random.between(-9.0F, 9.0F);
    const BodyId lift = world
                            .add({.shape = Circle{.radius = 2.0F},
                                  .type = BodyType::kinematic,
                                  .position = {x, y},
                                  .rotation = Rotation::by(random.between(0.1F, 1.4F))})
                            .value();
    const BodyId player =
        world.add({.shape = Box::of_half_size({0.5F, 0.5F}), .position = {x + 0.1F, y + 2.6F}}).value();
    ASSERT_EQ(world.move_and_slide(player, {0, -1}, {.up = {0, 1}}).value().ground->body, lift);
    const Bytes file = world.snapshot();
    const Transform carrier = world.transform(lift).value();
    const Vec2 rider = world.position(player).value();
    for (const float number : {carrier.position.x, carrier.position.y, carrier.rotation.cos,
                               carrier.rotation.sin, rider.x, rider.y}) {
      const auto places = places_of(number, file);
      EXPECT_GE(places.size(), 2U);
      for (const float other : {infinity, -infinity, std::nanf("")}) {
        const auto wrong = std::bit_cast<std::array<std::byte, 4>>(other);
        for (const std::size_t at : places) {
          Bytes bytes = file;
          std::copy(wrong.begin(), wrong.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
          renew_checksums(bytes);
          ASSERT_EQ(World().restore(bytes).error().code, ErrorCode::parse) << number << " at " << at;
        }
      }
    }
  }
}

TEST(Damage, bytes_without_a_checksum_are_damaged) {
  for (const Bytes& file : drawn_snapshots(6)) {
    const auto before = std::span(file).first(file.size() - checksum_size);
    const auto error = World().restore(before).error();
    EXPECT_EQ(error.code, ErrorCode::parse);
    EXPECT_TRUE(mentions(error.message, "damaged")) << error.message;
  }
  for (Bytes file : drawn_recordings(6)) {
    file.resize(file.size() - checksum_size);
    World world;
    const auto error = replay(Recording(file), world).error();
    EXPECT_EQ(error.code, ErrorCode::parse);
    EXPECT_TRUE(mentions(error.message, "damaged")) << error.message;
    file[13] = std::byte{1};
    EXPECT_EQ(replay(Recording(file), world).error().code, ErrorCode::version_mismatch);
  }
}

TEST(Damage, marks_of_changes_that_do_not_exist_are_refused) {
  World world;
  const BodyId body = world.add(BodyDef{}).value();
  world.step(0).value();
  const Bytes unchanged = world.snapshot();
  world.set_sensor(body, true).value();
  world.set_sensor(body, false).value();
  const Bytes marked = world.snapshot();
  ASSERT_EQ(marked.size(), unchanged.size());
  const std::size_t end = marked.size() - checksum_size;
  const auto [at, other] =
      std::mismatch(marked.begin(), marked.begin() + static_cast<std::ptrdiff_t>(end), unchanged.begin());
  const auto mark_at = static_cast<std::size_t>(at - marked.begin());
  ASSERT_LT(mark_at, end);
  const auto marks = std::to_integer<unsigned>(marked[mark_at]);
  ASSERT_NE(marks, 0U);
  unsigned highest = 1;
  while (2 * highest <= marks) {
    highest *= 2;
  }
  for (unsigned value = 0; value < 256; ++value) {
    Bytes bytes = marked;
    bytes[mark_at] = static_cast<std::byte>(value);
    renew_checksums(bytes);
    World restored;
    const bool is_refused = static_cast<bool>(restored.restore(bytes).error());
    EXPECT_TRUE(value < 2 * highest || is_refused) << value;
    EXPECT_TRUE(value != marks || !is_refused);
  }
}

TEST(Damage, contacts_of_bodies_name_bodies) {
  World world;
  BodyDef two{.shape = Circle{.radius = 1}};
  two.more_shapes.emplace_back(Circle{.radius = 1.5F});
  world.add(two).value();
  world.add({.shape = Circle{.radius = 1}, .position = {0.5F, 0}}).value();
  world.step(0).value();
  const Bytes whole = world.snapshot();
  int accepted = 0;
  for (std::size_t at = 0; at + sizeof(std::uint32_t) + checksum_size <= whole.size(); ++at) {
    for (std::uint32_t place = 0; place < 4; ++place) {
      Bytes bytes = whole;
      std::memcpy(bytes.data() + at, &place, sizeof place);
      renew_checksums(bytes);
      World restored;
      if (!restored.restore(bytes).error()) {
        ++accepted;
        for (const BodyContact contact : restored.contacts()) {
          ASSERT_TRUE(restored.contains(contact.a) && restored.contains(contact.b)) << at << " " << place;
        }
      }
    }
  }
  EXPECT_GT(accepted, 0);
}

TEST(Damage, a_skipped_response_of_a_body_to_itself_is_refused) {
  World world;
  const BodyId body = world.add(BodyDef{}).value();
  EXPECT_EQ(world.skip_response(body, body).error().code, ErrorCode::invalid_argument);
  World().restore(world.snapshot()).value();
}

}  // namespace
}  // namespace broadside::test::damage_test
