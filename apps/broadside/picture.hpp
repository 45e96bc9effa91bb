#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/broad_phase/cell.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/scene/frames.hpp"
#include "canvas.hpp"
#include "shared/parts.hpp"

namespace broadside::app {

/// Refuses a file name for a picture that does not end in .svg or .png.
[[nodiscard]] Result<void> check_picture_name(std::string_view path);

/// Everything that a picture shows.
struct PictureContents {
  const Frames& frames;
  std::vector<Cell> cells;  ///< occupied cells of the broad phase
  const std::vector<Pair>& pairs;
  std::span<const Contact> contacts;
  std::string title;  ///< begins the caption
  std::string_view technique;
  int width = 1200;          ///< (unit: pixel)
  std::optional<Aabb> view;  ///< the part of the world to draw
  const Parts* parts;        ///< draws the parts of a distributed broad phase; null if it has none
};

/// Draws the current step of the frames and the broad phase: shapes, touching ones darker; up to 500 contacts
/// with their points and normals; and the occupied cells, each with the number of its boxes. With
/// parts, the bodies of each part have a color of their own, and lines are the cuts. Returns the bytes of an
/// SVG or PNG file, depending on the ending of the name.
[[nodiscard]] std::string draw_picture(std::string_view path, const PictureContents& contents);

inline constexpr std::size_t max_animated_steps = 600;

/// Refuses an animation whose name does not end in .svg, or that has too many steps.
[[nodiscard]] Result<void> check_animation(std::string_view path, std::size_t steps);

/// An animation of many steps in one SVG file.
class Animation {
 public:
  static constexpr std::size_t steps_each = 2;  ///< draws every second step: 60 a second play in real time
  static constexpr int rate = 30;               ///< pictures a second

  void add(const PictureContents& contents);
  /// Returns the file's bytes; empty if no picture was added.
  [[nodiscard]] std::string finish();

 private:
  std::unique_ptr<Flipbook> flipbook_;
  Aabb view_;
};

}  // namespace broadside::app
