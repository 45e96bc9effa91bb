#include "imgui_draw.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace broadside::view {

namespace {

constexpr float smallest_dot = 1.0F;      ///< smaller shapes are drawn this large (unit: pixel)
constexpr float smallest_rim = 2.0F;      ///< radius of dots that get a white rim (unit: pixel)
constexpr float longest_head = 6.0F;      ///< (unit: pixel)
constexpr float largest_in_layer = 8.0F;  ///< side of boxes that are drawn in the pixel layer (unit: pixel)
constexpr float light = 0.3F;             ///< opacity of small boxes that are outlines otherwise
constexpr double largest_radius = 2e5;    ///< (unit: pixel)

ImU32 with_opacity(ImU32 color, float opacity) {
  const auto alpha = static_cast<ImU32>(std::lround(255.0F * opacity));
  return (color & ~IM_COL32_A_MASK) | (alpha << IM_COL32_A_SHIFT);
}

ImU32 darker(ImU32 color) {
  ImVec4 parts = ImGui::ColorConvertU32ToFloat4(color);
  parts = {0.6F * parts.x, 0.6F * parts.y, 0.6F * parts.z, parts.w};
  return ImGui::ColorConvertFloat4ToU32(parts);
}

/// Reads "#rrggbb".
ImU32 parse_color(std::string_view text) {
  const auto part = [text](std::size_t at) {
    return static_cast<ImU32>(std::stoul(std::string(text.substr(at, 2)), nullptr, 16));
  };
  return IM_COL32(part(1), part(3), part(5), 255);
}

/// Returns whether a role is that of a shape in its normal colors.
bool is_shape(DrawRole role) {
  switch (role) {
    case DrawRole::static_body:
    case DrawRole::kinematic_body:
    case DrawRole::dynamic_body:
    case DrawRole::sensor:
    case DrawRole::disabled_body:
      return true;
    default:
      return false;
  }
}

double doubled_area(const std::vector<ImVec2>& points) {
  double sum = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ImVec2 a = points[i];
    const ImVec2 b = points[(i + 1) % points.size()];
    sum += double{a.x} * b.y - double{b.x} * a.y;
  }
  return sum;
}

}  // namespace

ImU32 color_of(DrawRole role) {
  switch (role) {
    case DrawRole::cell:
      return IM_COL32(240, 180, 60, 255);
    case DrawRole::box:
      return IM_COL32(95, 95, 100, 255);
    case DrawRole::static_body:
      return IM_COL32(150, 150, 150, 255);
    case DrawRole::kinematic_body:
      return IM_COL32(86, 180, 233, 255);
    case DrawRole::dynamic_body:
      return IM_COL32(0, 114, 178, 255);
    case DrawRole::sensor:
      return IM_COL32(0, 158, 115, 255);
    case DrawRole::disabled_body:
      return IM_COL32(190, 190, 190, 255);
    case DrawRole::candidate:
      return IM_COL32(190, 80, 150, 255);
    case DrawRole::hit:
    case DrawRole::contact_point:
    case DrawRole::normal:
      return IM_COL32(213, 94, 0, 255);
    case DrawRole::picked:
    case DrawRole::velocity:
      return ink;
  }
  return ink;
}

ImU32 ImguiDraw::body_color(const DrawStyle& style) const {
  if (parts_ != nullptr) {
    const auto [red, green, blue] = app::color_of_part(parts_->owners()[style.body.index]);
    return IM_COL32(red, green, blue, 255);
  }
  return colors_ != nullptr ? parse_color(colors_->color(style.body.index)) : color_of(style.role);
}

ImguiDraw::Look ImguiDraw::look_of(const DrawStyle& style) const {
  const ImU32 color = color_of(style.role);
  switch (style.role) {
    case DrawRole::cell:
      return {with_opacity(color, std::min(0.08F + 0.04F * static_cast<float>(style.boxes), 0.36F)),
              with_opacity(darker(color), 0.35F)};
    case DrawRole::box:
      return {0, with_opacity(color, 0.7F)};
    case DrawRole::static_body:
    case DrawRole::kinematic_body:
    case DrawRole::dynamic_body: {
      const ImU32 own = body_color(style);
      return {with_opacity(own, style.touching ? 0.75F : 0.4F), with_opacity(darker(own), 0.9F), 1.2F};
    }
    case DrawRole::sensor:
      return {with_opacity(body_color(style), style.touching ? 0.4F : 0.15F), body_color(style), 1.5F};
    case DrawRole::disabled_body:
      return {0, with_opacity(color, 0.8F)};
    case DrawRole::candidate:
      return {with_opacity(color, 0.12F), color, 2.0F};
    case DrawRole::hit:
      return {with_opacity(color, 0.55F), color, 2.0F};
    case DrawRole::picked:
      return {with_opacity(color, 0.12F), color, 2.0F};
    case DrawRole::velocity:
      return {0, color, 2.0F};
    case DrawRole::contact_point:
      return {color, IM_COL32_WHITE, 1.0F};
    case DrawRole::normal:
      return {0, color, std::clamp(0.6F * dot_radius_, 0.8F, 1.5F)};
  }
  return {};
}

