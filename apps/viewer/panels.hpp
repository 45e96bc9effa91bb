#pragma once

#include "viewer.hpp"

namespace broadside::view {

inline constexpr float side_width = 300.0F;     ///< of the panel on the left (unit: pixel)
inline constexpr float bottom_height = 208.0F;  ///< of the panel below the world (unit: pixel)

/// Draws the controls and counters on the left.
void draw_side_panel(Viewer& viewer, ImVec2 screen);
/// Draws the panel about the picked body, below the world. @pre a body is picked
void draw_body_panel(Viewer& viewer, ImVec2 screen);
/// Draws the keys over the lower end of the world, where the panel would be.
void draw_hint(ImVec2 screen);

}  // namespace broadside::view
