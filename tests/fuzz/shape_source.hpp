#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "broadside/body/shape.hpp"

namespace broadside::fuzz {

/// Makes numbers from bytes; zeros once the bytes are used up.
class Source {
 public:
  explicit Source(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool is_used_up() const { return bytes_.empty(); }

  std::uint8_t byte() {
    if (bytes_.empty()) {
      return 0;
    }
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }

  /// Returns a number, often on a grid, where shapes touch exactly; sometimes any float.
  float number() {
    const std::uint8_t way = byte();
    if (way < 160) {
      return 0.25F * static_cast<float>(static_cast<std::int8_t>(byte()));
    }
    if (way < 192) {
      return 1e6F + 0.25F * static_cast<float>(static_cast<std::int8_t>(byte()));
    }
    if (way < 224) {
      return static_cast<float>(static_cast<std::int8_t>(byte())) / 127.0F;
    }
    if (way < 232) {
      constexpr float most = std::numeric_limits<float>::max();
      constexpr std::array special = {most,
                                      -most,
                                      0.5F * most,
                                      std::numeric_limits<float>::denorm_min(),
                                      std::numeric_limits<float>::min(),
                                      -0.0F,
                                      1e30F,
                                      1e-30F};
      return special[way - 224];
    }
    std::uint32_t bits = 0;
    for (int i = 0; i < 4; ++i) {
      bits = bits << 8U | byte();
    }
    return std::bit_cast<float>(bits);
  }

  /// Returns a length, rarely negative.
  float length() {
    const float any = number();
    return (byte() & 15U) == 15 ? any : std::abs(any);
  }

  Vec2 vec2() {
    const float x = number();
    return {x, number()};
  }

  Rotation rotation() {
    constexpr std::array<Rotation, 4> quarters = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
    const std::uint8_t way = byte();
    if (way < 128) {
      return quarters[way % 4];
    }
    if (way < 250) {
      return Rotation::by(number());
    }
    const float cos = number();
    return {cos, number()};
  }

  Transform transform() {
    const Vec2 position = vec2();
    return {position, rotation()};
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

inline std::optional<Shape> make_polygon(Source& source) {
  std::vector<Vec2> points(3 + source.byte() % 18);
  for (Vec2& point : points) {
    point = source.vec2();
  }
  const float radius = (source.byte() & 1U) != 0 ? source.length() : 0.0F;
  auto polygon = Polygon::hull(points, radius);
  return polygon.has_value() ? std::optional<Shape>(*polygon) : std::nullopt;
}

inline std::optional<Shape> make_mask(Source& source) {
  MaskOptions options;
  const std::uint8_t way = source.byte();
  options.pixel_size = way < 128 ? 0.25F * static_cast<float>(1 + way % 8) : source.length();
  options.origin = source.vec2();
  const std::uint32_t width = 1 + source.byte() % 132;
  const std::uint32_t height = 1 + source.byte() % 5;
  std::vector<std::uint8_t> alpha(width * height);
  std::uint8_t run = 0;
  std::uint8_t value = 0;
  for (std::uint8_t& pixel : alpha) {
    if (run == 0) {
      run = source.byte();
      value = (run & 128U) != 0 ? 255 : 0;
      run = 1 + run % 16;
    }
    --run;
    pixel = value;
  }
  auto mask = Mask::from_alpha(alpha, width, height, options);
  return mask.has_value() ? std::optional<Shape>(*mask) : std::nullopt;
}

inline std::optional<Shape> make_shape(Source& source) {
  switch (source.byte() % 6) {
    case 0: {
      const Vec2 center = source.vec2();
      return Circle{center, source.length()};
    }
    case 1: {
      const float half_x = source.length();
      const float half_y = source.length();
      const Vec2 center = source.vec2();
      return Box::of_half_size({half_x, half_y}, center, source.rotation());
    }
    case 2: {
      const Vec2 a = source.vec2();
      const Vec2 b = source.vec2();
      return Capsule{a, b, source.length()};
    }
    case 3: {
      const Vec2 a = source.vec2();
      return Segment{a, source.vec2()};
    }
    case 4:
      return make_polygon(source);
    default:
      return make_mask(source);
  }
}

}  // namespace broadside::fuzz
