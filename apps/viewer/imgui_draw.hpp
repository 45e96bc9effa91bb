#pragma once

#include <imgui.h>

#include <string_view>
#include <vector>

#include "broadside/scene/frames.hpp"
#include "broadside/world/debug_draw.hpp"
#include "camera.hpp"

namespace broadside::view {

/// Returns the opaque colour of a role, as shown in a legend.
[[nodiscard]] ImU32 color_of(DrawRole role);

/// The colour of text and of marks on white.
inline constexpr ImU32 ink = IM_COL32(38, 44, 52, 255);

/// Draws a world with Dear ImGui. The colours are those of Okabe and Ito, which people with colour blindness
/// can tell apart.
class ImguiDraw final : public DebugDraw {
 public:
  /// @param colors the frames whose scene gives bodies their colours; null to paint bodies by their roles
  /// @param dot_radius of contact points (unit: pixel)
  ImguiDraw(ImDrawList& list, const Camera& camera, const Frames* colors, float dot_radius)
      : list_(list), camera_(camera), colors_(colors), dot_radius_(dot_radius) {}

  void line(DrawPoint from, DrawPoint to, const DrawStyle& style) override;
  void box(const Aabb& box, const DrawStyle& style) override;
  void circle(DrawPoint center, double radius, const DrawStyle& style) override;
  void polygon(std::span<const DrawPoint> corners, const DrawStyle& style) override;
  void text(DrawPoint center, std::string_view text, const DrawStyle& style) override;

 private:
  struct Look {
    ImU32 fill = 0;
    ImU32 edge = 0;
    float width = 1.0F;  ///< of the edge (unit: pixel)
  };
  [[nodiscard]] Look look_of(const DrawStyle& style) const;
  [[nodiscard]] ImU32 body_color(const DrawStyle& style) const;

  ImDrawList& list_;
  const Camera& camera_;
  const Frames* colors_;
  float dot_radius_;
  std::vector<ImVec2> points_;  ///< scratch
};

}  // namespace broadside::view
