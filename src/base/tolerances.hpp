#pragma once

#include <limits>

// The tolerances of decisions on shapes, as multiples of the precision of double or float, with the reason of
// each. A tolerance is a fraction of the numbers that a result was computed from, unless it says
// otherwise. Answers depend on them: tests/answers compares questions that lie this close to a decision.

namespace broadside::inline v0_2::detail {

/// The precision of double: an operation rounds by at most half of this.
inline constexpr double epsilon = 0x1p-52;

/// The precision of float.
inline constexpr double epsilon_of_float = 0x1p-23;

/// More than the few dozen operations of one formula round by (45 epsilon).
inline constexpr double rounding_of_formula = 1e-14;

/// By how much a shape grows, so that a ray that grazes it is not lost to rounding: more than the formulas of
/// a ray round by in the frame of the shape (256 epsilon).
inline constexpr double ray_tolerance = 0x1p-44;

/// More than all formulas between two placed shapes and the verdict on them round by. Beyond it, a verdict in
/// double is that of exact arithmetic (4,500 epsilon).
inline constexpr double rounding_of_verdict = 1e-12;

/// Far more than the verdict: no function that decides the same in another way can disagree. What is closer
/// is left to the exact test (4.5 million epsilon).
inline constexpr double clear_of_rounding = 1e-9;

/// Another face is preferred only if it is better by more than this fraction of the smaller shape's size, so
/// that small motions do not make the choice flicker. More than float rounds by where coordinates are eight
/// times the size (8.4 times the precision of float).
inline constexpr double face_slack = 1e-6;

/// Edges are parallel if the sine of their angle is below this: that of rotations in float has no better
/// precision (8.4 times the precision of float).
inline constexpr double parallel = 1e-6;

/// The squared length of a rotation may differ from 1 by this much: more than rounding to float changes it (8
/// times the precision of float).
inline constexpr double rotation_slack = 8.0 * epsilon_of_float;

/// A corner stands on a face if the cosine of the angle at which it lies in front of it is above this: within
/// an angle of 1.4e-5, so that two capsules of equal length on top of each other touch at two points (450,000
/// epsilon below 1).
inline constexpr double straight = 1.0 - 1e-10;

/// If the sine of the angle between two edges is below this, its sign may be rounding (4.5 epsilon).
inline constexpr double min_sine = 1e-15;

/// A box thinner than this fraction of its coordinates is placed as its middle line: the direction of its
/// short edges would consist of rounding errors (4,096 epsilon).
inline constexpr double thinnest = 0x1p-40;

// If no edge is shorter than `shortest_share` of the lengths (the sum of both `reach`), rounding in double
// changes a face's direction and a corner's position by less than `rounding_share` of the lengths (16
// epsilon of the lengths, divided by the shortest edge).
inline constexpr double shortest_share = 0x1p-12;
inline constexpr double rounding_share = 0x1p-36;

// The multiples that are named above.
static_assert(epsilon == std::numeric_limits<double>::epsilon());
static_assert(static_cast<float>(epsilon_of_float) == std::numeric_limits<float>::epsilon());
static_assert(rounding_of_formula > 45.0 * epsilon && rounding_of_formula < 45.1 * epsilon);
static_assert(ray_tolerance == 256.0 * epsilon);
static_assert(rounding_of_verdict > 4500.0 * epsilon && rounding_of_verdict < 4510.0 * epsilon);
static_assert(clear_of_rounding > 4.5e6 * epsilon && clear_of_rounding < 4.51e6 * epsilon);
static_assert(face_slack > 8.0 * epsilon_of_float && face_slack < 8.4 * epsilon_of_float);
static_assert(parallel > 8.0 * epsilon_of_float && parallel < 8.4 * epsilon_of_float);
static_assert(rotation_slack == 8.0 * epsilon_of_float);
static_assert(1.0 - straight > 450e3 * epsilon && 1.0 - straight < 451e3 * epsilon);
static_assert(min_sine > 4.5 * epsilon && min_sine < 4.51 * epsilon);
static_assert(thinnest == 4096.0 * epsilon);
static_assert(rounding_share == 16.0 * epsilon / shortest_share);

}  // namespace broadside::inline v0_2::detail
