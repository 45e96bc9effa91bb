#include "boxes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "broadside/base/bit_cast.hpp"

namespace broadside::test {

namespace {

constexpr float largest_float = std::numeric_limits<float>::max();

Aabb spanned(float x0, float y0, float x1, float y1) {
  return {{std::min(x0, x1), std::min(y0, y1)}, {std::max(x0, x1), std::max(y0, y1)}};
}

Aabb at(float x, float y, float width, float height) {
  return spanned(x, y, x + width, y + height);
}

template <typename MakeOne>
std::vector<Aabb> repeat(std::size_t n, MakeOne make_one) {
  std::vector<Aabb> boxes;
  boxes.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    boxes.push_back(make_one());
  }
  return boxes;
}

template <std::size_t size>
std::vector<Aabb> from_values(std::size_t n, Random& random, const float (&values)[size]) {
  const auto one = [&] { return values[random.below(static_cast<std::uint32_t>(size))]; };
  return repeat(n, [&] {
    const float x0 = one();
    const float y0 = one();
    const float x1 = one();
    const float y1 = one();
    return spanned(x0, y0, x1, y1);
  });
}

// Where several random numbers make one box they are drawn in statements, not in arguments, whose order of
// evaluation is unspecified.
Aabb random_box(Random& random, float low, float high, float largest_side) {
  const float x = random.between(low, high);
  const float y = random.between(low, high);
  const float width = random.between(0.0F, largest_side);
  const float height = random.between(0.0F, largest_side);
  return at(x, y, width, height);
}

std::vector<Aabb> scattered(std::size_t n, Random& random) {
  return repeat(n, [&] { return random_box(random, 0.0F, 100.0F, 8.0F); });
}

std::vector<Aabb> clustered(std::size_t n, Random& random) {
  return repeat(n, [&] {
    const auto cluster = static_cast<float>(random.below(5));
    return random_box(random, 300.0F * cluster - 500.0F, 300.0F * cluster - 480.0F, 3.0F);
  });
}

std::vector<Aabb> mixed_sizes(std::size_t n, Random& random) {
  return repeat(n, [&] {
    const auto exponent = static_cast<int>(random.below(10));  // drawn first: argument order varies
    const float side = std::ldexp(1.0F + random.unit(), exponent);
    const float x = random.between(-1000.0F, 1000.0F);
    const float y = random.between(-1000.0F, 1000.0F);
    return at(x, y, side, side * random.unit());
  });
}

std::vector<Aabb> touching_edges(std::size_t n, Random& random) {
  return repeat(n, [&] {
    const auto x = static_cast<float>(random.below(24));
    const auto y = static_cast<float>(random.below(24));
    const auto width = static_cast<float>(random.below(3));
    const auto height = static_cast<float>(random.below(3));
    return at(x, y, width, height);
  });
}

std::vector<Aabb> on_cell_lines(std::size_t n, Random& random) {
  return repeat(n, [&] {
    const float x = 8.0F * static_cast<float>(random.below(20)) - 40.0F;
    const float y = 8.0F * static_cast<float>(random.below(20)) - 40.0F;
    const float width = 8.0F * static_cast<float>(random.below(3));
    const float height = 8.0F * static_cast<float>(random.below(3));
    // One in four touches its line from inside a cell: it meets the neighbour only on the line.
    return random.below(4) == 0 ? spanned(x + 3.0F, y + 5.0F, x + 8.0F, y + 8.0F) : at(x, y, width, height);
  });
}

std::vector<Aabb> zero_size(std::size_t n, Random& random) {
  return repeat(n, [&] {
    const auto x = static_cast<float>(random.below(16));
    const auto y = static_cast<float>(random.below(16));
    switch (random.below(6)) {
      case 0:
        return at(x, y, 2.0F, 0.0F);
      case 1:
        return at(x, y, 0.0F, 2.0F);
      default:
        return at(x, y, 0.0F, 0.0F);
    }
  });
}

std::vector<Aabb> negative(std::size_t n, Random& random) {
  return repeat(n, [&] { return random_box(random, -1000.0F, -900.0F, 8.0F); });
}

std::vector<Aabb> far_away(std::size_t n, Random& random) {
  return repeat(n, [&] { return random_box(random, 1.0e6F, 1.0001e6F, 8.0F); });
}

std::vector<Aabb> very_far_away(std::size_t n, Random& random) {
  return repeat(n, [&] {
    const float sign = random.below(2) == 0 ? 1.0F : -1.0F;
    const float x = sign * random.between(1.0e30F, 1.001e30F);
    const float y = -sign * random.between(1.0e30F, 1.001e30F);
    const float side = random.between(0.0F, 2.0e26F);
    return at(x, y, side, side);
  });
}

float any_finite(Random& random) {
  for (;;) {
    const std::uint32_t bits = random.bits();
    if ((bits & 0x7F800000U) != 0x7F800000U) {
      return detail::bit_cast<float>(bits);
    }
  }
}

std::vector<Aabb> all_floats(std::size_t n, Random& random) {
  return repeat(n, [&] {
    const float x0 = any_finite(random);
    const float y0 = any_finite(random);
    // Some boxes are one float wide; otherwise nearly every pair would be one of a giant and a dwarf.
    if (random.below(3) == 0) {
      const float x1 = std::nextafter(x0, 0.0F);
      const float y1 = std::nextafter(y0, 0.0F);
      return spanned(x0, y0, x1, y1);
    }
    const float x1 = any_finite(random);
    const float y1 = any_finite(random);
    return spanned(x0, y0, x1, y1);
  });
}

std::vector<Aabb> denormals(std::size_t n, Random& random) {
  const auto one = [&random](std::uint32_t end) {
    const std::uint32_t sign = random.below(2) << 31U;
    return detail::bit_cast<float>(random.below(end) | sign);
  };
  return repeat(n, [&] {
    const std::uint32_t end = random.below(2) == 0 ? 40U : 0x00800000U;
    const float x0 = one(end);
    const float y0 = one(end);
    const float x1 = random.below(2) == 0 ? x0 : one(end);
    const float y1 = random.below(2) == 0 ? y0 : one(end);
    return spanned(x0, y0, x1, y1);
  });
}

std::vector<Aabb> giant_among_tiny(std::size_t n, Random& random) {
  auto boxes = repeat(n, [&] { return random_box(random, 0.0F, 50.0F, 0.5F); });
  if (!boxes.empty()) {
    boxes[n / 3] = {{-1.0e7F, -1.0e7F}, {1.0e7F, 1.0e7F}};
  }
  return boxes;
}

std::vector<Aabb> all_in_one_place(std::size_t n, Random& random) {
  return repeat(n, [&] { return random_box(random, 5.0F, 5.5F, 1.0F); });
}

std::vector<Aabb> all_the_same(std::size_t n, Random& /*random*/) {
  return repeat(n, [] { return at(3.0F, 4.0F, 1.0F, 1.0F); });
}

std::vector<Aabb> on_a_line_in_x(std::size_t n, Random& random) {
  return repeat(n, [&] { return at(random.between(-300.0F, 300.0F), 7.0F, 4.0F, 1.0F); });
}

std::vector<Aabb> on_a_line_in_y(std::size_t n, Random& random) {
  return repeat(n, [&] { return at(7.0F, random.between(-300.0F, 300.0F), 1.0F, 4.0F); });
}

std::vector<Aabb> extremes(std::size_t n, Random& random) {
  return from_values(n, random,
                     {-largest_float, largest_float, 0.0F, 1.0F, -1.0F, std::nextafter(largest_float, 0.0F),
                      -largest_float / 2.0F, largest_float / 2.0F, std::numeric_limits<float>::min(),
                      -std::numeric_limits<float>::min(), std::numeric_limits<float>::denorm_min(),
                      -std::numeric_limits<float>::denorm_min()});
}

// Corners just beyond a power of two on both sides of the origin: sizes that round down to it.
std::vector<Aabb> sizes_that_round(std::size_t n, Random& random) {
  constexpr float least = std::numeric_limits<float>::denorm_min();
  return from_values(n, random,
                     {-least, least, 0.0F, 1.0F, 2.0F, -1.0F, -2.0F, 0.5F, 1.5F, std::nextafter(1.0F, 2.0F),
                      std::nextafter(1.0F, 0.0F), -0x1p-60F, 0x1p-60F});
}

std::vector<Aabb> negative_zero(std::size_t n, Random& random) {
  return from_values(n, random, {-0.0F, 0.0F, 1.0F, -1.0F});
}

std::vector<Aabb> none(std::size_t /*n*/, Random& /*random*/) {
  return {};
}

std::vector<Aabb> one(std::size_t /*n*/, Random& random) {
  return {random_box(random, -10.0F, 10.0F, 2.0F)};
}

constexpr BoxMaker makers[] = {
    {"scattered", scattered},
    {"clustered", clustered},
    {"mixed_sizes", mixed_sizes},
    {"touching_edges", touching_edges},
    {"on_cell_lines", on_cell_lines},
    {"zero_size", zero_size},
    {"negative", negative},
    {"far_away", far_away},
    {"very_far_away", very_far_away},
    {"all_floats", all_floats},
    {"denormals", denormals},
    {"giant_among_tiny", giant_among_tiny},
    {"all_in_one_place", all_in_one_place},
    {"all_the_same", all_the_same},
    {"on_a_line_in_x", on_a_line_in_x},
    {"on_a_line_in_y", on_a_line_in_y},
    {"extremes", extremes},
    {"sizes_that_round", sizes_that_round},
    {"negative_zero", negative_zero},
    {"none", none},
    {"one", one},
};

}  // namespace

