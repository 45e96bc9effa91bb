#include "broadside/body/mask.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/body/shape.hpp"

namespace broadside::mask_test {
namespace {

using Rows = std::vector<std::string_view>;

Mask make(const Rows& rows, const MaskOptions& options = {}) {
  return Mask::from_rows(rows, options).value();
}

// Otherwise the pixels would be destroyed before the caller could read them.
template <typename M>
constexpr bool shows_words = requires(M&& mask) {
  std::forward<M>(mask).words(0);
};
template <typename M>
constexpr bool shows_rectangles = requires(M&& mask) {
  std::forward<M>(mask).rectangles();
};
template <typename M>
constexpr bool shows_hull = requires(M&& mask) {
  std::forward<M>(mask).hull();
};
static_assert(shows_words<const Mask&> && shows_rectangles<const Mask&> && shows_hull<const Mask&>);
static_assert(!shows_words<Mask> && !shows_rectangles<Mask> && !shows_hull<Mask>);

/// Alpha values, about one of `one_in` pixels set; runs of them, so that rectangles have something to merge.
std::vector<std::uint8_t> random_alpha(std::uint32_t width, std::uint32_t height, test::Random& random) {
  std::vector<std::uint8_t> alpha(std::size_t{width} * height);
  std::uint8_t value = 0;
  const std::uint32_t one_in = 1 + random.below(6);
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    if (random.below(one_in) == 0) {
      value = static_cast<std::uint8_t>(random.below(256));
    }
    alpha[i] = i >= width && random.below(4) != 0 ? alpha[i - width] : value;
  }
  alpha[random.below(static_cast<std::uint32_t>(alpha.size()))] = 255;
  return alpha;
}

TEST(Mask, is_made_of_rows_of_text) {
  const Mask mask = make({"..#", "", " x.@"}, {2.0F, {3.0F, -4.0F}, 128});
  EXPECT_EQ(mask.width(), 4U);
  EXPECT_EQ(mask.height(), 3U);
  EXPECT_EQ(mask.count(), 3U);
  EXPECT_EQ(mask.pixel_size(), 2.0F);
  EXPECT_EQ(mask.origin(), (Vec2{3.0F, -4.0F}));
  EXPECT_EQ(mask.words(0)[0], 0b0100U);
  EXPECT_EQ(mask.words(1)[0], 0U);
  EXPECT_EQ(mask.words(2)[0], 0b1010U);
  EXPECT_TRUE(mask.at(3, 2));
  EXPECT_FALSE(mask.at(4, 2));
  EXPECT_FALSE(mask.at(3, 3));
  EXPECT_EQ(mask.extent(), (PixelRectangle{1, 0, 3, 3}));
}

TEST(Mask, is_made_of_alpha_from_the_threshold_on) {
  const std::array<std::uint8_t, 6> alpha = {0, 9, 10, 11, 255, 1};
  const Mask mask = Mask::from_alpha(alpha, 3, 2, {1.0F, {}, 10}).value();
  EXPECT_EQ(mask, make({"..x", "xx."}));
  EXPECT_NE(mask, make({"..x", "xxx"}));
  EXPECT_NE(mask, make({"..x", "xx."}, {0.5F, {}, 128}));
}

TEST(Mask, refuses_invalid_rows_and_options) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  const Rows rows = {"x"};
  const Rows none;
  const Rows empty = {"", ""};
  const Rows clear = {"..", " "};
  const auto code = [](const Rows& r, const MaskOptions& options) {
    const auto mask = Mask::from_rows(r, options);
    EXPECT_TRUE(mask.has_value() || !mask.error().message.empty());
    return mask.error().code;
  };
  EXPECT_EQ(code(rows, {}), ErrorCode::none);
  EXPECT_EQ(code(none, {}), ErrorCode::invalid_argument);
  EXPECT_EQ(code(empty, {}), ErrorCode::invalid_argument);
  EXPECT_EQ(code(clear, {}), ErrorCode::invalid_argument);
  for (const float size : {0.0F, -1.0F, infinite, std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_EQ(code(rows, {size, {}, 128}), ErrorCode::invalid_argument) << size;
  }
  EXPECT_EQ(code(rows, {1.0F, {0.0F, infinite}, 128}), ErrorCode::not_finite);
  EXPECT_EQ(code(rows, {1.0F, {-infinite, 0.0F}, 128}), ErrorCode::not_finite);

  const std::array<std::uint8_t, 6> alpha = {255, 255, 255, 255, 255, 255};
  EXPECT_EQ(Mask::from_alpha(alpha, 2, 2, {}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(Mask::from_alpha(alpha, 0, 6, {}).error().code, ErrorCode::invalid_argument);
}

TEST(Mask, checks_its_limits_before_it_reads_the_pixels) {
  // Includes sizes whose product wraps around to the number of values.
  const std::array<std::uint8_t, 1> alpha = {255};
  EXPECT_EQ(Mask::from_alpha(alpha, Mask::max_side + 1, 1, {}).error().code, ErrorCode::too_large);
  EXPECT_EQ(Mask::from_alpha(alpha, 1, Mask::max_side + 1, {}).error().code, ErrorCode::too_large);
  EXPECT_EQ(Mask::from_alpha(alpha, Mask::max_side, Mask::max_side, {}).error().code, ErrorCode::too_large);
  EXPECT_EQ(Mask::from_alpha(alpha, 0xFFFFFFFFU, 0xFFFFFFFFU, {}).error().code, ErrorCode::too_large);
  EXPECT_EQ(Mask::from_alpha(alpha, 4096, 4096, {}).error().code, ErrorCode::invalid_argument);
  const std::string long_row(Mask::max_side, 'x');
  EXPECT_EQ(make({long_row}).extent(), (PixelRectangle{0, 0, 16384, 1}));
}

TEST(Mask, has_the_same_pixels_in_words_and_rectangles) {
  test::Random random(1);
  for (const std::uint32_t width : {1U, 2U, 63U, 64U, 65U, 127U, 128U, 129U}) {
    for (int round = 0; round < 20; ++round) {
      const std::uint32_t height = 1 + random.below(40);
      const auto alpha = random_alpha(width, height, random);
      const Mask mask = Mask::from_alpha(alpha, width, height, {}).value();
      std::vector<int> covered(alpha.size());
      for (const PixelRectangle& r : mask.rectangles()) {
        for (std::uint32_t y = r.row; y < std::uint32_t{r.row} + r.height; ++y) {
          for (std::uint32_t x = r.column; x < std::uint32_t{r.column} + r.width; ++x) {
            ++covered[std::size_t{y} * width + x];
          }
        }
      }
      std::size_t count = 0;
      for (std::size_t i = 0; i < alpha.size(); ++i) {
        const auto x = static_cast<std::uint32_t>(i % width);
        const auto y = static_cast<std::uint32_t>(i / width);
        const bool set = alpha[i] >= 128;
        count += set ? 1 : 0;
        ASSERT_EQ(covered[i], set ? 1 : 0) << x << ' ' << y;
        ASSERT_EQ(mask.at(x, y), set);
        ASSERT_EQ((mask.words(y)[x / 64] >> (x % 64)) & 1U, set ? 1U : 0U);
      }
      EXPECT_EQ(mask.count(), count);
      for (std::uint32_t y = 0; y < height && width % 64 != 0; ++y) {
        EXPECT_EQ(mask.words(y).back() >> (width % 64), 0U);
      }
    }
  }
}

TEST(Mask, merges_equal_runs_of_rows_that_follow) {
  const Mask mask = make({"xx.x", "xx.x", "xxxx", "....", "xx.."});
  const std::vector<PixelRectangle> expected = {{0, 0, 2, 2}, {3, 0, 1, 2}, {0, 2, 4, 1}, {0, 4, 2, 1}};
  EXPECT_EQ(std::vector<PixelRectangle>(mask.rectangles().begin(), mask.rectangles().end()), expected);
}

TEST(Mask, hull_is_convex_and_holds_every_pixel) {
  test::Random random(2);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t width = 1 + random.below(70);
    const std::uint32_t height = 1 + random.below(30);
    const Mask mask = Mask::from_alpha(random_alpha(width, height, random), width, height, {}).value();
    const auto hull = mask.hull();
    const auto side_of = [](PixelCorner a, PixelCorner b, double x, double y) {
      return (double(b.column) - double(a.column)) * (y - double(a.row)) -
             (double(b.row) - double(a.row)) * (x - double(a.column));
    };
    for (std::size_t i = 0; i < hull.size(); ++i) {
      const PixelCorner a = hull[i];
      const PixelCorner b = hull[(i + 1) % hull.size()];
      const PixelCorner c = hull[(i + 2) % hull.size()];
      ASSERT_GT(side_of(a, b, c.column, c.row), 0.0);
      bool held = false;
      for (const PixelRectangle& r : mask.rectangles()) {
        for (const double x : {double(r.column), double(r.column + r.width)}) {
          for (const double y : {double(r.row), double(r.row + r.height)}) {
            ASSERT_GE(side_of(a, b, x, y), 0.0);
            held = held || (x == a.column && y == a.row);
          }
        }
      }
      ASSERT_TRUE(held) << "a corner of the hull is one of a pixel";
    }
  }
}

TEST(Mask, bounds_are_those_of_the_set_pixels) {
  const Mask mask = make({"....", "..x.", ".xx.", "...."}, {0.5F, {1.0F, 2.0F}, 128});
  const Aabb local{{1.5F, 2.5F}, {2.5F, 3.5F}};
  EXPECT_EQ(bounds(mask, {}), local);
  EXPECT_EQ(bounds(mask, {{10.0F, 20.0F}, {}}), (Aabb{{11.5F, 22.5F}, {12.5F, 23.5F}}));
  EXPECT_EQ(bounds(mask, {{}, {0.0F, 1.0F}}), (Aabb{{-3.5F, 1.5F}, {-2.5F, 2.5F}}));
  EXPECT_EQ(bounds(mask, {{}, {-1.0F, 0.0F}}), (Aabb{{-2.5F, -3.5F}, {-1.5F, -2.5F}}));
  EXPECT_EQ(bounds(Shape(mask), {}), local);
  EXPECT_EQ(area(mask), 0.75F);
}

TEST(Mask, bounds_are_rounded_outwards) {
  const Mask mask = make({"x"}, {0.1F, {}, 128});
  const Transform far{{1.0e6F, -1.0e6F}, {}};
  const Aabb box = bounds(mask, far);
  EXPECT_EQ(box.min, far.position);
  EXPECT_GE(double(box.max.x), 1.0e6 + double(0.1F));
  EXPECT_LT(double(std::nextafter(box.max.x, 0.0F)), 1.0e6 + double(0.1F));
  EXPECT_GE(double(box.max.y), -1.0e6 + double(0.1F));

  const Mask wide = make({"x"}, {3.0e38F, {3.0e38F, -3.0e38F}, 128});
  constexpr float most = std::numeric_limits<float>::max();
  EXPECT_EQ(bounds(wide, {}), (Aabb{{3.0e38F, -3.0e38F}, {most, 0.0F}}));
  EXPECT_EQ(area(wide), most);
}

TEST(Mask, bounds_hold_turned_pixels_tightly) {
  test::Random random(3);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t width = 1 + random.below(20);
    const std::uint32_t height = 1 + random.below(20);
    const MaskOptions options{
        random.between(0.01F, 3.0F), {random.between(-9, 9), random.between(-9, 9)}, 128};
    const Mask mask = Mask::from_alpha(random_alpha(width, height, random), width, height, options).value();
    const Transform at{{random.between(-9, 9), random.between(-9, 9)},
                       Rotation::by(random.between(-4.0F, 4.0F))};
    const Aabb box = bounds(mask, at);
    double low = 1e9;
    double high = -1e9;
    for (std::uint32_t y = 0; y <= height; ++y) {
      for (std::uint32_t x = 0; x <= width; ++x) {
        const bool corner = mask.at(x, y) || mask.at(x - 1, y) || mask.at(x, y - 1) || mask.at(x - 1, y - 1);
        if (corner) {
          const double local_x = double(options.origin.x) + x * double(options.pixel_size);
          const double local_y = double(options.origin.y) + y * double(options.pixel_size);
          const double world =
              double(at.position.x) + double(at.rotation.cos) * local_x - double(at.rotation.sin) * local_y;
          low = std::min(low, world);
          high = std::max(high, world);
        }
      }
    }
    EXPECT_LE(double(box.min.x), low);
    EXPECT_GE(double(box.max.x), high);
    EXPECT_NEAR(double(box.min.x), low, 1e-5);
    EXPECT_NEAR(double(box.max.x), high, 1e-5);
  }
}

TEST(Mask, contains_points_of_set_pixels_and_of_their_edges) {
  const Mask mask = make({"x.", ".x"});
  const Transform at{{10.0F, 20.0F}, {}};
  for (const Vec2 inside : {Vec2{10.5F, 20.5F}, Vec2{10, 20}, Vec2{11, 20.5F}, Vec2{11, 21}, Vec2{10.5F, 21},
                            Vec2{12, 22}, Vec2{11, 22}, Vec2{12, 21}}) {
    EXPECT_TRUE(contains(mask, at, inside)) << inside.x << ' ' << inside.y;
  }
  for (const Vec2 outside : {Vec2{11.5F, 20.5F}, Vec2{10.5F, 21.5F}, Vec2{std::nextafter(10.0F, 0.0F), 20.5F},
                             Vec2{std::nextafter(11.0F, 99.0F), 20.5F}, Vec2{12, 20}, Vec2{10, 22},
                             Vec2{-1e30F, 1e30F}, Vec2{std::nanf(""), 20.5F}, Vec2{10.5F, std::nanf("")}}) {
    EXPECT_FALSE(contains(mask, at, outside)) << outside.x << ' ' << outside.y;
  }
  // A quarter turn counter-clockwise: column to y, row to -x.
  const Transform turned{{}, {0.0F, 1.0F}};
  EXPECT_TRUE(contains(mask, turned, {-0.5F, 0.5F}));
  EXPECT_TRUE(contains(mask, turned, {-1.5F, 1.5F}));
  EXPECT_FALSE(contains(mask, turned, {-0.5F, 1.5F}));
}

TEST(Mask, contains_lines_between_pixels_of_any_size_exactly) {
  // 0.1F times a whole number below 2^14 is rarely a float, but the product is exact in double: no line is
  // missed.
  const Mask mask = make({"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}, {0.1F, {}, 128});
  const Mask odd = make({"x.x.x.x.x.x.x.x.x.x.x.x.x.x.x"}, {0.1F, {}, 128});
  for (std::uint32_t i = 0; i <= 29; ++i) {
    const double line = i * double(0.1F);
    const auto at_line = static_cast<float>(line);
    const bool on_line = double(at_line) == line;
    EXPECT_TRUE(contains(mask, {}, {at_line, 0.05F})) << i;
    const bool left_set = i % 2 == 1;  // of the pixel that ends at the line
    const bool expected = on_line || (double(at_line) < line ? left_set : !left_set && i < 29);
    EXPECT_EQ(contains(odd, {}, {at_line, 0.05F}), expected) << i;
  }
}

TEST(Mask, with_an_invalid_transform_contains_nothing) {
  const Mask mask = make({"x"});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Transform& at :
       {Transform{{nan, 0.0F}, {}}, Transform{{}, {nan, 0.0F}}, Transform{{}, {0.0F, 0.0F}}}) {
    const Aabb box = bounds(mask, at);
    EXPECT_FALSE(is_valid(box));
    EXPECT_TRUE(is_finite(box));
    EXPECT_FALSE(overlaps(box, Aabb{{-1e38F, -1e38F}, {1e38F, 1e38F}}));
    EXPECT_FALSE(contains(mask, at, {0.5F, 0.5F}));
  }
}

// Of any width and height, from full masks to checkerboards, which have the most rectangles.
TEST(Mask, takes_memory_for_its_words_rectangles_and_hull) {
  test::Random random(4);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t width = 1 + (random.bits() >> (22 + random.below(10)));
    const std::uint32_t height = 1 + (random.bits() >> (24 + random.below(8)));
    std::vector<std::uint8_t> alpha = random_alpha(width, height, random);
    for (std::size_t i = 0; i < alpha.size() && round % 3 == 0; ++i) {
      alpha[i] = (i % width + i / width) % 2 == 0 ? 255 : 0;
    }
    const test::MemoryWatch watch;
    const Mask mask = Mask::from_alpha(alpha, width, height, {}).value();
    const std::size_t bytes = watch.bytes();
    const std::size_t strips = (std::size_t{width} + 63) / 64;
    const std::size_t held = 16 * strips * height + 8 * std::size_t{height} + 80 * strips +
                             8 * (mask.rectangles().size() + mask.hull().size());
    EXPECT_GE(bytes, held) << width << " x " << height;
    EXPECT_LE(bytes, held + 100 * (mask.rectangles().size() + height) + 1000) << width << " x " << height;
  }
}

}  // namespace
}  // namespace broadside::mask_test
