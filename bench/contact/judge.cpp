#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "broadside/contact/collide.hpp"
#include "broadside/contact/mask_overlap.hpp"
#include "contest.hpp"

namespace broadside::bench {

namespace {

/// Returns the depth of the overlap, or, if a is a mask, the common area; 0 if they are apart.
float depth(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  if (const auto* mask = std::get_if<Mask>(&a)) {
    return overlap(*mask, at_a, b, at_b).area;
  }
  float deepest = 0.0F;
  const Manifold manifold = collide(a, at_a, b, at_b);
  for (const ManifoldPoint& point : manifold.in_use()) {
    deepest = std::max(deepest, -point.separation);
  }
  return deepest;
}

Transform moved(const Case& one, float time) {
  return {one.at_a.position + time * one.motion, one.at_a.rotation};
}

/// Returns whether the shapes touch at the time of the answer, if it is a hit, and on no part of the path
/// before it, or on the whole path, overlap deeper than the tolerance.
bool is_first_contact(const Case& one, const Answer& answer, float tolerance) {
  if (answer.touching) {
    const Transform at = moved(one, answer.value);
    if (distance(one.a, at, one.b, one.at_b).distance > tolerance) {
      return false;
    }
  }
  constexpr int steps = 64;
  const float end = answer.touching ? answer.value : 1.0F;
  for (int i = 0; i <= steps; ++i) {
    const Transform at = moved(one, end * static_cast<float>(i) / static_cast<float>(steps));
    if (depth(one.a, at, one.b, one.at_b) > tolerance) {
      return false;
    }
  }
  return true;
}

std::string as_text(const Answer& answer) {
  return answer.touching ? fmt::format("touching, {:.6g}", answer.value)
                         : fmt::format("apart, {:.6g}", answer.value);
}

struct AsText {
  static std::string at(Vec2 v) { return fmt::format("({:.9g}, {:.9g})", v.x, v.y); }

  std::string operator()(const Circle& circle) const { return fmt::format("circle {:.9g}", circle.radius); }
  std::string operator()(const Box& box) const { return fmt::format("box {}", at(box.half_size)); }
  std::string operator()(const Capsule& capsule) const {
    return fmt::format("capsule {} {} {:.9g}", at(capsule.a), at(capsule.b), capsule.radius);
  }
  std::string operator()(const Segment& segment) const {
    return fmt::format("segment {} {}", at(segment.a), at(segment.b));
  }
  std::string operator()(const Polygon& polygon) const {
    std::string text = fmt::format("polygon {:.9g}", polygon.radius());
    for (const Vec2 corner : polygon.vertices()) {
      text += fmt::format(" {}", at(corner));
    }
    return text;
  }
  std::string operator()(const Mask& mask) const { return fmt::format("mask of {} pixels", mask.count()); }
};

std::string as_text(const Shape& shape, const Transform& transform) {
  return fmt::format("{} at {} turned {}", std::visit(AsText{}, shape), AsText::at(transform.position),
                     AsText::at({transform.rotation.cos, transform.rotation.sin}));
}

}  // namespace

bool agrees(const Row& row, const Case& one, const Answer& ours, const Answer& peer, float tolerance) {
  switch (row.function) {
    case Function::overlaps:
    case Function::collide:
      if (peer.touching != ours.touching) {
        return peer.touching ? distance(one.a, one.at_a, one.b, one.at_b).distance <= tolerance
                             : depth(one.a, one.at_a, one.b, one.at_b) <= tolerance;
      }
      return row.function == Function::overlaps || std::isnan(peer.value) ||
             std::abs(peer.value - ours.value) <= tolerance;
    case Function::distance:
    case Function::area:
      return std::abs(peer.value - ours.value) <= tolerance;
    case Function::cast:
    case Function::cast_ray:
      return is_first_contact(one, peer, tolerance) && is_first_contact(one, ours, tolerance);
  }
  return false;
}

std::string describe(const Case& one, const Answer& ours, const Answer& peer) {
  std::string text = fmt::format("    ours: {}; peer: {}; {}; {}", as_text(ours), as_text(peer),
                                 as_text(one.a, one.at_a), as_text(one.b, one.at_b));
  if (one.motion != Vec2{}) {
    text += fmt::format("; motion {}", AsText::at(one.motion));
  }
  return text;
}

}  // namespace broadside::bench
