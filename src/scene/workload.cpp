#include "broadside/scene/workload.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "broadside/scene/messages.hpp"
#include "broadside/scene/random.hpp"

namespace broadside::inline v0_2 {

namespace {

constexpr std::uint64_t max_count = 16'000'000;
constexpr double side = 10.0;  // of the equal squares (unit: length)

Aabb rectangle(double min_x, double min_y, double width, double height) {
  const auto x = static_cast<float>(min_x);
  const auto y = static_cast<float>(min_y);
  return {{x, y}, {x + static_cast<float>(width), y + static_cast<float>(height)}};
}

Aabb square(double min_x, double min_y, double size) {
  return rectangle(min_x, min_y, size, size);
}

/// Returns a rectangle with its min corner anywhere in a square world.
Aabb anywhere(Random& random, double world, double width, double height) {
  const double x = random.uniform(0.0, world);
  return rectangle(x, random.uniform(0.0, world), width, height);
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
    result.boxes.push_back(anywhere(random, std::max(world - size, 0.0), size, size));
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
    result.boxes.push_back(anywhere(random, 0.5 * side, side, side));
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
    result.boxes.push_back(anywhere(random, world, size, size));
  }
  return result;
}

// Six boxes in ten are bullets: the others are `kRatio` times as large.
template <std::uint32_t kRatio>
Workload bullets(std::uint64_t count, Random& random) {
  Workload result;
  const double world = side * std::sqrt(2.0 * as_double(count));
  for (std::uint64_t i = 0; i < count; ++i) {
    const double size = random.uniform() < 0.6 ? side / kRatio : side;
    result.boxes.push_back(anywhere(random, world, size, size));
  }
  return result;
}

// Every other box is not in use, and waits in a block beside the world.
Workload object_pool(std::uint64_t count, Random& random) {
  Workload result;
  const double world = side * std::sqrt(as_double(count) * 0.67);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double number = std::floor(static_cast<double>(i) / 2.0);
    const double column = std::floor(number / 100.0);
    result.boxes.push_back(i % 2 == 0 ? anywhere(random, world, side, side)
                                      : square(-100.0 * side - 2.0 * side * (number - 100.0 * column),
                                               -100.0 * side - 2.0 * side * column, side));
  }
  return result;
}

// Each square has a thin streak behind it.
Workload streaks(std::uint64_t count, Random& random) {
  Workload result;
  const double world = side * std::sqrt(as_double(count) * 0.67);
  for (std::uint64_t i = 0; i < count; ++i) {
    const bool is_square = i % 2 == 0;
    result.boxes.push_back(
        anywhere(random, world, is_square ? side : 0.05 * side, is_square ? side : 8.0 * side));
  }
  return result;
}

Workload thin(std::uint64_t count, Random& random) {
  Workload result;
  const double world = side * std::sqrt(20.0 * as_double(count));
  for (std::uint64_t i = 0; i < count; ++i) {
    const bool lies = i % 2 == 0;
    result.boxes.push_back(
        anywhere(random, world, lies ? 10.0 * side : 0.1 * side, lies ? 0.1 * side : 10.0 * side));
  }
  return result;
}

Workload walls(std::uint64_t count, Random& random) {
  Workload result;
  const double world = side * std::sqrt(100.0 * as_double(count));
  for (std::uint64_t i = 0; i < count; ++i) {
    const double length = side * random.uniform(10.0, 40.0);
    result.boxes.push_back(
        anywhere(random, world, i % 3 == 1 ? length : 0.5 * side, i % 3 == 2 ? length : 0.5 * side));
  }
  return result;
}

// Few boxes, and one beam from end to end for each hundred of them.
Workload beams(std::uint64_t count, Random& random) {
  Workload result;
  const double world = side * std::sqrt(25.0 * as_double(count));
  for (std::uint64_t i = 0; i < count; ++i) {
    result.boxes.push_back(i % 100 == 0 ? rectangle(random.uniform(0.0, world), 0.0, 0.1 * side, world)
                                        : anywhere(random, world, side, side));
  }
  return result;
}

// Long bars side by side.
Workload bars(std::uint64_t count, Random& random) {
  Workload result;
  const double pitch = 2.0 * side;
  const double world = pitch * as_double(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double x = pitch * static_cast<double>(i);
    result.boxes.push_back(rectangle(x, random.uniform(0.0, 0.5 * world), 0.5 * pitch, 0.5 * world));
  }
  return result;
}

// The teeth of a comb, and a small box between each two of them.
Workload comb(std::uint64_t count, Random& random) {
  Workload result;
  const double pitch = 4.0 * side;
  const double world = 0.5 * pitch * as_double(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double x = 0.5 * pitch * static_cast<double>(i);
    result.boxes.push_back(i % 2 == 0 ? rectangle(x, 0.0, 0.3 * pitch, world)
                                      : square(x, random.uniform(0.0, world), 0.3 * pitch));
  }
  return result;
}

