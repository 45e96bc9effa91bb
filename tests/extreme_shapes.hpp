#pragma once

#include "boxes.hpp"
#include "random_shapes.hpp"

namespace broadside::test {

/// Draws shapes of unrelated sizes, even within one polygon: from a hair to a continent, and where they
/// nearly touch.
class ExtremeShapes {
 public:
  explicit ExtremeShapes(std::uint64_t seed);

  /// Returns a valid shape of any kind, masks included, with a transform.
  Standing standing();
  /// Returns the same shape under the same transform, moved in its own frame by a vector of any length.
  Standing shifted(const Standing& standing);
  /// Moves b so that it touches a, or misses it only by rounding; sometimes leaves it where it is.
  void bring_together(const Standing& a, Standing& b);
  /// Returns a motion of length 1e-30 to 1e38, often towards the other shape or along its sides.
  Vec2 motion(const Standing& a, const Standing& b);

  Random& random() { return random_; }

 private:
  float coordinate();
  float length();
  float scale();
  Vec2 point();
  Rotation rotation();
  Shape shape();
  Shape polygon();

  Random random_;
  float small_;
  float large_;
  Vec2 origin_;
  bool mixes_ = false;  ///< numbers of both scales in one shape
  bool is_large_ = false;
};

/// Returns approximately the largest number that takes part in a shape and its transform.
double reach_of(const Standing& standing);

/// Returns the shape after a share of a motion, to the nearest float.
Standing moved(const Standing& standing, Vec2 motion, double share);

/// Describes a shape of any kind, masks included.
std::string describe(const Standing& standing);

}  // namespace broadside::test
