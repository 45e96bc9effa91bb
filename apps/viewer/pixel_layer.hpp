#pragma once

#include <imgui.h>

#include <span>
#include <vector>

namespace broadside::view {

/// A picture of boxes of a few pixels each. Of those there may be hundreds of thousands, and writing their
/// pixels takes much less time than drawing triangles. Where boxes overlap, the most opaque color wins, so
/// that boxes smaller than a pixel become one.
class PixelLayer {
 public:
  /// Clears the layer, and sets the part of the screen that it covers (unit: pixel).
  void begin(ImVec2 min, ImVec2 max);
  /// Draws a box on whole pixels, at least one; from three pixels on, with an edge of one pixel.
  void box(ImVec2 min, ImVec2 max, ImU32 fill, ImU32 edge);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  /// Returns the pixels [height][width], transparent where nothing was drawn.
  [[nodiscard]] std::span<const ImU32> pixels() const { return pixels_; }

 private:
  ImVec2 min_;
  int width_ = 0;
  int height_ = 0;
  std::vector<ImU32> pixels_;
};

}  // namespace broadside::view
