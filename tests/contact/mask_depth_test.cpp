#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "broadside/contact/collide.hpp"
#include "broadside/contact/mask_overlap.hpp"
#include "contact/masks.hpp"
#include "random_shapes.hpp"

namespace broadside::mask_depth_test {
namespace {

using test::random_mask;

struct Corner {
  double x, y;
};

/// Returns what of a convex polygon lies left of the line from p to q.
/// Source: I. E. Sutherland, G. W. Hodgman, Reentrant polygon clipping, 1974.
std::vector<Corner> rotate_ccw(const std::vector<Corner>& polygon, Corner p, Corner q) {
  std::vector<Corner> kept;
  const auto side = [&](Corner c) { return (q.x - p.x) * (c.y - p.y) - (q.y - p.y) * (c.x - p.x); };
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Corner from = polygon[i];
    const Corner to = polygon[(i + 1) % polygon.size()];
    if (side(from) >= 0.0) {
      kept.push_back(from);
    }
    if (side(from) * side(to) < 0.0) {
      const double share = side(from) / (side(from) - side(to));
      kept.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
    }
  }
  return kept;
}

double area_of(const std::vector<Corner>& polygon) {
  double twice = 0.0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Corner from = polygon[i];
    const Corner to = polygon[(i + 1) % polygon.size()];
    twice += from.x * to.y - from.y * to.x;
  }
  return 0.5 * twice;
}

std::vector<Corner> rectangle(double left, double low, double right, double high) {
  return {{left, low}, {right, low}, {right, high}, {left, high}};
}

/// The intersection of a mask, with pixels of width 1 from {0, 0} on, and some convex polygons.
struct SharedPieces {
  const Mask& mask;
  std::vector<std::vector<Corner>> parts;

  /// Returns its extent along a direction, pixel by pixel; pieces without area do not count.
  [[nodiscard]] double reach(Vec2 direction, double no_area = 1e-9) const {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::uint32_t row = 0; row < mask.height(); ++row) {
      for (std::uint32_t column = 0; column < mask.width(); ++column) {
        if (!mask.at(column, row)) {
          continue;
        }
        const auto pixel = rectangle(column, row, column + 1.0, row + 1.0);
        for (std::vector<Corner> piece : parts) {
          for (std::size_t i = 0; i < 4; ++i) {
            piece = rotate_ccw(piece, pixel[i], pixel[(i + 1) % 4]);
          }
          for (const Corner c : area_of(piece) > no_area ? piece : std::vector<Corner>()) {
            const double at = c.x * double(direction.x) + c.y * double(direction.y);
            low = std::min(low, at);
            high = std::max(high, at);
          }
        }
      }
    }
    return high - low;
  }

  /// Returns the length of the sum of the mask's sides within the first part, each along its normal.
  [[nodiscard]] double push() const {
    double x = 0.0;
    double y = 0.0;
    const auto length_in = [&](Corner p, Corner q) {
      double begin = 0.0;
      double end = 1.0;
      for (std::size_t i = 0; i < parts[0].size(); ++i) {
        const Corner a = parts[0][i];
        const Corner b = parts[0][(i + 1) % parts[0].size()];
        const auto side = [&](Corner c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); };
        const double share = side(p) == side(q) ? 0.0 : side(p) / (side(p) - side(q));
        begin = side(p) < 0.0 ? (side(q) < 0.0 ? 1.0 : std::max(begin, share)) : begin;
        end = side(p) >= 0.0 && side(q) < 0.0 ? std::min(end, share) : end;
      }
      return std::max(0.0, end - begin);
    };
    for (std::uint32_t row = 0; row < mask.height(); ++row) {
      for (std::uint32_t column = 0; column < mask.width(); ++column) {
        if (!mask.at(column, row)) {
          continue;
        }
        const Corner low{double(column), double(row)};
        const Corner high{column + 1.0, row + 1.0};
        x -= mask.at(column - 1, row) ? 0.0 : length_in(low, {low.x, high.y});
        x += mask.at(column + 1, row) ? 0.0 : length_in({high.x, low.y}, high);
        y -= mask.at(column, row - 1) ? 0.0 : length_in(low, {high.x, low.y});
        y += mask.at(column, row + 1) ? 0.0 : length_in({low.x, high.y}, high);
      }
    }
    return std::hypot(x, y);
  }
};

