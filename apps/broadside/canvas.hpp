#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"

namespace broadside::app {

struct Color {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
};

/// How a shape is painted.
struct Paint {
  Color fill;
  float opacity = 1.0F;  ///< of the fill, 0 to 1
  Color outline;
  float outline_opacity = 1.0F;
};

/// Something to draw on (unit: pixel; y points down).
class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void rectangle(const Aabb& box, const Paint& paint) = 0;
  virtual void circle(Vec2 center, float radius, const Paint& paint) = 0;
  /// Fills the area within closed lines [n] as one shape: no seam shows where their edges meet.
  virtual void polygons(const std::vector<std::vector<Vec2>>& lines, const Paint& paint) = 0;
  virtual void line(Vec2 from, Vec2 to, float width, Color color) = 0;
  /// Writes text around its centre. @param size height of the letters (unit: pixel)
  virtual void text(Vec2 center, float size, std::string_view text, Color color) = 0;
  /// Returns the file's bytes.
  [[nodiscard]] virtual std::string finish() = 0;
};

[[nodiscard]] std::unique_ptr<Canvas> make_svg_canvas(int width, int height);

/// Returns text as the content of an SVG element. XML refuses control characters: they are escaped by
/// `printable`.
[[nodiscard]] std::string svg_text(std::string_view text);

/// An animation: pictures of one size, shown in an endless loop. If the system is set to reduced motion, only
/// the first is shown.
class Flipbook {
 public:
  virtual ~Flipbook() = default;
  /// Returns the canvas of the next picture, valid until the next call.
  virtual Canvas& next() = 0;
  /// Returns the file's bytes.
  [[nodiscard]] virtual std::string finish() = 0;
};

/// @param rate pictures a second
[[nodiscard]] std::unique_ptr<Flipbook> make_svg_flipbook(int width, int height, int rate);
[[nodiscard]] std::unique_ptr<Canvas> make_png_canvas(int width, int height);

}  // namespace broadside::app
