#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "broadside/base/result.hpp"
#include "broadside/world/debug_draw.hpp"
#include "camera.hpp"
#include "playback.hpp"

namespace broadside::view {

// What the panels need, with some room for the world (unit: pixel).
inline constexpr int smallest_width = 900;
inline constexpr int smallest_height = 620;

struct ViewerOptions {
  std::string input = "circles";
  std::string technique;
  std::optional<float> cell_size;
  std::optional<std::uint32_t> pick;  ///< place of a body
  bool paused = false;
  int width = 1280;                     ///< (unit: pixel)
  int height = 800;                     ///< (unit: pixel)
  std::optional<std::uint32_t> frames;  ///< ends after so many, each of one step
  std::string screenshot;               ///< of the last frame
};

/// All that is shown, and what the user chose.
struct Viewer {
  std::string input;
  Playback playback;
  Camera camera = {};
  DebugDrawOptions draw = {};
  bool scene_colors = false;
  bool playing = true;
  bool fit_wanted = true;
  std::string technique;
  bool own_cell_size = false;  ///< `cell_size`, rather than the technique's own choice
  float cell_size = 1.0F;
  float usual_cell_size = 1.0F;  ///< for boxes of these sizes
  std::string error = {};        ///< what could not be done, as a sentence
  StageTimes times = {};         ///< smoothed, so that they can be read
  double draw_seconds = 0.0;     ///< likewise

  void load(const std::string& name);
  void step();
  void apply_technique();
  /// Picks what is at or near a place on the screen.
  void pick(ImVec2 at);
  void pick(BodyId body);
};

/// Opens a window and shows it until it is closed.
Result<void> run_viewer(const ViewerOptions& options);

}  // namespace broadside::view
