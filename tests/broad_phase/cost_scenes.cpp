#include "broad_phase/cost_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace broadside::test {

namespace {

float side_for(std::size_t n, float area_each) {
  return std::sqrt(static_cast<float>(n) * area_each);
}

Aabb anywhere(Random& random, float world, float width, float height) {
  const float x = random.between(0.0F, world);
  const float y = random.between(0.0F, world);
  return box_at(x, y, width, height);
}

/// Unit squares with about 1.5 pairs each, in two halves so that there are two kinds.
Kinds uniform(std::size_t n, Random& random) {
  Kinds kinds(2);
  const float world = side_for(n, 1.0F / 0.75F);
  for (std::size_t i = 0; i < n; ++i) {
    const Aabb box = anywhere(random, world, 1.0F, 1.0F);
    kinds[box.min.x + box.min.y < world ? 0 : 1].push_back(box);
  }
  return kinds;
}

/// Half of the boxes are unused, and parked in a block far away.
Kinds object_pool(std::size_t n, Random& random) {
  Kinds kinds(2);
  const float world = side_for(n, 0.67F);
  for (std::size_t i = 0; i < n / 2; ++i) {
    kinds[0].push_back(anywhere(random, world, 1.0F, 1.0F));
    kinds[1].push_back(box_at(-1000.0F - 2.0F * static_cast<float>(i % 100),
                              -1000.0F - 2.0F * static_cast<float>(i / 100), 1.0F, 1.0F));
  }
  return kinds;
}

Kinds groups(std::size_t n, std::size_t count, float apart, Random& random) {
  Kinds kinds(count);
  const float world = side_for(n / count, 1.0F / 0.75F);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t k = i % count;
    const Aabb box = anywhere(random, world, 1.0F, 1.0F);
    const float far = apart * static_cast<float>(k);
    kinds[k].push_back(box_at(box.min.x + far, box.min.y + far, 1.0F, 1.0F));
  }
  return kinds;
}

Kinds two_teams_far_apart(std::size_t n, Random& random) {
  return groups(n, 2, 10'000.0F, random);
}

Kinds two_armies(std::size_t n, Random& random) {
  return groups(n, 2, 300.0F, random);
}

Kinds eight_groups(std::size_t n, Random& random) {
  return groups(n, 8, 3'000.0F, random);
}

/// Each body has a thin effect.
Kinds streaks(std::size_t n, Random& random) {
  Kinds kinds(2);
  const float world = side_for(n, 0.67F);
  for (std::size_t i = 0; i < n / 2; ++i) {
    kinds[0].push_back(anywhere(random, world, 1.0F, 1.0F));
    kinds[1].push_back(box_at(kinds[0].back().min.x, kinds[0].back().min.y, 0.05F, 8.0F));
  }
  return kinds;
}

/// Each body has a sensor around it.
Kinds sensors(std::size_t n, float size, Random& random) {
  Kinds kinds(2);
  const float world = side_for(n, 0.5F * size * size);
  for (std::size_t i = 0; i < n / 2; ++i) {
    const Aabb body = anywhere(random, world, 1.0F, 1.0F);
    const float off = 0.5F * (size - 1.0F);
    kinds[0].push_back(body);
    kinds[1].push_back(box_at(body.min.x - off, body.min.y - off, size, size));
  }
  return kinds;
}

Kinds sensors_6(std::size_t n, Random& random) {
  return sensors(n, 6.0F, random);
}

Kinds sensors_40(std::size_t n, Random& random) {
  return sensors(n, 40.0F, random);
}

/// Unit squares, and a share of small ones.
Kinds two_sizes(std::size_t n, float share, float small, Random& random) {
  Kinds kinds(2);
  const float world = side_for(n, 1.0F / 0.75F);
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_small = random.unit() < share;
    const float size = is_small ? small : 1.0F;
    kinds[is_small ? 0 : 1].push_back(anywhere(random, world, size, size));
  }
  return kinds;
}

Kinds bullets(std::size_t n, Random& random) {
  return two_sizes(n, 0.6F, 0.05F, random);
}

Kinds mostly_100_times_smaller(std::size_t n, Random& random) {
  return two_sizes(n, 0.6F, 0.01F, random);
}

Kinds mostly_1000_times_smaller(std::size_t n, Random& random) {
  return two_sizes(n, 0.6F, 0.001F, random);
}

Kinds two_scales(std::size_t n, Random& random) {
  return two_sizes(n, 0.5F, 0.001F, random);
}

Kinds mostly_points(std::size_t n, Random& random) {
  return two_sizes(n, 0.6F, 0.0F, random);
}

Kinds thin_both_ways(std::size_t n, Random& random) {
  Kinds kinds(2);
  const float world = side_for(n, 20.0F);
  for (std::size_t i = 0; i < n; ++i) {
    const bool lies = i % 2 == 0;
    kinds[i % 2].push_back(anywhere(random, world, lies ? 10.0F : 0.1F, lies ? 0.1F : 10.0F));
  }
  return kinds;
}

/// Few boxes and some beams from end to end.
Kinds beams(std::size_t n, bool upright, Random& random) {
  Kinds kinds(2);
  const float world = side_for(n, 25.0F);
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 100 == 0) {
      const float where = random.between(0.0F, world);
      kinds[1].push_back(upright ? box_at(where, 0.0F, 0.1F, world) : box_at(0.0F, where, world, 0.1F));
    } else {
      kinds[0].push_back(anywhere(random, world, 1.0F, 1.0F));
    }
  }
  return kinds;
}

