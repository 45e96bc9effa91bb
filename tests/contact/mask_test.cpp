#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "allocation_watch.hpp"
#include "broadside/contact/collide.hpp"
#include "broadside/contact/mask_overlap.hpp"
#include "contact/masks.hpp"
#include "random_shapes.hpp"

namespace broadside::mask_test {
namespace {

using test::at;
using test::make;
using test::random_mask;

/// The oracle: each set pixel of one mask is compared with each of the other, as closed squares. The numbers
/// of these tests are multiples of 1/64 below 2^12, so everything is exact.
MaskOverlap pixel_by_pixel(const Mask& a, Vec2 position_a, const Mask& b, Vec2 position_b) {
  struct Square {
    double x, y, size;
  };
  const auto square = [](const Mask& mask, Vec2 position, std::uint32_t column, std::uint32_t row) {
    const auto size = double(mask.pixel_size());
    return Square{double(position.x) + double(mask.origin().x) + column * size,
                  double(position.y) + double(mask.origin().y) + row * size, size};
  };
  MaskOverlap found;
  double area = 0.0;
  for (std::uint32_t row = 0; row < a.height(); ++row) {
    for (std::uint32_t column = 0; column < a.width(); ++column) {
      if (!a.at(column, row)) {
        continue;
      }
      const Square p = square(a, position_a, column, row);
      for (std::uint32_t v = 0; v < b.height(); ++v) {
        for (std::uint32_t u = 0; u < b.width(); ++u) {
          if (!b.at(u, v)) {
            continue;
          }
          const Square q = square(b, position_b, u, v);
          const double x = std::min(p.x + p.size, q.x + q.size) - std::max(p.x, q.x);
          const double y = std::min(p.y + p.size, q.y + q.size) - std::max(p.y, q.y);
          if (x < 0.0 || y < 0.0) {
            continue;
          }
          area += x * y;
          if (!found.touching) {
            found = {true, column, row, 0.0F};
          }
        }
      }
    }
  }
  found.area = static_cast<float>(area);
  return found;
}

/// Checks what holds for any two shapes of which one is a mask.
void expect_agreement(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  const bool touching = overlaps(a, at_a, b, at_b);
  EXPECT_EQ(overlaps(b, at_b, a, at_a), touching);
  if (touching) {
    EXPECT_TRUE(overlaps(bounds(a, at_a), bounds(b, at_b)));
  }
  const Manifold manifold = collide(a, at_a, b, at_b);
  const Manifold swapped = collide(b, at_b, a, at_a);
  EXPECT_EQ(manifold.touching(), touching);
  const bool same = a == b && at_a == at_b;
  Manifold back = swapped;
  back.normal = touching && !same ? Vec2{0.0F - back.normal.x, 0.0F - back.normal.y} : back.normal;
  EXPECT_EQ(back.normal, manifold.normal);
  EXPECT_EQ(back.points, manifold.points);
  const Distance apart = distance(a, at_a, b, at_b);
  const Distance apart_back = distance(b, at_b, a, at_a);
  EXPECT_EQ(apart.distance == 0.0F, touching);
  EXPECT_EQ(apart.distance, apart_back.distance);
  EXPECT_EQ(apart.point_a, apart_back.point_b);
  EXPECT_EQ(apart.point_b, apart_back.point_a);
  EXPECT_NEAR(dot(apart.normal, apart.normal), 1.0F, 1e-5F);
  if (touching) {
    EXPECT_NEAR(dot(manifold.normal, manifold.normal), 1.0F, 1e-5F);
    EXPECT_LE(manifold.points[0].separation, 0.0F);
    EXPECT_TRUE(is_finite(manifold.points[0].position.x) && is_finite(manifold.points[0].position.y));
    EXPECT_EQ(apart.normal, manifold.normal);
    EXPECT_EQ(apart.point_a, apart.point_b);
  }
  const auto hit = cast(a, at_a, {0.0F, 0.0F}, b, at_b);
  EXPECT_EQ(hit.has_value(), touching);
  EXPECT_FALSE(hit && hit->fraction != 0.0F);
}

TEST(MaskAgainstMask, is_exact_to_the_pixel) {
  test::Random random(11);
  const std::uint32_t widths[] = {1, 2, 5, 63, 64, 65, 127, 128, 129};
  int touching = 0;
  int only_touching = 0;
  for (int round = 0; round < 4000; ++round) {
    // Fractions: none, some; positions on both sides of 0.
    const std::uint32_t parts = 1U << (random.below(2) * (1 + random.below(6)));
    const auto place = [&](std::uint32_t reach) {
      return static_cast<float>(static_cast<std::int32_t>(random.below(2 * reach * parts + 1)) -
                                static_cast<std::int32_t>(reach * parts)) /
             static_cast<float>(parts);
    };
    const MaskOptions in_a{1.0F, {place(3), place(3)}, 128};
    const MaskOptions in_b{1.0F, {place(3), place(3)}, 128};
    const Mask a = random_mask(widths[random.below(9)], 1 + random.below(6), in_a, random);
    const Mask b = random_mask(widths[random.below(9)], 1 + random.below(6), in_b, random);
    const Vec2 position_a{place(100), place(5)};
    const Vec2 position_b{position_a.x + place(a.width() + b.width()), position_a.y + place(8)};
    const MaskOverlap expected = pixel_by_pixel(a, position_a, b, position_b);
    const MaskOverlap found = overlap(a, {position_a, {}}, b, {position_b, {}});
    ASSERT_EQ(found.touching, expected.touching) << round;
    ASSERT_EQ(found.column, expected.column) << round;
    ASSERT_EQ(found.row, expected.row) << round;
    ASSERT_EQ(found.area, expected.area) << round;
    touching += found.touching ? 1 : 0;
    only_touching += found.touching && found.area == 0.0F ? 1 : 0;
    expect_agreement(a, {position_a, {}}, b, {position_b, {}});
    ASSERT_FALSE(HasFailure()) << round;
  }
  EXPECT_GT(touching, 300);
  EXPECT_LT(touching, 2000);
  EXPECT_GT(only_touching, 30);
}

TEST(MaskAgainstMask, of_other_pixel_size_is_as_exact) {
  test::Random random(12);
  int touching = 0;
  for (int round = 0; round < 2000; ++round) {
    const float sizes[] = {0.25F, 0.5F, 1.0F, 2.0F, 3.0F};
    const auto place = [&](float reach) { return std::floor(8.0F * random.between(-reach, reach)) / 8.0F; };
    const Mask a = random_mask(1 + random.below(12), 1 + random.below(12),
                               {sizes[random.below(5)], {place(2), place(2)}, 128}, random);
    const Mask b = random_mask(1 + random.below(12), 1 + random.below(12),
                               {sizes[random.below(5)], {place(2), place(2)}, 128}, random);
    const Vec2 position_a{place(12), place(12)};
    const Vec2 position_b{place(12), place(12)};
    const MaskOverlap expected = pixel_by_pixel(a, position_a, b, position_b);
    const MaskOverlap found = overlap(a, {position_a, {}}, b, {position_b, {}});
    ASSERT_EQ(found.touching, expected.touching) << round;
    ASSERT_EQ(found.column, expected.column) << round;
    ASSERT_EQ(found.row, expected.row) << round;
    ASSERT_FLOAT_EQ(found.area, expected.area) << round;
    touching += found.touching ? 1 : 0;
    expect_agreement(a, {position_a, {}}, b, {position_b, {}});
    ASSERT_FALSE(HasFailure()) << round;
  }
  EXPECT_GT(touching, 100);
}

/// The same pixels, rotated by a quarter, counter-clockwise where y points up: column to row, row to -column.
Mask turned_by_a_quarter(const Mask& mask) {
  std::vector<std::uint8_t> alpha(std::size_t{mask.width()} * mask.height());
  for (std::uint32_t row = 0; row < mask.height(); ++row) {
    for (std::uint32_t column = 0; column < mask.width(); ++column) {
      alpha[std::size_t{column} * mask.height() + (mask.height() - 1 - row)] = mask.at(column, row) ? 255 : 0;
    }
  }
  const float width = static_cast<float>(mask.height()) * mask.pixel_size();
  const Vec2 origin{0.0F - mask.origin().y - width, mask.origin().x};
  return Mask::from_alpha(alpha, mask.height(), mask.width(), {mask.pixel_size(), origin, 128}).value();
}

TEST(MaskAgainstMask, at_quarter_turns_is_as_its_turned_pixels) {
  test::Random random(13);
  int touching = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto place = [&](float reach) { return std::floor(4.0F * random.between(-reach, reach)) / 4.0F; };
    Mask a =
        random_mask(1 + random.below(70), 1 + random.below(9), {1.0F, {place(3), place(3)}, 128}, random);
    Mask b =
        random_mask(1 + random.below(70), 1 + random.below(9), {1.0F, {place(3), place(3)}, 128}, random);
    Transform at_a{{place(9), place(9)}, {}};
    Transform at_b{{place(30), place(30)}, {}};
    const Mask straight_a = a;
    Mask straight_b = b;
    const Rotation quarters[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const std::uint32_t turns = random.below(4);
    at_b.rotation = quarters[turns];
    for (std::uint32_t turn = 0; turn < turns; ++turn) {
      straight_b = turned_by_a_quarter(straight_b);
    }
    const MaskOverlap expected = pixel_by_pixel(straight_a, at_a.position, straight_b, at_b.position);
    const MaskOverlap found = overlap(a, at_a, b, at_b);
    ASSERT_EQ(found.touching, expected.touching) << round;
    ASSERT_EQ(found.column, expected.column) << round;
    ASSERT_EQ(found.row, expected.row) << round;
    ASSERT_FLOAT_EQ(found.area, expected.area) << round;
    touching += found.touching ? 1 : 0;
    expect_agreement(a, at_a, b, at_b);
    ASSERT_FALSE(HasFailure()) << round;
  }
  EXPECT_GT(touching, 100);
}

/// Returns points of a rotated mask with a distance of `step`, for a sampling oracle.
std::vector<Vec2> samples_of(const Mask& mask, const Transform& transform, double step) {
  std::vector<Vec2> points;
  for (double y = 0.5 * step; y < mask.height() * double(mask.pixel_size()); y += step) {
    for (double x = 0.5 * step; x < mask.width() * double(mask.pixel_size()); x += step) {
      if (mask.at(static_cast<std::uint32_t>(x / double(mask.pixel_size())),
                  static_cast<std::uint32_t>(y / double(mask.pixel_size())))) {
        const double c = double(transform.rotation.cos);
        const double s = double(transform.rotation.sin);
        const double u = x + double(mask.origin().x);
        const double v = y + double(mask.origin().y);
        points.push_back({static_cast<float>(double(transform.position.x) + c * u - s * v),
                          static_cast<float>(double(transform.position.y) + s * u + c * v)});
      }
    }
  }
  return points;
}

/// Compares the area with that of the samples of a in b, and touching with whether there are such samples.
void expect_area_of_samples(const Mask& a, const Transform& at_a, const Shape& b, const Transform& at_b,
                            int& touching) {
  const double step = double(a.pixel_size()) / 16.0;
  double inside = 0.0;
  for (const Vec2 point : samples_of(a, at_a, step)) {
    inside += contains(b, at_b, point) ? 1.0 : 0.0;
  }
  const MaskOverlap found = overlap(a, at_a, b, at_b);
  if (inside > 0.0) {
    EXPECT_TRUE(found.touching);
    ++touching;
  }
  // Only samples near the outline of b may be counted wrongly.
  const double pixels = double(a.count());
  EXPECT_NEAR(double(found.area), inside * step * step,
              0.02 * double(area(b)) + 0.06 * std::sqrt(pixels) + 0.02);
  if (found.touching) {
    EXPECT_TRUE(a.at(found.column, found.row));
  }
  expect_agreement(a, at_a, b, at_b);
}

TEST(MaskAgainstMask, at_any_angle_has_the_area_of_dense_samples) {
  test::Random random(14);
  int touching = 0;
  for (int round = 0; round < 400; ++round) {
    const auto transform = [&] {
      return Transform{{random.between(-4, 4), random.between(-4, 4)}, Rotation::by(random.between(-4, 4))};
    };
    const Mask a = random_mask(1 + random.below(8), 1 + random.below(8), {1.0F, {-3, -3}, 128}, random);
    const Mask b = random_mask(1 + random.below(8), 1 + random.below(8),
                               {random.between(0.3F, 1.5F), {-3, -3}, 128}, random);
    expect_area_of_samples(a, transform(), b, transform(), touching);
    ASSERT_FALSE(HasFailure()) << round;
  }
  EXPECT_GT(touching, 50);
}

TEST(MaskAgainstConvex, has_the_area_of_dense_samples) {
  test::Random random(15);
  int touching = 0;
  for (int round = 0; round < 1500; ++round) {
    const Mask a = random_mask(1 + random.below(9), 1 + random.below(9), {0.5F, {-2, -2}, 128}, random);
    const Transform at_a = test::random_transform(test::Family::ordinary, random);
    const test::Standing b = test::random_standing(test::Family::ordinary, random);
    expect_area_of_samples(a, at_a, b.shape, b.at, touching);
    ASSERT_FALSE(HasFailure()) << round << ' ' << test::to_text(b);
  }
  EXPECT_GT(touching, 150);
}

/// All families, but only properties that always hold.
TEST(MaskAgainstConvex, agrees_with_itself_in_every_family) {
  test::Random random(16);
  int touching = 0;
  for (const test::Family family : test::families) {
    const float scale =
        family == test::Family::tiny ? 0x1p-100F : (family == test::Family::huge ? 0x1p100F : 1.0F);
    for (int round = 0; round < 1000; ++round) {
      const Mask a = random_mask(1 + random.below(5), 1 + random.below(5),
                                 {0.5F * scale, {-scale, -scale}, 128}, random);
      const Transform at_a = test::random_transform(family, random);
      const test::Standing b = test::random_standing(family, random);
      expect_agreement(a, at_a, b.shape, b.at);
      touching += overlaps(a, at_a, b.shape, b.at) ? 1 : 0;
      ASSERT_FALSE(HasFailure()) << test::name(family) << ' ' << round << ' ' << test::to_text(b);
    }
  }
  EXPECT_GT(touching, 1000);
}

TEST(MaskAgainstConvex, touches_as_its_pixels_do_one_by_one) {
  // Each pixel as a box, which takes the other code of the library. On the lattice, where touching is exact.
  test::Random random(17);
  int touching = 0;
  for (int round = 0; round < 800; ++round) {
    const Mask a = random_mask(1 + random.below(5), 1 + random.below(5), {0.5F, {-1, -1}, 128}, random);
    Transform at_a = test::random_transform(test::Family::lattice, random);
    const test::Standing b = test::random_standing(test::Family::lattice, random);
    bool expected = false;
    float nearest = std::numeric_limits<float>::infinity();
    for (std::uint32_t row = 0; row < a.height(); ++row) {
      for (std::uint32_t column = 0; column < a.width(); ++column) {
        if (a.at(column, row)) {
          const Vec2 center{0.5F * static_cast<float>(column) - 0.75F,
                            0.5F * static_cast<float>(row) - 0.75F};
          const Box box = Box::of_half_size({0.25F, 0.25F}, center);
          expected = expected || overlaps(box, at_a, b.shape, b.at);
          nearest = std::min(nearest, distance(box, at_a, b.shape, b.at).distance);
        }
      }
    }
    ASSERT_EQ(overlaps(a, at_a, b.shape, b.at), expected) << round << ' ' << test::to_text(b);
    ASSERT_FLOAT_EQ(distance(a, at_a, b.shape, b.at).distance, nearest) << round << ' ' << test::to_text(b);
    touching += expected ? 1 : 0;
  }
  EXPECT_GT(touching, 100);
}

TEST(MaskContacts, part_along_the_side_that_is_inside) {
  const Mask floor = make({"xxxxxxxxxx", "xxxxxxxxxx"});  // y from 0 to 2
  const struct {
    Shape shape;
    Transform where;
    Vec2 normal;
    float separation;
  } cases[] = {
      {Circle{{}, 1.0F}, at(5.0F, 2.75F), {0, 1}, -0.25F},
      {Circle{{}, 1.0F}, at(5.0F, 3.0F), {0, 1}, 0.0F},
      {Circle{{}, 1.0F}, at(5.5F, -0.5F), {0, -1}, -0.5F},
      {Circle{{}, 0.5F}, at(-0.25F, 1.0F), {-1, 0}, -0.25F},
      {Box::of_half_size({1.0F, 1.0F}), at(5.0F, 2.875F), {0, 1}, -0.125F},
      {Box::of_half_size({1.0F, 1.0F}), at(5.0F, 3.0F), {0, 1}, 0.0F},
      {Box::of_half_size({1.0F, 0.5F}), at(11.0F, 1.0F), {1, 0}, 0.0F},
      {Capsule{{-1, 0}, {1, 0}, 0.5F}, at(4.0F, 2.25F), {0, 1}, -0.25F},
      {Segment{{-1, 0}, {1, 0}}, at(5.0F, 2.0F), {0, 1}, 0.0F},
      {make({"xx", "xx"}), at(3.0F, 1.75F), {0, 1}, -0.25F},
      {make({"xx", "xx"}), at(3.0F, 2.0F), {0, 1}, 0.0F},
      {make({"xx", "xx"}), at(9.5F, 0.0F), {1, 0}, -0.5F},
      {make({"xx", "xx"}, {0.5F, {}, 128}), at(9.75F, 0.5F), {1, 0}, -0.25F},
  };
  for (const auto& c : cases) {
    const Manifold manifold = collide(floor, {}, c.shape, c.where);
    ASSERT_EQ(manifold.size, 1U) << name(c.shape);
    EXPECT_EQ(manifold.normal, c.normal) << name(c.shape) << ' ' << c.where.position.x;
    EXPECT_FLOAT_EQ(manifold.points[0].separation, c.separation) << name(c.shape);
    const Aabb both = bounds(c.shape, c.where);
    EXPECT_TRUE(contains(both, manifold.points[0].position)) << name(c.shape);
    EXPECT_TRUE(contains(bounds(floor, {}), manifold.points[0].position)) << name(c.shape);
  }
}

TEST(MaskContacts, have_a_normal_even_if_no_pixel_side_gives_one) {
  const Mask solid = make({"xxxxx", "xxxxx", "xxxxx", "xxxxx", "xxxxx"}, {1.0F, {-2.5F, -2.5F}, 128});
  const Mask dot_mask = make({"x"}, {1.0F, {-0.5F, -0.5F}, 128});
  // Concentric shapes, the same shape twice, a point, a line through all pixels.
  expect_agreement(solid, {}, dot_mask, {});
  expect_agreement(solid, {}, solid, {});
  expect_agreement(solid, {}, Circle{{}, 0.5F}, {});
  expect_agreement(solid, {}, Circle{{}, 0.0F}, {});
  expect_agreement(solid, {}, Segment{{-9, 0}, {9, 0}}, {});
  expect_agreement(solid, {}, Box::of_half_size({1, 1}), {});
  const Manifold corner = collide(dot_mask, {}, dot_mask, at(1.0F, -1.0F));
  ASSERT_TRUE(corner.touching());
  EXPECT_NEAR(corner.normal.x, std::sqrt(0.5F), 1e-6F);
  EXPECT_NEAR(corner.normal.y, -std::sqrt(0.5F), 1e-6F);
  EXPECT_EQ(corner.points[0].separation, 0.0F);
  EXPECT_EQ(corner.points[0].position, (Vec2{0.5F, -0.5F}));
  const Manifold line = collide(solid, {}, Segment{{-9, 2}, {9, 2}}, {});
  EXPECT_LT(line.points[0].separation, 0.0F);
}

// By a power of 2, so that rounding is the same.
TEST(MaskContacts, of_a_larger_picture_are_as_much_larger) {
  test::Random random(59);
  int touching = 0;
  for (int round = 0; round < 600; ++round) {
    const auto pixels = [&](std::uint32_t width, std::uint32_t height) {
      std::vector<std::uint8_t> alpha(std::size_t{width} * height);
      for (auto& value : alpha) {
        value = random.below(3) == 0 ? 255 : 0;
      }
      alpha[0] = 255;
      return alpha;
    };
    const std::vector<std::uint8_t> of_a = pixels(9, 7);
    const std::vector<std::uint8_t> of_b = pixels(6, 8);
    // Halves and quarters of a pixel, so that many only touch along an edge.
    const Vec2 way{0.25F * static_cast<float>(random.below(60)) - 6.0F,
                   0.25F * static_cast<float>(random.below(60)) - 8.0F};
    const Rotation turn = random.below(2) == 0 ? Rotation{} : Rotation::by(random.between(-4.0F, 4.0F));
    const bool is_parallel = random.below(4) != 0;
    const auto collide_scaled = [&](float scale) {
      const Mask a = Mask::from_alpha(of_a, 9, 7, {scale, {}, 128}).value();
      const Mask b = Mask::from_alpha(of_b, 6, 8, {is_parallel ? scale : 0.5F * scale, {}, 128}).value();
      return collide(a, {{}, turn}, b, {scale * way, turn});
    };
    const Manifold plain = collide_scaled(1.0F);
    for (const float scale : {0x1p-30F, 0x1p-5F, 0x1p5F, 0x1p30F}) {
      Manifold expected = plain;
      for (ManifoldPoint& p : expected.points) {
        p.position = scale * p.position;
        p.separation *= scale;
      }
      const Manifold found = collide_scaled(scale);
      ASSERT_EQ(found.normal, expected.normal) << round << ' ' << scale;
      ASSERT_EQ(found.size, expected.size) << round << ' ' << scale;
      ASSERT_EQ(found.points, expected.points) << round << ' ' << scale;
    }
    touching += plain.touching() ? 1 : 0;
  }
  EXPECT_GT(touching, 200);
}

TEST(MaskContacts, shrink_the_area_along_the_normal) {
  test::Random random(18);
  int steps = 0;
  for (int round = 0; round < 300; ++round) {
    const Mask a = random_mask(20, 20, {1.0F, {-10, -10}, 128}, random);
    const Mask b = random_mask(15, 15, {1.0F, {-7, -7}, 128}, random);
    const Transform at_b{{random.between(-20, 20), random.between(-20, 20)}, {}};
    const MaskOverlap before = overlap(a, {}, b, at_b);
    if (before.area < 1.0F) {
      continue;
    }
    const Vec2 normal = collide(a, {}, b, at_b).normal;
    const MaskOverlap after = overlap(a, {}, b, {at_b.position + 0.001F * normal, {}});
    const MaskOverlap against = overlap(a, {}, b, {at_b.position - 0.001F * normal, {}});
    EXPECT_LE(after.area, against.area);
    ++steps;
  }
  EXPECT_GT(steps, 50);
}

TEST(MaskContacts, with_an_invalid_transform_are_empty) {
  const Mask mask = make({"x"});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Transform& none : {at(nan, 0.0F), Transform{{}, {nan, 0.0F}}, Transform{{}, {0.0F, 0.0F}}}) {
    for (const Shape& other : {Shape(mask), Shape(Circle{{}, 1.0F})}) {
      EXPECT_FALSE(overlaps(mask, none, other, {}));
      EXPECT_FALSE(overlaps(mask, {}, other, none));
      EXPECT_FALSE(collide(mask, none, other, {}).touching());
      EXPECT_FALSE(cast(mask, none, {1, 1}, other, {}));
      EXPECT_FALSE(cast(mask, {}, {1, 1}, other, none));
      EXPECT_EQ(overlap(mask, none, other, {}), MaskOverlap{});
      const Distance apart = distance(mask, none, other, {});
      EXPECT_TRUE(is_finite(apart.distance) && is_finite(apart.normal.x) && is_finite(apart.point_a.x));
    }
    EXPECT_FALSE(cast_ray({0.5F, 0.5F}, {1, 1}, mask, none));
  }
  EXPECT_FALSE(cast_ray({nan, 0.5F}, {1, 1}, mask, {}));
  EXPECT_FALSE(cast(mask, {}, {nan, 1}, mask, at(3, 3)));
}

TEST(MaskAgainstMask, of_as_many_pixels_in_the_same_place_is_the_same_when_swapped) {
  test::Random random(26);
  int touching = 0;
  for (int round = 0; round < 500; ++round) {
    const std::uint32_t width = 1 + random.below(90);
    const std::uint32_t height = 1 + random.below(6);
    const auto draw = [&](std::uint32_t count) {
      std::vector<std::uint8_t> alpha(std::size_t{width} * height, 0);
      while (count > 0) {
        std::uint8_t& pixel = alpha[random.below(width * height)];
        count -= pixel == 0 ? 1 : 0;
        pixel = 255;
      }
      return Mask::from_alpha(alpha, width, height, {}).value();
    };
    const std::uint32_t count = 1 + random.below(width * height);
    const Mask a = draw(count);
    const Mask b = draw(count);
    const Vec2 place{random.between(-9, 9), random.between(-9, 9)};
    const MaskOverlap expected = pixel_by_pixel(a, {}, b, {});
    const MaskOverlap found = overlap(a, {place, {}}, b, {place, {}});
    ASSERT_EQ(found.touching, expected.touching) << round;
    ASSERT_EQ(found.area, expected.area) << round;
    touching += found.touching ? 1 : 0;
    expect_agreement(a, {place, {}}, b, {place, {}});
    const Transform turned{place, {0.6F, 0.8F}};
    expect_agreement(a, turned, b, turned);
    ASSERT_FALSE(HasFailure()) << round;
  }
  EXPECT_GT(touching, 100);
}

// The gap is lost in the displacement from mask to mask; the bounding boxes keep it.
TEST(MaskAgainstMask, that_is_apart_by_less_than_rounding_does_not_touch) {
  test::Random random(27);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t width = 1 + random.below(90);
    const std::uint32_t height = 1 + random.below(6);
    const std::vector<std::uint8_t> alpha(std::size_t{width} * height, 255);
    const float gap = std::ldexp(1.0F + random.unit(), -60 - static_cast<int>(random.below(60)));
    const Vec2 size{static_cast<float>(width), static_cast<float>(height)};
    const bool on_x = random.below(2) == 0;
    const Mask a =
        Mask::from_alpha(alpha, width, height, {1.0F, on_x ? Vec2{-size.x, 0.0F} : Vec2{0.0F, -size.y}, 128})
            .value();
    const Mask b = Mask::from_alpha(alpha, width, height, {}).value();
    const Transform beside = on_x ? at(gap, 0.0F) : at(0.0F, gap);
    ASSERT_FALSE(overlaps(a, {}, b, beside)) << round;
    ASSERT_EQ(overlap(a, {}, b, beside), MaskOverlap{}) << round;
    ASSERT_EQ(overlap(b, beside, a, {}), MaskOverlap{}) << round;
    ASSERT_TRUE(overlaps(a, {}, b, {})) << round;
    expect_agreement(a, {}, b, beside);
    expect_agreement(a, {}, b, {});
    ASSERT_FALSE(HasFailure()) << round;
  }
}

