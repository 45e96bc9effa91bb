#include "pixel_layer.hpp"

#include <algorithm>
#include <cmath>

namespace broadside::view {

namespace {

/// A range of pixels, at least one.
struct Range {
  int begin;
  int end;

  Range(float min, float max) : begin(static_cast<int>(std::lround(min))) {
    end = std::max(static_cast<int>(std::lround(max)), begin + 1);
  }
  [[nodiscard]] int size() const { return end - begin; }
  [[nodiscard]] bool is_edge(int at) const { return at == begin || at + 1 == end; }
};

}  // namespace

void PixelLayer::begin(ImVec2 min, ImVec2 max) {
  min_ = min;
  width_ = std::max(static_cast<int>(max.x - min.x), 0);
  height_ = std::max(static_cast<int>(max.y - min.y), 0);
  pixels_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), 0);
}

void PixelLayer::box(ImVec2 min, ImVec2 max, ImU32 fill, ImU32 edge) {
  const Range columns(min.x - min_.x, max.x - min_.x);
  const Range rows(min.y - min_.y, max.y - min_.y);
  const bool has_edge = columns.size() >= 3 && rows.size() >= 3;
  for (int y = std::max(rows.begin, 0); y < std::min(rows.end, height_); ++y) {
    for (int x = std::max(columns.begin, 0); x < std::min(columns.end, width_); ++x) {
      const ImU32 color = has_edge && (rows.is_edge(y) || columns.is_edge(x)) ? edge : fill;
      ImU32& pixel = pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                             static_cast<std::size_t>(x)];
      if ((color >> IM_COL32_A_SHIFT) > (pixel >> IM_COL32_A_SHIFT)) {
        pixel = color;
      }
    }
  }
}

}  // namespace broadside::view
