#pragma once

#include <SDL.h>

#include <string>

#include "broadside/base/result.hpp"

namespace broadside::view {

/// Writes the renderer's picture to a PNG file. Errors: `io`.
[[nodiscard]] Result<void> write_screenshot(SDL_Renderer& renderer, const std::string& path);

}  // namespace broadside::view