TEST(MaskAgainstMask, of_columns_of_any_length_meets_the_first_pixel) {
  test::Random random(28);
  int touching = 0;
  for (int round = 0; round < 1000; ++round) {
    // Every other column has one run of pixels of any length: a rectangle.
    const auto comb = [&](float pixel) {
      const std::uint32_t width = 3 + random.below(8);
      const std::uint32_t height = 3 + random.below(8);
      std::vector<std::uint8_t> alpha(std::size_t{width} * height, 0);
      for (std::uint32_t column = random.below(2); column < width; column += 2) {
        const std::uint32_t first = random.below(height);
        const std::uint32_t end = first + 1 + random.below(height - first);
        for (std::uint32_t row = first; row < end; ++row) {
          alpha[std::size_t{row} * width + column] = 255;
        }
      }
      return Mask::from_alpha(alpha, width, height, {pixel, {}, 128}).value();
    };
    const auto place = [&](float low, float high) {
      return std::floor(4.0F * random.between(low, high)) / 4.0F;
    };
    const Mask a = comb(1.0F);
    const Mask b = comb(0.5F);
    const Vec2 position_b{place(-5, 11), place(-5, 11)};
    for (const bool swapped : {false, true}) {
      const Mask& one = swapped ? b : a;
      const Mask& other = swapped ? a : b;
      const Vec2 position_one = swapped ? position_b : Vec2{};
      const Vec2 position_other = swapped ? Vec2{} : position_b;
      const MaskOverlap expected = pixel_by_pixel(one, position_one, other, position_other);
      const MaskOverlap found = overlap(one, {position_one, {}}, other, {position_other, {}});
      ASSERT_EQ(found.touching, expected.touching) << round;
      ASSERT_EQ(found.column, expected.column) << round;
      ASSERT_EQ(found.row, expected.row) << round;
      ASSERT_FLOAT_EQ(found.area, expected.area) << round;
      touching += found.touching ? 1 : 0;
    }
  }
  EXPECT_GT(touching, 300);
}

