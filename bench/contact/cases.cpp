#include <cmath>

#include "broadside/contact/collide.hpp"
#include "broadside/scene/random.hpp"
#include "contest.hpp"

namespace broadside::bench {

namespace {

// Positions are around (100, 100): no special position such as the origin, and floats still have enough
// digits.
constexpr double middle = 100.0;
constexpr double deepest = 0.3;
constexpr double farthest_start = 8.0;

Vec2 as_vec2(double x, double y) {
  return {static_cast<float>(x), static_cast<float>(y)};
}

float length(Random& random, double low, double high) {
  return static_cast<float>(random.uniform(low, high));
}

Polygon make_polygon(Random& random, float radius) {
  const std::uint64_t corners = 3 + random.below(6);  // up to 8, the maximum of Box2D
  const double size = random.uniform(0.5, 2.0);
  std::vector<Vec2> points;
  for (std::uint64_t i = 0; i < corners; ++i) {
    const double share = (static_cast<double>(i) + random.uniform(0.25, 0.75)) / static_cast<double>(corners);
    const Rotation to = Rotation::by(static_cast<float>(share * 6.283185307179586));
    points.push_back(as_vec2(size * to.cos, size * to.sin));
  }
  return Polygon::hull(points, radius).value();
}

/// Makes a sprite: some overlapping discs.
Mask make_mask(Random& random, std::uint32_t side) {
  const double scale = static_cast<double>(side) / usual_sprite_side;
  std::vector<std::uint8_t> alpha(std::size_t{side} * side, 0);
  double x = 32.0 * scale;
  double y = 32.0 * scale;
  for (int disc = 0; disc < 6; ++disc) {
    const double radius = scale * random.uniform(4.0, 12.0);
    for (std::uint32_t row = 0; row < side; ++row) {
      for (std::uint32_t column = 0; column < side; ++column) {
        const double dx = column - x;
        const double dy = row - y;
        if (dx * dx + dy * dy < radius * radius) {
          alpha[row * side + column] = 255;
        }
      }
    }
    x = std::min(std::max(x + scale * random.uniform(-14.0, 14.0), 8.0 * scale), 56.0 * scale);
    y = std::min(std::max(y + scale * random.uniform(-14.0, 14.0), 8.0 * scale), 56.0 * scale);
  }
  const float half = 0.5F * static_cast<float>(side);
  return Mask::from_alpha(alpha, side, side, {.origin = {-half, -half}}).value();
}

/// @param scale of the sizes of circles and boxes
Shape make_shape(Kind kind, Random& random, double scale, std::uint32_t sprite_side) {
  switch (kind) {
    case Kind::circle:
      return Circle{{}, length(random, 0.5 * scale, 2.0 * scale)};
    case Kind::box:
      return Box::of_half_size(
          {length(random, 0.25 * scale, 2.0 * scale), length(random, 0.25 * scale, 2.0 * scale)});
    case Kind::capsule: {
      const float half = length(random, 0.25, 1.5);
      return Capsule{{-half, 0.0F}, {half, 0.0F}, length(random, 0.25, 1.0)};
    }
    case Kind::segment: {
      const float half = length(random, 0.5, 2.0);
      return Segment{{-half, 0.0F}, {half, 0.0F}};
    }
    case Kind::polygon:
      return make_polygon(random, 0.0F);
    case Kind::rounded:
      return make_polygon(random, length(random, 0.1, 0.5));
    case Kind::mask:
      return make_mask(random, sprite_side);
  }
  return Circle{};
}

Vec2 offset(Random& random, double reach, bool whole) {
  const double x = random.uniform(-reach, reach);
  const double y = random.uniform(-reach, reach);
  return whole ? as_vec2(std::floor(x), std::floor(y)) : as_vec2(x, y);
}

/// Returns whether a case is valid for a row.
bool fits(const Row& row, const Case& one, bool touching) {
  if (row.function == Function::cast) {
    return distance(one.a, one.at_a, one.b, one.at_b).distance > 0.5F &&
           cast(one.a, one.at_a, one.motion, one.b, one.at_b).has_value() == touching;
  }
  if (row.function == Function::cast_ray) {
    return distance(one.a, one.at_a, one.b, one.at_b).distance > 0.5F &&
           cast_ray(one.at_a.position, one.motion, one.b, one.at_b).has_value() == touching;
  }
  if (!overlaps(bounds(one.a, one.at_a), bounds(one.b, one.at_b)) ||
      overlaps(one.a, one.at_a, one.b, one.at_b) != touching) {
    return false;
  }
  if (!touching || row.a == Kind::mask || row.b == Kind::mask) {
    return true;
  }
  const Manifold manifold = collide(one.a, one.at_a, one.b, one.at_b);
  for (const ManifoldPoint& point : manifold.in_use()) {
    if (point.separation < -deepest) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string Row::pairing() const {
  return std::string(function == Function::cast_ray ? "ray" : name_of(a)) + "-" + std::string(name_of(b));
}

std::vector<Case> make_cases(const Row& row, std::size_t count) {
  Random random(1);
  const bool path = row.function == Function::cast || row.function == Function::cast_ray;
  const bool masks = row.a == Kind::mask || row.b == Kind::mask;
  const bool both_masks = row.a == Kind::mask && row.b == Kind::mask;
  const double scale = masks ? 10.0 * row.sprite_side / usual_sprite_side : 1.0;
  std::vector<Shape> sprites;
  for (int i = 0; i < 64 && masks; ++i) {
    sprites.emplace_back(make_mask(random, row.sprite_side));
  }
  const auto make = [&](Kind kind) {
    return kind == Kind::mask ? sprites[random.below(sprites.size())]
                              : make_shape(kind, random, scale, row.sprite_side);
  };
  // Sprites are not rotated, and are offset by whole pixels, which makes a loop over pixels simple.
  const auto place = [&](Kind kind, Vec2 position) {
    const Rotation turned = Rotation::by(length(random, 0.0, 6.283185307179586));
    return Transform{position, kind == Kind::mask ? Rotation{} : turned};
  };
  std::vector<Case> cases;
  while (cases.size() < count) {
    Case one;
    one.a = row.function == Function::cast_ray ? Shape(Circle{}) : make(row.a);
    one.b = make(row.b);
    const Vec2 at = as_vec2(middle, middle) + offset(random, 10.0, both_masks);
    const Vec2 way = offset(random, scale * (path ? farthest_start : 4.0), both_masks);
    one.at_a = place(row.a, at);
    one.at_b = place(row.b, at + way);
    if (path) {
      one.motion = static_cast<float>(random.uniform(0.7, 1.5)) * way + offset(random, 3.0 * scale, false);
    }
    if (fits(row, one, cases.size() % 2 == 0)) {
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

}  // namespace broadside::bench
