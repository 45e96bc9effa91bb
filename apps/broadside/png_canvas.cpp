#include <stb/stb_easy_font.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "canvas.hpp"
#include "coverage.hpp"

namespace broadside::app {

namespace {

constexpr float outline_width = 0.8F;

/// Returns the box around lines [n], enlarged on all sides by a margin for the width of the lines.
Aabb around(const std::vector<std::vector<Vec2>>& lines, float room) {
  Aabb box{{1e9F, 1e9F}, {-1e9F, -1e9F}};
  for (const auto& line : lines) {
    for (const Vec2 point : line) {
      box.min = {std::min(box.min.x, point.x - room), std::min(box.min.y, point.y - room)};
      box.max = {std::max(box.max.x, point.x + room), std::max(box.max.y, point.y + room)};
    }
  }
  return box;
}

/// Paints pixel by pixel; each is blended by its coverage.
class PngCanvas final : public Canvas {
 public:
  PngCanvas(int width, int height)
      : width_(width),
        height_(height),
        pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3) {}

  void rectangle(const Aabb& box, const Paint& paint) override {
    fill(box, paint.fill, paint.opacity);
    if (paint.outline_opacity > 0.0F) {
      const float w = outline_width;
      fill({{box.min.x, box.min.y}, {box.max.x, box.min.y + w}}, paint.outline, paint.outline_opacity);
      fill({{box.min.x, box.max.y - w}, {box.max.x, box.max.y}}, paint.outline, paint.outline_opacity);
      fill({{box.min.x, box.min.y}, {box.min.x + w, box.max.y}}, paint.outline, paint.outline_opacity);
      fill({{box.max.x - w, box.min.y}, {box.max.x, box.max.y}}, paint.outline, paint.outline_opacity);
    }
  }

  void circle(Vec2 center, float radius, const Paint& paint) override {
    const Aabb box{{center.x - radius - 1.0F, center.y - radius - 1.0F},
                   {center.x + radius + 1.0F, center.y + radius + 1.0F}};
    for_each_pixel(box, [&](int x, int y) {
      const float distance =
          std::hypot(static_cast<float>(x) + 0.5F - center.x, static_cast<float>(y) + 0.5F - center.y);
      blend(x, y, paint.fill, paint.opacity * std::clamp(radius - distance + 0.5F, 0.0F, 1.0F));
      const float rim = std::clamp(1.0F - std::abs(radius - 0.5F - distance), 0.0F, 1.0F);
      blend(x, y, paint.outline, paint.outline_opacity * rim);
    });
  }

  void polygons(const std::vector<std::vector<Vec2>>& lines, const Paint& paint) override {
    Coverage inside(around(lines, 2.0F), width_, height_);
    Coverage rim = inside;
    for (const auto& line : lines) {
      inside.add_inside(line);
      for (std::size_t i = 0; i < line.size(); ++i) {
        rim.add_line(line[i], line[(i + 1) % line.size()], outline_width);
      }
    }
    blend(inside, paint.fill, paint.opacity);
    blend(rim, paint.outline, paint.outline_opacity);
  }

  void line(Vec2 from, Vec2 to, float width, Color color) override {
    Coverage stroke(around({{from, to}}, width + 1.0F), width_, height_);
    stroke.add_line(from, to, width);
    blend(stroke, color, 1.0F);
  }

  void text(Vec2 center, float size, std::string_view text, Color color) override {
    std::string letters(text);
    struct Vertex {
      float x, y, z;
      std::array<unsigned char, 4> color;
    };
    std::vector<Vertex> corners(letters.size() * 80 + 80);
    const auto bytes = static_cast<int>(corners.size() * sizeof(Vertex));
    const int quads = stb_easy_font_print(0.0F, 0.0F, letters.data(), nullptr, corners.data(), bytes);
    // The font's capitals are 7 units high.
    const float scale = size / 9.0F;
    const float left = center.x - 0.5F * scale * static_cast<float>(stb_easy_font_width(letters.data()));
    const float top = center.y - 4.0F * scale;
    // A light outline first, so that the letters can be read on a dark background.
    for (const auto& [rim, hue] : {std::pair{1.2F, Color{255, 255, 255}}, std::pair{0.0F, color}}) {
      for (std::size_t q = 0; q < static_cast<std::size_t>(quads); ++q) {
        const Vertex& a = corners[4 * q];
        const Vertex& c = corners[4 * q + 2];
        fill({{left + scale * a.x - rim, top + scale * a.y - rim},
              {left + scale * c.x + rim, top + scale * c.y + rim}},
             hue, rim > 0.0F ? 0.5F : 1.0F);
      }
    }
  }

  std::string finish() override {
    std::string bytes;
    const auto append = [](void* context, void* data, int size) {
      static_cast<std::string*>(context)->append(static_cast<const char*>(data),
                                                 static_cast<std::size_t>(size));
    };
    stbi_write_png_to_func(append, &bytes, width_, height_, 3, pixels_.data(), 3 * width_);
    return bytes;
  }

 private:
  template <typename Visitor>
  void for_each_pixel(const Aabb& box, Visitor visit) const {
    const auto pixel = [](float value, int end) {
      return static_cast<int>(std::clamp(std::floor(value), 0.0F, static_cast<float>(end)));
    };
    const int last_x = std::min(pixel(box.max.x, width_), width_ - 1);
    const int last_y = std::min(pixel(box.max.y, height_), height_ - 1);
    for (int y = pixel(box.min.y, height_); y <= last_y; ++y) {
      for (int x = pixel(box.min.x, width_); x <= last_x; ++x) {
        visit(x, y);
      }
    }
  }

  void fill(const Aabb& box, Color color, float opacity) {
    for_each_pixel(box, [&](int x, int y) {
      const auto covered = [](int at, float low, float high) {
        return std::clamp(std::min(high, static_cast<float>(at + 1)) - std::max(low, static_cast<float>(at)),
                          0.0F, 1.0F);
      };
      blend(x, y, color, opacity * covered(x, box.min.x, box.max.x) * covered(y, box.min.y, box.max.y));
    });
  }

  void blend(const Coverage& coverage, Color color, float opacity) {
    coverage.for_each([&](int x, int y, float amount) { blend(x, y, color, opacity * amount); });
  }

  void blend(int x, int y, Color color, float opacity) {
    const auto place =
        3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x));
    const std::array<std::uint8_t, 3> parts = {color.red, color.green, color.blue};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto old = static_cast<float>(pixels_[place + i]);
      pixels_[place + i] =
          static_cast<std::uint8_t>(std::lround(old + opacity * (static_cast<float>(parts[i]) - old)));
    }
  }

  int width_;
  int height_;
  std::vector<std::uint8_t> pixels_;
};

}  // namespace

std::unique_ptr<Canvas> make_png_canvas(int width, int height) {
  return std::make_unique<PngCanvas>(width, height);
}

}  // namespace broadside::app
