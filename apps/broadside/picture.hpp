#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/scene/frames.hpp"
#include "canvas.hpp"

namespace broadside::app {

/// Tells whether a picture can be written under that name: it must end in .svg or .png.
[[nodiscard]] Result<void> check_picture_name(std::string_view path);

/// Everything that a picture shows.
struct PictureContents {
  const Frames& frames;
  const BroadPhase& broad_phase;
  const std::vector<Pair>& pairs;
  std::span<const Contact> contacts;
  std::string title;  ///< begins the caption
  std::string_view technique;
  int width = 1200;          ///< (unit: pixel)
  std::optional<Aabb> view;  ///< the part of the world to draw
};

/// Draws the step at which frames and broad phase stand: shapes, touching ones darker; up to 500 contacts
/// with their points and normals; and the occupied cells lit with the number of their boxes in the middle.
/// Returns the bytes of an SVG or PNG file, as the name's ending says.
[[nodiscard]] std::string draw_picture(std::string_view path, const PictureContents& contents);

inline constexpr std::size_t max_animated_steps = 600;

/// Tells whether an animation of that many steps can be written under that name, which must end in .svg.
[[nodiscard]] Result<void> check_animation(std::string_view path, std::size_t steps);

/// Pictures of many steps, one after the other in one SVG file.
class Animation {
 public:
  static constexpr std::size_t steps_each = 2;  ///< a picture of each second step, so that it plays as it ran
  static constexpr int rate = 30;               ///< pictures a second

  void add(const PictureContents& contents);
  /// Returns the file's bytes; none where no picture was added.
  [[nodiscard]] std::string finish();

 private:
  std::unique_ptr<Flipbook> flipbook_;
  Aabb view_;
};

}  // namespace broadside::app