Kinds beams_vertical(std::size_t n, Random& random) {
  return beams(n, true, random);
}

Kinds beams_horizontal(std::size_t n, Random& random) {
  return beams(n, false, random);
}

/// Long walls, and boxes between them.
Kinds walls(std::size_t n, Random& random) {
  Kinds kinds(3);
  const float world = side_for(n, 10.0F);
  for (std::size_t i = 0; i < n; ++i) {
    const float length = random.between(10.0F, 40.0F);
    kinds[i % 3].push_back(anywhere(random, world, i % 3 == 1 ? length : 0.5F, i % 3 == 2 ? length : 0.5F));
  }
  return kinds;
}

Kinds clusters(std::size_t n, Random& random) {
  constexpr std::size_t count = 12;
  Kinds kinds(count);
  const float world = side_for(n, 100.0F);
  const float spread = side_for(n / count, 0.5F);
  for (auto& kind : kinds) {
    const float x = random.between(0.0F, world);
    const float y = random.between(0.0F, world);
    for (std::size_t i = 0; i < n / count; ++i) {
      // Roughly a normal distribution.
      float dx = -2.0F;
      float dy = -2.0F;
      for (int k = 0; k < 4; ++k) {
        dx += random.unit();
        dy += random.unit();
      }
      kind.push_back(box_at(x + spread * dx, y + spread * dy, 1.0F, 1.0F));
    }
  }
  return kinds;
}

Kinds line(std::size_t n, bool upright, Random& random) {
  Kinds kinds(2);
  for (std::size_t i = 0; i < n; ++i) {
    const float where = random.between(0.0F, 0.67F * static_cast<float>(n));
    kinds[where < 0.33F * static_cast<float>(n) ? 0 : 1].push_back(upright ? box_at(0.0F, where, 1.0F, 1.0F)
                                                                           : box_at(where, 0.0F, 1.0F, 1.0F));
  }
  return kinds;
}

Kinds line_in_x(std::size_t n, Random& random) {
  return line(n, false, random);
}

Kinds line_in_y(std::size_t n, Random& random) {
  return line(n, true, random);
}

Kinds points(std::size_t n, Random& random) {
  Kinds kinds = uniform(n, random);
  for (auto& kind : kinds) {
    for (Aabb& box : kind) {
      box.max = box.min;
    }
  }
  return kinds;
}

/// Sizes from 1 to 1000, the larger the fewer.
Kinds power_law(std::size_t n, Random& random) {
  Kinds kinds(2);
  const float world = side_for(n, 12.0F);
  for (std::size_t i = 0; i < n; ++i) {
    const float size = std::min(1.0F / std::sqrt(1.0F - random.unit()), 1000.0F);
    kinds[size > 2.0F ? 1 : 0].push_back(anywhere(random, world, size, size));
  }
  return kinds;
}

/// Unit squares, and some boxes that flew away; `where` is their place in the array, from 0 to 1.
Kinds outliers(std::size_t n, std::size_t count, float far, float where, Random& random) {
  Kinds kinds = uniform(n, random);
  std::vector<Aabb> boxes = kinds[0];
  boxes.insert(boxes.end(), kinds[1].begin(), kinds[1].end());
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<std::size_t>(where * static_cast<float>(boxes.size() - count));
    const float sign = random.below(2) == 0 ? -1.0F : 1.0F;
    boxes[first + i] = box_at(sign * far, -sign * far, 1.0F, 1.0F);
  }
  return {{boxes.begin(), boxes.begin() + static_cast<std::ptrdiff_t>(n / 2)},
          {boxes.begin() + static_cast<std::ptrdiff_t>(n / 2), boxes.end()}};
}

Kinds outlier_first(std::size_t n, Random& random) {
  return outliers(n, 1, 1.0e6F, 0.0F, random);
}

