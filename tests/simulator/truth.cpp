#include "simulator/truth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace broadside::test::simulator {

namespace {

bool is_short(float value) {
  const float steps = value * 0x1p12F;
  return std::abs(value) <= 0x1p21F && steps == std::floor(steps);
}

bool is_short(Vec2 v) {
  return is_short(v.x) && is_short(v.y);
}

bool is_quarter_turn(Rotation r) {
  return (r.cos == 0 && std::abs(r.sin) == 1) || (r.sin == 0 && std::abs(r.cos) == 1);
}

bool is_short(const Circle& circle) {
  return is_short(circle.center) && is_short(circle.radius);
}
bool is_short(const Box& box) {
  return is_short(box.half_size) && is_short(box.center) && is_quarter_turn(box.rotation);
}
bool is_short(const Capsule& capsule) {
  return is_short(capsule.a) && is_short(capsule.b) && is_short(capsule.radius);
}
bool is_short(const Segment& segment) {
  return is_short(segment.a) && is_short(segment.b);
}
bool is_short(const Polygon& polygon) {
  const auto corners = polygon.vertices();
  return is_short(polygon.radius()) &&
         std::all_of(corners.begin(), corners.end(), [](Vec2 corner) { return is_short(corner); });
}
bool is_short(const Mask& mask) {
  return is_short(mask.origin()) && is_short(mask.pixel_size());
}

bool has_slanted_edge(const TrueShape& part) {
  for (std::size_t i = 0; i < part.corners.size(); ++i) {
    const TruePoint from = part.corners[i];
    const TruePoint to = part.corners[(i + 1) % part.corners.size()];
    if (from.x != to.x && from.y != to.y) {
      return true;
    }
  }
  return false;
}

/// Returns whether the pixels of a mask are compared with an edge at points of it that a division gives.
bool is_rounded(const Solid& mask, const Solid& other) {
  return mask.is_mask && other.has_slanted_edge;
}

Solid with_box(std::vector<TrueShape> parts) {
  constexpr long double infinity = std::numeric_limits<long double>::infinity();
  Solid solid{std::move(parts), {infinity, infinity}, {-infinity, -infinity}};
  for (const TrueShape& part : solid.parts) {
    for (const TruePoint corner : part.corners) {
      solid.min = {std::min(solid.min.x, corner.x - part.radius),
                   std::min(solid.min.y, corner.y - part.radius)};
      solid.max = {std::max(solid.max.x, corner.x + part.radius),
                   std::max(solid.max.y, corner.y + part.radius)};
    }
  }
  solid.size = std::max(solid.max.x - solid.min.x, solid.max.y - solid.min.y);
  return solid;
}

}  // namespace

long double ulp_of(long double value) {
  const auto size = static_cast<float>(std::fabs(value));
  return static_cast<long double>(std::nextafter(size, std::numeric_limits<float>::infinity())) -
         static_cast<long double>(size);
}

Solid solid_of(const Shape& shape, const Transform& at) {
  Solid solid = with_box(true_parts(shape, at));
  solid.is_exact = is_short(at.position) && is_quarter_turn(at.rotation) &&
                   std::visit([](const auto& one) { return is_short(one); }, shape);
  solid.is_mask = std::holds_alternative<Mask>(shape);
  solid.has_slanted_edge = std::any_of(solid.parts.begin(), solid.parts.end(), has_slanted_edge);
  return solid;
}

Solid solid_of(const Aabb& box) {
  const TruePoint min{box.min.x, box.min.y};
  const TruePoint max{box.max.x, box.max.y};
  Solid solid = with_box({TrueShape{{min, {max.x, min.y}, max, {min.x, max.y}}, 0}});
  solid.is_exact = is_short(box.min) && is_short(box.max);
  return solid;
}

Solid moved(Solid solid, long double x, long double y) {
  for (TrueShape& part : solid.parts) {
    for (TruePoint& corner : part.corners) {
      corner = {corner.x + x, corner.y + y};
    }
  }
  return with_box(std::move(solid.parts));
}

Verdict Gap::within(long double limit) const {
  if (gap - rim > limit) {
    return Verdict::apart;
  }
  if (gap + rim <= limit) {
    return Verdict::touching;
  }
  if (is_exact && limit == 0) {
    return gap <= 0 ? Verdict::touching : Verdict::apart;
  }
  return Verdict::undecided;
}

Gap gap_of(const Solid& a, const Solid& b, long double wanted) {
  Gap result;
  result.is_exact = a.is_exact && b.is_exact && !is_rounded(a, b) && !is_rounded(b, a);
  // The library computes in double from the same floats: positions add little rounding error.
  const long double reach =
      std::max({std::fabs(a.min.x), std::fabs(a.min.y), std::fabs(a.max.x), std::fabs(a.max.y),
                std::fabs(b.min.x), std::fabs(b.min.y), std::fabs(b.max.x), std::fabs(b.max.y)});
  result.rim = 1e-6L * (a.size + b.size) + 0x1p-44L * reach;
  const long double x = std::max(b.min.x - a.max.x, a.min.x - b.max.x);
  const long double y = std::max(b.min.y - a.max.y, a.min.y - b.max.y);
  if (std::max(x, y) > wanted + 4 * result.rim) {
    result.gap = std::max(x, y);
    return result;
  }
  result.gap = std::numeric_limits<long double>::infinity();
  for (const TrueShape& p : a.parts) {
    for (const TrueShape& q : b.parts) {
      result.gap = std::min(result.gap, gap(p, q));
    }
  }
  return result;
}

Gap gap_of(const std::vector<Solid>& a, const std::vector<Solid>& b, long double wanted) {
  Gap nearest;
  nearest.gap = std::numeric_limits<long double>::infinity();
  nearest.is_exact = true;
  for (const Solid& p : a) {
    for (const Solid& q : b) {
      const Gap one = gap_of(p, q, wanted);
      nearest.is_exact = nearest.is_exact && one.is_exact;
      nearest.rim = std::max(nearest.rim, one.rim);
      nearest.gap = std::min(nearest.gap, one.gap);
    }
  }
  return nearest;
}

}  // namespace broadside::test::simulator
