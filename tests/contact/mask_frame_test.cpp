// The frame of a mask, into which other shapes are transformed.

#include "contact/mask/mask_frame.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "contact/masks.hpp"

namespace broadside::mask_frame_test {
namespace {

// Far from the origin of the frame, corners that are closer than rounding are merged.
TEST(MaskFrame, leaves_no_two_neighbors_of_a_shape_in_one_place) {
  test::Random random(1);
  int merged = 0;
  for (int round = 0; round < 5000; ++round) {
    const float angle = random.between(-4.0F, 4.0F);
    const Mask pixel = test::make({"x"}, {.origin = {random.between(-9, 9), random.between(-9, 9)}});
    const detail::MaskFrame frame(pixel, {{}, {std::cos(angle), std::sin(angle)}});
    detail::Convex shape;
    shape.size = 1 + random.below(5);
    const double size = std::ldexp(1.0, -static_cast<int>(random.below(60)));
    for (std::size_t i = 0; i < shape.size; ++i) {
      const double turn = 6.283185307179586 * static_cast<double>(i) / static_cast<double>(shape.size);
      shape.points[i] = {3.0 + size * std::cos(turn), 4.0 + size * std::sin(turn)};
    }
    detail::Convex moved = shape;
    frame.transform_in(moved);
    merged += moved.size < shape.size ? 1 : 0;
    ASSERT_GE(moved.size, 1U);
    for (std::size_t i = 0; i < moved.size && moved.size > 1; ++i) {
      ASSERT_FALSE(moved.points[i] == moved.points[(i + 1) % moved.size]) << round << ", corner " << i;
    }
    // Each corner is still there.
    for (std::size_t i = 0; i < shape.size; ++i) {
      bool found = false;
      for (std::size_t k = 0; k < moved.size; ++k) {
        found = found || moved.points[k] == frame.from_world(shape.points[i]);
      }
      ASSERT_TRUE(found) << round << ", corner " << i;
    }
  }
  EXPECT_GT(merged, 100);
}

}  // namespace
}  // namespace broadside::mask_frame_test
