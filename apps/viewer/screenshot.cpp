#include "screenshot.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include <string_view>
#include <vector>

#include "broadside/scene/file.hpp"

namespace broadside::view {

Result<void> write_screenshot(SDL_Renderer& renderer, const std::string& path) {
  int width = 0;
  int height = 0;
  SDL_GetRendererOutputSize(&renderer, &width, &height);
  std::vector<unsigned char> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
  if (SDL_RenderReadPixels(&renderer, nullptr, SDL_PIXELFORMAT_RGB24, pixels.data(), 3 * width) != 0) {
    return Error{ErrorCode::io, path + ": the picture cannot be read: " + SDL_GetError()};
  }
  auto file = OutputFile::open(path);
  if (!file.has_value()) {
    return file.error();
  }
  const auto append = [](void* context, void* data, int size) {
    static_cast<OutputFile*>(context)->write(
        {static_cast<const char*>(data), static_cast<std::size_t>(size)});
  };
  stbi_write_png_to_func(append, &*file, width, height, 3, pixels.data(), 3 * width);
  return file->commit();
}

}  // namespace broadside::view
