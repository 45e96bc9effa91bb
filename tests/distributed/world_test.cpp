// Programs of drawn changes and steps, run by one World and by 1 to 16 parts: the hashes of bodies, contacts
// and events are equal after each step, and so are the answers of queries.

#include "broadside/distributed/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>

#include "broadside/distributed/in_process.hpp"
#include "distributed/programs.hpp"
#include "random_shapes.hpp"
#include "watchdog.hpp"

namespace broadside::test::distributed_world_test {
namespace {

constexpr std::chrono::seconds patience{240};

using distributed::Change;
using distributed::draw_parts;
using distributed::id_of;
using distributed::Outcome;
using distributed::outcome_of;
using distributed::Parts;
using distributed::run_steps;
using distributed::Step;
using distributed::Struck;
using What = distributed::Change::What;

struct Program {
  WorldOptions options;
  std::vector<Step> steps;
};

Vec2 draw_displacement(Family family, Random& random) {
  return random_transform(family, random).position - random_transform(family, random).position;
}

/// How many bodies are bullets: `share` of 16, in some of the steps.
struct Bullets {
  std::uint32_t share = 0;
  std::size_t first_step = 0;
  std::size_t end = std::numeric_limits<std::size_t>::max();  ///< then all bullets become others

  [[nodiscard]] bool exist_in(std::size_t step) const {
    return share > 0 && step >= first_step && step < end;
  }
};

/// Makes a body a bullet of any speed: its path is up to many times as long as all bodies together.
void make_bullet(BodyDef& body, Family family, Random& random) {
  body.bullet = true;
  if (random.below(3) == 0) {
    const Vec2 reach = draw_displacement(family, random);
    body.shape = Circle{.radius = std::exp2(-12.0F * random.unit()) * std::abs(reach.x)};
  }
  if (body.type != BodyType::static_body) {
    body.velocity = std::exp2(random.between(-6.0F, 7.0F)) * draw_displacement(family, random);
  }
}

BodyDef draw_body(Family family, Random& random) {
  const Standing standing = random_standing(family, random);
  BodyDef body;
  body.shape = standing.shape;
  body.position = standing.at.position;
  body.rotation = standing.at.rotation;
  if (random.below(6) == 0) {
    body.more_shapes = {random_standing(family, random).shape};
  }
  body.type = random.below(3) == 0 ? random_type(random) : BodyType::dynamic;
  if (body.type != BodyType::static_body && random.below(4) != 0) {
    body.velocity = draw_displacement(family, random);
  }
  if (body.type != BodyType::static_body && random.below(8) == 0) {
    body.acceleration = draw_displacement(family, random);
  }
  body.filter.layer = std::uint64_t{1} << random.below(3);
  body.filter.mask = random.below(3) == 0 ? random.bits() & 7U : ~std::uint64_t{0};
  body.sensor = random.below(10) == 0;
  body.tag = random.below(2) == 0 ? "some" : "";
  body.user_data = random.bits();
  return body;
}

NearestQuery draw_nearest(Family family, Random& random, std::optional<GlobalId> except) {
  NearestQuery query{.point = random_transform(family, random).position, .except = except};
  if (random.below(6) == 0) {  // far away from all bodies
    query.point = query.point + 50.0F * draw_displacement(family, random);
  }
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  query.count = random.below(8) == 0 ? all : random.below(6);
  if (random.below(3) == 0) {
    const Vec2 reach = draw_displacement(family, random);
    query.max_distance = std::abs(reach.x);
  }
  return query;
}

Bullets draw_bullets(Random& random) {
  Bullets bullets{.share = 1 + random.below(random.below(2) == 0 ? 3 : 16)};
  if (random.below(3) == 0) {
    bullets.first_step = random.below(6);
  }
  if (random.below(3) == 0) {
    bullets.end = bullets.first_step + 1 + random.below(6);
  }
  return bullets;
}

enum class Kind : std::uint8_t {
  remove,
  move,
  teleport,
  bullet,
  set_velocity,
  set_shape,
  set_filter,
  disable,
  enable,
  sensor
};
constexpr std::uint32_t kinds = 10;

Result<void> apply(Kind kind, const BodyDef& to, World& world, BodyId body) {
  switch (kind) {
    case Kind::remove:
      return world.remove(body);
    case Kind::move:
      return world.move(body, to.position, to.rotation);
    case Kind::teleport:
      return world.teleport(body, to.position, to.rotation);
    case Kind::bullet:
      return world.set_bullet(body, to.bullet);
    case Kind::set_velocity:
      return world.set_velocity(body, to.velocity);
    case Kind::set_shape:
      return world.set_shape(body, to.shape);
    case Kind::set_filter:
      return world.set_filter(body, to.filter);
    case Kind::disable:
    case Kind::enable:
      return world.set_enabled(body, kind == Kind::enable);
    case Kind::sensor:
      return world.set_sensor(body, to.sensor);
  }
  return {};
}

/// A change of the body with a number to the values of another one.
Change change_of(std::size_t number, Kind kind, const BodyDef& to) {
  return {.what = kind == Kind::remove ? What::remove : What::change,
          .number = number,
          .change = [kind, to](World& world, BodyId body) { return apply(kind, to, world, body); }};
}

Program draw_program(Family family, std::uint64_t seed, std::uint32_t bodies, Bullets bullets = {}) {
  Random random(seed);
  Program program;
  program.options.order = random.below(2) == 0 ? StepOrder::detect_first : StepOrder::motion_first;
  if (random.below(3) == 0) {
    program.options.gravity = draw_displacement(family, random);
  }
  std::vector<BodyType> types;
  std::vector<std::uint8_t> exists;
  std::vector<std::uint8_t> is_bullet;
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::size_t kept = none;  // a bullet that stays one: a world forgets all paths with its last bullet
  for (std::size_t at = 0; at < 12; ++at) {
    Step& step = program.steps.emplace_back();
    step.seconds = random.below(6) == 0 ? 0.0F : 0.05F + 0.2F * random.unit();
    const std::uint32_t share = at % 3 == 0 ? 12 : 100;  // one body in so many is changed
    for (std::size_t i = 0; i < exists.size(); ++i) {
      if (exists[i] != 0 && is_bullet[i] != 0 && !bullets.exist_in(at)) {
        step.changes.push_back(change_of(i, Kind::bullet, {}));
        is_bullet[i] = 0;
        kept = none;
      } else if (exists[i] != 0 && random.below(share) == 0) {
        const auto kind = static_cast<Kind>(random.below(kinds));
        const bool changes_kept = kept == i && (kind == Kind::remove || kind == Kind::bullet);
        if (changes_kept || (kind == Kind::bullet && kept == none)) {
          continue;
        }
        if (kind == Kind::set_velocity && types[i] == BodyType::static_body) {
          continue;
        }
        exists[i] = kind == Kind::remove ? 0 : 1;
        BodyDef to = draw_body(family, random);
        to.velocity = draw_displacement(family, random);
        if (kind == Kind::bullet) {
          to.bullet = random.below(2) == 0;
          is_bullet[i] = to.bullet ? 1 : 0;
        }
        step.changes.push_back(change_of(i, kind, to));
      }
    }
    for (std::uint32_t i = 0; i < (at == 0 ? bodies : random.below(3)); ++i) {
      BodyDef body = draw_body(family, random);
      if (bullets.exist_in(at) && (kept == none || random.below(16) < bullets.share)) {
        make_bullet(body, family, random);
        kept = kept == none ? exists.size() : kept;
      }
      is_bullet.push_back(body.bullet ? 1 : 0);
      types.push_back(body.type);
      step.changes.push_back({.what = What::add, .number = exists.size(), .body = std::move(body)});
      exists.push_back(1);
    }
    for (int i = 0; i < 6; ++i) {
      const Standing standing = random_standing(family, random);
      step.questions.areas.push_back(bounds(standing.shape, standing.at));
      const std::optional<GlobalId> except =
          random.below(2) == 0 ? std::optional(id_of(random.below(static_cast<std::uint32_t>(exists.size()))))
                               : std::nullopt;
      step.questions.rays.push_back({standing.at.position, draw_displacement(family, random), except});
      const Vec2 motion = random.below(4) == 0 ? Vec2{} : draw_displacement(family, random);
      step.questions.casts.push_back({standing.shape, standing.at, motion, except});
      step.questions.points.push_back(draw_nearest(family, random, except));
    }
  }
  return program;
}

/// Counts what happened, so that a test of nothing is noticed.
struct Totals {
  std::uint64_t contacts = 0;
  std::uint64_t begun = 0;
  std::uint64_t ended = 0;
  std::uint64_t found = 0;
  std::uint64_t hits = 0;
  std::uint64_t near = 0;
  std::uint64_t migrants = 0;
  std::uint64_t notices = 0;
  std::uint64_t owned = 0;
  std::uint64_t ghosts = 0;
};

std::vector<Outcome> run_one(const Program& program, Totals& totals) {
  std::vector<Outcome> outcomes;
  World world = World::create(program.options).value();
  std::vector<BodyId> bodies;
  for (const Step& step : program.steps) {
    for (const Change& change : step.changes) {
      if (change.what == What::add) {
        bodies.push_back(world.add(change.body).value());
      } else {
        change.change(world, bodies[change.number]).value();
      }
    }
    world.step(step.seconds).value();
    const Outcome& outcome = outcomes.emplace_back(outcome_of(world, bodies, step.questions));
    totals.contacts += world.contacts().size();
    totals.begun += world.begun().size();
    totals.ended += world.ended().size();
    for (const auto& found : outcome.answers.found) {
      totals.found += found.size();
    }
    for (const Struck& hit : outcome.answers.hits) {
      totals.hits += hit.body ? 1 : 0;
    }
    for (const auto& near : outcome.answers.near) {
      totals.near += near.size();
    }
  }
  return outcomes;
}

/// Runs a program in parts, and compares them with one world.
void run_parts(const Program& program, const Parts& parts, const std::vector<Outcome>& expected,
               Totals& totals) {
  std::mutex mutex;
  run_in_process(parts.count, [&](Communicator& others) {
    auto part = DistributedWorld::create(others, program.options).value();
    part->set_rebalance(parts.rebalance).value();
    EXPECT_EQ(run_steps(*part, others, parts, program.steps, expected), "");
    const std::lock_guard lock(mutex);
    totals.migrants += part->statistics().migrants;
    totals.notices += part->statistics().notices;
  }).value();
}

TEST(DistributedWorld, has_the_bodies_contacts_events_and_answers_of_one_world) {
  const Watchdog watchdog(patience);
  Totals totals;
  std::uint64_t seed = 100;
  for (const Family family : families) {
    for (const int parts : {1, 2, 3, 4, 7, 16}) {
      Random random(++seed);
      const Program program = draw_program(family, seed, 1 + random.below(60));
      const std::vector<Outcome> expected = run_one(program, totals);
      run_parts(program, draw_parts(parts, random), expected, totals);
      ASSERT_FALSE(HasFailure()) << name(family) << ", " << parts << " parts, seed " << seed;
    }
  }
  EXPECT_GT(totals.contacts, 10'000U);
  EXPECT_GT(totals.begun, 2'000U);
  EXPECT_GT(totals.ended, 2'000U);
  EXPECT_GT(totals.found, 2'000U);
  EXPECT_GT(totals.hits, 1'000U);
  EXPECT_GT(totals.near, 5'000U);
  EXPECT_GT(totals.migrants, 20U);
  EXPECT_GT(totals.notices, 20U);
}

TEST(DistributedWorld, is_one_world_with_1_to_1000_bodies_that_migrate_while_the_cuts_move) {
  const Watchdog watchdog(patience);
#ifdef BROADSIDE_FEW_CASES
  constexpr int programs = 1;
#else
  constexpr int programs = 2;
#endif
  Totals totals;
  std::mutex mutex;
  std::uint64_t seed = 2000;
  std::uint64_t searches = 0;
  std::uint64_t rebalances = 0;
  for (const Family family : families) {
    for (int i = 0; i < programs; ++i) {
      Random random(++seed);
      const auto bodies = static_cast<std::uint32_t>(std::exp2(10.0F * random.unit()));
      const Program program = draw_program(family, seed, bodies);
      const std::vector<Outcome> expected = run_one(program, totals);
      Parts parts = draw_parts(2 + static_cast<int>(random.below(15)), random);
      parts.rebalance = {.max_imbalance = 1.0F, .interval = 1, .max_share = 0.2F + 0.8F * random.unit()};
      const std::span<const Step> steps = program.steps;
      const std::span<const Outcome> outcomes = expected;
      run_in_process(parts.count, [&](Communicator& others) {
        auto part = DistributedWorld::create(others, program.options).value();
        part->set_rebalance(parts.rebalance).value();
        std::uint64_t migrants = 0;
        std::uint64_t owned = 0;
        std::uint64_t ghosts = 0;
        for (std::size_t at = 0; at < steps.size(); ++at) {
          EXPECT_EQ(run_steps(*part, others, parts, steps.subspan(at, 1), outcomes.subspan(at, 1)), "") << at;
          migrants += part->statistics().migrants;
          owned += part->statistics().owned;
          ghosts += part->statistics().ghosts;
        }
        const std::lock_guard lock(mutex);
        totals.migrants += migrants;
        totals.owned += owned;
        totals.ghosts += ghosts;
        rebalances += others.rank() == 0 ? part->statistics().rebalances : 0;
      }).value();
      searches += program.steps.size();
      ASSERT_FALSE(HasFailure()) << name(family) << ", " << bodies << " bodies, seed " << seed;
    }
  }
  // As counted: cuts that move in 166 of 168 steps, 0.2 migrants and 1.4 ghosts for each body. They depend
  // on measured times.
  EXPECT_GT(rebalances, searches / 2);
  EXPECT_GT(totals.migrants, totals.owned / 20);
  EXPECT_GT(totals.ghosts, totals.owned / 2);
}

TEST(DistributedWorld, continues_from_a_snapshot_with_any_number_of_parts) {
  const Watchdog watchdog(patience);
  std::uint64_t seed = 900;
  for (std::size_t i = 0; i < 6; ++i) {
    const Family family = std::array{Family::ordinary, Family::lattice, Family::far}[i % 3];
    Totals totals;
    const Program program = draw_program(family, ++seed, 50, {.share = i < 3 ? 0U : 4U});
    const std::vector<Outcome> expected = run_one(program, totals);
    const std::span<const Step> steps = program.steps;
    const std::span<const Outcome> outcomes = expected;
    constexpr std::size_t half = 6;
    Random random(seed);
    std::vector<std::byte> first;
    for (const int parts : {1, 3, 8}) {
      const Parts before = draw_parts(parts, random);
      std::vector<std::byte> snapshot;
      run_in_process(parts, [&](Communicator& others) {
        auto part = DistributedWorld::create(others, program.options).value();
        EXPECT_EQ(run_steps(*part, others, before, steps.first(half), outcomes.first(half)), "");
        auto own = part->snapshot().value();
        if (others.rank() == 0) {
          snapshot = std::move(own);
        }
      }).value();
      if (first.empty()) {
        first = snapshot;
      }
      EXPECT_EQ(snapshot, first) << parts;
      for (const int more : {1, 2, 5}) {
        const Parts after = draw_parts(more, random);
        run_in_process(more, [&](Communicator& others) {
          auto part = DistributedWorld::create(others, program.options).value();
          part->restore(snapshot).value();
          EXPECT_EQ(part->hash().value(), expected[half - 1].hash);
          EXPECT_EQ(run_steps(*part, others, after, steps.subspan(half), outcomes.subspan(half)), "");
        }).value();
      }
    }
  }
}

TEST(DistributedWorld, has_the_contacts_of_one_world_with_bullets_that_cross_its_parts) {
  const Watchdog watchdog(patience);
  Totals totals;
  std::uint64_t seed = 5000;
  for (const Family family : families) {
    for (const int parts : {1, 2, 3, 5, 8, 16}) {
      Random random(++seed);
      const Program program = draw_program(family, seed, 1 + random.below(60), draw_bullets(random));
      const std::vector<Outcome> expected = run_one(program, totals);
      Parts drawn = draw_parts(parts, random);
      if (random.below(2) == 0) {  // the cuts move in each step
        drawn.rebalance = {.max_imbalance = 1.0F, .interval = 1, .max_share = 0.2F + 0.8F * random.unit()};
      }
      run_parts(program, drawn, expected, totals);
      ASSERT_FALSE(HasFailure()) << name(family) << ", " << parts << " parts, seed " << seed;
    }
  }
  EXPECT_GT(totals.contacts, 10'000U);
  EXPECT_GT(totals.begun, 2'000U);
  EXPECT_GT(totals.ended, 2'000U);
  EXPECT_GT(totals.migrants, 20U);
  EXPECT_GT(totals.notices, 20U);
}

TEST(DistributedWorld, sends_nothing_for_bodies_that_move_freely_and_stay_in_their_parts) {
  const Watchdog watchdog(patience);
  run_in_process(3, [](Communicator& others) {
    auto part = DistributedWorld::create(others, {.gravity = {0.0F, -1.0F}}).value();
    part->set_rebalance({.max_imbalance = std::numeric_limits<float>::infinity()}).value();
    // Three columns of circles that fall, in a row; their boxes do not cross the cuts.
    for (int i = 0; others.rank() == 0 && i < 60; ++i) {
      const auto column = static_cast<float>(i % 3);
      (void)part
          ->add({.shape = Circle{.radius = 0.4F}, .position = {1000.0F * column, static_cast<float>(i)}})
          .value();
    }
    part->step(0.1F).value();
    EXPECT_EQ(part->owned().size(), 20U);
    for (int step = 0; step < 20; ++step) {
      part->step(0.1F).value();
      EXPECT_EQ(part->statistics().migrants, 0U);
      EXPECT_EQ(part->statistics().bytes, 0U);
    }
  }).value();
}

// Refusals.

TEST(DistributedWorld, refuses_options_that_cannot_be_exact) {
  run_in_process(1, [](Communicator& others) {
    const auto code_of = [&](const WorldOptions& options) {
      return DistributedWorld::create(others, options).error().code;
    };
    EXPECT_EQ(code_of({.response = Response::bounce}), ErrorCode::invalid_argument);
    EXPECT_EQ(code_of({.interest = Interest::listeners}), ErrorCode::invalid_argument);
    EXPECT_EQ(code_of({.end_margin = 0.5F}), ErrorCode::invalid_argument);
    EXPECT_EQ(code_of({.gravity = {std::numeric_limits<float>::infinity(), 0.0F}}), ErrorCode::not_finite);
    EXPECT_EQ(code_of({.gravity = {0.0F, 1.0F}}), ErrorCode::none);
    EXPECT_EQ(DistributedWorld::create(others).value()->set_rebalance({.interval = 0}).error().code,
              ErrorCode::invalid_argument);
  }).value();
}

/// A call that is refused, with the id of a body that its part owns.
struct BadCall {
  ErrorCode code;
  std::function<Error(DistributedWorld&, GlobalId)> call;
};

std::vector<BadCall> bad_calls() {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const GlobalId unknown = GlobalId::of(8, 8);
  return {
      {ErrorCode::not_finite,
       [](auto& part, auto) {
         return part.add({.position = {nan, 0.0F}}).error();
       }},
      {ErrorCode::invalid_argument, [](auto& part, auto id) { return part.add(id, {}).error(); }},
      {ErrorCode::stale_id, [=](auto& part, auto) { return part.remove(unknown).error(); }},
      {ErrorCode::stale_id,
       [=](auto& part, auto) {
         return part.change(unknown, [](World&, BodyId) { return Result<void>(); }).error();
       }},
      {ErrorCode::not_finite,
       [](auto& part, auto id) {
         return part.change(id,
                            [](World& world, BodyId body) {
                              return world.move(body, {nan, 0.0F});
                            })
             .error();
       }},
  };
}

TEST(DistributedWorld, returns_the_error_of_one_part_on_all_parts) {
  const Watchdog watchdog(patience);
  for (const BadCall& bad : bad_calls()) {
    run_in_process(3, [&](Communicator& others) {
      auto part = DistributedWorld::create(others).value();
      const GlobalId own = part->add({.velocity = {1.0F, 0.0F}}).value();
      if (others.rank() == 1) {
        const Error error = bad.call(*part, own);
        EXPECT_EQ(error.code, bad.code) << error.message;
      }
      const std::uint64_t before = part->hash().value();
      const auto refused = part->step(1.0F);
      EXPECT_EQ(refused.error().code, bad.code);
      EXPECT_EQ(part->hash().value(), before);
      EXPECT_TRUE(part->step(1.0F).has_value());
      EXPECT_NE(part->hash().value(), before);
    }).value();
  }
}

std::vector<std::pair<ErrorCode, CastQuery>> bad_casts() {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  return {{ErrorCode::invalid_argument, {.shape = Circle{.radius = -1.0F}}},
          {ErrorCode::not_finite, {.transform = {.position = {nan, 0.0F}}}},
          {ErrorCode::invalid_argument, {.transform = {.rotation = {2.0F, 0.0F}}}},
          {ErrorCode::not_finite, {.transform = {.rotation = {nan, 0.0F}}}},
          {ErrorCode::not_finite, {.motion = {0.0F, nan}}}};
}

std::vector<std::pair<ErrorCode, NearestQuery>> bad_points() {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  return {{ErrorCode::not_finite, {.point = {nan, 0.0F}}},
          {ErrorCode::not_finite, {.max_distance = nan}},
          {ErrorCode::not_finite, {.max_distance = std::numeric_limits<float>::infinity()}},
          {ErrorCode::invalid_argument, {.max_distance = -1.0F}}};
}

TEST(DistributedWorld, refuses_steps_and_queries_on_all_parts) {
  const Watchdog watchdog(patience);
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  run_in_process(3, [](Communicator& others) {
    auto part = DistributedWorld::create(others).value();
    if (others.rank() == 2) {
      (void)part->add({.velocity = {3e38F, 0.0F}}).value();
    }
    EXPECT_EQ(part->step(2.0F).error().code, ErrorCode::not_finite);  // it would leave the range of float
    EXPECT_EQ(part->step(-1.0F).error().code, ErrorCode::invalid_argument);
    EXPECT_TRUE(part->step(0.5F).has_value());
    const bool asks = others.rank() == 1;
    const std::vector<Aabb> areas(asks ? 1 : 0, {{nan, 0.0F}, {1.0F, 1.0F}});
    const std::vector<RayQuery> rays(asks ? 1 : 0, {{0.0F, 0.0F}, {nan, 1.0F}});
    EXPECT_EQ(part->query_areas(areas).error().code, ErrorCode::not_finite);
    EXPECT_EQ(part->cast_rays(rays).error().code, ErrorCode::not_finite);
    for (const auto& [code, cast] : bad_casts()) {
      EXPECT_EQ(part->cast_shapes(std::vector<CastQuery>(asks ? 1 : 0, cast)).error().code, code);
    }
    for (const auto& [code, point] : bad_points()) {
      EXPECT_EQ(part->nearest(std::vector<NearestQuery>(asks ? 1 : 0, point)).error().code, code);
    }
    EXPECT_TRUE(part->query_areas({}).has_value());
    EXPECT_EQ(part->body(GlobalId::of(7, 7)).error().code, ErrorCode::stale_id);
  }).value();
}

TEST(DistributedWorld, refuses_damaged_snapshots_and_keeps_its_bodies) {
  const Watchdog watchdog(patience);
  run_in_process(2, [](Communicator& others) {
    auto part = DistributedWorld::create(others).value();
    (void)part->add({.position = {static_cast<float>(others.rank()), 0.0F}}).value();
    part->step(0.1F).value();
    const auto snapshot = part->snapshot().value();
    const std::uint64_t hash = part->hash().value();
    Random random(4);
    for (int i = 0; i < 200; ++i) {
      auto damaged = snapshot;
      if (random.below(2) == 0) {
        damaged.resize(random.below(static_cast<std::uint32_t>(snapshot.size())));
      } else {
        damaged[random.below(static_cast<std::uint32_t>(snapshot.size()))] ^= std::byte{4};
      }
      EXPECT_EQ(part->restore(damaged).error().code, ErrorCode::parse);
    }
    EXPECT_EQ(part->hash().value(), hash);
  }).value();
}

TEST(DistributedWorld, hash_of_refuses_lists_that_do_not_name_all_bodies) {
  World world;
  const BodyId a = world.add(BodyDef{}).value();
  const BodyId b = world.add(BodyDef{}).value();
  world.step(0.1F).value();
  const std::vector<BodyId> bodies{a, b};
  const std::vector<GlobalId> ids{GlobalId::of(0, 1), GlobalId::of(0, 2)};
  EXPECT_TRUE(DistributedWorld::hash_of(world, bodies, ids).has_value());
  EXPECT_EQ(DistributedWorld::hash_of(world, bodies, std::span(ids).first(1)).error().code,
            ErrorCode::invalid_argument);
  EXPECT_EQ(
      DistributedWorld::hash_of(world, std::span(bodies).first(1), std::span(ids).first(1)).error().code,
      ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace broadside::test::distributed_world_test
