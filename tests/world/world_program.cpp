#include "world/world_program.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "contact/masks.hpp"
#include "random_shapes.hpp"

namespace broadside::test {

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t most_bodies = 40;

bool one_in(std::uint32_t n, Random& random) {
  return random.below(n) == 0;
}

Family random_family(Random& random) {
  constexpr std::array families{Family::lattice, Family::lattice, Family::degenerate, Family::ordinary};
  return families[random.below(families.size())];
}

Shape random_shape(Random& random) {
  const std::uint32_t kind = random.below(7);
  if (one_in(40, random)) {
    return Circle{.radius = one_in(2, random) ? -1.0F : nan};
  }
  if (kind == convex_kinds) {
    return random_mask(1 + random.below(5), 1 + random.below(5), {.origin = {-2.0F, -1.0F}}, random);
  }
  return random_shape(random_family(random), kind % convex_kinds, random);
}

Transform random_place(Random& random) {
  Transform place = random_transform(random_family(random), random);
  if (one_in(40, random)) {
    place.position.y = one_in(2, random) ? nan : std::numeric_limits<float>::infinity();
  } else if (one_in(60, random)) {
    place.rotation = {0.5F, 0.5F};
  }
  return place;
}

Vec2 random_way(Random& random) {
  const auto part = [&] { return 0.5F * static_cast<float>(random.below(9)) - 2.0F; };
  return one_in(40, random) ? Vec2{nan, 0} : Vec2{part(), part()};
}

Filter random_filter(Random& random) {
  if (one_in(2, random)) {
    return {};
  }
  const auto layers = [&] {
    return one_in(2, random) ? ~std::uint64_t{0} : std::uint64_t{1 + random.below(7)};
  };
  return {.layer = std::uint64_t{1} << random.below(3),
          .mask = layers(),
          .wants = one_in(4, random) ? 0 : layers(),
          .group = static_cast<std::int32_t>(random.below(4)) - 2};
}

}  // namespace

ErrorCode make(World& world, const Change& change, std::vector<BodyId>& given) {
  switch (change.kind) {
    case Change::Kind::add: {
      const auto added = world.add(change.bodies.front().as_body());
      if (added.has_value()) {
        given.push_back(*added);
      }
      return added.error().code;
    }
    case Change::Kind::add_many: {
      std::vector<Body> bodies;
      for (const NewBody& body : change.bodies) {
        bodies.push_back(body.as_body());
      }
      const auto added = world.add(bodies);
      if (added.has_value()) {
        given.insert(given.end(), added->begin(), added->end());
      }
      return added.error().code;
    }
    case Change::Kind::remove:
      return world.remove(change.a).error().code;
    case Change::Kind::move:
      return world.move(change.a, change.at).error().code;
    case Change::Kind::move_many: {
      const std::array both{change.a, change.b};
      const std::array places{change.at, Transform{change.way, change.at.rotation}};
      return world.move(both, places).error().code;
    }
    case Change::Kind::teleport:
      return world.teleport(change.a, change.at).error().code;
    case Change::Kind::push:
      return world.push(change.a, change.way).error().code;
    case Change::Kind::set_velocity:
      return world.set_velocity(change.a, change.way).error().code;
    case Change::Kind::set_shape:
      return world.set_shape(change.a, change.shape).error().code;
    case Change::Kind::set_enabled:
      return world.set_enabled(change.a, change.flag).error().code;
    case Change::Kind::set_sensor:
      return world.set_sensor(change.a, change.flag).error().code;
    case Change::Kind::set_filter:
      return world.set_filter(change.a, change.filter).error().code;
    case Change::Kind::set_tag:
      return world.set_tag(change.a, change.tag).error().code;
    case Change::Kind::set_ignored:
      return world.set_ignored(change.a, change.b, change.flag).error().code;
    case Change::Kind::set_user_data:
      return world.set_user_data(change.a, change.at.position.x > 0 ? 1 : 2).error().code;
  }
  return ErrorCode::invalid_argument;
}

