#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/convex.hpp"
#include "base/rounding.hpp"

namespace broadside::detail {

namespace {

constexpr std::size_t lanes = 4;
constexpr std::int32_t face_number = 15;
static_assert(Polygon::most_vertices == face_number + 1);

// Registers that every machine has, or its compiler makes of what it has.
using Floats [[gnu::vector_size(lanes * sizeof(float))]] = float;
using Ints [[gnu::vector_size(lanes * sizeof(std::int32_t))]] = std::int32_t;

Floats load(const float* from) {
  Floats loaded;
  std::memcpy(&loaded, from, sizeof loaded);
  return loaded;
}

/// The number of the face with the largest number so far, if that is positive: the bits of such floats are in
/// the order of their sizes.
struct Largest {
  Ints best{};
  Ints face{0, 1, 2, 3};

  void take(Ints bits) {
    const Ints key = (bits & ~face_number) | face;
    best = key > best ? key : best;
    face += static_cast<std::int32_t>(lanes);
  }

  // In the register: one by one it would be branched on which is larger, as good as random.
  [[nodiscard]] std::int32_t of_all() const {
    const Ints halves = __builtin_shufflevector(best, best, 2, 3, 0, 1);
    const Ints of_halves = best > halves ? best : halves;
    const Ints odd = __builtin_shufflevector(of_halves, of_halves, 1, 0, 3, 2);
    const Ints of_both = of_halves > odd ? of_halves : odd;
    return of_both[0];
  }
};

std::size_t face_of(std::int32_t key, std::size_t faces) {
  return std::min(static_cast<std::size_t>(key & face_number), faces - 1);
}

}  // namespace

FaceGuess::Nearest FaceGuess::nearest(const Polygon& shape, Point point) {
  const Polygon::Data& faces = *shape.data_;
  const float x = to_float(point.x);
  const float y = to_float(point.y);
  Largest largest;
  for (std::size_t begin = 0; begin < faces.size; begin += FaceLanes::size) {
    const FaceLanes& lines = faces.faces[begin / FaceLanes::size];
    for (std::size_t k = 0; k < FaceLanes::size; k += lanes) {
      const Floats out = load(&lines.x[k]) * x + load(&lines.y[k]) * y - load(&lines.offset[k]);
      largest.take(reinterpret_cast<Ints>(out));
    }
  }
  // More than all roundings together, that of a rotation to a unit vector and that to the least float too.
  constexpr float share = 0x1p-16F;
  constexpr float least = 1e-36F;
  constexpr float most = 1e30F;
  const std::int32_t key = largest.of_all();
  const float numbers = (std::fabs(x) + std::fabs(y)) + faces.largest;
  const float out = std::bit_cast<float>(key & ~face_number);
  const float apart = numbers < most ? out - share * numbers - least : -1.0F;
  return {face_of(key, faces.size), static_cast<double>(apart)};
}

FaceGuess::Entry FaceGuess::entry(const Polygon& shape, Point start, Point way, double radius) {
  const Polygon::Data& faces = *shape.data_;
  const float x = to_float(start.x);
  const float y = to_float(start.y);
  const float back_x = -to_float(way.x);
  const float back_y = -to_float(way.y);
  const float moved = to_float(radius);
  const Floats one = Floats{} + 1.0F;
  Largest largest;
  for (std::size_t begin = 0; begin < faces.size; begin += FaceLanes::size) {
    const FaceLanes& lines = faces.faces[begin / FaceLanes::size];
    for (std::size_t k = 0; k < FaceLanes::size; k += lanes) {
      const Floats line_x = load(&lines.x[k]);
      const Floats line_y = load(&lines.y[k]);
      const Floats out = line_x * x + line_y * y - load(&lines.offset[k]) - moved;
      const Floats rate = line_x * back_x + line_y * back_y;
      const Ints inward = rate > 0.0F;
      const Floats time = out / (inward ? rate : one);
      largest.take(reinterpret_cast<Ints>(time) & inward);
    }
  }
  return {face_of(largest.of_all(), faces.size), static_cast<double>(faces.largest)};
}

}  // namespace broadside::detail