void ImguiDraw::count(const DrawStyle& style) {
  shapes_ += is_shape(style.role) ? 1 : 0;
  contact_points_ += style.role == DrawRole::contact_point ? 1 : 0;
}

void ImguiDraw::line(DrawPoint from, DrawPoint to, const DrawStyle& style) {
  count(style);
  const Look look = look_of(style);
  const ImVec2 a = camera_.to_screen(from);
  const ImVec2 b = camera_.to_screen(to);
  const bool is_arrow = style.role == DrawRole::velocity || style.role == DrawRole::normal;
  list_.AddLine(a, b, look.edge, is_arrow ? look.width : std::max(look.width, 1.8F));
  const float length = std::hypot(b.x - a.x, b.y - a.y);
  if (is_arrow && length > 0.0F) {
    const float head = std::min(longest_head / length, 0.35F);
    const ImVec2 way{head * (b.x - a.x), head * (b.y - a.y)};
    list_.AddTriangleFilled({b.x + 0.5F * way.x, b.y + 0.5F * way.y},
                            {b.x - 0.5F * way.x - 0.5F * way.y, b.y - 0.5F * way.y + 0.5F * way.x},
                            {b.x - 0.5F * way.x + 0.5F * way.y, b.y - 0.5F * way.y - 0.5F * way.x},
                            look.edge);
  }
}

void ImguiDraw::box(const Aabb& box, const DrawStyle& style) {
  count(style);
  const Look look = look_of(style);
  const ImVec2 a = camera_.to_screen({box.min.x, box.min.y});
  const ImVec2 b = camera_.to_screen({box.max.x, box.max.y});
  const ImVec2 min{a.x, std::min(a.y, b.y)};
  const bool is_of_many = is_shape(style.role) || style.role == DrawRole::cell || style.role == DrawRole::box;
  if (is_of_many && b.x - a.x <= largest_in_layer && std::abs(b.y - a.y) <= largest_in_layer) {
    if (!shows_layer_) {
      list_.AddImage(layer_.texture, camera_.min(), camera_.max());
      shows_layer_ = true;
    }
    layer_.pixels.box(min, {b.x, std::max(a.y, b.y)},
                      look.fill != 0 ? look.fill : with_opacity(look.edge, light), look.edge);
    return;
  }
  const ImVec2 max{std::max(b.x, a.x + smallest_dot), std::max({a.y, b.y, min.y + smallest_dot})};
  if (look.fill != 0) {
    list_.AddRectFilled(min, max, look.fill);
  }
  list_.AddRect(min, max, look.edge, 0.0F, 0, look.width);
}

void ImguiDraw::circle(DrawPoint center, double radius, const DrawStyle& style) {
  count(style);
  const Look look = look_of(style);
  const ImVec2 at = camera_.to_screen(center);
  if (style.role == DrawRole::contact_point) {
    if (dot_radius_ < smallest_rim) {
      list_.AddRectFilled({at.x - dot_radius_, at.y - dot_radius_}, {at.x + dot_radius_, at.y + dot_radius_},
                          look.fill);
      return;
    }
    list_.AddCircleFilled(at, dot_radius_ + 1.0F, look.edge);
    list_.AddCircleFilled(at, dot_radius_, look.fill);
    return;
  }
  const auto pixels = static_cast<float>(std::min(camera_.scale() * radius, largest_radius));
  if (pixels < smallest_dot) {
    list_.AddRectFilled({at.x - smallest_dot, at.y - smallest_dot},
                        {at.x + smallest_dot, at.y + smallest_dot}, look.edge);
    return;
  }
  if (look.fill != 0) {
    list_.AddCircleFilled(at, pixels, look.fill);
  }
  list_.AddCircle(at, pixels, look.edge, 0, look.width);
}

void ImguiDraw::polygon(std::span<const DrawPoint> corners, const DrawStyle& style) {
  count(style);
  const Look look = look_of(style);
  points_.clear();
  for (const DrawPoint corner : corners) {
    points_.push_back(camera_.to_screen(corner));
  }
  // Dear ImGui draws the anti-aliased border on the outer side only for this winding order.
  if (doubled_area(points_) < 0.0) {
    std::reverse(points_.begin(), points_.end());
  }
  const int count = static_cast<int>(points_.size());
  const ImDrawListFlags flags = list_.Flags;
  if (style.is_piece) {
    list_.Flags &= ~ImDrawListFlags_AntiAliasedFill;  // anti-aliased borders would show as seams
  }
  if (look.fill != 0) {
    list_.AddConvexPolyFilled(points_.data(), count, look.fill);
  }
  list_.Flags = flags;
  if (!style.is_piece) {
    list_.AddPolyline(points_.data(), count, look.edge, ImDrawFlags_Closed, look.width);
  }
}

void ImguiDraw::text(DrawPoint center, std::string_view text, const DrawStyle& /*style*/) {
  const ImVec2 at = camera_.to_screen(center);
  const ImVec2 size = ImGui::CalcTextSize(text.data(), text.data() + text.size());
  list_.AddText({std::round(at.x - 0.5F * size.x), std::round(at.y - 0.5F * size.y)}, ink, text.data(),
                text.data() + text.size());
}

}  // namespace broadside::view
