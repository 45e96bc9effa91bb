#include "world/shape_bytes.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "random_shapes.hpp"

namespace broadside::detail::shape_bytes_test {
namespace {

using test::Random;

Shape drawn_mask(Random& random) {
  const std::uint32_t width = 1 + random.below(random.below(3) == 0 ? 140 : 9);
  const std::uint32_t height = 1 + random.below(6);
  std::vector<std::uint8_t> alpha(std::size_t{width} * height);
  for (std::uint8_t& one : alpha) {
    one = static_cast<std::uint8_t>(random.below(256));
  }
  alpha[random.below(width * height)] = 255;  // at least one pixel is set
  return Mask::from_alpha(alpha, width, height,
                          {.pixel_size = random.between(0.1F, 3.0F), .origin = {random.between(-5, 5), 0.5F}})
      .value();
}

Shape drawn_shape(Random& random) {
  const std::uint32_t kind = random.below(test::convex_kinds + 2);
  if (kind >= test::convex_kinds) {
    return drawn_mask(random);
  }
  return test::random_shape(test::families[random.below(test::families.size())], kind, random);
}

/// Returns an equal shape that shares no memory with it.
Shape remade(const Shape& shape) {
  if (const auto* polygon = std::get_if<Polygon>(&shape)) {
    return Polygon::hull(polygon->vertices(), polygon->radius()).value();
  }
  if (const auto* mask = std::get_if<Mask>(&shape)) {
    std::vector<std::uint8_t> alpha;
    for (std::uint32_t row = 0; row < mask->height(); ++row) {
      for (std::uint32_t column = 0; column < mask->width(); ++column) {
        alpha.push_back((mask->words(row)[column / 64] >> (column % 64) & 1U) != 0 ? 255 : 0);
      }
    }
    return Mask::from_alpha(alpha, mask->width(), mask->height(),
                            {.pixel_size = mask->pixel_size(), .origin = mask->origin()})
        .value();
  }
  return shape;
}

/// Returns the address of memory that copies of a shape share; null if there is none.
const void* shared_address(const Shape& shape) {
  if (const auto* polygon = std::get_if<Polygon>(&shape)) {
    return polygon->vertices().data();
  }
  const auto* mask = std::get_if<Mask>(&shape);
  return mask != nullptr ? mask->words(0).data() : nullptr;
}

/// Draws shapes, some of which are equal to earlier ones or share memory with them.
std::vector<Shape> drawn_shapes(Random& random) {
  std::vector<Shape> shapes;
  for (std::uint32_t count = 1 + random.below(20); count > 0; --count) {
    const std::uint32_t kind = random.below(4);
    if (kind < 2 || shapes.empty()) {
      shapes.push_back(drawn_shape(random));
    } else {
      const Shape& earlier = shapes[random.below(static_cast<std::uint32_t>(shapes.size()))];
      shapes.push_back(kind == 2 ? Shape(earlier) : remade(earlier));
    }
  }
  return shapes;
}

std::vector<std::byte> written(const std::vector<Shape>& shapes) {
  ByteWriter out;
  ShapeWriter writer(out);
  for (const Shape& shape : shapes) {
    const Shape copy = shape;  // of which only the shared memory stays where it is
    writer.put(copy);
  }
  return out.take();
}

/// Reads shapes; returns whether the bytes were those of so many valid shapes.
bool read(std::span<const std::byte> bytes, std::size_t count, std::vector<Shape>& shapes) {
  ByteReader in(bytes);
  ShapeReader reader(in);
  shapes.clear();
  for (std::size_t i = 0; i < count; ++i) {
    shapes.push_back(reader.take());
  }
  return !in.failed() && in.rest() == 0;
}

TEST(ShapeBytes, are_read_as_the_same_shapes_that_share_what_is_equal) {
  std::size_t shared = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    const std::vector<Shape> shapes = drawn_shapes(random);
    const std::vector<std::byte> bytes = written(shapes);
    std::vector<Shape> found;
    ASSERT_TRUE(read(bytes, shapes.size(), found)) << "seed " << seed;
    ASSERT_EQ(found, shapes) << "seed " << seed;
    ASSERT_EQ(written(found), bytes) << "seed " << seed;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        const void* address = shared_address(found[i]);
        if (address != nullptr) {
          // Zeros of different signs are equal, but are not the same bytes.
          const bool are_same = written({shapes[i]}) == written({shapes[k]});
          ASSERT_EQ(address == shared_address(found[k]), are_same) << "seed " << seed;
          shared += are_same ? 1U : 0U;
        }
      }
    }
    // A shape that was written before takes five bytes: its kind and a number.
    std::vector<Shape> more = shapes;
    const Shape& again = shapes[random.below(static_cast<std::uint32_t>(shapes.size()))];
    more.push_back(remade(again));
    if (shared_address(again) != nullptr) {
      ASSERT_EQ(written(more).size(), bytes.size() + 5) << "seed " << seed;
    }
  }
  EXPECT_GT(shared, 3000U);
}