// The circle's upper end is on the line between the rows to within rounding, yet it is below.
TEST(MaskAgainstConvex, a_circle_below_a_pixel_by_less_than_rounding_does_not_touch) {
  test::Random random(29);
  const Mask mask = make({"...", "xxx"});
  for (int round = 0; round < 100; ++round) {
    const std::uint32_t odd = (1U << 23U) + 2U * random.below(1U << 22U) + 1U;
    const float radius = std::ldexp(static_cast<float>(odd), -54);
    const float below = std::ldexp(static_cast<float>(odd + 1), -54);
    const Circle apart{{random.between(-1, 1), -below}, radius};
    ASSERT_FALSE(overlaps(mask, {}, apart, at(1.5F, 1.0F))) << round;
    expect_agreement(mask, {}, apart, at(1.5F, 1.0F));
    const Circle meets{apart.center, below};
    ASSERT_TRUE(overlaps(mask, {}, meets, at(1.5F, 1.0F))) << round;
    expect_agreement(mask, {}, meets, at(1.5F, 1.0F));
    ASSERT_FALSE(HasFailure()) << round;
  }
}

TEST(MaskAgainstConvex, shares_the_area_of_a_box_that_is_turned_by_no_more_than_rounding) {
  test::Random random(30);
  const Mask solid = make({"xxxxxxx", "xxxxxxx", "xxxxxxx", "xxxxxxx", "xxxxxxx", "xxxxxxx", "xxxxxxx"});
  for (int round = 0; round < 2000; ++round) {
    const Box box = Box::of_half_size({random.between(0.25F, 1.5F), random.between(0.25F, 1.5F)});
    const float turn = std::ldexp(random.between(-1, 1), -48 - static_cast<int>(random.below(10)));
    const Transform where{{random.between(2, 5), random.between(2, 5)},
                          random.below(2) == 0 ? Rotation{1.0F, turn} : Rotation{turn, 1.0F}};
    const MaskOverlap found = overlap(solid, {}, box, where);
    ASSERT_FLOAT_EQ(found.area, area(box)) << round;
  }
}