// What is drawn.

NewBody WorldProgram::random_body(Random& random) const {
  NewBody body;
  body.shapes.resize(one_in(4, random) ? 2 + random.below(2) : 1);
  for (Shape& shape : body.shapes) {
    shape = random_shape(random);
  }
  const Transform place = random_place(random);
  const BodyType type = one_in(2, random) ? BodyType::dynamic : random_type(random);
  body.rest = {.type = type,
               .position = place.position,
               .rotation = place.rotation,
               .velocity = one_in(3, random) && (type != BodyType::static_body || one_in(8, random))
                               ? 16.0F * random_way(random)
                               : Vec2{},
               .filter = random_filter(random),
               .sensor = one_in(6, random),
               .enabled = !one_in(8, random),
               .user_data = random.below(3)};
  body.tag = random_tag(random);
  return body;
}

std::string WorldProgram::random_tag(Random& random) const {
  const std::uint32_t tag = random.below(setting_.tags);
  return tag == 0 ? std::string() : "tag " + std::to_string(tag);
}

ListenerKind WorldProgram::random_listener(Random& random) const {
  const auto tag = [&] { return one_in(3, random) ? std::string(World::any) : random_tag(random); };
  return {static_cast<ListenerKind::Event>(random.below(3)), tag(), tag()};
}

BodyId WorldProgram::pick(Random& random) const {
  const auto live = model_.bodies();
  if (one_in(20, random)) {
    return one_in(3, random) ? BodyId{}
           : one_in(2, random) || ever_.empty()
               ? foreign_
               : ever_[random.below(static_cast<std::uint32_t>(ever_.size()))];
  }
  return live.empty() ? BodyId{} : live[random.below(static_cast<std::uint32_t>(live.size()))];
}

Change WorldProgram::random_change(Change::Kind kind, Random& random, BodyId a, BodyId b) const {
  Change change{.kind = kind, .a = a, .b = b, .flag = one_in(2, random)};
  change.at = random_place(random);
  change.way = random_way(random);
  change.way = kind == Change::Kind::set_velocity ? 16.0F * change.way : change.way;
  if (kind == Change::Kind::move_many) {
    change.b = a == b ? foreign_ : b;  // each is to be named once
    change.way = std::isfinite(change.way.x) ? change.way : Vec2{};
  }
  if (kind == Change::Kind::add || kind == Change::Kind::add_many) {
    change.bodies.resize(kind == Change::Kind::add ? 1 : random.below(8));
    for (NewBody& body : change.bodies) {
      body = random_body(random);
    }
  }
  change.shape = random_shape(random);
  change.filter = random_filter(random);
  change.tag = random_tag(random);
  return change;
}

// A listener does the same in the world and in the model: it draws from what both were told.
WorldProgram::Reaction WorldProgram::react(const Call& call, const std::vector<BodyId>& bodies) const {
  Random random(call.listener +
                31 * (call.a.index + 17 * (call.b.index + 7 * (call.a.generation + bodies.size()))));
  if (!one_in(3, random) || bodies.empty()) {
    return {};
  }
  if (one_in(8, random)) {
    return {.silences = random.below(call.listener + 1)};
  }
  if (one_in(16, random)) {
    return {.listens = random_listener(random)};
  }
  const BodyId third = bodies[random.below(static_cast<std::uint32_t>(bodies.size()))];
  const std::array whom{call.a, call.b, third};
  auto kind = static_cast<Change::Kind>(random.below(Change::kinds));
  kind = one_in(3, random) || bodies.size() > most_bodies ? Change::Kind::remove : kind;
  return {.change = random_change(kind, random, whom[random.below(3)], whom[random.below(3)])};
}

QueryFilter WorldProgram::random_query_filter(Random& random) const {
  if (one_in(2, random)) {
    return {};
  }
  return {.filter = random_filter(random),
          .static_bodies = !one_in(4, random),
          .kinematic_bodies = !one_in(4, random),
          .dynamic_bodies = !one_in(4, random),
          .sensors = !one_in(4, random),
          .except = one_in(2, random) ? pick(random) : BodyId{}};
}

