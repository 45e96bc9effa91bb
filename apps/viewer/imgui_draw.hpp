#pragma once

#include <imgui.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "broadside/scene/frames.hpp"
#include "broadside/world/debug_draw.hpp"
#include "camera.hpp"
#include "pixel_layer.hpp"
#include "shared/parts.hpp"

namespace broadside::view {

/// Returns the opaque colour of a role, as shown in a legend.
[[nodiscard]] ImU32 color_of(DrawRole role);

/// The colour of text and of marks on white.
inline constexpr ImU32 ink = IM_COL32(38, 44, 52, 255);

/// A pixel layer, and the texture that will hold its pixels when the screen is drawn.
struct LayerTarget {
  PixelLayer& pixels;
  ImTextureID texture;
};

/// Draws a world with Dear ImGui. The colours are those of Okabe and Ito, which people with colour blindness
/// can tell apart.
class ImguiDraw final : public DebugDraw {
 public:
  /// @param colors the frames whose scene gives bodies their colours; null to paint bodies by their roles
  /// @param parts paints bodies by the part that owns them; null for none
  /// @param dot_radius of contact points (unit: pixel)
  /// @param layer for boxes of a few pixels; it covers the area of the camera
  ImguiDraw(ImDrawList& list, const Camera& camera, const Frames* colors, const app::Parts* parts,
            float dot_radius, LayerTarget layer)
      : list_(list),
        camera_(camera),
        colors_(colors),
        parts_(parts),
        dot_radius_(dot_radius),
        layer_(layer) {}

  void line(DrawPoint from, DrawPoint to, const DrawStyle& style) override;
  void box(const Aabb& box, const DrawStyle& style) override;
  void circle(DrawPoint center, double radius, const DrawStyle& style) override;
  void polygon(std::span<const DrawPoint> corners, const DrawStyle& style) override;
  void text(DrawPoint center, std::string_view text, const DrawStyle& style) override;

  /// Returns the number of shapes drawn, without those of the picked body and its hits; a mask may count
  /// several times.
  [[nodiscard]] std::size_t shapes() const { return shapes_; }
  /// Returns whether anything was drawn in the layer.
  [[nodiscard]] bool shows_layer() const { return shows_layer_; }
  /// Returns the number of contact points drawn.
  [[nodiscard]] std::size_t contact_points() const { return contact_points_; }

 private:
  struct Look {
    ImU32 fill = 0;
    ImU32 edge = 0;
    float width = 1.0F;  ///< of the edge (unit: pixel)
  };
  [[nodiscard]] Look look_of(const DrawStyle& style) const;
  [[nodiscard]] ImU32 body_color(const DrawStyle& style) const;
  void count(const DrawStyle& style);

  ImDrawList& list_;
  const Camera& camera_;
  const Frames* colors_;
  const app::Parts* parts_;
  float dot_radius_;
  LayerTarget layer_;
  bool shows_layer_ = false;
  std::size_t shapes_ = 0;
  std::size_t contact_points_ = 0;
  std::vector<ImVec2> points_;  ///< scratch
};

}  // namespace broadside::view
