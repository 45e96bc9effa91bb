// Convex shapes after rounding: corners that coincide, or lie on the line between their neighbors.

#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "contact/engine/gap.hpp"

namespace broadside::sound_test {
namespace {

using detail::Convex;
using detail::Point;

/// A regular polygon with exact duplicates and midpoints inserted at random places.
struct Drawn {
  Convex core;
  std::size_t corners = 0;
};

Drawn draw(test::Random& random) {
  Drawn drawn;
  drawn.corners = 3 + random.below(4);
  // Even coordinates, so that midpoints are exact.
  const auto corner = [&](std::size_t k) {
    const double angle =
        6.283185307179586 * static_cast<double>(k % drawn.corners) / static_cast<double>(drawn.corners);
    return Point{2.0 * std::round(1000.0 * std::cos(angle)), 2.0 * std::round(1000.0 * std::sin(angle))};
  };
  const auto add = [&](Point p) {
    if (drawn.core.size < drawn.core.points.size()) {
      drawn.core.points[drawn.core.size++] = p;
    }
  };
  for (std::size_t k = 0; k < drawn.corners; ++k) {
    add(corner(k));
    const bool has_space = drawn.core.size + drawn.corners - k < drawn.core.points.size();
    const std::uint32_t extra = has_space ? random.below(3) : 0;
    if (extra == 1) {
      add(corner(k));
    } else if (extra == 2) {
      add(0.5 * (corner(k) + corner(k + 1)));
    }
  }
  return drawn;
}

TEST(Sound, shapes_keep_their_corners_and_nothing_else) {
  test::Random random(5);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const Drawn drawn = draw(random);
    std::optional<Convex> scratch;
    const Convex& sound = detail::make_well_conditioned(drawn.core, scratch);
    ASSERT_EQ(sound.size, drawn.corners);
    if (drawn.core.size == drawn.corners) {
      EXPECT_EQ(&sound, &drawn.core) << "nothing to remove: no copy";
    } else {
      EXPECT_FALSE(sound.is_rectangle);
    }
    for (std::size_t i = 0; i < sound.size; ++i) {
      const Point before = sound.points[(i + sound.size - 1) % sound.size];
      const Point after = sound.points[(i + 1) % sound.size];
      ASSERT_GT(cross(sound.points[i] - before, after - sound.points[i]), 0.0);
    }
  }
}

}  // namespace
}  // namespace broadside::sound_test
