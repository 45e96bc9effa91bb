#pragma once

#include <SDL.h>
#include <imgui.h>

#include <memory>

namespace broadside::view {

struct Destroy {
  void operator()(SDL_Window* window) const { SDL_DestroyWindow(window); }
  void operator()(SDL_Renderer* renderer) const { SDL_DestroyRenderer(renderer); }
  void operator()(SDL_Texture* texture) const { SDL_DestroyTexture(texture); }
};
template <typename T>
using Owned = std::unique_ptr<T, Destroy>;

/// Creates a texture of RGBA pixels. Null if that fails.
[[nodiscard]] Owned<SDL_Texture> make_texture(SDL_Renderer& renderer, int width, int height);

/// Creates the font texture of Dear ImGui, which must live as long as anything is drawn. Null if that fails.
[[nodiscard]] Owned<SDL_Texture> make_font_texture(SDL_Renderer& renderer);

/// Draws the output of Dear ImGui with SDL's own renderer. (Debian's package has no such back end.)
void render(SDL_Renderer& renderer, const ImDrawData& data);

}  // namespace broadside::view
