#include "extreme_shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "broadside/contact/collide.hpp"
#include "contact/masks.hpp"

namespace broadside::test {

namespace {

/// Returns a power of 10 with a random exponent between two.
float power_of_ten(Random& random, float low, float high) {
  return std::pow(10.0F, random.between(low, high));
}

double larger_side(Vec2 v) {
  return std::max(std::abs(static_cast<double>(v.x)), std::abs(static_cast<double>(v.y)));
}

float to_finite(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -most, most));
}

Vec2 to_finite(double x, double y) {
  return {to_finite(x), to_finite(y)};
}

}  // namespace

ExtremeShapes::ExtremeShapes(std::uint64_t seed) : random_(seed) {
  constexpr float largest = 1e34F;
  small_ = random_.below(3) == 0 ? power_of_ten(random_, -30.0F, 4.0F) : power_of_ten(random_, -2.0F, 2.0F);
  const float ratio = random_.below(3) == 0 ? 1.0F : power_of_ten(random_, 0.0F, 30.0F);
  large_ = static_cast<float>(
      std::min(static_cast<double>(small_) * static_cast<double>(ratio), static_cast<double>(largest)));
  if (random_.below(3) == 0) {
    origin_ =
        power_of_ten(random_, 0.0F, 8.0F) * small_ * Vec2{random_.between(-1, 1), random_.between(-1, 1)};
  }
}

float ExtremeShapes::scale() {
  return (mixes_ ? random_.below(2) == 0 : is_large_) ? large_ : small_;
}

float ExtremeShapes::coordinate() {
  const float unit = scale();
  switch (random_.below(5)) {
    case 0:
      return 0.0F;
    case 1:
      return random_.below(2) == 0 ? unit : -unit;
    case 2:
      return unit * (0.25F * static_cast<float>(random_.below(33)) - 4.0F);
    case 3:
      return random_.below(2) == 0 ? std::nextafter(unit, 0.0F) : std::nextafter(-unit, 0.0F);
    default:
      return unit * random_.between(-4.0F, 4.0F);
  }
}

float ExtremeShapes::length() {
  return std::abs(coordinate());
}

Vec2 ExtremeShapes::point() {
  const float x = coordinate();
  return {x, coordinate()};
}

Rotation ExtremeShapes::rotation() {
  constexpr std::array<Rotation, 4> quarters = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  return random_.below(2) == 0 ? quarters[random_.below(4)] : Rotation::by(random_.between(-4.0F, 4.0F));
}

Shape ExtremeShapes::polygon() {
  for (;;) {
    std::vector<Vec2> corners(3 + random_.below(random_.below(4) == 0 ? 14 : 3));
    for (Vec2& corner : corners) {
      corner = point();
    }
    if (random_.below(4) == 0) {  // a corner that hardly bends
      const float off = power_of_ten(random_, -16.0F, -4.0F);
      corners.push_back(0.5F * (corners[0] + corners[1]) + off * point());
    }
    const float radius = random_.below(2) == 0 ? 0.0F : length();
    if (Result<Polygon> made = Polygon::hull(corners, radius); made.has_value()) {
      return std::move(made).value();
    }
  }
}

Shape ExtremeShapes::shape() {
  switch (random_.below(8)) {
    case 0:
      return Circle{random_.below(2) == 0 ? Vec2{} : point(), length()};
    case 1:
    case 2: {
      const float half_x = length();
      const float half_y = length();
      if (random_.below(2) == 0) {
        return Box::of_half_size({half_x, half_y});
      }
      const Vec2 center = point();
      return Box::of_half_size({half_x, half_y}, center, rotation());
    }
    case 3: {
      const Vec2 a = point();
      const Vec2 b = point();
      return Capsule{a, b, length()};
    }
    case 4: {
      const Vec2 a = point();
      return Segment{a, point()};
    }
    case 5: {
      const std::uint32_t width = 1 + random_.below(6);
      const std::uint32_t height = 1 + random_.below(6);
      const float pixel = std::max(scale(), 1e-30F);
      return random_mask(width, height, {.pixel_size = pixel, .origin = point(), .threshold = 128}, random_);
    }
    default:
      return polygon();
  }
}

Standing ExtremeShapes::standing() {
  mixes_ = random_.below(3) == 0;
  is_large_ = random_.below(2) == 0;
  Shape made = shape();
  mixes_ = random_.below(2) == 0;
  return {std::move(made), {origin_ + (random_.below(3) == 0 ? Vec2{} : point()), rotation()}};
}

