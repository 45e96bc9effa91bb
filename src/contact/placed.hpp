#pragma once

#include <array>
#include <utility>

#include "base/select.hpp"
#include "base/to_vec2.hpp"
#include "body/convex.hpp"
#include "contact/order.hpp"

namespace broadside::inline v0_2::detail {

/// Two convex shapes relative to a common anchor, in an order that does not depend on the argument order.
class Placed {
 public:
  Placed(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b)
      : anchor_(common_anchor(to_point(at_a.position), to_point(at_b.position))) {
    const double key = canonical_order(a, at_a, b, at_b);
    swapped_ = key < 0.0;
    place(a, at_a, anchor_, shapes_[swapped_ ? 1 : 0]);
    place(b, at_b, anchor_, shapes_[swapped_ ? 0 : 1]);
    if (key == 0.0 && is_less(shapes_[1], shapes_[0])) {
      std::swap(shapes_[0], shapes_[1]);
      swapped_ = true;
    }
  }

  [[nodiscard]] const Convex& first() const { return shapes_[0]; }
  [[nodiscard]] const Convex& second() const { return shapes_[1]; }
  [[nodiscard]] bool swapped() const { return swapped_; }
  [[nodiscard]] Vec2 in_world(Point p) const { return to_vec2(anchor_ + p); }
  /// Converts a direction from the first shape to the second into one from a to b.
  [[nodiscard]] Vec2 from_a(Point normal) const { return to_direction(sign(swapped_) * normal); }

 private:
  static bool is_less(const Convex& a, const Convex& b) {
    const std::array head_a{static_cast<double>(a.size), a.radius};
    const std::array head_b{static_cast<double>(b.size), b.radius};
    if (head_a != head_b) {
      return head_a < head_b;
    }
    for (std::size_t i = 0; i < a.size; ++i) {
      if (a.points[i] != b.points[i]) {
        return std::array{a.points[i].x, a.points[i].y} < std::array{b.points[i].x, b.points[i].y};
      }
    }
    return false;
  }

  std::array<Convex, 2> shapes_;  ///< the first and the second
  Point anchor_;
  bool swapped_ = false;
};

}  // namespace broadside::inline v0_2::detail
