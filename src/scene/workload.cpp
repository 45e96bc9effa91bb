#include "broadside/scene/workload.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "broadside/scene/messages.hpp"
#include "broadside/scene/random.hpp"

namespace broadside {

namespace {

constexpr std::uint64_t max_count = 16'000'000;
constexpr double side = 10.0;  // of the equal squares (unit: length)

Aabb square(double min_x, double min_y, double size) {
  const auto x = static_cast<float>(min_x);
  const auto y = static_cast<float>(min_y);
  const auto s = static_cast<float>(size);
  return {{x, y}, {x + s, y + s}};
}

double as_double(std::uint64_t count) {
  return static_cast<double>(std::max<std::uint64_t>(count, 1));
}

// n squares of side s in an area A make n^2/2 * 4 s^2 / A pairs: 1.5 a box at A = 4/3 n s^2.
Workload uniform(std::uint64_t count, Random& random, double shift = 0.0) {
  Workload result;
  const double world = side * std::sqrt(as_double(count) * 4.0 / 3.0);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double x = random.uniform(0.0, world);
    result.boxes.push_back(square(shift + x, shift + random.uniform(0.0, world), side));
  }
  return result;
}

Workload uniform_at_origin(std::uint64_t count, Random& random) {
  return uniform(count, random);
}

Workload far_away(std::uint64_t count, Random& random) {
  return uniform(count, random, 1e6);
}

// One mover in 101 boxes; three pairs a mover at A = 4/3 n s^2 as well, because only one side moves.
Workload few_movers(std::uint64_t count, Random& random) {
  Workload result = uniform(count, random);
  result.static_count = result.boxes.size() - result.boxes.size() / 101;
  return result;
}

// Clusters of about 1,000 boxes; this spread gives 5 pairs a box: sigma^2 = 1000 s^2 / (10 pi).
Workload clusters(std::uint64_t count, Random& random) {
  Workload result;
  const std::uint64_t number = std::max<std::uint64_t>(count / 1000, 1);
  const double members = as_double(count) / as_double(number);
  const double sigma = side * std::sqrt(members / 31.41592653589793);
  const double world = 100.0 * sigma * std::sqrt(as_double(number));
  std::vector<Vec2> centers;
  for (std::uint64_t i = 0; i < number; ++i) {
    const double x = random.uniform(0.0, world);
    centers.push_back({static_cast<float>(x), static_cast<float>(random.uniform(0.0, world))});
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const Vec2 center = centers[random.below(number)];
    const double x = center.x + sigma * random.normal();
    result.boxes.push_back(square(x, center.y + sigma * random.normal(), side));
  }
  return result;
}

// Sizes from 1 to 1000 with density s^-2.5; this area gives 5 pairs a box: A = n (mean of s^2 + mean^2) / 5.
Workload power_law(std::uint64_t count, Random& random) {
  std::vector<double> sizes;
  double sum = 0.0;
  double squares = 0.0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double tail = 1.0 - random.uniform() * (1.0 - std::pow(1000.0, -1.5));
    sizes.push_back(std::pow(tail, -2.0 / 3.0));
    sum += sizes.back();
    squares += sizes.back() * sizes.back();
  }
  const double n = as_double(count);
  const double world = std::sqrt((squares + sum * sum / n) / 5.0);
  Workload result;
  for (const double size : sizes) {
    const double room = std::max(world - size, 0.0);
    const double x = random.uniform(0.0, room);
    result.boxes.push_back(square(x, random.uniform(0.0, room), size));
  }
  return result;
}

// Five balls on a table packed with small static shapes: 64 x 128 for 2,000 shapes, as in text P of
// docs/from-the-tutorials.md.
Workload pinball(std::uint64_t count, Random& random) {
  constexpr double ball = 2.125;
  Workload result;
  const double scale = std::sqrt(as_double(count) / 2000.0);
  const std::uint64_t balls = std::min<std::uint64_t>(count, 5);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double size = i + balls < count ? random.uniform(0.5, 2.5) : ball;
    const double x = random.uniform(0.0, 64.0 * scale);
    result.boxes.push_back(square(x, random.uniform(0.0, 128.0 * scale), size));
  }
  result.static_count = count - balls;
  return result;
}

// The circles of text G in docs/from-the-tutorials.md: radii 1 to 128, most of them 1 or 2, a window of
// 1920 x 1080 for 2,000.
Workload circles(std::uint64_t count, Random& random) {
  Workload result;
  const double scale = std::sqrt(as_double(count) / 2000.0);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double radius = std::ceil(std::exp(8.0 * random.uniform()) / 23.2887);
    const double x = random.uniform(0.0, 1920.0 * scale);
    result.boxes.push_back(square(x, random.uniform(0.0, 1080.0 * scale), 2.0 * radius));
  }
  return result;
}

Workload line_x(std::uint64_t count, Random& random) {
  Workload result;
  for (std::uint64_t i = 0; i < count; ++i) {
    result.boxes.push_back(square(random.uniform(0.0, side * as_double(count)), 0.0, side));
  }
  return result;
}