// Bytes that were cut off or changed are refused, or are those of valid shapes.
TEST(ShapeBytes, of_shapes_that_cannot_be_are_refused) {
  int refused = 0;
  int accepted = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    const std::vector<Shape> shapes = drawn_shapes(random);
    const std::vector<std::byte> bytes = written(shapes);
    const auto size = static_cast<std::uint32_t>(bytes.size());
    std::vector<Shape> found;
    ASSERT_FALSE(read(std::span(bytes).first(random.below(size)), shapes.size(), found)) << "seed " << seed;
    for (int round = 0; round < 10; ++round) {
      std::vector<std::byte> damaged = bytes;
      for (std::uint32_t i = 1 + random.below(3); i > 0; --i) {
        std::byte& one = damaged[random.below(size)];
        one = random.below(2) == 0 ? one ^ std::byte{1} << random.below(8)
                                   : static_cast<std::byte>(random.below(2) == 0 ? 0xFF : random.below(8));
      }
      const test::MemoryWatch watch;
      const bool is_read = read(damaged, shapes.size(), found);
      ASSERT_LE(watch.bytes(), 100 * bytes.size() + 10'000) << "seed " << seed << ", round " << round;
      if (!is_read) {
        ++refused;
        continue;
      }
      ++accepted;
      std::vector<Shape> again;
      for (const Shape& shape : found) {
        ASSERT_TRUE(validate(shape).has_value()) << "seed " << seed << ", round " << round;
      }
      ASSERT_TRUE(read(written(found), found.size(), again)) << "seed " << seed << ", round " << round;
      ASSERT_EQ(again, found) << "seed " << seed << ", round " << round;
    }
  }
  EXPECT_GT(refused, 2000);
  EXPECT_GT(accepted, 2000);
}

// Vertices of polygons, also more than there may be, and some that are no corners.
TEST(ShapeBytes, of_polygons_are_those_that_a_hull_may_have) {
  int refused = 0;
  int accepted = 0;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    Random random(seed);
    std::vector<Vec2> vertices(random.below(random.below(2) == 0 ? 6 : 2 * Polygon::max_vertices));
    const std::uint32_t side = 2 + random.below(6);
    for (Vec2& vertex : vertices) {
      vertex = {static_cast<float>(random.below(side)), static_cast<float>(random.below(side))};
    }
    const float radius = random.between(-0.2F, 1.0F);
    ByteWriter out;
    out.put(static_cast<std::uint8_t>(
        Shape(Polygon::hull(std::vector<Vec2>{{0, 0}, {1, 0}, {0, 1}}).value()).index()));
    out.put(std::uint32_t{0});
    out.put_count(vertices.size());
    for (const Vec2 vertex : vertices) {
      out.put(vertex);
    }
    out.put(radius);
    std::vector<Shape> found;
    const bool is_read = read(out.bytes(), 1, found);
    const auto hull = Polygon::hull(vertices, radius);
    ASSERT_EQ(is_read, hull.has_value() && vertices.size() <= Polygon::max_vertices) << "seed " << seed;
    if (is_read) {
      ASSERT_EQ(found.front(), Shape(*hull)) << "seed " << seed;
    }
    ++(is_read ? accepted : refused);
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace broadside::detail::shape_bytes_test
