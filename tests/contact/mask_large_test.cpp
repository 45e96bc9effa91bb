#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "broadside/contact/collide.hpp"
#include "broadside/contact/mask_overlap.hpp"
#include "contact/masks.hpp"
#include "random_shapes.hpp"

namespace broadside::mask_large_test {
namespace {

// Masks of more words and rows than a register has.

/// A mask with few pixels set, and a list of them.
struct SparseMask {
  Mask mask;
  std::vector<PixelCorner> pixels;  ///< by row, then column
};

SparseMask sparse_mask(std::uint32_t width, std::uint32_t height, std::uint32_t count, test::Random& random) {
  std::vector<std::uint8_t> alpha(std::size_t{width} * height);
  for (std::uint32_t i = 0; i < count; ++i) {
    alpha[random.below(width * height)] = 255;
  }
  SparseMask made{Mask::from_alpha(alpha, width, height, {}).value(), {}};
  for (std::uint32_t i = 0; i < width * height; ++i) {
    if (alpha[i] != 0) {
      made.pixels.push_back({i % width, i / width});
    }
  }
  return made;
}

/// The oracle: each pixel of one list is compared with each of the other, as closed squares.
MaskOverlap pixel_by_pixel(const SparseMask& a, const SparseMask& b, Vec2 way) {
  MaskOverlap found;
  double area = 0.0;
  for (const PixelCorner p : a.pixels) {
    for (const PixelCorner q : b.pixels) {
      const double x = 1.0 - std::abs(double(p.column) - double(q.column) - double(way.x));
      const double y = 1.0 - std::abs(double(p.row) - double(q.row) - double(way.y));
      if (x >= 0.0 && y >= 0.0) {
        area += x * y;
        found = found.touching ? found : MaskOverlap{true, p.column, p.row, 0.0F};
      }
    }
  }
  found.area = static_cast<float>(area);
  return found;
}

TEST(LargeMasks, are_compared_to_the_pixel) {
  test::Random random(31);
  int touching = 0;
  for (int round = 0; round < 1500; ++round) {
    const auto side = [&] { return 1 + random.below(random.below(2) == 0 ? 70 : 300); };
    const SparseMask a = sparse_mask(side(), side(), 1 + random.below(80), random);
    const SparseMask b = sparse_mask(side(), side(), 1 + random.below(80), random);
    // Whole numbers, halves and quarters.
    const float parts = static_cast<float>(1U << random.below(3));
    const auto place = [&](std::uint32_t least, std::uint32_t most) {
      const auto low = -static_cast<float>(least) - 1.0F;
      return std::floor(parts * random.between(low, static_cast<float>(most) + 1.0F)) / parts;
    };
    const Vec2 way{place(b.mask.width(), a.mask.width()), place(b.mask.height(), a.mask.height())};
    const Vec2 at_a{place(9, 9), place(9, 9)};
    const MaskOverlap expected = pixel_by_pixel(a, b, way);
    ASSERT_EQ(overlap(a.mask, {at_a, {}}, b.mask, {at_a + way, {}}), expected) << round;
    ASSERT_EQ(overlaps(a.mask, {at_a, {}}, b.mask, {at_a + way, {}}), expected.touching) << round;
    touching += expected.touching ? 1 : 0;
  }
  EXPECT_GT(touching, 300);
}

/// `overlaps` has a fast path for circles and boxes, `collide` has none.
TEST(LargeMasks, touch_circles_and_boxes_where_collide_says_so) {
  test::Random random(32);
  int touching = 0;
  for (int round = 0; round < 6000; ++round) {
    const SparseMask a =
        sparse_mask(1 + random.below(200), 1 + random.below(120), 1 + random.below(60), random);
    // On the lattice many shapes only just touch, or just do not.
    const bool on_lattice = round % 2 == 0;
    const auto number = [&](float low, float high) {
      const float any = random.between(low, high);
      return on_lattice ? std::floor(any) : any;
    };
    const Rotation quarters[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {0.6F, 0.8F}, {-0.8F, 0.6F}};
    const auto turned = [&] {
      return on_lattice ? quarters[random.below(6)] : Rotation::by(random.between(-4, 4));
    };
    const float far = round % 7 == 0 ? 1e6F : 0.0F;
    const Transform at_a{{far + number(-9, 9), number(-9, 9)}, turned()};
    const Transform at_b{{far + number(-150, 200), number(-150, 150)}, turned()};
    Shape b = Circle{{number(-2, 2), 0.0F}, number(0, 30)};
    if (round % 3 == 0) {
      b = Box::of_half_size({number(0, 40), number(0, 20)}, {0.0F, number(-2, 2)}, turned());
    }
    const bool expected = collide(a.mask, at_a, b, at_b).touching();
    ASSERT_EQ(overlaps(a.mask, at_a, b, at_b), expected) << round;
    ASSERT_EQ(overlaps(b, at_b, a.mask, at_a), expected) << round;
    touching += expected ? 1 : 0;
  }
  EXPECT_GT(touching, 300);
}

}  // namespace
}  // namespace broadside::mask_large_test