Kinds outlier_last(std::size_t n, Random& random) {
  return outliers(n, 1, 1.0e30F, 1.0F, random);
}

Kinds outlier_anywhere(std::size_t n, Random& random) {
  const float where = random.unit();
  return outliers(n, 1, random.below(2) == 0 ? 1.0e6F : 1.0e30F, where, random);
}

/// One box in a hundred is an outlier.
Kinds many_outliers(std::size_t n, Random& random) {
  const float where = random.unit();
  return outliers(n, n / 100, random.below(2) == 0 ? 1.0e5F : 1.0e30F, where, random);
}

/// Two sizes of any ratio, in any shares.
Kinds any_two_sizes(std::size_t n, Random& random) {
  const float share = random.unit();
  return two_sizes(n, share, std::pow(10.0F, random.between(-6.0F, 0.0F)), random);
}

/// Boxes of any aspect, one for all, in any direction.
Kinds any_aspect(std::size_t n, Random& random) {
  Kinds kinds(2);
  const float width = std::pow(10.0F, random.between(-2.0F, 2.0F));
  const float world = side_for(n, random.between(1.0F, 20.0F));
  for (std::size_t i = 0; i < n; ++i) {
    kinds[i % 2].push_back(anywhere(random, world, width, 1.0F / width));
  }
  return kinds;
}

/// Sizes of many octaves around one point.
Kinds octaves(std::size_t n, Random& random) {
  const int count = 3 + static_cast<int>(random.below(28));
  Kinds kinds(2);
  for (std::size_t i = 0; i < n; ++i) {
    const int octave = static_cast<int>(i % static_cast<std::size_t>(count)) - count / 2;
    const float size = std::ldexp(1.0F, octave);
    const float reach = 1.2F * size * std::sqrt(static_cast<float>(n) / static_cast<float>(count));
    const float x = random.between(-reach, reach);
    kinds[octave < 0 ? 0 : 1].push_back(box_at(x, random.between(-reach, reach), size, size));
  }
  return kinds;
}

/// Many small clusters far apart.
Kinds tiny_clusters(std::size_t n, Random& random) {
  const std::size_t count = 2 + random.below(500);
  const float apart = std::pow(10.0F, random.between(1.0F, 3.0F));
  Kinds kinds(2);
  std::vector<Vec2> centers;
  const float cluster = side_for(n / count + 1, 2.0F);
  for (std::size_t i = 0; i < count; ++i) {
    const float x = random.between(0.0F, apart * cluster);
    centers.push_back({x, random.between(0.0F, apart * cluster)});
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 center = centers[i % count];
    const float x = center.x + random.between(0.0F, cluster);
    kinds[i % count < count / 2 ? 0 : 1].push_back(
        box_at(x, center.y + random.between(0.0F, cluster), 1.0F, 1.0F));
  }
  return kinds;
}

/// Some boxes are dust, and all of it is in one spot.
Kinds dust(std::size_t n, Random& random) {
  const float share = random.between(0.1F, 0.9F);
  const float size = std::pow(10.0F, random.between(-5.0F, -1.0F));
  const float world = side_for(n, 2.0F);
  const float spot = side_for(n, 2.0F * size * size);
  Kinds kinds(2);
  for (std::size_t i = 0; i < n; ++i) {
    if (random.unit() < share) {
      const float x = 0.5F * world + random.between(0.0F, spot);
      kinds[0].push_back(box_at(x, 0.5F * world + random.between(0.0F, spot), size, size));
    } else {
      kinds[1].push_back(anywhere(random, world, 1.0F, 1.0F));
    }
  }
  return kinds;
}

/// Long bars side by side.
Kinds bars(std::size_t n, bool upright, Random& random) {
  Kinds kinds(2);
  const float length = std::pow(10.0F, random.between(0.0F, 5.0F));
  for (std::size_t i = 0; i < n; ++i) {
    const float x = 2.0F * static_cast<float>(i);
    const float y = random.between(0.0F, length);
    kinds[i % 2].push_back(upright ? box_at(x, y, 1.0F, length) : box_at(y, x, length, 1.0F));
  }
  return kinds;
}

Kinds bars_vertical(std::size_t n, Random& random) {
  return bars(n, true, random);
}

Kinds bars_horizontal(std::size_t n, Random& random) {
  return bars(n, false, random);
}

