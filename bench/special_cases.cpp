// Times frames of scenes for tools/measure_special_cases.py, which builds this program with and without each
// special case of the library.
//
// Usage: special_cases [INSTRUCTION_SET [SCENE...]]
// Prints one line for each scene: its name, and the mean and the longest time of a frame (ms).

#include <hwy/targets.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/scene/random.hpp"
#include "broadside/world/world.hpp"

namespace broadside::bench {
namespace {

constexpr int warm_frames = 5;
constexpr int frames = 30;
constexpr float seconds = 1.0F / 60;
constexpr double pairs_a_body = 1.5;  // expected pairs of boxes

struct Times {
  double mean = 0.0;
  double longest = 0.0;
};

float between(Random& random, double low, double high) {
  return static_cast<float>(random.uniform(low, high));
}

Rotation any_rotation(Random& random) {
  return Rotation::by(between(random, 0.0, 2.0 * std::numbers::pi));
}

Shape circle(Random& random) {
  return Circle{{}, between(random, 0.4, 0.6)};
}

Shape box(Random& random) {
  return Box::of_half_size({between(random, 0.3, 0.5), between(random, 0.2, 0.4)});
}

Shape polygon_of(std::size_t corners, float radius) {
  std::vector<Vec2> points;
  for (std::size_t i = 0; i < corners; ++i) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(corners);
    points.push_back({static_cast<float>(0.5 * std::cos(angle)), static_cast<float>(0.5 * std::sin(angle))});
  }
  return Polygon::hull(points, radius).value();
}

Shape polygon(Random& random) {
  return polygon_of(3 + random.below(6), random.below(2) == 0 ? 0.0F : 0.05F);
}

Shape line(Random& random) {
  const float half = between(random, 0.3, 0.5);
  return random.below(2) == 0 ? Shape(Capsule{{-half, 0}, {half, 0}, 0.1F})
                              : Shape(Segment{{-half, 0}, {half, 0}});
}

Shape any_convex(Random& random) {
  switch (random.below(4)) {
    case 0:
      return circle(random);
    case 1:
      return box(random);
    case 2:
      return line(random);
    default:
      return polygon(random);
  }
}

/// Returns a ring of pixels.
Shape ring(Random& /*random*/) {
  static const Mask mask = [] {
    constexpr std::uint32_t side = 64;
    constexpr double middle = 31.5;
    std::vector<std::uint8_t> alpha;
    for (std::uint32_t i = 0; i < side * side; ++i) {
      const double distance = std::hypot(i % side - middle, i / side - middle);  // NOLINT(*-integer-division)
      alpha.push_back(distance < 31.0 && distance > 12.0 ? 255 : 0);
    }
    return Mask::from_alpha(alpha, side, side, {.pixel_size = 1.0F / side, .origin = {-0.5F, -0.5F}}).value();
  }();
  return mask;
}

struct Scene {
  std::string_view name;
  std::size_t bodies;
  Shape (*make)(Random& random);
  bool turns = true;        ///< bodies have any rotation
  double moving = 1.0;      ///< share of the bodies that move
  double bullets = 0.0;     ///< share of the bodies
  std::size_t rays = 0;     ///< a frame
  std::size_t nearest = 0;  ///< queries a frame
  std::size_t shapes = 0;   ///< queries a frame
};

constexpr Scene scenes[] = {
    {.name = "circles", .bodies = 20'000, .make = circle},
    {.name = "boxes", .bodies = 20'000, .make = box},
    {.name = "polygons", .bodies = 20'000, .make = polygon},
    {.name = "circles_and_others", .bodies = 20'000, .make = any_convex},
    {.name = "many_bodies", .bodies = 200'000, .make = any_convex},
    {.name = "few_move", .bodies = 50'000, .make = any_convex, .moving = 0.02},
    {.name = "bullets", .bodies = 5'000, .make = any_convex, .bullets = 0.2},
    {.name = "rays", .bodies = 20'000, .make = any_convex, .moving = 0.0, .rays = 5'000},
    {.name = "nearest", .bodies = 20'000, .make = any_convex, .moving = 0.0, .nearest = 5'000},
    {.name = "masks_unturned", .bodies = 2'000, .make = ring, .turns = false},
    {.name = "masks_and_queries", .bodies = 5'000, .make = ring, .moving = 0.0, .shapes = 5'000},
};

class Frames {
 public:
  explicit Frames(const Scene& scene)
      : scene_(scene), side_(std::sqrt(static_cast<double>(scene.bodies) / pairs_a_body)) {
    for (std::size_t i = 0; i < scene.bodies; ++i) {
      BodyDef body;
      body.shape = scene.make(random_);
      body.position = place();
      body.rotation = scene.turns ? any_rotation(random_) : Rotation{};
      if (random_.uniform() < scene.moving) {
        body.velocity = {between(random_, -3.0, 3.0), between(random_, -3.0, 3.0)};
      }
      body.bullet = random_.uniform() < scene.bullets;
      world_.add(body).value();
    }
  }

  /// Steps the world and makes the queries of a frame.
  void run() {
    world_.step(seconds).value();
    for (std::size_t i = 0; i < scene_.rays; ++i) {
      const Vec2 motion{between(random_, -10.0, 10.0), between(random_, -10.0, 10.0)};
      static_cast<void>(world_.cast_ray(place(), motion).value());
    }
    for (std::size_t i = 0; i < scene_.nearest; ++i) {
      static_cast<void>(world_.nearest(place(), 4).value());
    }
    for (std::size_t i = 0; i < scene_.shapes; ++i) {
      const Shape asked = i % 2 == 0 ? circle(random_) : box(random_);
      static_cast<void>(world_.query_shape(asked, {place(), any_rotation(random_)}).value());
    }
  }

 private:
  Vec2 place() { return {between(random_, 0.0, side_), between(random_, 0.0, side_)}; }

  const Scene& scene_;
  double side_;  ///< of the square in which bodies begin
  Random random_{1};
  World world_;
};

Times measure(const Scene& scene) {
  Frames frame(scene);
  Times times;
  for (int i = 0; i < warm_frames + frames; ++i) {
    const auto start = std::chrono::steady_clock::now();
    frame.run();
    const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
    if (i >= warm_frames) {
      times.mean += ms.count() / frames;
      times.longest = std::max(times.longest, ms.count());
    }
  }
  return times;
}

}  // namespace
}  // namespace broadside::bench

int main(int argc, char** argv) {
  using namespace broadside::bench;
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments[0] != "best") {
    const std::vector<std::int64_t> sets = hwy::SupportedAndGeneratedTargets();
    const auto set = std::find_if(sets.begin(), sets.end(),
                                  [&](std::int64_t one) { return hwy::TargetName(one) == arguments[0]; });
    if (set == sets.end()) {
      std::fprintf(stderr, "special_cases: this processor or build lacks the instruction set %s\n", argv[1]);
      return 1;
    }
    hwy::SetSupportedTargetsForTest(*set);
  }
  for (const Scene& scene : scenes) {
    if (arguments.size() < 2 ||
        std::find(arguments.begin() + 1, arguments.end(), scene.name) != arguments.end()) {
      const Times times = measure(scene);
      std::printf("%s %.4f %.4f\n", std::string(scene.name).c_str(), times.mean, times.longest);
    }
  }
}
