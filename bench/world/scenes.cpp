#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "broadside/scene/random.hpp"
#include "contest.hpp"

namespace broadside::bench {

namespace {

enum class Look : std::uint8_t { circle, box, mixed };

struct Plan {
  std::string_view name;
  std::size_t static_count;
  std::size_t resting;
  std::size_t moving;
  Look look = Look::circle;
  bool power_law = false;
};

constexpr std::array plans = {
    Plan{"U10k", 0, 0, 10'000},
    Plan{"U100k", 0, 0, 100'000},
    Plan{"boxes10k", 0, 0, 10'000, Look::box},
    Plan{"boxes100k", 0, 0, 100'000, Look::box},
    Plan{"mixed10k", 0, 0, 10'000, Look::mixed},
    Plan{"mixed100k", 0, 0, 100'000, Look::mixed},
    Plan{"P10k", 0, 0, 10'000, Look::circle, true},
    Plan{"P100k", 0, 0, 100'000, Look::circle, true},
    Plan{"one-percent", 0, 99'000, 1'000},
    Plan{"resting", 0, 100'000, 0},
    Plan{"S100k", 100'000, 0, 1'000},
    Plan{"pinball", 2'000, 0, 5},
};

constexpr double pairs_a_body = 1.5;  // pairs of boxes
constexpr double step_share = 0.05;   // mean motion of a body per frame, as a share of its size
constexpr double ball_share = 0.5;    // the same for balls
constexpr double ball = 2.0;          // the size of the balls of "pinball"

double angle(Random& random) {
  return random.uniform(0.0, 2.0 * std::numbers::pi);
}

Vec2 at_angle(double length, double angle) {
  return {static_cast<float>(length * std::cos(angle)), static_cast<float>(length * std::sin(angle))};
}

Shape make_polygon(double size, Random& random) {
  const std::size_t corners = 3 + random.below(6);
  const double turn = angle(random);
  std::vector<Vec2> points;
  for (std::size_t i = 0; i < corners; ++i) {
    points.push_back(at_angle(
        0.5 * size, turn + 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(corners)));
  }
  return Polygon::hull(points).value();
}

Shape make_shape(Look look, double size, Random& random) {
  const auto half = static_cast<float>(0.5 * size);
  const std::uint64_t kind = look == Look::mixed ? random.below(3) : 0;
  if (kind == 2) {
    return make_polygon(size, random);
  }
  if (kind == 1) {
    // The diagonal equals the diameter of the circle.
    const double slant = random.uniform(0.2, std::numbers::pi / 4.0);
    const Vec2 half_size = at_angle(0.5 * size, slant);
    return Box::of_half_size(half_size, {}, Rotation::by(static_cast<float>(angle(random))));
  }
  return look == Look::box ? Shape(Box::of_half_size({half, half})) : Shape(Circle{{}, half});
}

/// Returns sizes from 1 to 100 with density s^-2.5, or all 1.
std::vector<double> make_sizes(const Plan& plan, std::size_t count, Random& random) {
  std::vector<double> sizes(count, 1.0);
  if (plan.power_law) {
    for (double& size : sizes) {
      size = std::pow(1.0 - random.uniform() * (1.0 - std::pow(100.0, -1.5)), -2.0 / 3.0);
    }
  }
  return sizes;
}

/// Returns the side of a square world in which boxes of these sizes have `pairs_a_body` pairs each.
double world_side(std::span<const double> sizes) {
  double sum = 0.0;
  double squares = 0.0;
  for (const double size : sizes) {
    sum += size;
    squares += size * size;
  }
  return std::sqrt((squares + sum * sum / static_cast<double>(sizes.size())) / pairs_a_body);
}

Scene make_scene(const Plan& plan, std::size_t frames) {
  Random random(1);
  Scene scene{.name = std::string(plan.name), .shapes = {}, .starts = {}, .frames = {}};
  const std::size_t count = plan.static_count + plan.resting + plan.moving;
  const bool pinball = plan.name == "pinball";
  std::vector<double> sizes = make_sizes(plan, count, random);
  const double side = world_side(sizes);
  double sum = 0.0;
  std::vector<Vec2> velocities;
  for (std::size_t i = 0; i < count; ++i) {
    if (pinball && i >= plan.static_count) {
      sizes[i] = ball;
    }
    sum += sizes[i];
    scene.shapes.push_back(make_shape(plan.look, sizes[i], random));
    const double x = random.uniform(0.0, side);
    scene.starts.push_back({static_cast<float>(x), static_cast<float>(random.uniform(0.0, side))});
    // Different speeds, or all boxes would leave their margins in the same frames.
    const double share = pinball ? ball_share : step_share * random.uniform(0.5, 1.5);
    velocities.push_back(at_angle(share * sizes[i], angle(random)));
  }
  scene.static_count = plan.static_count;
  scene.first_mover = plan.static_count + plan.resting;
  scene.usual_size = static_cast<float>(sum / static_cast<double>(count));
  const auto end = static_cast<float>(side);
  std::vector<Vec2> positions(scene.starts.begin() + static_cast<std::ptrdiff_t>(scene.first_mover),
                              scene.starts.end());
  for (std::size_t frame = 0; frame < frames; ++frame) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      Vec2& velocity = velocities[scene.first_mover + i];
      Vec2& position = positions[i];
      position = position + velocity;
      if (position.x < 0.0F || position.x > end) {
        velocity.x = std::copysign(velocity.x, position.x < 0.0F ? 1.0F : -1.0F);
      }
      if (position.y < 0.0F || position.y > end) {
        velocity.y = std::copysign(velocity.y, position.y < 0.0F ? 1.0F : -1.0F);
      }
    }
    scene.frames.push_back(positions);
  }
  return scene;
}

}  // namespace

std::array<Vec2, 4> corners_of(const Box& box) {
  const Rotation turn = box.rotation;
  const auto corner = [&](float x, float y) {
    return box.center + Vec2{turn.cos * x - turn.sin * y, turn.sin * x + turn.cos * y};
  };
  const Vec2 half = box.half_size;
  return {corner(-half.x, -half.y), corner(half.x, -half.y), corner(half.x, half.y), corner(-half.x, half.y)};
}

std::span<const std::string_view> scene_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> result;
    for (const Plan& plan : plans) {
      result.push_back(plan.name);
    }
    return result;
  }();
  return names;
}

Scene make_scene(std::string_view name, std::size_t frames) {
  const auto plan =
      std::find_if(plans.begin(), plans.end(), [&](const Plan& one) { return one.name == name; });
  return make_scene(*plan, frames);
}

}  // namespace broadside::bench
