#include "contact/support_oracle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <variant>
#include <vector>

namespace broadside::test {

namespace {

using Real = long double;

struct Direction {
  Real x;
  Real y;
};

Direction direction(Real angle) {
  return {std::cos(angle), std::sin(angle)};
}

/// Returns the projection of a local point onto a local direction.
Real along(Vec2 point, Direction d) {
  return static_cast<Real>(point.x) * d.x + static_cast<Real>(point.y) * d.y;
}

/// Rotates a direction from the world into a frame.
Direction into(Rotation rotation, Direction d) {
  const auto c = static_cast<Real>(rotation.cos);
  const auto s = static_cast<Real>(rotation.sin);
  return {c * d.x + s * d.y, c * d.y - s * d.x};
}

// Support function of a shape in a local direction. The radius is not rotated, so it is not scaled by the
// length of the rotation.
struct LocalSupport {
  Direction d;

  Real operator()(const Circle& s) const { return along(s.center, d) + static_cast<Real>(s.radius); }
  Real operator()(const Box& s) const {
    const Direction own = into(s.rotation, d);
    return along(s.center, d) + std::abs(own.x) * static_cast<Real>(s.half_size.x) +
           std::abs(own.y) * static_cast<Real>(s.half_size.y);
  }
  Real operator()(const Capsule& s) const {
    return std::max(along(s.a, d), along(s.b, d)) + static_cast<Real>(s.radius);
  }
  Real operator()(const Segment& s) const { return std::max(along(s.a, d), along(s.b, d)); }
  Real operator()(const Polygon& s) const {
    Real most = along(s.vertices()[0], d);
    for (const Vec2 v : s.vertices()) {
      most = std::max(most, along(v, d));
    }
    return most + static_cast<Real>(s.radius());
  }
  Real operator()(const Mask&) const { return 0.0L; }
};

Real support_without_position(const Standing& standing, Direction d) {
  return std::visit(LocalSupport{into(standing.at.rotation, d)}, standing.shape);
}

Real separation(const Standing& a, const Standing& b, Real angle) {
  const Direction d = direction(angle);
  const Real way_x = static_cast<Real>(b.at.position.x) - static_cast<Real>(a.at.position.x);
  const Real way_y = static_cast<Real>(b.at.position.y) - static_cast<Real>(a.at.position.y);
  return way_x * d.x + way_y * d.y - support_without_position(b, {-d.x, -d.y}) -
         support_without_position(a, d);
}

}  // namespace

long double support(const Standing& standing, long double x, long double y) {
  return support_without_position(standing, {x, y}) + along(standing.at.position, {x, y});
}

Sweep sweep(const Standing& a, const Standing& b) {
  constexpr int steps = 720;
  constexpr Real step = 2.0L * std::numbers::pi_v<Real> / steps;
  std::array<Real, steps> at{};
  for (int i = 0; i < steps; ++i) {
    at[static_cast<std::size_t>(i)] = separation(a, b, step * static_cast<Real>(i));
  }
  // All local maxima are refined: a narrow peak may exceed a broad one. Golden-section search finds it to the
  // last bits of the angle.
  Real best = at[0];
  Real best_angle = 0.0L;
  for (int i = 0; i < steps; ++i) {
    const Real here = at[static_cast<std::size_t>(i)];
    const Real before = at[static_cast<std::size_t>((i + steps - 1) % steps)];
    const Real after = at[static_cast<std::size_t>((i + 1) % steps)];
    if (here < before || here < after) {
      continue;
    }
    constexpr Real golden = 0.6180339887498948482L;
    Real low = step * static_cast<Real>(i - 1);
    Real high = step * static_cast<Real>(i + 1);
    for (int k = 0; k < 90; ++k) {
      const Real left = high - golden * (high - low);
      const Real right = low + golden * (high - low);
      if (separation(a, b, left) < separation(a, b, right)) {
        low = left;
      } else {
        high = right;
      }
    }
    const Real angle = 0.5L * (low + high);
    for (const Real candidate : {angle, step * static_cast<Real>(i)}) {
      if (const Real value = separation(a, b, candidate); value > best) {
        best = value;
        best_angle = candidate;
      }
    }
  }
  const Direction d = direction(best_angle);
  return {best, d.x, d.y};
}

double size_of(const Standing& standing) {
  const Aabb box = bounds(standing.shape, standing.at);
  return std::max(static_cast<double>(box.max.x) - static_cast<double>(box.min.x),
                  static_cast<double>(box.max.y) - static_cast<double>(box.min.y));
}

}  // namespace broadside::test