/// The teeth of a comb, and boxes between them.
Kinds comb(std::size_t n, bool upright, Random& random) {
  Kinds kinds(2);
  const float length = std::pow(10.0F, random.between(1.0F, 6.0F));
  for (std::size_t i = 0; i < n / 2; ++i) {
    const float x = 4.0F * static_cast<float>(i);
    const float y = random.between(0.0F, length);
    kinds[0].push_back(upright ? box_at(x, 0.0F, 1.0F, length) : box_at(0.0F, x, length, 1.0F));
    kinds[1].push_back(upright ? box_at(x + 2.0F, y, 1.0F, 1.0F) : box_at(y, x + 2.0F, 1.0F, 1.0F));
  }
  return kinds;
}

Kinds comb_vertical(std::size_t n, Random& random) {
  return comb(n, true, random);
}

Kinds comb_horizontal(std::size_t n, Random& random) {
  return comb(n, false, random);
}

constexpr CostScene scenes[] = {
    {"uniform", uniform},
    {"object_pool", object_pool},
    {"two_teams_far_apart", two_teams_far_apart},
    {"two_armies", two_armies},
    {"eight_groups", eight_groups},
    {"streaks", streaks},
    {"sensors_6", sensors_6},
    {"sensors_40", sensors_40},
    {"bullets", bullets},
    {"mostly_100_times_smaller", mostly_100_times_smaller},
    {"mostly_1000_times_smaller", mostly_1000_times_smaller},
    {"two_scales", two_scales},
    {"mostly_points", mostly_points},
    {"thin_both_ways", thin_both_ways},
    {"beams_vertical", beams_vertical},
    // The few beams of a sample decide whether rows lie.
    {"beams_horizontal", beams_horizontal, 20.0, 4.5, 1.3, 80.0},
    // Thin boxes in both directions.
    {"walls", walls, 12.0, 1.6, 1.9},
    {"clusters", clusters},
    {"line_in_x", line_in_x},
    {"line_in_y", line_in_y},
    {"points", points},
    {"power_law", power_law, 12.0, 1.6, 1.0, 45.0},
    {"outlier_first", outlier_first},
    {"outlier_last", outlier_last},
    {"outlier_anywhere", outlier_anywhere},
    {"many_outliers", many_outliers},
    {"any_two_sizes", any_two_sizes},
    {"any_aspect", any_aspect, 27.0, 2.5, 2.2, 80.0},
    // A sample holds few boxes of each size.
    {"octaves", octaves, 60.0, 3.5, 6.0, 60.0},
    {"tiny_clusters", tiny_clusters},
    // Over frames, a static and a moving half know little of each other's sizes.
    {"dust", dust, 25.0, 2.5, 2.7, 170.0},
    {"bars_vertical", bars_vertical},
    {"bars_horizontal", bars_horizontal, 24.0, 1.6, 2.7, 110.0},
    {"comb_vertical", comb_vertical},
    {"comb_horizontal", comb_horizontal, 70.0, 11.0, 2.3, 140.0},
};

/// Puts a box of the last kind at every `period`-th place, and boxes of the other kinds in turn elsewhere;
/// the rest of the longer kinds comes at the end.
std::vector<Aabb> alternating(const Kinds& kinds, std::size_t period) {
  std::vector<Aabb> boxes;
  std::vector<std::size_t> taken(kinds.size(), 0);
  std::size_t left = 0;
  for (const auto& kind : kinds) {
    left += kind.size();
  }
  const std::size_t others = kinds.size() - 1;
  for (std::size_t i = 0; left > 0; ++i) {
    const std::size_t k = i % period == 0 ? others : (i - i / period - 1) % others;
    if (taken[k] < kinds[k].size()) {
      boxes.push_back(kinds[k][taken[k]++]);
      --left;
    }
  }
  return boxes;
}

}  // namespace

std::span<const CostScene> cost_scenes() {
  return scenes;
}

std::vector<Aabb> all_of(const Kinds& kinds) {
  std::vector<Aabb> boxes;
  for (const auto& kind : kinds) {
    boxes.insert(boxes.end(), kind.begin(), kind.end());
  }
  return boxes;
}

std::vector<Order> orders_of(const Kinds& kinds) {
  std::vector<Order> orders;
  orders.push_back({"as generated", all_of(kinds)});
  orders.push_back({"sorted by x", all_of(kinds)});
  auto& sorted = orders.back().boxes;
  std::sort(sorted.begin(), sorted.end(), [](const Aabb& a, const Aabb& b) {
    return std::tie(a.min.x, a.min.y, a.max.x, a.max.y) < std::tie(b.min.x, b.min.y, b.max.x, b.max.y);
  });
  for (const std::size_t period : {2U, 3U, 5U, 7U}) {
    orders.push_back({"alternating with period " + std::to_string(period), alternating(kinds, period)});
  }
  return orders;
}

}  // namespace broadside::test
