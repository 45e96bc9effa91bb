#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include "broadside/contact/collide.hpp"
#include "broadside/world/world.hpp"
#include "shape_source.hpp"

// Any bytes are changes of a world, with any numbers: refused changes have no effect, results are finite,
// contacts are those of the narrow phase, and another technique and a restored world give the same results.

namespace {

using broadside::BodyDef;
using broadside::BodyId;
using broadside::BodyType;
using broadside::Shape;
using broadside::Vec2;
using broadside::World;
using broadside::fuzz::Source;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

/// One change, to be made in each world.
struct Change {
  std::uint8_t kind = 0;
  std::size_t which = 0;
  BodyDef body;
  broadside::Transform transform;
  Vec2 way;
  float number = 0.0F;
};

Change make_change(Source& source) {
  Change change;
  change.kind = source.byte();
  change.which = source.byte();
  change.way = source.vec2();
  change.transform = source.transform();
  change.number = source.number();
  if (change.kind % 4 == 0) {
    change.body.shape = make_shape(source).value_or(broadside::Circle{.radius = 1});
    change.body.type =
        std::array{BodyType::dynamic, BodyType::kinematic, BodyType::static_body}[source.byte() % 3];
    change.body.position = change.transform.position;
    change.body.rotation = change.transform.rotation;
    change.body.velocity = change.body.type == BodyType::static_body ? Vec2{} : change.way;
    change.body.bullet = source.byte() % 8 == 0;
    change.body.sensor = source.byte() % 8 == 0;
  }
  return change;
}

bool make(World& world, const Change& change) {
  if (change.kind % 4 == 0) {
    return world.add(change.body).has_value();
  }
  if (change.kind % 4 == 1) {
    return world.step(std::abs(change.number)).has_value();
  }
  const std::vector<BodyId> bodies = world.bodies();
  if (bodies.empty()) {
    return false;
  }
  const BodyId body = bodies[change.which % bodies.size()];
  switch ((change.kind / 4) % 8) {
    case 0:
      return world.move(body, change.transform).has_value();
    case 1:
      return world.teleport(body, change.transform).has_value();
    case 2:
      return world.push(body, change.way).has_value();
    case 3:
      return world.set_velocity(body, change.way).has_value();
    case 4:
      return world.remove(body).has_value();
    case 5:
      return world.set_gravity(change.way).has_value();
    case 6:
      return world.set_enabled(body, change.which % 2 == 0).has_value();
    default:
      return world.move_and_slide(body, change.way, {.skin = change.number}).has_value();
  }
}

/// @param has_slid allows contacts with the ground of `move_and_slide`, of any types and at a gap
void check(const World& world, bool has_slid) {
  const std::vector<BodyId> bodies = world.bodies();
  for (const BodyId a : bodies) {
    const auto velocity = world.velocity(a).value();
    require(is_finite(world.position(a).value()) && is_finite(velocity));
    for (const BodyId b : bodies) {
      const bool types_meet = can_touch(world.type(a).value(), world.type(b).value()) ||
                              world.sensor(a).value() || world.sensor(b).value();
      const bool may = a != b && types_meet && world.enabled(a).value() && world.enabled(b).value();
      if (world.bullet(a).value() || world.bullet(b).value()) {
        continue;
      }
      const bool touch = may && overlaps(world.shapes(a).value()[0], world.transform(a).value(),
                                         world.shapes(b).value()[0], world.transform(b).value());
      const bool told = world.touching(a, b).value();
      require(told == touch || (told && has_slid));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Source source({data, size});
  const std::uint8_t way = source.byte();
  const broadside::WorldOptions options{.response = way % 2 == 0 ? broadside::Response::none
                                                                 : broadside::Response::bounce};
  World world = World::create(options).value();
  World other = World::create(options).value();
  const auto techniques = broadside::techniques();
  require(other.set_technique(techniques[way % techniques.size()].name).has_value());
  bool has_slid = false;
  constexpr int max_changes = 24;
  std::uint64_t hash = world.hash();
  for (int i = 0; i < max_changes && !source.is_used_up(); ++i) {
    const Change change = make_change(source);
    const std::uint64_t before = hash;
    const bool is_built = make(world, change);
    has_slid = has_slid || (is_built && change.kind % 4 > 1 && (change.kind / 4) % 8 == 7);
    require(make(other, change) == is_built);
    hash = world.hash();
    require(is_built || hash == before);
    require(other.hash() == hash);
    if (change.kind % 32 == 3) {
      World restored = World::create(options).value();
      require(restored.restore(world.snapshot()).has_value() && restored.hash() == hash);
      world = std::move(restored);
    }
  }
  require(world.detect().has_value());  // not `step`: its response would move bodies
  check(world, has_slid);
  return 0;
}
