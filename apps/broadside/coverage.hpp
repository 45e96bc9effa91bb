#pragma once

#include <vector>

#include "broadside/base/aabb.hpp"

namespace broadside::app {

/// How much of each pixel in a part of a picture is covered, from 0 to 1.
class Coverage {
 public:
  /// Starts with nothing covered.
  /// @param area contains everything that will be covered; parts outside of the picture are ignored
  Coverage(const Aabb& area, int picture_width, int picture_height);

  /// Covers the inside of a closed line [n]: sampled every quarter of a pixel in y, exact in x.
  void add_inside(const std::vector<Vec2>& line);
  /// Covers a line with round ends.
  void add_line(Vec2 from, Vec2 to, float width);

  /// Calls `visit(x, y, amount)` for each pixel whose coverage is not 0.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        if (const float amount = amounts_[place(x, y)]; amount > 0.0F) {
          visit(left_ + x, top_ + y, amount);
        }
      }
    }
  }

 private:
  [[nodiscard]] std::size_t place(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  }
  void add_span(int y, float from, float to, float amount);

  int left_;
  int top_;
  int width_;
  int height_;
  std::vector<float> amounts_;
};

}  // namespace broadside::app
