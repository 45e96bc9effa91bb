#include "simulator/draw.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "contact/masks.hpp"

namespace broadside::test::simulator {

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Circle scaled(Circle circle, float scale) {
  return {scale * circle.center, scale * circle.radius};
}
Box scaled(Box box, float scale) {
  return Box::of_half_size(scale * box.half_size, scale * box.center, box.rotation);
}
Capsule scaled(Capsule capsule, float scale) {
  return {scale * capsule.a, scale * capsule.b, scale * capsule.radius};
}
Segment scaled(Segment segment, float scale) {
  return {scale * segment.a, scale * segment.b};
}
Shape scaled(const Polygon& polygon, float scale) {
  std::vector<Vec2> corners;
  for (const Vec2 corner : polygon.vertices()) {
    corners.push_back(scale * corner);
  }
  auto hull = Polygon::hull(corners, scale * polygon.radius());
  // At another scale, rounding may make a needle degenerate.
  return hull.has_value() ? Shape(*std::move(hull)) : Shape(Segment{corners[0], corners[1]});
}
Shape scaled(const Mask& mask, float /*scale*/) {
  return mask;
}

}  // namespace

bool one_in(std::uint32_t n, Random& random) {
  return random.below(n) == 0;
}

Family Draw::family(Random& random) const {
  constexpr std::array of_lattice{Family::lattice, Family::lattice, Family::lattice, Family::degenerate};
  constexpr std::array of_any{Family::ordinary, Family::ordinary, Family::ordinary, Family::needle,
                              Family::lattice};
  return setting_.lattice ? of_lattice[random.below(of_lattice.size())] : of_any[random.below(of_any.size())];
}

Shape Draw::shape(Random& random) const {
  const std::uint32_t kind = random.below(7);
  if (one_in(40, random)) {
    return Circle{.radius = one_in(2, random) ? -1.0F : nan};
  }
  if (kind == convex_kinds) {
    const std::uint32_t width = 1 + random.below(5);
    const std::uint32_t height = 1 + random.below(5);
    return random_mask(width, height,
                       {.pixel_size = setting_.scale, .origin = setting_.scale * Vec2{-2.0F, -1.0F}}, random);
  }
  const Family of = family(random);
  return std::visit([this](const auto& one) { return Shape(scaled(one, setting_.scale)); },
                    random_shape(of, kind % convex_kinds, random));
}

Transform Draw::place(Random& random) const {
  const Family of = family(random);
  Transform place = random_transform(of, random);
  // Many bodies are spread over more space, so that most of them touch few others.
  const float spread = setting_.bodies > 30 && !one_in(4, random) ? 4.0F : 1.0F;
  place.position = to_world(spread * place.position);
  if (one_in(40, random)) {
    place.position.y = one_in(2, random) ? nan : std::numeric_limits<float>::infinity();
  } else if (one_in(60, random)) {
    place.rotation = {0.5F, 0.5F};
  }
  return place;
}

Vec2 Draw::way(Random& random) const {
  Vec2 way;
  for (float* part : {&way.x, &way.y}) {
    *part = 0.5F * static_cast<float>(random.below(9)) - 2.0F;
  }
  return one_in(40, random) ? Vec2{nan, 0} : setting_.scale * way;
}

Vec2 Draw::long_way(Random& random) const {
  Vec2 way;
  for (float* part : {&way.x, &way.y}) {
    *part = setting_.scale * (0.5F * static_cast<float>(random.below(33)) - 8.0F);
  }
  return way;
}

Filter Draw::filter(Random& random) const {
  if (one_in(2, random)) {
    return {};
  }
  const auto layers = [&] {
    return one_in(2, random) ? ~std::uint64_t{0} : std::uint64_t{1 + random.below(7)};
  };
  Filter filter;
  filter.layer = std::uint64_t{1} << random.below(3);
  filter.mask = layers();
  filter.wants = one_in(4, random) ? 0 : layers();
  filter.group = static_cast<std::int32_t>(random.below(4)) - 2;
  return filter;
}

