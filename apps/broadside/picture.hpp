#pragma once

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

}  // namespace broadside::app
