#pragma once

#include <imgui.h>

#include "broadside/base/aabb.hpp"
#include "broadside/body/outline.hpp"

namespace broadside::view {

/// Maps the world to the screen (unit: pixel; y points down on the screen).
class Camera {
 public:
  /// Sets the part of the screen that shows the world, which does not move on the screen.
  void set_area(ImVec2 min, ImVec2 max);
  /// Shows a part of the world, as large as it fits.
  void show(const Aabb& view, bool y_is_up);
  void pan(ImVec2 way);
  /// Pans by the least that shows a point.
  void reveal(DrawPoint point);
  /// Zooms by a factor; the point under `at` stays where it is.
  void zoom(ImVec2 at, double factor);

  [[nodiscard]] ImVec2 to_screen(DrawPoint point) const;
  [[nodiscard]] DrawPoint to_world(ImVec2 pixel) const;
  /// Returns the point of the world under a pixel, clamped to the range of float.
  [[nodiscard]] Vec2 under(ImVec2 pixel) const;
  /// Returns the visible part of the world.
  [[nodiscard]] Aabb seen() const;
  /// Returns the number of pixels per unit of length.
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] bool contains(ImVec2 pixel) const;
  [[nodiscard]] ImVec2 min() const { return min_; }
  [[nodiscard]] ImVec2 max() const { return max_; }

 private:
  [[nodiscard]] double middle_x() const { return 0.5 * (double{min_.x} + max_.x); }
  [[nodiscard]] double middle_y() const { return 0.5 * (double{min_.y} + max_.y); }

  ImVec2 min_;
  ImVec2 max_;
  DrawPoint center_;
  double scale_ = 1.0;
  double up_ = 1.0;  ///< -1 where y points up
};

}  // namespace broadside::view
