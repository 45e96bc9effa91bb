#include "sdl_renderer.hpp"

#include <algorithm>
#include <cmath>

namespace broadside::view {

Owned<SDL_Texture> make_texture(SDL_Renderer& renderer, int width, int height) {
  Owned<SDL_Texture> texture(
      SDL_CreateTexture(&renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC, width, height));
  if (texture) {
    SDL_SetTextureBlendMode(texture.get(), SDL_BLENDMODE_BLEND);
    SDL_SetTextureScaleMode(texture.get(), SDL_ScaleModeLinear);
  }
  return texture;
}

Owned<SDL_Texture> make_font_texture(SDL_Renderer& renderer) {
  ImGuiIO& io = ImGui::GetIO();
  unsigned char* pixels = nullptr;
  int width = 0;
  int height = 0;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  Owned<SDL_Texture> texture = make_texture(renderer, width, height);
  if (texture) {
    SDL_UpdateTexture(texture.get(), nullptr, pixels, 4 * width);
    io.Fonts->SetTexID(texture.get());
  }
  return texture;
}

void render(SDL_Renderer& renderer, const ImDrawData& data) {
  static_assert(sizeof(ImDrawVert::col) == sizeof(SDL_Color), "colours are handed on as they are");
  const auto cut = [&data](const ImVec4& clip) {
    const int left = static_cast<int>(std::floor(clip.x - data.DisplayPos.x));
    const int top = static_cast<int>(std::floor(clip.y - data.DisplayPos.y));
    const int right = static_cast<int>(std::ceil(clip.z - data.DisplayPos.x));
    const int bottom = static_cast<int>(std::ceil(clip.w - data.DisplayPos.y));
    return SDL_Rect{std::max(left, 0), std::max(top, 0), right - std::max(left, 0),
                    bottom - std::max(top, 0)};
  };
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const SDL_Rect clip = cut(command.ClipRect);
      if (command.UserCallback != nullptr || clip.w <= 0 || clip.h <= 0) {
        continue;
      }
      SDL_RenderSetClipRect(&renderer, &clip);
      const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
      SDL_RenderGeometryRaw(
          &renderer, static_cast<SDL_Texture*>(command.GetTexID()), &vertices->pos.x, sizeof(ImDrawVert),
          reinterpret_cast<const SDL_Color*>(&vertices->col), sizeof(ImDrawVert), &vertices->uv.x,
          sizeof(ImDrawVert), list.VtxBuffer.Size - static_cast<int>(command.VtxOffset),
          list.IdxBuffer.Data + command.IdxOffset, static_cast<int>(command.ElemCount), sizeof(ImDrawIdx));
    }
  }
  SDL_RenderSetClipRect(&renderer, nullptr);
}

}  // namespace broadside::view
