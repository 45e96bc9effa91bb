#include "coverage.hpp"

#include <algorithm>
#include <cmath>

namespace broadside::app {

namespace {

int pixel(float value, int low, int high) {
  return static_cast<int>(std::clamp(std::floor(value), static_cast<float>(low), static_cast<float>(high)));
}

}  // namespace

Coverage::Coverage(const Aabb& area, int picture_width, int picture_height)
    : left_(pixel(area.min.x, 0, picture_width)),
      top_(pixel(area.min.y, 0, picture_height)),
      width_(pixel(area.max.x + 1.0F, left_, picture_width) - left_),
      height_(pixel(area.max.y + 1.0F, top_, picture_height) - top_),
      amounts_(place(0, height_)) {}

void Coverage::add_span(int y, float from, float to, float amount) {
  const auto low = static_cast<float>(left_);
  from = std::max(from - low, 0.0F);
  to = std::min(to - low, static_cast<float>(width_));
  for (int x = pixel(from, 0, width_); x < width_ && static_cast<float>(x) < to; ++x) {
    const auto at = static_cast<float>(x);
    const float share = std::min(to, at + 1.0F) - std::max(from, at);
    float& sum = amounts_[place(x, y)];
    sum = std::min(sum + amount * std::max(share, 0.0F), 1.0F);
  }
}

void Coverage::add_inside(const std::vector<Vec2>& line) {
  constexpr int samples = 4;
  const auto by_y = [](Vec2 a, Vec2 b) { return a.y < b.y; };
  const auto [lowest, highest] = std::minmax_element(line.begin(), line.end(), by_y);
  const int begin = pixel(lowest->y - static_cast<float>(top_), 0, height_);
  const int end = pixel(highest->y - static_cast<float>(top_) + 1.0F, 0, height_);
  std::vector<float> crossings;
  for (int row = begin * samples; row < end * samples; ++row) {
    const float y = static_cast<float>(top_) + (static_cast<float>(row) + 0.5F) / samples;
    crossings.clear();
    for (std::size_t i = 0; i < line.size(); ++i) {
      const Vec2 a = line[i];
      const Vec2 b = line[(i + 1) % line.size()];
      if ((a.y <= y) != (b.y <= y)) {
        crossings.push_back(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x));
      }
    }
    std::sort(crossings.begin(), crossings.end());
    for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
      add_span(row / samples, crossings[i], crossings[i + 1], 1.0F / samples);
    }
  }
}

void Coverage::add_line(Vec2 from, Vec2 to, float width) {
  const Vec2 way = to - from;
  const float length_squared = dot(way, way);
  const float reach = 0.5F * width + 1.0F;
  const auto x_at = [this](float x) { return pixel(x - static_cast<float>(left_), 0, width_); };
  const auto y_at = [this](float y) { return pixel(y - static_cast<float>(top_), 0, height_); };
  const int end_x = x_at(std::max(from.x, to.x) + reach + 1.0F);
  const int end_y = y_at(std::max(from.y, to.y) + reach + 1.0F);
  for (int y = y_at(std::min(from.y, to.y) - reach); y < end_y; ++y) {
    for (int x = x_at(std::min(from.x, to.x) - reach); x < end_x; ++x) {
      const Vec2 arm = Vec2{static_cast<float>(left_ + x) + 0.5F, static_cast<float>(top_ + y) + 0.5F} - from;
      const float share =
          length_squared > 0.0F ? std::clamp(dot(arm, way) / length_squared, 0.0F, 1.0F) : 0.0F;
      const Vec2 apart = arm - share * way;
      const float amount = std::clamp(0.5F * (width + 1.0F) - std::sqrt(dot(apart, apart)), 0.0F, 1.0F);
      float& sum = amounts_[place(x, y)];
      sum = std::max(sum, amount);
    }
  }
}

}  // namespace broadside::app