// A rotation may stretch the pixels by up to half a percent.
TEST(MaskOverlap, is_as_large_as_the_rotation_makes_the_pixels) {
  test::Random random(4);
  for (int round = 0; round < 500; ++round) {
    const float angle = random.between(-4.0F, 4.0F);
    const float stretch = random.between(0.996F, 1.004F);
    const Transform where{{random.between(-9, 9), random.between(-9, 9)},
                          {stretch * std::cos(angle), stretch * std::sin(angle)}};
    const Mask mask = random_mask(1 + random.below(9), 1 + random.below(9), {0.5F, {-2, -2}, 128}, random);
    const float expected = 0.25F * static_cast<float>(mask.count()) * stretch * stretch;
    ASSERT_NEAR(overlap(mask, where, mask, where).area, expected, 1e-5F * expected) << round;
    ASSERT_NEAR(overlap(mask, where, Box::of_half_size({20, 20}), {where.position, {}}).area, expected,
                1e-5F * expected)
        << round;
  }
}

// The normal is the direction in which the shared area shrinks fastest: compared with differences of areas.
TEST(MaskContacts, of_a_box_point_where_the_area_shrinks_fastest) {
  test::Random random(5);
  int compared = 0;
  for (int round = 0; round < 3000; ++round) {
    const Mask mask = random_mask(1 + random.below(9), 1 + random.below(9), {1.0F, {}, 128}, random);
    const Box box = Box::of_half_size({random.between(0.2F, 4.0F), random.between(0.2F, 4.0F)});
    const Vec2 place{random.between(-5, 12), random.between(-5, 12)};
    constexpr float step = 0x1p-8F;
    const auto area = [&](Vec2 by) {
      return static_cast<double>(overlap(mask, {}, box, {place + by, {}}).area);
    };
    const double along_x = area({-step, 0}) - area({step, 0});
    const double along_y = area({0, -step}) - area({0, step});
    const double most = std::hypot(along_x, along_y);
    if (!(most > 0.2 * static_cast<double>(step))) {
      continue;
    }
    // Where a side crosses a line between pixels within the step, the area has a kink.
    const double middle = 2.0 * area({});
    if (std::abs(area({-step, 0}) + area({step, 0}) - middle) +
            std::abs(area({0, -step}) + area({0, step}) - middle) >
        1e-3 * most) {
      continue;
    }
    ++compared;
    const Vec2 normal = collide(mask, {}, box, {place, {}}).normal;
    ASSERT_NEAR(normal.x, along_x / most, 5e-3) << round;
    ASSERT_NEAR(normal.y, along_y / most, 5e-3) << round;
  }
  EXPECT_GT(compared, 500);
}

