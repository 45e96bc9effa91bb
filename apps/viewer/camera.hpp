#pragma once

#include <imgui.h>

#include "broadside/base/aabb.hpp"
#include "broadside/body/outline.hpp"

namespace broadside::view {

/// Where on the screen the world is, and how large (unit: pixel; y points down there).
class Camera {
 public:
  /// Says which part of the screen is the world's.
  void set_area(ImVec2 min, ImVec2 max);
  /// Shows a part of the world, as large as it fits.
  void show(const Aabb& view, bool y_is_up);
  void pan(ImVec2 way);
  /// Makes everything larger by a factor, but for what is under `at`, which stays there.
  void zoom(ImVec2 at, double factor);

  [[nodiscard]] ImVec2 to_screen(DrawPoint point) const;
  [[nodiscard]] DrawPoint to_world(ImVec2 pixel) const;
  /// Returns what is under a pixel, brought back to what a float can hold.
  [[nodiscard]] Vec2 under(ImVec2 pixel) const;
  /// Returns the part of the world that is in sight.
  [[nodiscard]] Aabb seen() const;
  /// Returns the pixels to a unit of length.
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
