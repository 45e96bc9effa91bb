#pragma once

#include <algorithm>

#include "contact/hull_pair.hpp"
#include "contact/hull_source.hpp"
#include "contact/order.hpp"
#include "contact/pick.hpp"
#include "contact/to_vec2.hpp"

namespace broadside::detail {

inline Point point(const HullFaces& faces, std::size_t number) {
  return {faces.x[number], faces.y[number]};
}

inline std::size_t number_after(std::size_t number, std::size_t size) {
  const std::size_t after = number + 1;
  return after & (0 - static_cast<std::size_t>(after != size));
}

/// A shape where it stands.
struct Standing {
  const Shape* shape;
  const Transform* at;
};

/// Two shapes in the order of `Placed`, around the same anchor. What cannot be guessed is an index here, not
/// a branch.
class OrderedHulls {
 public:
  /// @param order of the two shapes as they were given: 0 where nothing tells
  /// @param swapped the second was given first
  [[gnu::always_inline]] OrderedHulls(const Standing& a, const Standing& b, double order, bool swapped)
      : at_a_(*a.at),
        at_b_(*b.at),
        anchor_(anchor_of(to_two(at_a_.position), to_two(at_b_.position))),
        order_(order),
        swapped_(swapped),
        cores_{HullSource::of(*a.shape, at_a_, anchor_), HullSource::of(*b.shape, at_b_, anchor_)},
        radius_(cores_[0].radius + cores_[1].radius),
        lengths_(cores_[0].reach + cores_[1].reach),
        rounding_(rounding_share * lengths_) {}

 protected:
  [[nodiscard]] Vec2 in_world(Point p) const { return to_vec2(to_point(anchor_) + p); }

  [[nodiscard]] std::size_t after(std::size_t core, std::size_t corner) const {
    return number_after(corner, cores_[core].size);
  }
  [[nodiscard]] std::size_t before(std::size_t core, std::size_t corner) const {
    return (corner == 0 ? cores_[core].size : corner) - 1;
  }

  /// Tells whether rounding neither turns a face nor moves a corner by more than `rounding_share` of lengths.
  [[nodiscard]] bool are_fit(double lengths) const {
    const double shortest = std::min(cores_[0].shortest, cores_[1].shortest);
    return cores_[0].is_fit & cores_[1].is_fit & (order_ != 0.0) & (shortest > 0.0) &
           (shortest >= shortest_share * lengths) & (lengths < most_lengths);
  }

  const Transform& at_a_;
  const Transform& at_b_;
  Two anchor_;
  double order_;
  bool swapped_;
  HullSource cores_[2];
  double radius_;
  double lengths_;
  double rounding_;
};

/// Asks two shapes; where both are lines only those who take these.
template <class Hulls, class Ask>
Answer ask_hulls(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b, Ask ask) {
  const auto is_line = [](const Shape& shape) {
    return std::holds_alternative<Capsule>(shape) || std::holds_alternative<Segment>(shape);
  };
  if (!Hulls::takes_lines && is_line(a) && is_line(b)) {
    return Answer::unsure;
  }
  const double order = order_of(a, at_a, b, at_b);
  // As the order says; by kind it is known sooner.
  const bool swapped = a.index() != b.index() ? b.index() < a.index() : order < 0.0;
  const Standing both[] = {{&a, &at_a}, {&b, &at_b}};
  Hulls hulls(both[swapped], both[!swapped], order, swapped);
  return ask(hulls);
}

}  // namespace broadside::detail
