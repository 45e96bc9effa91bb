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

/// Hands the letters of Dear ImGui to SDL; they are needed as long as something is drawn. Null if that fails.
[[nodiscard]] Owned<SDL_Texture> make_font_texture(SDL_Renderer& renderer);

/// Draws what Dear ImGui collected, by SDL's own renderer. (Debian's package has no such back end.)
void render(SDL_Renderer& renderer, const ImDrawData& data);

}  // namespace broadside::view