Workload line_y(std::uint64_t count, Random& random) {
  Workload result;
  for (std::uint64_t i = 0; i < count; ++i) {
    result.boxes.push_back(square(0.0, random.uniform(0.0, side * as_double(count)), side));
  }
  return result;
}

Workload stack(std::uint64_t count, Random& random) {
  Workload result;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double x = random.uniform(0.0, 0.5 * side);
    result.boxes.push_back(square(x, random.uniform(0.0, 0.5 * side), side));
  }
  return result;
}

Workload giant(std::uint64_t count, Random& random) {
  Workload result = uniform(count, random);
  if (!result.boxes.empty()) {
    const double world = side * std::sqrt(as_double(count) * 4.0 / 3.0);
    result.boxes.front() = square(0.25 * world, 0.25 * world, 0.5 * world);
  }
  return result;
}

// Half of the boxes are a hundred times as large as the others: about 0.6 pairs a box, most of them
// between large ones.
Workload two_scales(std::uint64_t count, Random& random) {
  Workload result;
  const double world = side * std::sqrt(as_double(count) * 4.0 / 3.0);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double size = i % 2 == 0 ? side : side / 100.0;
    const double x = random.uniform(0.0, world);
    result.boxes.push_back(square(x, random.uniform(0.0, world), size));
  }
  return result;
}

struct Maker {
  WorkloadKind kind;
  Workload (*make)(std::uint64_t count, Random& random);
};

constexpr Maker makers[] = {
    {{"uniform", "equal squares, about 1.5 pairs a box"}, uniform_at_origin},
    {{"few-movers", "as uniform, but 100 static for each mover, about 3 pairs a mover"}, few_movers},
    {{"clusters", "Gaussian clusters in a large empty world, about 5 pairs a box"}, clusters},
    {{"power-law", "sizes 1 to 1000, most of them small, about 5 pairs a box"}, power_law},
    {{"pinball", "a table packed with small static shapes, and 5 balls"}, pinball},
    {{"circles", "the boxes of circles with radii 1 to 128, most of them small"}, circles},
    {{"line-x", "equal squares, all in one row"}, line_x},
    {{"line-y", "equal squares, all in one column"}, line_y},
    {{"stack", "all overlap all: the answer itself is quadratic"}, stack},
    {{"giant", "one box over a quarter of the world, all others small"}, giant},
    {{"two-scales", "half of the boxes a hundred times as large as the others"}, two_scales},
    {{"far-away", "as uniform, shifted to 1e6 on both axes"}, far_away},
};

}  // namespace

std::span<const WorkloadKind> workload_kinds() {
  static const std::vector<WorkloadKind> kinds = [] {
    std::vector<WorkloadKind> result;
    for (const Maker& maker : makers) {
      result.push_back(maker.kind);
    }
    return result;
  }();
  return kinds;
}

Result<Workload> make_workload(std::string_view name, std::uint64_t count, std::uint64_t seed) {
  if (count > max_count) {
    return Error{ErrorCode::invalid_argument, "count is " + std::to_string(count) + "; at most " +
                                                  std::to_string(max_count) + " boxes can be made"};
  }
  std::vector<std::string> names;
  std::string list;
  for (const Maker& maker : makers) {
    if (maker.kind.name == name) {
      Random random(seed);
      return maker.make(count, random);
    }
    names.emplace_back(maker.kind.name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  return Error{ErrorCode::invalid_argument, "unknown workload \"" + std::string(name) + "\"; choose one of " +
                                                list + suggestion(name, names)};
}

Trace record_workload(const Workload& workload, std::uint32_t frames, std::uint64_t seed) {
  Trace trace;
  const auto moving = workload.boxes.begin() + static_cast<std::ptrdiff_t>(workload.static_count);
  trace.static_boxes.assign(workload.boxes.begin(), moving);
  trace.profiles.resize(frames);
  for (std::size_t i = 0; i < workload.boxes.size(); ++i) {
    trace.body_ids.push_back(static_cast<std::int32_t>(i));
  }
  // A different seed, so that directions do not continue the sequence of the positions.
  Random random(seed ^ 0x9E3779B97F4A7C15U);
  std::vector<Vec2> steps;
  for (auto box = moving; box != workload.boxes.end(); ++box) {
    const double angle = random.uniform(0.0, 6.283185307179586);
    const double step = 0.05 * std::max(box->max.x - box->min.x, box->max.y - box->min.y);
    steps.push_back({static_cast<float>(step * std::cos(angle)), static_cast<float>(step * std::sin(angle))});
  }
  trace.moving_boxes.reserve(frames * steps.size());
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Vec2 offset = static_cast<float>(frame) * steps[i];
      const Aabb& box = moving[static_cast<std::ptrdiff_t>(i)];
      trace.moving_boxes.push_back({box.min + offset, box.max + offset});
    }
  }
  return trace;
}

}  // namespace broadside
