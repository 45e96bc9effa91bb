#include "contact/mask/outline.hpp"

#include <algorithm>
#include <cmath>

namespace broadside::inline v0_2::detail {

namespace {

// Cosine and sine of a 128th of a full turn.
constexpr Point small_turn{0x1.ff621e3796d7ep-1, 0x1.91f65f10dd814p-5};

Point outward_normal(Point from, Point to) {
  const Point edge = to - from;
  const double length = std::sqrt(dot(edge, edge));
  return {edge.y / length, -edge.x / length};
}

/// Returns the unit vectors that divide the circle into equal arcs, counter-clockwise from {1, 0}.
std::array<Point, Chords::to_the_circle> directions() {
  std::array<Point, Chords::to_the_circle> all;
  constexpr std::size_t quarter = Chords::to_the_circle / 4;
  Point direction{1.0, 0.0};
  for (std::size_t i = 0; i < quarter; ++i) {
    all[i] = direction;
    all[i + quarter] = {-direction.y, direction.x};
    all[i + 2 * quarter] = {-direction.x, -direction.y};
    all[i + 3 * quarter] = {direction.y, -direction.x};
    direction = {direction.x * small_turn.x - direction.y * small_turn.y,
                 direction.y * small_turn.x + direction.x * small_turn.y};
  }
  return all;
}

}  // namespace

Outline::Outline(const Convex& shape) : corners_(shape.size), radius_(shape.radius) {
  for (std::size_t i = 0; i < corners_; ++i) {
    points_[i] = shape.points[i];
    const Point p = points_[i];
    y_range_.take({p.y - radius_, p.y + radius_});
  }
  if (corners_ < 2) {
    return;
  }
  // A segment with a radius has two edges, one on each side.
  edge_count_ = corners_ == 2 && radius_ == 0.0 ? 1 : corners_;
  for (std::size_t i = 0; i < edge_count_; ++i) {
    const Point from = shape.points[i];
    const Point to = shape.points[i + 1 < corners_ ? i + 1 : 0];
    const Point out = radius_ == 0.0 ? Point{} : radius_ * outward_normal(from, to);
    edges_[i] = {from + out, to + out};
  }
}

/// A point of the outline is on an offset edge or on the circle around a corner, and the shape contains all
/// of both.
template <double Point::*Along, double Point::*Upon>
Interval Outline::cut(double at) const {
  Interval covered;
  for (std::size_t i = 0; i < edge_count_; ++i) {
    const Point& from = edges_[i].from;
    const Point& to = edges_[i].to;
    const double below = at - from.*Upon;
    const double above = at - to.*Upon;
    if ((below < 0.0 && above < 0.0) || (below > 0.0 && above > 0.0)) {
      continue;
    }
    if (below == 0.0) {
      covered.take({from.*Along, from.*Along});
    }
    if (above == 0.0) {
      covered.take({to.*Along, to.*Along});
    }
    if (below != 0.0 && above != 0.0) {
      const double share = below / (to.*Upon - from.*Upon);
      const double cut = from.*Along + share * (to.*Along - from.*Along);
      const auto [low, high] = std::minmax(from.*Along, to.*Along);
      covered.take({std::clamp(cut, low, high), std::clamp(cut, low, high)});
    }
  }
  if (radius_ > 0.0 || corners_ == 1) {
    for (std::size_t i = 0; i < corners_; ++i) {
      const double off = at - points_[i].*Upon;
      if (std::abs(off) <= radius_) {
        const double half = std::sqrt((radius_ - off) * (radius_ + off));
        covered.take({points_[i].*Along - half, points_[i].*Along + half});
      }
    }
  }
  return covered;
}

Interval Outline::across(double y) const {
  return cut<&Point::x, &Point::y>(y);
}

Interval Outline::upright(double x) const {
  return cut<&Point::y, &Point::x>(x);
}

/// The leftmost point between two heights is on one of the lines, or is the leftmost point beside a corner.
Interval Outline::between(double low, Interval at_low, double high, Interval at_high) const {
  Interval covered = at_low;
  covered.take(at_high);
  for (std::size_t i = 0; i < corners_; ++i) {
    if (low <= points_[i].y && points_[i].y <= high) {
      covered.take({points_[i].x - radius_, points_[i].x + radius_});
    }
  }
  return covered;
}

/// The furthest point is where the outline crosses a side of the box, or a corner of the box, or the furthest
/// point of the shape.
Interval Outline::along(Point normal, Point low, Point high) const {
  Interval reach;
  Interval x;
  Interval y;
  const auto take = [&](Point p) {
    const double off = dot(normal, p);
    reach.take({off, off});
    x.take({p.x, p.x});
    y.take({p.y, p.y});
  };
  for (const double at : {low.y, high.y}) {
    const Interval covered = across(at);
    const double from = std::max(covered.low, low.x);
    const double to = std::min(covered.high, high.x);
    if (!covered.empty() && from <= to) {
      take({from, at});
      take({to, at});
    }
  }
  for (const double at : {low.x, high.x}) {
    const Interval covered = upright(at);
    const double from = std::max(covered.low, low.y);
    const double to = std::min(covered.high, high.y);
    if (!covered.empty() && from <= to) {
      take({at, from});
      take({at, to});
    }
  }
  for (std::size_t i = 0; i < corners_; ++i) {
    for (const Point p : {points_[i] - radius_ * normal, points_[i] + radius_ * normal}) {
      if (low.x <= p.x && p.x <= high.x && low.y <= p.y && p.y <= high.y) {
        take(p);
      }
    }
  }
  return x.low < x.high && y.low < y.high ? reach : Interval{};
}

/// A convex shape that touches a box but none of its sides lies inside it.
std::optional<Point> Outline::point_in(Point low, Point high) const {
  for (const double y : {low.y, high.y}) {
    const Interval covered = across(y);
    if (!covered.empty() && covered.low <= high.x && low.x <= covered.high) {
      return Point{0.5 * (std::max(covered.low, low.x) + std::min(covered.high, high.x)), y};
    }
  }
  for (const double x : {low.x, high.x}) {
    const Interval covered = upright(x);
    if (!covered.empty() && covered.low <= high.y && low.y <= covered.high) {
      return Point{x, 0.5 * (std::max(covered.low, low.y) + std::min(covered.high, high.y))};
    }
  }
  const Point p = points_[0];
  const bool inside = low.x <= p.x && p.x <= high.x && low.y <= p.y && p.y <= high.y;
  return inside ? std::optional(p) : std::nullopt;
}

Chords::Chords(const Convex& shape) {
  if (shape.radius == 0.0) {
    for (std::size_t i = 0; i < shape.size; ++i) {
      add(shape.points[i]);
    }
    return;
  }
  const auto all = directions();
  if (shape.size == 1) {
    for (const Point& direction : all) {
      add(shape.points[0] + shape.radius * direction);
    }
    return;
  }
  // For each corner: the normals of its two edges, and the directions between them.
  std::size_t next = 0;
  std::size_t left = 0;
  for (std::size_t i = 0; i < shape.size; ++i) {
    const Point corner = shape.points[i];
    const Point before = outward_normal(shape.points[i > 0 ? i - 1 : shape.size - 1], corner);
    const Point after = outward_normal(corner, shape.points[detail::next(shape, i)]);
    if (i == 0) {
      const auto is_first_after = [&](std::size_t k) {
        return cross(before, all[k]) > 0.0 && cross(before, all[(k + all.size() - 1) % all.size()]) <= 0.0;
      };
      while (next + 1 < all.size() && !is_first_after(next)) {
        ++next;
      }
      left = all.size();
    }
    add(corner + shape.radius * before);
    if (left > 0 &&
        cross(before, all[next]) <= 0.0) {  // equals the normal, and the last corner stopped before it
      next = (next + 1) % all.size();
      --left;
    }
    for (; left > 0 && cross(all[next], after) > 0.0; --left) {
      add(corner + shape.radius * all[next]);
      next = (next + 1) % all.size();
    }
    add(corner + shape.radius * after);
  }
}

}  // namespace broadside::inline v0_2::detail