Standing ExtremeShapes::shifted(const Standing& standing) {
  mixes_ = false;
  is_large_ = random_.below(3) == 0;
  const Vec2 by = point();
  const auto shift = [by](Vec2 p) {
    return to_finite(double{p.x} + double{by.x}, double{p.y} + double{by.y});
  };
  Standing moved = standing;
  if (auto* circle = std::get_if<Circle>(&moved.shape)) {
    circle->center = shift(circle->center);
  } else if (auto* box = std::get_if<Box>(&moved.shape)) {
    box->center = shift(box->center);
  } else if (auto* capsule = std::get_if<Capsule>(&moved.shape)) {
    *capsule = {shift(capsule->a), shift(capsule->b), capsule->radius};
  } else if (auto* segment = std::get_if<Segment>(&moved.shape)) {
    *segment = {shift(segment->a), shift(segment->b)};
  } else if (const auto* polygon = std::get_if<Polygon>(&moved.shape)) {
    std::vector<Vec2> corners(polygon->vertices().begin(), polygon->vertices().end());
    std::ranges::transform(corners, corners.begin(), shift);
    if (Result<Polygon> made = Polygon::hull(corners, polygon->radius()); made.has_value()) {
      moved.shape = std::move(made).value();
    }
  } else {
    moved.at.position = shift(moved.at.position);
  }
  return moved;
}

void ExtremeShapes::bring_together(const Standing& a, Standing& b) {
  if (random_.below(3) == 0) {
    return;
  }
  const Distance apart = distance(a.shape, a.at, b.shape, b.at);
  const auto closer = [](float at, float to, float from) {
    return to_finite(static_cast<double>(at) + static_cast<double>(to) - static_cast<double>(from));
  };
  if (apart.distance > 0.0F) {
    b.at.position = {closer(b.at.position.x, apart.point_a.x, apart.point_b.x),
                     closer(b.at.position.y, apart.point_a.y, apart.point_b.y)};
  } else if (const Manifold met = collide(a.shape, a.at, b.shape, b.at); met.touching()) {
    const float out = -std::min(met.points[0].separation, met.points[met.size - 1].separation);
    b.at.position = {closer(b.at.position.x, out * met.normal.x, 0.0F),
                     closer(b.at.position.y, out * met.normal.y, 0.0F)};
  }
  if (random_.below(2) == 0) {
    b.at.position.x = std::nextafter(b.at.position.x, random_.below(2) == 0 ? 1e38F : -1e38F);
  }
}

Vec2 ExtremeShapes::motion(const Standing& a, const Standing& b) {
  Vec2 way{random_.between(-1, 1), random_.between(-1, 1)};
  const Distance apart = distance(a.shape, a.at, b.shape, b.at);
  const std::uint32_t kind = random_.below(6);
  if (kind == 0) {
    way = random_.below(2) == 0 ? Vec2{way.x, 0.0F} : Vec2{0.0F, way.y};
  } else if (kind == 1) {
    way = apart.normal;
  } else if (kind == 2) {  // along a side, most likely
    way = {-apart.normal.y, apart.normal.x};
  } else if (kind == 3) {  // nearly along a side
    const float off = power_of_ten(random_, -20.0F, 0.0F);
    way = Vec2{-apart.normal.y, apart.normal.x} + off * apart.normal;
  } else if (kind == 4) {
    const float x = coordinate();
    way = {x, coordinate()};
  }
  if (way == Vec2{}) {
    way = {1.0F, 0.0F};
  }
  const double side = larger_side(way);
  double length = 0.0;
  switch (random_.below(4)) {
    case 0:
      length = static_cast<double>(power_of_ten(random_, -30.0F, 38.0F));
      break;
    case 1:
      length = static_cast<double>(small_) * static_cast<double>(random_.between(0.1F, 10.0F));
      break;
    case 2:
      length = static_cast<double>(large_) * static_cast<double>(random_.between(0.1F, 10.0F));
      break;
    default:
      length = std::max(static_cast<double>(apart.distance), static_cast<double>(small_)) *
               static_cast<double>(random_.between(0.5F, 4.0F));
  }
  const double share = (random_.below(2) == 0 ? 1.0 : -1.0) * length / side;
  return to_finite(share * static_cast<double>(way.x), share * static_cast<double>(way.y));
}

double reach_of(const Standing& standing) {
  const Aabb local = bounds(standing.shape, {});
  const Aabb box = bounds(standing.shape, standing.at);
  double most = larger_side(standing.at.position);
  for (const Vec2 corner : {local.min, local.max, box.min, box.max}) {
    most = std::max(most, larger_side(corner));
  }
  if (const Mask* mask = std::get_if<Mask>(&standing.shape)) {
    most = std::max(most, larger_side(mask->origin()));
  }
  return most;
}

Standing moved(const Standing& standing, Vec2 motion, double share) {
  const auto move = [share](float from, float by) {
    return to_finite(static_cast<double>(from) + share * static_cast<double>(by));
  };
  const Vec2 from = standing.at.position;
  return {standing.shape, {{move(from.x, motion.x), move(from.y, motion.y)}, standing.at.rotation}};
}

std::string describe(const Standing& standing) {
  std::string text = to_text(standing);
  if (const Mask* mask = std::get_if<Mask>(&standing.shape)) {
    text += " origin " + std::to_string(mask->origin().x) + " " + std::to_string(mask->origin().y) +
            " pixel " + std::to_string(mask->pixel_size());
    for (std::uint32_t row = 0; row < mask->height(); ++row) {
      text += "\n  ";
      for (std::uint32_t column = 0; column < mask->width(); ++column) {
        text += mask->at(column, row) ? '#' : '.';
      }
    }
  }
  return text;
}

}  // namespace broadside::test