// What is run.

WorldProgram::WorldProgram(const Setting& setting)
    : setting_(setting),
      world_(World::create({.interest = setting.interest}).value()),
      model_(setting.interest) {
  if (!setting.technique.empty()) {
    world_.set_technique(setting.technique).value();
  }
  if (setting.threads > 1) {
    pool_ = std::make_unique<ThreadPool>(setting.threads);
    world_.use_threads(pool_.get()).value();
  }
  foreign_ = other_.add({.shape = Circle{.radius = 1}}).value();
}

std::string WorldProgram::run(const Operation& operation) {
  Random random(operation.seed);
  std::string difference = run_kind(operation.what, random);
  return difference.empty() ? check_bodies() : difference;
}

std::string WorldProgram::run_kind(std::uint32_t what, Random& random) {
  const std::uint32_t kind = what % operation_kinds;
  if (kind < Change::kinds) {
    const BodyId a = pick(random);
    return change(random_change(static_cast<Change::Kind>(kind), random, a, pick(random)));
  }
  switch (kind) {
    case Change::kinds:
      return change(random_change(Change::Kind::add_many, random, {}, {}));
    case Change::kinds + 1: {
      const ListenerKind one = random_listener(random);
      listen_in_world(one);
      model_.listen(one);
      return {};
    }
    case Change::kinds + 2:
      if (!listeners_.empty()) {
        const std::uint32_t which = random.below(static_cast<std::uint32_t>(listeners_.size()));
        world_.remove_listener(listeners_[which]);
        model_.stop_listening(which);
      }
      return {};
    case Change::kinds + 3: {
      const BodyId a = pick(random);
      const auto changes = static_cast<Change::Kind>(random.below(Change::kinds));
      return change_while_locked(random_change(changes, random, a, pick(random)), random);
    }
    case Change::kinds + 4:
      set_predicate(random.below(3));
      return {};
    case Change::kinds + 5: {
      const auto all = techniques();
      world_.set_technique(all[random.below(static_cast<std::uint32_t>(all.size()))].name).value();
      return {};
    }
    case Change::kinds + 6:
      world_.use_threads(one_in(2, random) ? pool_.get() : nullptr).value();
      return {};
    case Change::kinds + 12:
      return take_back(random);
    case Change::kinds + 7:
    case Change::kinds + 8:
      return ask_of_touches(random);
    case Change::kinds + 9:
    case Change::kinds + 10:
    case Change::kinds + 11:
      return query(random);
    default:
      return step(random);
  }
}

void WorldProgram::set_predicate(std::uint32_t kind) {
  const auto predicate = [kind](BodyId a, BodyId b) { return (a.index + b.index) % 3 != kind; };
  if (kind == 0) {
    world_.set_predicate({}).value();
    model_.set_predicate({});
  } else {
    world_.set_predicate(predicate).value();
    model_.set_predicate(predicate);
  }
}

void WorldProgram::listen_in_world(const ListenerKind& kind) {
  const auto number = static_cast<std::uint32_t>(listeners_.size());
  listeners_.push_back(0);
  const auto touch = [this, number](const BodyContact& contact) {
    hear({number, contact.a, contact.b, contact.begun, {}});
  };
  switch (kind.event) {
    case ListenerKind::Event::contact:
      listeners_[number] = world_.on_contact(kind.tag_a, kind.tag_b, touch);
      break;
    case ListenerKind::Event::begin:
      listeners_[number] = world_.on_begin(kind.tag_a, kind.tag_b, touch);
      break;
    case ListenerKind::Event::end:
      listeners_[number] = world_.on_end(kind.tag_a, kind.tag_b, [this, number](const ContactEnd& end) {
        hear({number, end.a, end.b, false, end.cause});
      });
      break;
  }
}

}  // namespace broadside::test
