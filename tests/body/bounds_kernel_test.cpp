#include "body/bounds_kernel.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "instruction_sets.hpp"
#include "random_shapes.hpp"

namespace broadside::bounds_kernel_test {
namespace {

struct Shapes {
  std::vector<Shape> shapes;
  std::vector<Transform> transforms;
  std::vector<BoxIndex> places;
};

/// Shapes of all kinds; of every seven, one is not requested, and two are requested more than once.
Shapes make_shapes(test::Family family, std::size_t n) {
  test::Random random(static_cast<unsigned>(n));
  Shapes made;
  for (std::size_t i = 0; i < n; ++i) {
    made.shapes.push_back(test::random_shape(family, random.below(5), random));
    made.transforms.push_back(test::random_transform(family, random));
    for (std::size_t times = i % 7; times > 4; --times) {
      made.places.push_back(static_cast<BoxIndex>(i));
    }
    if (i % 7 != 0) {
      made.places.push_back(static_cast<BoxIndex>(i));
    }
  }
  return made;
}

bool is_same(const Aabb& a, const Aabb& b) {
  return std::bit_cast<std::array<std::uint32_t, 4>>(a) == std::bit_cast<std::array<std::uint32_t, 4>>(b);
}

std::size_t count_differences(const Shapes& made) {
  std::vector<Aabb> boxes(made.places.size());
  detail::find_bounds(made.places, made.shapes, made.transforms, boxes);
  std::size_t differences = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const BoxIndex place = made.places[i];
    differences += is_same(boxes[i], bounds(made.shapes[place], made.transforms[place])) ? 0U : 1U;
  }
  return differences;
}

TEST(BoundsKernel, equals_bounds_to_the_bit_with_every_instruction_set) {
  for (const test::Family family : test::families) {
    for (const std::size_t n : {0U, 1U, 2U, 9U, 70U, 3000U}) {
      const Shapes made = make_shapes(family, n);
      test::for_instruction_sets([&](const char* instruction_set) {
        EXPECT_EQ(count_differences(made), 0U) << n << ' ' << test::name(family) << ' ' << instruction_set;
      });
    }
  }
}

TEST(BoundsKernel, equals_bounds_at_and_near_quarter_turns_and_at_the_limits_of_float) {
  constexpr float most = std::numeric_limits<float>::max();
  Shapes made;
  for (const float place : {0.0F, -0.0F, 0.1F, 1e8F, -1e8F, 1e-42F, most, -most}) {
    for (const Rotation turn : {Rotation{}, Rotation{0.0F, 1.0F}, Rotation{-1.0F, 0.0F}, Rotation::by(1.0F),
                                Rotation{0.0625F, 1.0F}, Rotation{-1.0F, 0.03125F}, Rotation{0.0F, -0.998F},
                                Rotation{1.001F, 0.0F}}) {
      for (const float size : {0.0F, 1e-45F, 1e-20F, 0.3F, 3.0F, most}) {
        for (const Vec2 center : {Vec2{}, Vec2{-0.0F, size}, Vec2{-size, 0.7F}}) {
          made.shapes.emplace_back(Circle{center, size});
          made.shapes.emplace_back(Box::of_half_size({size, 0.3F}, center));
          made.shapes.emplace_back(Box::of_half_size({0.0F, size}, center, turn));
          made.shapes.emplace_back(Capsule{center, {size, size}, size});
          made.transforms.resize(made.shapes.size(), {{place, -place}, turn});
        }
        const Vec2 points[] = {{-size, 0.0F}, {size, -1.0F}, {0.5F, size}};
        if (const auto polygon = Polygon::hull(points, size); polygon.has_value()) {
          made.shapes.emplace_back(polygon.value());
          made.transforms.push_back({{place, place}, turn});
        }
      }
    }
  }
  for (BoxIndex i = 0; i < made.shapes.size(); ++i) {
    made.places.push_back(i);
  }
  EXPECT_EQ(count_differences(made), 0U);
}

}  // namespace
}  // namespace broadside::bounds_kernel_test
