#include "world/shape_bytes.hpp"

#include <cstring>
#include <type_traits>

#include "world/world_bytes.hpp"

namespace broadside::inline v0_2::detail {

namespace {

enum class Kind : std::uint8_t { circle, box, capsule, segment, polygon, mask };
static_assert(
    std::is_same_v<Shape, std::variant<Circle, Box, Capsule, Segment, Polygon, Mask>>);  // as in Kind

void write(const Polygon& polygon, ByteWriter& out) {
  put(out, polygon.vertices());
  out.put(polygon.radius());
}

void write(const Mask& mask, ByteWriter& out) {
  out.put(mask.width());
  out.put(mask.height());
  out.put(mask.pixel_size());
  out.put(mask.origin());
  for (std::uint32_t row = 0; row < mask.height(); ++row) {
    for (const std::uint64_t word : mask.words(row)) {
      out.put(word);
    }
  }
}

// A circle instead of a polygon or a mask makes `ShapeReader::take` fail.

Shape read_polygon(ByteReader& in) {
  const auto vertices = take_all(in, sizeof(Vec2), [&in] { return in.take_vec2(); });
  const auto polygon = Polygon::hull(vertices, in.take_float());
  const bool is_good = polygon.has_value() && vertices.size() <= Polygon::max_vertices && !in.failed();
  return is_good ? Shape(*polygon) : Shape();
}

Shape read_mask(ByteReader& in) {
  const auto width = in.take<std::uint32_t>();
  const auto height = in.take<std::uint32_t>();
  MaskOptions options;
  options.pixel_size = in.take_float();
  options.origin = in.take_vec2();
  const std::size_t words = (std::size_t{width} + 63) / 64;
  if (!Mask::validate(width, height, options).has_value() ||
      in.rest() / sizeof(std::uint64_t) < words * height) {
    return {};
  }
  std::vector<std::uint8_t> alpha(std::size_t{width} * height);
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t word = 0; word < words; ++word) {
      const auto bits = in.take<std::uint64_t>();
      for (std::size_t k = 0; k < 64 && 64 * word + k < width; ++k) {
        alpha[row * width + 64 * word + k] = ((bits >> k) & 1U) != 0 ? 255 : 0;
      }
    }
  }
  const auto mask = Mask::from_alpha(alpha, width, height, options);
  return mask.has_value() ? Shape(*mask) : Shape();
}

}  // namespace

// A known number refers to an earlier shape; the next unused number is followed by the data of a new one.
template <typename Write>
void ShapeWriter::put_once(const void* address, Write write_it) {
  const auto known = by_address_.find(address);
  if (known != by_address_.end()) {
    out_.put(known->second);
    return;
  }
  ByteWriter own;
  write_it(own);
  std::string bytes(own.size(), '\0');
  std::memcpy(bytes.data(), own.bytes().data(), own.size());
  const auto [at, is_new] = by_bytes_.emplace(std::move(bytes), static_cast<std::uint32_t>(by_bytes_.size()));
  by_address_.emplace(address, at->second);
  out_.put(at->second);
  if (is_new) {
    out_.put(std::as_bytes(std::span(at->first)));
  }
}

void ShapeWriter::put(const Shape& shape) {
  out_.put(static_cast<std::uint8_t>(shape.index()));
  if (const auto* circle = std::get_if<Circle>(&shape)) {
    out_.put_words(*circle);
  } else if (const auto* box = std::get_if<Box>(&shape)) {
    out_.put_words(*box);
  } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    out_.put_words(*capsule);
  } else if (const auto* segment = std::get_if<Segment>(&shape)) {
    out_.put_words(*segment);
  } else if (const auto* polygon = std::get_if<Polygon>(&shape)) {
    put_once(polygon->vertices().data(), [&](ByteWriter& out) { write(*polygon, out); });
  } else if (const auto* mask = std::get_if<Mask>(&shape)) {
    put_once(mask->words(0).data(), [&](ByteWriter& out) { write(*mask, out); });
  }
}

template <typename Read>
Shape ShapeReader::take_shared(Read read) {
  const auto number = in_.take<std::uint32_t>();
  if (number == shared_.size()) {
    shared_.push_back(read(in_));
  }
  return number < shared_.size() ? shared_[number] : Shape();
}

Shape ShapeReader::take() {
  static_assert(std::variant_size_v<Shape> == 6);
  const auto kind = static_cast<Kind>(in_.take_below<std::uint8_t>(std::variant_size_v<Shape>));
  Shape shape;
  if (kind == Kind::circle) {
    shape = in_.take_words<Circle>();
  } else if (kind == Kind::box) {
    shape = in_.take_words<Box>();
  } else if (kind == Kind::capsule) {
    shape = in_.take_words<Capsule>();
  } else if (kind == Kind::segment) {
    shape = in_.take_words<Segment>();
  } else {
    shape = kind == Kind::polygon ? take_shared(read_polygon) : take_shared(read_mask);
  }
  if (shape.index() != static_cast<std::size_t>(kind) || !validate(shape).has_value()) {
    in_.fail();
    return {};
  }
  return shape;
}

void write_shape(ByteWriter& out, const Shape& shape) {
  ShapeWriter(out).put(shape);
}

Shape read_shape(ByteReader& in) {
  return ShapeReader(in).take();
}

}  // namespace broadside::inline v0_2::detail