/// Returns the corners of a box or, approximately, of a circle; the rectangles of a mask without rotation.
std::vector<std::vector<Corner>> parts_of(const Shape& shape, const Transform& where) {
  std::vector<std::vector<Corner>> parts;
  const double x = double(where.position.x);
  const double y = double(where.position.y);
  if (const auto* box = std::get_if<Box>(&shape)) {
    const double c = double(where.rotation.cos);
    const double s = double(where.rotation.sin);
    const Corner half{double(box->half_size.x), double(box->half_size.y)};
    parts.push_back(rectangle(-half.x, -half.y, half.x, half.y));
    for (Corner& corner : parts.back()) {
      corner = {x + c * corner.x - s * corner.y, y + s * corner.x + c * corner.y};
    }
  } else if (const auto* circle = std::get_if<Circle>(&shape)) {
    parts.emplace_back();
    for (int i = 0; i < 1000; ++i) {
      const double angle = 2.0 * 3.14159265358979 * i / 1000.0;
      parts.back().push_back(
          {x + double(circle->radius) * std::cos(angle), y + double(circle->radius) * std::sin(angle)});
    }
  } else if (const auto* mask = std::get_if<Mask>(&shape)) {
    const double pixel = double(mask->pixel_size());
    for (const PixelRectangle& r : mask->rectangles()) {
      parts.push_back(rectangle(x + r.column * pixel, y + r.row * pixel, x + (r.column + r.width) * pixel,
                                y + (r.row + r.height) * pixel));
    }
  }
  return parts;
}

TEST(MaskDepth, is_the_extent_of_the_shared_area_along_the_normal) {
  test::Random random(24);
  int compared = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto place = [&](float low, float high) {
      return std::floor(8.0F * random.between(low, high)) / 8.0F;
    };
    const Mask a = random_mask(1 + random.below(9), 1 + random.below(9), {}, random);
    Transform at_b{{place(-2, 10), place(-2, 10)}, {}};
    Shape b = Box::of_half_size({place(0.25F, 4), place(0.25F, 4)});
    switch (round % 4) {
      case 0:
        break;
      case 1:
        at_b.rotation = Rotation::by(random.between(-4, 4));
        break;
      case 2:
        b = Circle{{}, place(0.25F, 4)};
        break;
      default:
        b = random_mask(1 + random.below(9), 1 + random.below(9),
                        {random.below(2) == 0 ? 0.5F : 1.0F, {}, 128}, random);
    }
    const SharedPieces shared{a, parts_of(b, at_b)};
    // The polygon of a thousand corners is slightly smaller than its circle.
    const bool is_circle = std::holds_alternative<Circle>(b);
    const double no_push = is_circle ? 1e-4 : 1e-6;
    if (overlap(a, {}, b, at_b).area < 1e-3F ||
        (!std::holds_alternative<Mask>(b) && shared.push() < no_push)) {
      continue;  // another rule applies: no side pushes if b lies wholly inside
    }
    const Manifold manifold = collide(a, {}, b, at_b);
    ASSERT_TRUE(manifold.touching());
    EXPECT_NEAR(-manifold.points[0].separation, shared.reach(manifold.normal), is_circle ? 1e-2 : 1e-4)
        << round;
    ++compared;
  }
  EXPECT_GT(compared, 500);
}

// Rows of pixels are stored in words of 64 bits. Draws widths around them, so that a row may end with a word,
// or with a part of one, in either mask.
TEST(MaskDepth, of_wide_masks_is_that_of_their_pixels) {
  test::Random random(26);
  int compared = 0;
  for (int round = 0; round < 400; ++round) {
    const auto width = [&] { return 64 * (1 + random.below(2)) + random.below(3) - random.below(3); };
    const Mask a = random_mask(width(), 1 + random.below(3), {}, random);
    const Shape b = random_mask(width(), 1 + random.below(3), {}, random);
    const float part = random.below(2) == 0 ? 0.0F : 0.25F;
    const Transform at_b{{std::floor(random.between(-126, 126)) + part, std::floor(random.between(-2, 2))},
                         {}};
    if (overlap(a, {}, b, at_b).area < 1e-3F) {
      continue;
    }
    const SharedPieces shared{a, parts_of(b, at_b)};
    const Manifold manifold = collide(a, {}, b, at_b);
    ASSERT_TRUE(manifold.touching());
    EXPECT_NEAR(-manifold.points[0].separation, shared.reach(manifold.normal), 1e-4) << round;
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

TEST(MaskDepth, of_masks_is_that_of_their_pixels_though_an_offset_is_lost_in_rounding) {
  test::Random random(25);
  int compared = 0;
  for (int round = 0; round < 500; ++round) {
    const auto tiny = [&] { return random.between(-1.0F, 1.0F) * (random.below(2) == 0 ? 1e-20F : 1e-14F); };
    const Mask a = random_mask(1 + random.below(9), 1 + random.below(9), {}, random);
    const Shape b = random_mask(1 + random.below(9), 1 + random.below(9), {}, random);
    const Transform at_b{{tiny(), tiny()}, {}};
    if (overlap(a, {}, b, at_b).area < 1e-3F) {
      continue;
    }
    const SharedPieces shared{a, parts_of(b, at_b)};
    const Manifold manifold = collide(a, {}, b, at_b);
    ASSERT_TRUE(manifold.touching());
    // Slivers may count or not: some of them are lost in rounding.
    EXPECT_GE(-manifold.points[0].separation, shared.reach(manifold.normal) - 1e-4) << round;
    EXPECT_LE(-manifold.points[0].separation, shared.reach(manifold.normal, -1.0) + 1e-4) << round;
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace broadside::mask_depth_test
