#include "broadside/body/transform.hpp"

#include <cmath>
#include <numbers>

#include "broadside/base/aabb.hpp"

namespace broadside::inline v0_2 {

namespace {

using std::numbers::pi;
constexpr double quarter_turns_per_radian = 2.0 / pi;

// A quarter turn in two parts (Cody and Waite). The first has 33 bits: its product with up to 2^20 is exact.
constexpr double quarter_high = 0x1.921FB544p+0;
constexpr double quarter_low = 0x1.0B4611A626331p-34;
constexpr double max_exact = 0x1p20;  // radians

// The Taylor series of sine and cosine on an eighth of a turn to either side. The truncation error is below
// 2^-36 of the sum, 1/4000 of the last bit of a float.
double sine(double r) {
  const double s = r * r;
  double sum = -1.0 / 39916800.0;
  sum = sum * s + 1.0 / 362880.0;
  sum = sum * s - 1.0 / 5040.0;
  sum = sum * s + 1.0 / 120.0;
  sum = sum * s - 1.0 / 6.0;
  return r + r * s * sum;
}

double cosine(double r) {
  const double s = r * r;
  double sum = 1.0 / 479001600.0;
  sum = sum * s - 1.0 / 3628800.0;
  sum = sum * s + 1.0 / 40320.0;
  sum = sum * s - 1.0 / 720.0;
  sum = sum * s + 1.0 / 24.0;
  return 1.0 - 0.5 * s + s * s * sum;
}

}  // namespace

Rotation Rotation::by(float angle) {
  if (!is_finite(angle)) {
    return {};
  }
  auto radians = static_cast<double>(angle);
  if (std::fabs(radians) > max_exact) {
    radians = std::fmod(radians, 2.0 * pi);  // exact by definition, so the same everywhere
  }
  const double quarters = std::floor(radians * quarter_turns_per_radian + 0.5);
  const double rest = (radians - quarters * quarter_high) - quarters * quarter_low;
  const auto c = static_cast<float>(cosine(rest));
  const auto s = static_cast<float>(sine(rest));
  const Rotation turned[] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
  return turned[static_cast<int>(quarters) & 3];
}

}  // namespace broadside::inline v0_2
