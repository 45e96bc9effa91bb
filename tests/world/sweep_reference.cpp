#include "world/sweep_reference.hpp"

#include <algorithm>
#include <cmath>

namespace broadside::test {

namespace {

Real dot(RealVec a, RealVec b) {
  return a.x * b.x + a.y * b.y;
}

Real cross(RealVec a, RealVec b) {
  return a.x * b.y - a.y * b.x;
}

Real length(RealVec v) {
  return std::sqrt(dot(v, v));
}

RealVec turn(Rotation rotation, RealVec v) {
  const RealVec r = to_real({rotation.cos, rotation.sin});
  return {r.x * v.x - r.y * v.y, r.y * v.x + r.x * v.y};
}

Real distance_to_line(RealVec p, RealVec start, RealVec end) {
  const RealVec edge = end - start;
  const Real length2 = dot(edge, edge);
  const Real along = length2 > 0 ? std::clamp(dot(p - start, edge) / length2, Real{0}, Real{1}) : Real{0};
  return length(p - (start + along * edge));
}

/// A convex core and the radius around it, relative to the position of its body.
struct Part {
  std::vector<RealVec> corners;
  Real radius = 0;
};

struct Cut {
  std::vector<Part> parts;

  void operator()(const Circle& s) { parts.push_back({{to_real(s.center)}, Real{s.radius}}); }
  void operator()(const Box& s) {
    Part part;
    for (const auto& [x, y] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)}) {
      const RealVec corner{x * Real{s.half_size.x}, y * Real{s.half_size.y}};
      part.corners.push_back(to_real(s.center) + turn(s.rotation, corner));
    }
    parts.push_back(part);
  }
  void operator()(const Capsule& s) { parts.push_back({{to_real(s.a), to_real(s.b)}, Real{s.radius}}); }
  void operator()(const Segment& s) { parts.push_back({{to_real(s.a), to_real(s.b)}, 0}); }
  void operator()(const Polygon& s) {
    Part part{{}, Real{s.radius()}};
    for (const Vec2 v : s.vertices()) {
      part.corners.push_back(to_real(v));
    }
    parts.push_back(part);
  }
  void operator()(const Mask& s) {
    const auto pixel = static_cast<Real>(s.pixel_size());
    for (const PixelRectangle& r : s.rectangles()) {
      const RealVec low = to_real(s.origin()) + pixel * RealVec{Real{1} * r.column, Real{1} * r.row};
      const RealVec high = low + pixel * RealVec{Real{1} * r.width, Real{1} * r.height};
      parts.push_back({{low, {high.x, low.y}, high, {low.x, high.y}}, 0});
    }
  }
};

std::vector<Part> parts_of(const Shape& shape, Rotation rotation) {
  Cut cut;
  std::visit(cut, shape);
  for (Part& part : cut.parts) {
    for (RealVec& corner : part.corners) {
      corner = turn(rotation, corner);
    }
  }
  return cut.parts;
}

/// Source: A. M. Andrew, Another efficient algorithm for convex hulls in two dimensions, 1979.
std::vector<RealVec> hull_of(std::vector<RealVec> points) {
  std::sort(points.begin(), points.end(),
            [](RealVec a, RealVec b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<RealVec> hull;
  for (int side = 0; side < 2; ++side) {
    const std::size_t first = hull.size();
    for (const RealVec p : points) {
      while (hull.size() >= first + 2 &&
             cross(hull.back() - hull[hull.size() - 2], p - hull[hull.size() - 2]) <= 0) {
        hull.pop_back();
      }
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull.empty() ? std::vector<RealVec>{points.front()} : hull;
}

}  // namespace

SweepReference::SweepReference(const Shape& a, Rotation turned_a, const Shape& b, Rotation turned_b) {
  const std::vector<Part> parts_a = parts_of(a, turned_a);
  const std::vector<Part> parts_b = parts_of(b, turned_b);
  for (const Part& one : parts_a) {
    for (const Part& other : parts_b) {
      std::vector<RealVec> points;
      for (const RealVec p : one.corners) {
        for (const RealVec q : other.corners) {
          points.push_back(q - p);
        }
      }
      Difference difference;
      difference.corners = hull_of(points);
      difference.radius = one.radius + other.radius;
      const std::size_t count = difference.corners.size();
      for (std::size_t i = 0; i < count; ++i) {
        const RealVec corner = difference.corners[i];
        const RealVec edge = difference.corners[(i + 1) % count] - corner;
        const Real size = length(edge);
        difference.normals.push_back(size > 0 ? RealVec{edge.y / size, -edge.x / size} : RealVec{});
        difference.center = difference.center + (Real{1} / static_cast<Real>(count)) * corner;
      }
      for (const RealVec corner : difference.corners) {
        difference.reach = std::max(difference.reach, length(corner - difference.center));
      }
      differences_.push_back(difference);
    }
  }
}

Real SweepReference::Difference::separation(RealVec p) const {
  const std::size_t count = corners.size();
  Real out = -1;
  if (count > 2) {
    out = dot(normals[0], p - corners[0]);
    for (std::size_t i = 1; i < count; ++i) {
      out = std::max(out, dot(normals[i], p - corners[i]));
    }
    if (out <= 0) {
      return out - radius;
    }
  }
  Real nearest = distance_to_line(p, corners[0], corners[1 % count]);
  for (std::size_t i = 1; i < count; ++i) {
    nearest = std::min(nearest, distance_to_line(p, corners[i], corners[(i + 1) % count]));
  }
  return nearest - radius;
}

void SweepReference::Difference::meet(RealVec from, RealVec to, Meeting& first) const {
  const RealVec way = to - from;
  const auto at = [&](Real time) { return separation(from + time * way); };
  // Skip the search if a lower bound shows that the shapes pass each other at a distance.
  const Real beside = distance_to_line(center, from, to) - reach - radius;
  if (beside > reach + radius) {
    first.start = std::min(first.start, beside);
    first.least = std::min(first.least, beside);
    return;
  }
  const Real start = at(0);
  const Real end = at(1);
  constexpr Real golden = 0.61803398874989484820L;
  Real low = 0;
  Real high = 1;
  Real left = high - golden * (high - low);
  Real right = low + golden * (high - low);
  Real at_left = at(left);
  Real at_right = at(right);
  for (int i = 0; i < 70; ++i) {
    if (at_left < at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = at(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = at(right);
    }
  }
  Real time = at_left < at_right ? left : right;
  Real least = std::min(at_left, at_right);
  if (end < least) {
    time = 1;
    least = end;
  }
  if (start <= least) {
    time = 0;
    least = start;
  }
  first.start = std::min(first.start, start);
  first.least = std::min(first.least, least);
  if (least > 0) {
    return;
  }
  Real apart = 0;
  Real met = time;
  for (int i = 0; start > 0 && i < 50; ++i) {
    const Real middle = (apart + met) / 2;
    (at(middle) > 0 ? apart : met) = middle;
  }
  first.time = std::min(first.time, start > 0 ? met : Real{0});
}

Real SweepReference::separation(RealVec offset) const {
  Real least = differences_.front().separation(offset);
  for (const Difference& difference : differences_) {
    least = std::min(least, difference.separation(offset));
  }
  return least;
}

Meeting SweepReference::meet(RealVec from, RealVec to) const {
  Meeting first{1e30L, 1e30L, 2};
  for (const Difference& difference : differences_) {
    difference.meet(from, to, first);
  }
  return first;
}

}  // namespace broadside::test
