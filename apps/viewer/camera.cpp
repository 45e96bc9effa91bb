#include "camera.hpp"

#include <algorithm>
#include <limits>

namespace broadside::view {

namespace {

constexpr double smallest_scale = 1e-37;
constexpr double largest_scale = 1e9;

/// Clamps a coordinate: far off the screen it need not be exact, but must remain drawable.
float limited(double pixel) {
  return static_cast<float>(std::clamp(pixel, -1e5, 1e5));
}

float to_float(double value) {
  constexpr double limit = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -limit, limit));
}

}  // namespace

void Camera::set_area(ImVec2 min, ImVec2 max) {
  const DrawPoint corner = to_world(min);
  min_ = min;
  max_ = max;
  center_.x += corner.x - to_world(min).x;
  center_.y += corner.y - to_world(min).y;
}

void Camera::show(const Aabb& view, bool y_is_up) {
  constexpr double margin = 16.0;
  up_ = y_is_up ? -1.0 : 1.0;
  center_ = {0.5 * (double{view.min.x} + view.max.x), 0.5 * (double{view.min.y} + view.max.y)};
  const double width = std::max(double{view.max.x} - view.min.x, 1e-30);
  const double height = std::max(double{view.max.y} - view.min.y, 1e-30);
  const double fits = std::min((double{max_.x} - min_.x - 2.0 * margin) / width,
                               (double{max_.y} - min_.y - 2.0 * margin) / height);
  scale_ = std::clamp(fits, smallest_scale, largest_scale);
}

void Camera::pan(ImVec2 way) {
  center_.x -= way.x / scale_;
  center_.y -= up_ * way.y / scale_;
}

void Camera::reveal(DrawPoint point) {
  constexpr double margin = 40.0;
  const auto way = [](double at, double low, double high) {
    return at - std::clamp(at, low + margin, std::max(high - margin, low + margin));
  };
  center_.x += way(middle_x() + scale_ * (point.x - center_.x), min_.x, max_.x) / scale_;
  center_.y += up_ * way(middle_y() + up_ * scale_ * (point.y - center_.y), min_.y, max_.y) / scale_;
}

void Camera::zoom(ImVec2 at, double factor) {
  const DrawPoint fixed = to_world(at);
  scale_ = std::clamp(scale_ * factor, smallest_scale, largest_scale);
  const DrawPoint now = to_world(at);
  center_.x += fixed.x - now.x;
  center_.y += fixed.y - now.y;
}

ImVec2 Camera::to_screen(DrawPoint point) const {
  return {limited(middle_x() + scale_ * (point.x - center_.x)),
          limited(middle_y() + up_ * scale_ * (point.y - center_.y))};
}

DrawPoint Camera::to_world(ImVec2 pixel) const {
  return {center_.x + (pixel.x - middle_x()) / scale_, center_.y + up_ * (pixel.y - middle_y()) / scale_};
}

Vec2 Camera::under(ImVec2 pixel) const {
  const DrawPoint point = to_world(pixel);
  return {to_float(point.x), to_float(point.y)};
}

Aabb Camera::seen() const {
  const Vec2 a = under(min_);
  const Vec2 b = under(max_);
  return {{a.x, std::min(a.y, b.y)}, {b.x, std::max(a.y, b.y)}};
}

bool Camera::contains(ImVec2 pixel) const {
  return pixel.x >= min_.x && pixel.x < max_.x && pixel.y >= min_.y && pixel.y < max_.y;
}

}  // namespace broadside::view