std::span<const BoxMaker> box_makers() {
  return makers;
}

std::vector<Aabb> make_boxes(std::string_view kind, std::size_t n, std::uint64_t seed) {
  const auto maker = std::find_if(std::begin(makers), std::end(makers),
                                  [kind](const BoxMaker& candidate) { return candidate.name == kind; });
  if (maker == std::end(makers)) {
    std::abort();
  }
  Random random(seed);
  return maker->make(n, random);
}

std::vector<Aabb> draw_boxes(Random& random, std::uint32_t most) {
  const BoxMaker& maker = makers[random.below(static_cast<std::uint32_t>(std::size(makers)))];
  return maker.make(random.below(most), random);
}

BodyType random_type(Random& random) {
  constexpr BodyType types[] = {BodyType::dynamic, BodyType::dynamic, BodyType::static_body,
                                BodyType::kinematic};
  return types[random.below(4)];
}

std::vector<BadBox> bad_boxes() {
  const struct {
    const char* name;
    float value;
  } bad_values[] = {
      {"nan", std::numeric_limits<float>::quiet_NaN()},
      {"negative_nan", detail::bit_cast<float>(0xFFC00001U)},
      {"infinity", std::numeric_limits<float>::infinity()},
      {"negative_infinity", -std::numeric_limits<float>::infinity()},
  };
  const Aabb good{{1.0F, 2.0F}, {3.0F, 4.0F}};
  std::vector<BadBox> result;
  for (const auto& bad : bad_values) {
    Aabb box = good;
    box.min.x = bad.value;
    result.push_back({std::string("min_x_") + bad.name, box, ErrorCode::not_finite, "min_x"});
    box = good;
    box.min.y = bad.value;
    result.push_back({std::string("min_y_") + bad.name, box, ErrorCode::not_finite, "min_y"});
    box = good;
    box.max.x = bad.value;
    result.push_back({std::string("max_x_") + bad.name, box, ErrorCode::not_finite, "max_x"});
    box = good;
    box.max.y = bad.value;
    result.push_back({std::string("max_y_") + bad.name, box, ErrorCode::not_finite, "max_y"});
  }
  result.push_back({"inverted_x", {{3.0F, 2.0F}, {1.0F, 4.0F}}, ErrorCode::inverted_box, "min_x"});
  result.push_back({"inverted_y", {{1.0F, 4.0F}, {3.0F, 2.0F}}, ErrorCode::inverted_box, "min_y"});
  const float above_one = std::nextafter(1.0F, 2.0F);
  result.push_back(
      {"inverted_by_one_ulp", {{above_one, 0.0F}, {1.0F, 0.0F}}, ErrorCode::inverted_box, "min_x"});
  return result;
}

}  // namespace broadside::test