// Along an axis, the ends of a capsule are half circles that begin at a direction of the polygon of chords.
TEST(MaskOverlap, counts_the_whole_of_a_capsule_in_any_direction) {
  test::Random random(3);
  const std::string row(40, '#');
  const Mask mask = test::make(test::Rows(40, row));
  for (int repeat = 0; repeat < 400; ++repeat) {
    const float half = random.between(0.0F, 7.0F);
    const float radius = random.between(0.5F, 7.0F);
    const float angle = random.between(0.0F, 6.2831853F);
    const std::array<Vec2, 5> ways{Vec2{1, 0}, Vec2{0, 1}, Vec2{-1, 0}, Vec2{0, -1},
                                   Vec2{std::cos(angle), std::sin(angle)}};
    for (const Vec2 way : ways) {
      const Capsule capsule{-half * way, half * way, radius};
      const MaskOverlap found = overlap(mask, {}, capsule, {{20, 20}, {}});
      const double expected = 4.0 * half * radius + 3.14159265358979 * radius * radius;
      ASSERT_NEAR(found.area, expected, 1e-3 * expected) << way.x << ", " << way.y;
    }
  }
}

/// Returns the area of the part of the unit disc that is left of x and below y. Exact: the integral over u of
/// the height of that part, whose upper end is y where |u| is below sqrt(1 - y^2), else that of the disc.
double area_of_disc_below(double x, double y) {
  x = std::clamp(x, -1.0, 1.0);
  y = std::clamp(y, -1.0, 1.0);
  const auto half_disc = [](double u) { return 0.5 * (u * std::sqrt(1.0 - u * u) + std::asin(u)); };
  const double cut = std::sqrt(1.0 - y * y);
  const double outside = y > 0.0 ? 2.0 : 0.0;
  const double left = std::min(x, -cut);
  double area = outside * (half_disc(left) - half_disc(-1.0));
  if (x > -cut) {
    const double middle = std::min(x, cut);
    area += y * (middle + cut) + half_disc(middle) - half_disc(-cut);
  }
  if (x > cut) {
    area += outside * (half_disc(x) - half_disc(cut));
  }
  return area;
}