// Sizes of thirty octaves around one point.
Workload octaves(std::uint64_t count, Random& random) {
  Workload result;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double size = std::ldexp(side, static_cast<int>(i % 30) - 15);
    const double reach = 1.2 * size * std::sqrt(as_double(count) / 30.0);
    const double x = random.uniform(-reach, reach);
    result.boxes.push_back(square(x, random.uniform(-reach, reach), size));
  }
  return result;
}

// 400 clusters, each a hundred times as large as its boxes, and all together 50,000 times as large as each.
Workload tiny_clusters(std::uint64_t count, Random& random) {
  constexpr double cluster = 100.0 * side;
  constexpr double world = 50'000.0 * cluster;
  Workload result;
  std::vector<Vec2> centers;
  centers.reserve(400);
  for (int i = 0; i < 400; ++i) {
    centers.push_back(anywhere(random, world, 0.0, 0.0).min);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const double x = centers[i % centers.size()].x + random.uniform(0.0, cluster);
    const double y = centers[i % centers.size()].y + random.uniform(0.0, cluster);
    result.boxes.push_back(square(x, y, side));
  }
  return result;
}

// Half of the boxes are dust, a thousand times as small as the others, and all of it is in one spot.
Workload dust(std::uint64_t count, Random& random) {
  Workload result;
  const double world = side * std::sqrt(2.0 * as_double(count));
  const double spot = 0.001 * world;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double x = 0.5 * world + random.uniform(0.0, spot);
    result.boxes.push_back(random.uniform() < 0.49
                               ? square(x, 0.5 * world + random.uniform(0.0, spot), 0.001 * side)
                               : anywhere(random, world, side, side));
  }
  return result;
}

/// Returns a workload with x and y in each other's place.
template <Workload (*kMake)(std::uint64_t count, Random& random)>
Workload transposed(std::uint64_t count, Random& random) {
  Workload result = kMake(count, random);
  for (Aabb& box : result.boxes) {
    box = {{box.min.y, box.min.x}, {box.max.y, box.max.x}};
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
    {{"bullets", "six in ten are a twentieth as large as the others"}, bullets<20>},
    {{"bullets-100", "as bullets, a hundredth as large"}, bullets<100>},
    {{"bullets-1000", "as bullets, a thousandth as large"}, bullets<1000>},
    {{"bullets-million", "as bullets, a millionth as large"}, bullets<1'000'000>},
    {{"object-pool", "every other box is unused and waits far away"}, object_pool},
    {{"streaks", "squares and thin upright streaks, in turn"}, streaks},
    {{"thin", "thin boxes, upright and lying, in turn"}, thin},
    {{"walls", "squares, upright walls and lying walls, in turn"}, walls},
    {{"beams-v", "few boxes, and 1 in 100 is an upright beam from end to end"}, beams},
    {{"beams-h", "as beams-v, with lying beams"}, transposed<beams>},
    {{"bars-v", "long upright bars side by side, no pairs"}, bars},
    {{"bars-h", "as bars-v, with lying bars"}, transposed<bars>},
    {{"comb-v", "upright teeth and small boxes between them, no pairs"}, comb},
    {{"comb-h", "as comb-v, with lying teeth"}, transposed<comb>},
    {{"octaves", "sizes of thirty octaves around one point"}, octaves},
    {{"tiny-clusters", "400 small clusters very far apart"}, tiny_clusters},
    {{"dust", "half of the boxes are tiny and in one spot"}, dust},
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

std::vector<Vec2> draw_motions(const Workload& workload, std::uint64_t seed) {
  // A different seed, so that directions do not continue the sequence of the positions.
  Random random(seed ^ 0x9E3779B97F4A7C15U);
  std::vector<Vec2> motions;
  for (auto box = workload.boxes.begin() + static_cast<std::ptrdiff_t>(workload.static_count);
       box != workload.boxes.end(); ++box) {
    const double angle = random.uniform(0.0, 6.283185307179586);
    const double step = 0.05 * std::min(box->max.x - box->min.x, box->max.y - box->min.y);
    motions.push_back(
        {static_cast<float>(step * std::cos(angle)), static_cast<float>(step * std::sin(angle))});
  }
  return motions;
}

Trace record_workload(const Workload& workload, std::uint32_t frames, std::uint64_t seed) {
  Trace trace;
  const auto moving = workload.boxes.begin() + static_cast<std::ptrdiff_t>(workload.static_count);
  trace.static_boxes.assign(workload.boxes.begin(), moving);
  trace.profiles.resize(frames);
  for (std::size_t i = 0; i < workload.boxes.size(); ++i) {
    trace.body_ids.push_back(static_cast<std::int32_t>(i));
  }
  const std::vector<Vec2> steps = draw_motions(workload, seed);
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

}  // namespace broadside::inline v0_2
