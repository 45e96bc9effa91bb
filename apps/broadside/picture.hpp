#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/scene/frames.hpp"

namespace broadside::app {

/// Tells whether a picture can be written under that name: it must end in .svg or .png.
[[nodiscard]] Result<void> check_picture_name(std::string_view path);

/// Draws the step at which frames and broad phase stand: boxes, touching ones darker, and the occupied cells
/// lit with the number of their boxes in the middle. Returns the bytes of an SVG or PNG file, as the name's
/// ending says.
[[nodiscard]] std::string draw_picture(std::string_view path, const Frames& frames,
                                       const BroadPhase& broad_phase, const std::vector<Pair>& pairs,
                                       const std::string& caption);

}  // namespace broadside::app