/// Returns the area of the part of a disc that lies in set pixels; the center is relative to the origin of
/// the mask.
double area_in_pixels(const Mask& mask, double center_x, double center_y, double radius) {
  const auto pixel = static_cast<double>(mask.pixel_size());
  double sum = 0.0;
  for (std::uint32_t row = 0; row < mask.height(); ++row) {
    for (std::uint32_t column = 0; column < mask.width(); ++column) {
      if (mask.at(column, row)) {
        const double left = (column * pixel - center_x) / radius;
        const double low = (row * pixel - center_y) / radius;
        const double right = left + pixel / radius;
        const double high = low + pixel / radius;
        sum += area_of_disc_below(right, high) - area_of_disc_below(left, high) -
               area_of_disc_below(right, low) + area_of_disc_below(left, low);
      }
    }
  }
  return sum * radius * radius;
}

// The disc becomes a polygon of 128 chords inside it, which lacks 0.04 % of its area.
TEST(MaskOverlap, of_a_disc_is_never_too_large_and_too_small_by_less_than_a_two_thousandth) {
  test::Random random(31);
  double largest_lack = 0.0;
  int touching = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::uint32_t width = 1 + random.below(20);
    const std::uint32_t height = 1 + random.below(20);
    const float pixel = random.between(0.25F, 2.0F);
    const Mask mask = random_mask(width, height, {pixel, {}, 128}, random);
    const float radius = random.between(0.5F, 10.0F);
    const Rotation turn = random.below(2) == 0 ? Rotation{} : Rotation::by(random.between(-3.0F, 3.0F));
    const float x = random.between(-3.0F, pixel * static_cast<float>(width) + 3.0F);
    const float y = random.between(-3.0F, pixel * static_cast<float>(height) + 3.0F);
    const Vec2 center{turn.cos * x - turn.sin * y, turn.sin * x + turn.cos * y};
    const test::AllocationWatch watch;
    const MaskOverlap found = overlap(mask, {{}, turn}, Circle{.radius = radius}, {center, {}});
    ASSERT_EQ(watch.count(), 0U);
    // The center in the frame of the mask, to double precision.
    const auto c = static_cast<double>(turn.cos);
    const auto s = static_cast<double>(turn.sin);
    const double norm = c * c + s * s;
    const double at_x = (c * static_cast<double>(center.x) + s * static_cast<double>(center.y)) / norm;
    const double at_y = (c * static_cast<double>(center.y) - s * static_cast<double>(center.x)) / norm;
    const double expected = area_in_pixels(mask, at_x, at_y, static_cast<double>(radius));
    const double disc = 3.14159265358979 * static_cast<double>(radius) * static_cast<double>(radius);
    const double lack = (expected - static_cast<double>(found.area)) / disc;
    ASSERT_GE(lack, -1e-5) << round;
    ASSERT_LE(lack, 5e-4 + 1e-5) << round;
    largest_lack = std::max(largest_lack, lack);
    touching += found.touching ? 1 : 0;
  }
  EXPECT_GT(touching, 500);
  EXPECT_GT(largest_lack, 3e-4);  // a disc that is wholly inside lacks 4.0e-4
}