std::string Draw::tag(Random& random) const {
  const std::uint32_t tag = random.below(setting_.tags);
  return tag == 0 ? std::string() : "tag " + std::to_string(tag);
}

ListenerKind Draw::listener(Random& random) const {
  const auto tag_or_any = [&] { return one_in(3, random) ? std::string(World::any) : tag(random); };
  ListenerKind kind;
  kind.event = static_cast<ListenerKind::Event>(random.below(4));
  kind.tag_a = tag_or_any();
  kind.tag_b = tag_or_any();
  return kind;
}

NewBody Draw::body(Random& random) const {
  NewBody body;
  body.shapes.resize(one_in(4, random) ? 2 + random.below(2) : 1);
  for (Shape& one : body.shapes) {
    one = shape(random);
  }
  const Transform at = place(random);
  body.rest.type = one_in(2, random) ? BodyType::dynamic : random_type(random);
  body.rest.position = at.position;
  body.rest.rotation = at.rotation;
  if (one_in(setting_.fast_one_in, random) &&
      (body.rest.type != BodyType::static_body || one_in(8, random))) {
    body.rest.velocity = 16.0F * way(random);
  }
  if (one_in(4 * setting_.fast_one_in, random) && body.rest.type != BodyType::static_body) {
    body.rest.acceleration = 8.0F * way(random);
  }
  body.rest.filter = filter(random);
  body.rest.sensor = one_in(6, random);
  body.rest.bullet = setting_.bullets && one_in(4, random);
  body.rest.enabled = !one_in(8, random);
  body.rest.user_data = random.below(3);
  body.tag = tag(random);
  return body;
}

Change Draw::change(Change::Kind kind, Random& random, BodyId a, BodyId b, BodyId foreign) const {
  if (setting_.parts > 0 && (kind == Change::Kind::set_gravity || kind == Change::Kind::set_ignored)) {
    kind = Change::Kind::set_user_data;  // a `DistributedWorld` cannot change these
  }
  Change change{.kind = kind, .a = a, .b = b, .flag = one_in(2, random)};
  change.at = place(random);
  change.way = way(random);
  switch (kind) {
    case Change::Kind::set_velocity:
    case Change::Kind::set_acceleration:
    case Change::Kind::set_gravity:
      change.way = 16.0F * change.way;
      break;
    case Change::Kind::move_many: {
      change.b = a == b ? foreign : b;  // a list must not name a body twice
      const Vec2 second = to_world((1 / setting_.scale) * change.way);
      change.way = std::isfinite(change.way.x) ? second : setting_.origin;
      break;
    }
    case Change::Kind::add:
    case Change::Kind::add_many:
      change.bodies.resize(kind == Change::Kind::add ? 1 : random.below(8));
      for (NewBody& one : change.bodies) {
        one = body(random);
      }
      break;
    case Change::Kind::set_bullet:
      change.flag = change.flag && setting_.bullets;
      break;
    default:
      break;
  }
  change.shape = shape(random);
  change.filter = filter(random);
  change.tag = tag(random);
  return change;
}

float Draw::seconds(Random& random) const {
  constexpr std::array lengths{0.0F, 1.0F / 64, 1.0F / 32, 1.0F / 60};
  const std::uint32_t kind = random.below(6);
  const float any = random.between(0.0F, 0.05F);
  switch (setting_.steps) {
    case Steps::zero:
      return 0.0F;
    case Steps::equal:
      return 1.0F / 60;
    case Steps::drawn:
      break;
  }
  return kind < lengths.size() ? lengths[kind] : setting_.lattice ? 1.0F / 64 : any;
}

Standing Draw::standing(Random& random) const {
  for (;;) {
    Standing one{shape(random), place(random)};
    const float square =
        one.at.rotation.cos * one.at.rotation.cos + one.at.rotation.sin * one.at.rotation.sin;
    if (validate(one.shape).has_value() && std::isfinite(one.at.position.y) && square > 0.9F) {
      return one;
    }
  }
}

}  // namespace broadside::test::simulator
