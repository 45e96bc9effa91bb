#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "broadside/base/result.hpp"
#include "broadside/world/debug_draw.hpp"
#include "camera.hpp"
#include "playback.hpp"
#include "shared/parts.hpp"

namespace broadside::view {

// Space for the panels and some of the world (unit: pixel).
inline constexpr int smallest_width = 900;
inline constexpr int smallest_height = 620;

/// More contact points in view are not drawn: they would cover the picture.
inline constexpr std::size_t max_contact_points = 2000;

struct ViewerOptions {
  std::string input = "circles";
  BoxList::Origin origin;
  std::string technique;
  std::optional<Vec2> cell_size;
  std::optional<int> parts;           ///< of a distributed broad phase that runs beside the world
  std::optional<std::uint32_t> pick;  ///< index of a body
  bool paused = false;
  int width = 1280;                     ///< (unit: pixel)
  int height = 800;                     ///< (unit: pixel)
  std::optional<std::uint32_t> frames;  ///< ends after this many frames, each of one step
  std::string screenshot;               ///< of the last frame
};

/// The state of the viewer: the world, and the user's choices.
struct Viewer {
  std::string input;
  Playback playback;
  Camera camera = {};
  DebugDrawOptions draw = {.max_contact_points = max_contact_points};
  bool scene_colors = false;
  bool playing = true;
  bool fit_wanted = true;
  bool reveal_wanted = false;  ///< the picked body has to be moved into view if it is outside
  std::string technique;
  bool own_cell_size = false;  ///< use `cell_size` instead of the technique's own choice
  Vec2 cell_size = {1.0F, 1.0F};
  float usual_cell_size = 1.0F;            ///< the one suggested for these boxes
  std::string error = {};                  ///< the last error, as a sentence
  StageTimes times = {};                   ///< smoothed, so that they can be read
  double draw_seconds = 0.0;               ///< likewise
  std::unique_ptr<app::Parts> parts = {};  ///< find the pairs as well, and color the bodies; null for none
  std::size_t shapes_drawn = 0;            ///< in the last frame
  std::size_t contact_points_drawn = 0;    ///< likewise

  void load(const std::string& name);
  void step();
  void restart();
  /// Starts parts, or ends them with 0.
  void set_parts(int count);
  /// Takes over the boxes of this step in all parts.
  void find_parts();
  void apply_technique();
  /// Picks the body at or near a point of the screen.
  void pick(ImVec2 at);
  void pick(BodyId body);
  [[nodiscard]] bool has_picked() const { return playback.world().contains(draw.picked); }
};

/// Opens a window and shows it until it is closed.
Result<void> run_viewer(const ViewerOptions& options);

}  // namespace broadside::view
