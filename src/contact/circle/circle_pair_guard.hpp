#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "base/tolerances.hpp"
#include "base/vec2d.hpp"
#include "body/face_prefilter.hpp"

namespace broadside::detail {

// Each adds the sizes of a shape to the sum of lengths, and returns their sign bits combined.

inline std::int32_t bits(float number) {
  return std::bit_cast<std::int32_t>(number);
}
inline std::int32_t add_sizes(const Circle& circle, FourFloats& /*numbers*/, float& rest) {
  rest += circle.radius;
  if (std::bit_cast<std::uint64_t>(circle.center) != 0) {
    rest += std::fabs(circle.center.x) + std::fabs(circle.center.y);
  }
  return bits(circle.radius);
}
inline std::int32_t add_sizes(const Box& box, FourFloats& numbers, float& /*rest*/) {
  numbers += absolute(first_four(box));
  return bits(box.half_size.x) | bits(box.half_size.y);
}
inline std::int32_t add_sizes(const Capsule& capsule, FourFloats& numbers, float& rest) {
  numbers += absolute(first_four(capsule));
  rest += capsule.radius;
  return bits(capsule.radius);
}
inline std::int32_t add_sizes(const Segment& segment, FourFloats& numbers, float& /*rest*/) {
  numbers += absolute(first_four(segment));
  return 0;
}
inline std::int32_t add_sizes(const Polygon& polygon, FourFloats& /*numbers*/, float& rest) {
  rest += polygon.radius() + FacePrefilter::largest(polygon);
  return 0;
}

/// Checks that a circle and another shape are valid and that rounding cannot matter, as far as that is known
/// before they are compared.
///
/// Construct it first: its instructions then run while the shapes are still being loaded, and do not queue
/// behind those that wait for them.
class CirclePairGuard {
 public:
  template <typename S>
  [[gnu::always_inline]] CirclePairGuard(const S& other, const Transform& at_other, const Circle& circle,
                                         const Transform& at_circle) {
    const FourFloats numbers_other = first_four(at_other);
    const FourFloats numbers_circle = first_four(at_circle);
    // Stricter than `is_unit`. The lanes: the squared length of one rotation, of the other, then both again.
    FourFloats squares = __builtin_shufflevector(numbers_other, numbers_circle, 2, 6, 3, 7);
    squares *= squares;
    const FourFloats off = squares + __builtin_shufflevector(squares, squares, 2, 3, 0, 1) - 1.0F;
    are_unit_ = reinterpret_cast<Vec2dMask>(absolute(off) <= 0.001F);

    FourFloats numbers = absolute(numbers_other) + absolute(numbers_circle);
    float rest = 0.0F;
    signs_ = add_sizes(other, numbers, rest) | add_sizes(circle, numbers, rest);
    if constexpr (!std::is_same_v<S, Circle> && !std::is_same_v<S, Polygon>) {
      numbers += __builtin_shufflevector(numbers, numbers, 2, 3, 0, 1);
    }
    // Four times that of `is_sure`, to cover the effect of rotations and sums.
    constexpr auto relative_rounding = static_cast<float>(4.0 * rounding_of_verdict);
    least_ = relative_rounding * (numbers[0] + numbers[1] + rest);
  }

  /// @param is_known the nearest point is the right one
  /// @param gap between the surfaces (unit: length)
  [[nodiscard]] bool is_sure(Vec2dMask is_known, float gap) const {
    constexpr std::int64_t all = -1;
    return (reinterpret_cast<Vec2dBits>(are_unit_ & is_known)[0] == all) & (signs_ >= 0) &
           (std::fabs(gap) > least_);  // false for NaN, and where lengths are beyond the largest float
  }

 private:
  Vec2dMask are_unit_;
  std::int32_t signs_;  ///< negative if a size is negative or -0
  float least_;         ///< smallest gap for which rounding does not matter (unit: length)
};

}  // namespace broadside::detail