/// A mask whose pixels are set except for a room.
Mask walls_around(std::uint32_t left, std::uint32_t bottom, std::uint32_t width, std::uint32_t height,
                  std::uint32_t columns, std::uint32_t rows) {
  std::vector<std::uint8_t> alpha(std::size_t{columns} * rows, 255);
  for (std::uint32_t row = bottom; row < bottom + height; ++row) {
    for (std::uint32_t column = left; column < left + width; ++column) {
      alpha[std::size_t{row} * columns + column] = 0;
    }
  }
  return Mask::from_alpha(alpha, columns, rows, {}).value();
}

// Rooms of every place and size, in which the words and rows of the walls begin and end at every border.
TEST(MaskRoom, touches_a_shape_at_one_of_its_walls_exactly) {
  test::Random random(38);
  for (int round = 0; round < 4000; ++round) {
    const std::uint32_t width = 2 + random.below(100);
    const std::uint32_t height = 2 + random.below(100);
    const std::uint32_t left = 1 + random.below(70);
    const std::uint32_t bottom = 1 + random.below(70);
    const Shape room = walls_around(left, bottom, width, height, left + width + 1 + random.below(70),
                                    bottom + height + 1 + random.below(70));
    const auto least = static_cast<float>(std::min(width, height));
    const float radius =
        0.25F * (1.0F + static_cast<float>(random.below(static_cast<std::uint32_t>(2 * least) - 2)));
    const Shape shape =
        random.below(2) == 0 ? Shape(Circle{.radius = radius}) : Shape(Box::of_half_size({radius, radius}));
    const float x = static_cast<float>(left) + 0.5F * static_cast<float>(width);
    const float y = static_cast<float>(bottom) + 0.5F * static_cast<float>(height);
    const float to_side = 0.5F * static_cast<float>(width) - radius;
    const float to_end = 0.5F * static_cast<float>(height) - radius;
    EXPECT_FALSE(overlaps(room, {}, shape, at(x, y))) << round;
    for (const Vec2 way : {Vec2{to_side, 0}, Vec2{-to_side, 0}, Vec2{0, to_end}, Vec2{0, -to_end}}) {
      EXPECT_TRUE(overlaps(room, {}, shape, at(x + way.x, y + way.y)))
          << round << ": " << way.x << ", " << way.y;
      EXPECT_FALSE(overlaps(room, {}, shape, at(x + 0.875F * way.x, y + 0.875F * way.y)))
          << round << ": " << way.x << ", " << way.y;
    }
  }
}

// Masks of every kind of pixels, and shapes of every kind, at any angle.
TEST(MaskOverlap, allocates_nothing) {
  test::Random random(32);
  int touching = 0;
  for (int round = 0; round < 1000; ++round) {
    const Mask a = random_mask(1 + random.below(70), 1 + random.below(20), {0.5F, {-2, -2}, 128}, random);
    const Transform at_a = test::random_transform(test::Family::ordinary, random);
    const Transform at_b = test::random_transform(test::Family::ordinary, random);
    const Shape b =
        random.below(3) == 0
            ? Shape(random_mask(1 + random.below(70), 1 + random.below(20),
                                {random.below(2) == 0 ? 0.5F : 0.25F, {-1, -1}, 128}, random))
            : test::random_shape(test::Family::ordinary, random.below(test::convex_kinds), random);
    const bool is_parallel = random.below(2) == 0;
    const test::AllocationWatch watch;
    const MaskOverlap found = overlap(a, at_a, b, is_parallel ? at_a : at_b);
    ASSERT_EQ(watch.count(), 0U) << round;
    touching += found.touching ? 1 : 0;
  }
  EXPECT_GT(touching, 200);
}

}  // namespace
}  // namespace broadside::mask_test
