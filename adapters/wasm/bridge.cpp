#include "bridge.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

namespace broadside::wasm {

namespace {

std::string message;

/// The kinds of shapes, in the order of `Shape` and of shapes.ts.
enum class Kind : std::uint32_t { circle, box, capsule, segment, polygon, mask };

void write(Writer& writer, const Circle& circle) {
  writer.vec2(circle.center);
  writer.number(circle.radius);
}

void write(Writer& writer, const Box& box) {
  writer.vec2(box.half_size);
  writer.vec2(box.center);
  writer.vec2({box.rotation.cos, box.rotation.sin});
}

void write(Writer& writer, const Capsule& capsule) {
  writer.vec2(capsule.a);
  writer.vec2(capsule.b);
  writer.number(capsule.radius);
}

void write(Writer& writer, const Segment& segment) {
  writer.vec2(segment.a);
  writer.vec2(segment.b);
}

void write(Writer& writer, const Polygon& polygon) {
  writer.number(polygon.radius());
  const auto vertices = polygon.vertices();
  writer.number(vertices.size());
  for (const Vec2 vertex : vertices) {
    writer.vec2(vertex);
  }
}

void write(Writer& writer, const Mask& mask) {
  writer.number(mask.width());
  writer.number(mask.height());
  writer.number(mask.pixel_size());
  writer.vec2(mask.origin());
  for (std::uint32_t row = 0; row < mask.height(); ++row) {
    for (std::uint32_t column = 0; column < mask.width(); ++column) {
      writer.number(mask.at(column, row) ? 1 : 0);
    }
  }
}

Result<Shape> read_polygon(Reader& reader) {
  const float radius = reader.real();
  std::vector<Vec2> points(std::min<std::size_t>(reader.count(), reader.rest().size() / 2));
  for (Vec2& point : points) {
    point = reader.vec2();
  }
  auto hull = Polygon::hull(points, radius);
  if (!hull.has_value()) {
    return hull.error();
  }
  return Shape(*std::move(hull));
}

Result<Shape> read_mask(Reader& reader) {
  const std::uint32_t width = reader.count();
  const std::uint32_t height = reader.count();
  MaskOptions options;
  options.pixel_size = reader.real();
  options.origin = reader.vec2();
  if (const auto fits = Mask::validate(width, height, options); !fits.has_value()) {
    return fits.error();
  }
  std::vector<std::uint8_t> alpha(std::min(std::size_t{width} * height, reader.rest().size()));
  for (std::uint8_t& value : alpha) {
    value = reader.flag() ? 255 : 0;
  }
  auto mask = Mask::from_alpha(alpha, width, height, options);
  if (!mask.has_value()) {
    return mask.error();
  }
  return Shape(*std::move(mask));
}

}  // namespace

std::vector<double>& input() {
  static std::vector<double> numbers;
  return numbers;
}

std::vector<double>& output() {
  static std::vector<double> numbers;
  return numbers;
}

int report(const Error& error) {
  if (error) {
    message = error.message;
  }
  return static_cast<int>(error.code);
}

float to_float(double number) {
  constexpr double largest = std::numeric_limits<float>::max();
  // Numbers up to half a step beyond the largest float are rounded to it.
  constexpr double beyond = largest + 0x1p103;
  if (std::abs(number) >= beyond) {
    return number > 0.0 ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
  }
  return static_cast<float>(number);
}

std::uint32_t Reader::count() {
  const double n = number();
  return n >= 0.0 && n <= 4294967295.0 ? static_cast<std::uint32_t>(n) : 0;
}

std::uint64_t Reader::bits() {
  const std::uint64_t low = count();
  return low | std::uint64_t{count()} << 32;
}

Vec2 Reader::vec2() {
  const float x = real();
  return {x, real()};
}

Rotation Reader::rotation() {
  const float cos = real();
  return {cos, real()};
}

BodyId Reader::body() {
  const std::uint32_t index = count();
  const std::uint32_t generation = count();
  return {index, generation, count()};
}

Filter Reader::filter() {
  Filter filter;
  filter.layer = bits();
  filter.mask = bits();
  filter.wants = bits();
  filter.group = std::bit_cast<std::int32_t>(count());
  return filter;
}

Result<Shape> Reader::shape() {
  switch (static_cast<Kind>(count())) {
    case Kind::circle: {
      const Vec2 center = vec2();
      return Shape(Circle{center, real()});
    }
    case Kind::box: {
      const Vec2 half_size = vec2();
      const Vec2 center = vec2();
      return Shape(Box::of_half_size(half_size, center, rotation()));
    }
    case Kind::capsule: {
      const Vec2 a = vec2();
      const Vec2 b = vec2();
      return Shape(Capsule{a, b, real()});
    }
    case Kind::segment: {
      const Vec2 a = vec2();
      return Shape(Segment{a, vec2()});
    }
    case Kind::polygon:
      return read_polygon(*this);
    case Kind::mask:
      return read_mask(*this);
  }
  return Error{ErrorCode::invalid_argument, "this is no kind of shape"};
}

void Writer::vec2(Vec2 v) {
  number(v.x);
  number(v.y);
}

void Writer::body(BodyId body) {
  number(body.index);
  number(body.generation);
}

void Writer::shape(const Shape& shape) {
  number(shape.index());
  std::visit([this](const auto& any) { write(*this, any); }, shape);
}

}  // namespace broadside::wasm

using namespace broadside::wasm;

/// Resizes the input to `count` numbers; returns the address of the first.
BROADSIDE_EXPORT(double*, input_room)(std::size_t count) {
  input().resize(count);
  return input().data();
}

/// Returns the address of the output.
BROADSIDE_EXPORT(const double*, output_at)() {
  return output().data();
}

BROADSIDE_EXPORT(std::size_t, output_size)() {
  return output().size();
}

/// Returns the address of the sentence of the last error (UTF-8).
BROADSIDE_EXPORT(const char*, error_at)() {
  return message.data();
}

BROADSIDE_EXPORT(std::size_t, error_size)() {
  return message.size();
}

/// Returns the address of the name of an error code.
BROADSIDE_EXPORT(const char*, error_name_at)(int code) {
  return broadside::name(static_cast<broadside::ErrorCode>(code)).data();
}

BROADSIDE_EXPORT(std::size_t, error_name_size)(int code) {
  return broadside::name(static_cast<broadside::ErrorCode>(code)).size();
}

BROADSIDE_EXPORT(void*, allocate)(std::size_t bytes) {
  return std::malloc(bytes);
}

BROADSIDE_EXPORT(void, release)(void* memory) {
  std::free(memory);
}

/// Returns the cosine of a rotation; output is the sine.
BROADSIDE_EXPORT(float, rotation_by)(float angle) {
  const broadside::Rotation rotation = broadside::Rotation::by(angle);
  Writer().number(rotation.sin);
  return rotation.cos;
}
