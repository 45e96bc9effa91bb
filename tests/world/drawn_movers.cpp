#include "world/drawn_movers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace broadside::test {

namespace {

constexpr float frame = 1.0F / 64;

}  // namespace

std::size_t cases_to_draw() {
  return number_from_environment("BROADSIDE_BULLET_CASES", 100'000, 1000);
}

Vec2 drawn_direction(Random& random) {
  const Rotation turn = Rotation::by(random.between(0.0F, 6.2831853F));
  return {turn.cos, turn.sin};
}

Rotation drawn_rotation(Random& random) {
  const bool is_upright = random.below(4) == 0;
  const float angle = random.between(0.0F, 6.2831853F);
  return is_upright ? Rotation{} : Rotation::by(angle);
}

float drawn_scale(float low, float high, Random& random) {
  return low * std::exp2(std::log2(high / low) * random.unit());
}

Shape drawn_shape(float size, Random& random) {
  const float half = 0.5F * size;
  const float share = random.between(0.1F, 1.0F);
  const Vec2 end = half * drawn_direction(random);
  switch (random.below(16)) {
    case 0:
    case 1:
    case 2:
      return Circle{.radius = half};
    case 3:
    case 4:
    case 5:
      return Box::of_half_size({half, share * half}, {}, drawn_rotation(random));
    case 6:
    case 7:
    case 8:
      return Capsule{-end, end, share * half};
    case 9:
    case 10:
      return Segment{-end, end};
    case 11: {
      constexpr std::array<std::string_view, 3> rows{"#..", "##.", ".##"};
      return Mask::from_rows(rows, {.pixel_size = half / 1.5F, .origin = {-half, -half}}).value();
    }
    default: {
      const float radius = random.below(2) == 0 ? 0.0F : 0.5F * share * half;
      std::vector<Vec2> corners{{-half, 0}, {half, 0}, {0, half}};
      for (std::uint32_t more = random.below(4); more > 0; --more) {
        corners.push_back(half * drawn_direction(random));
      }
      return Polygon::hull(corners, radius).value();
    }
  }
}

float drawn_length(float size, Random& random) {
  const bool is_zero = random.below(8) == 0;
  const float length = drawn_scale(1e-2F * size, 1e3F * size, random);
  return is_zero ? 0.0F : length;
}

void draw_drive(Mover& mover, Random& random) {
  const std::array<Drive, 3> drives{Drive::move, Drive::push, Drive::velocity};
  mover.drive = drives[random.below(mover.body.type == BodyType::static_body ? 1 : 3)];
  mover.end_rotation = mover.body.rotation;
  if (mover.drive == Drive::move && random.below(4) == 0) {
    mover.end_rotation = drawn_rotation(random);
  }
  if (mover.drive == Drive::velocity) {
    mover.body.velocity = (1.0F / frame) * mover.motion;
  }
  if (random.below(32) == 0) {
    mover.body.velocity = {};
    mover.drive = Drive::teleport;
  }
}

std::vector<Path> set_going(World& world, const std::vector<Mover>& movers, std::vector<BodyId>& ids) {
  for (const Mover& mover : movers) {
    ids.push_back(world.add(mover.body).value());
  }
  world.step(frame).value();
  std::vector<Path> paths;
  for (std::size_t i = 0; i < movers.size(); ++i) {
    const Mover& mover = movers[i];
    const Vec2 start = mover.body.position;
    const Transform end{start + mover.motion, mover.end_rotation};
    if (mover.drive == Drive::move) {
      world.move(ids[i], end).value();
    } else if (mover.drive == Drive::push) {
      world.push(ids[i], mover.motion).value();
    } else if (mover.drive == Drive::teleport) {
      world.teleport(ids[i], end).value();
    }
    const RealVec to = to_real(world.position(ids[i]).value());
    paths.push_back({mover.drive == Drive::teleport ? to : to_real(start), to});
  }
  return paths;
}

}  // namespace broadside::test
