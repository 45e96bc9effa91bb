#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "broadside/scene/messages.hpp"
#include "canvas.hpp"

namespace broadside::app {

namespace {

std::string hex(Color color) {
  return fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
}

class SvgCanvas final : public Canvas {
 public:
  SvgCanvas(int width, int height) : svg_(head(width, height)) {}

  /// Continues an SVG file that was begun before.
  explicit SvgCanvas(std::string svg) : svg_(std::move(svg)) {}

  static std::string head(int width, int height) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"ui-monospace, monospace\" text-anchor=\"middle\" stroke-width=\"0.8\">\n"
        "<style>text{{paint-order:stroke;stroke:#fff;stroke-width:2.5px;stroke-opacity:.8}}</style>\n",
        width, height);
  }

  void rectangle(const Aabb& box, const Paint& paint) override {
    write("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" {}/>\n", box.min.x, box.min.y,
          box.max.x - box.min.x, box.max.y - box.min.y, style(paint));
  }

  void circle(Vec2 center, float radius, const Paint& paint) override {
    write("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" {}/>\n", center.x, center.y, radius,
          style(paint));
  }

  void polygons(const std::vector<std::vector<Vec2>>& lines, const Paint& paint) override {
    svg_ += "<path d=\"";
    for (const auto& line : lines) {
      for (std::size_t i = 0; i < line.size(); ++i) {
        write("{}{:.2f} {:.2f}", i == 0 ? "M" : "L", line[i].x, line[i].y);
      }
      svg_ += 'z';
    }
    write("\" {}/>\n", style(paint));
  }

  void line(Vec2 from, Vec2 to, float width, Color color) override {
    write("<path d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}\" stroke=\"{}\" stroke-width=\"{:.1f}\"/>\n", from.x,
          from.y, to.x, to.y, hex(color), width);
  }

  void text(Vec2 center, float size, std::string_view text, Color color) override {
    write("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.1f}\" fill=\"{}\">{}</text>\n", center.x,
          center.y + 0.35F * size, size, hex(color), svg_text(text));
  }

  std::string finish() override { return svg_ + "</svg>\n"; }

  /// Appends markup that is not a shape.
  void append(std::string_view text) { svg_ += text; }

 private:
  template <typename... Arguments>
  void write(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Arguments>(arguments)...);
  }

  static std::string style(const Paint& paint) {
    std::string result = fmt::format("fill=\"{}\" ", hex(paint.fill));
    if (paint.opacity < 1.0F) {
      result += fmt::format("fill-opacity=\"{:.2f}\" ", paint.opacity);
    }
    if (paint.outline_opacity > 0.0F) {
      result += fmt::format("stroke=\"{}\" ", hex(paint.outline));
      if (paint.outline_opacity < 1.0F) {
        result += fmt::format("stroke-opacity=\"{:.2f}\" ", paint.outline_opacity);
      }
    }
    return result;
  }

  std::string svg_;
};

/// Each picture is a group that is visible only during its turn.
class SvgFlipbook final : public Flipbook {
 public:
  SvgFlipbook(int width, int height, int rate) : canvas_(SvgCanvas::head(width, height)), rate_(rate) {}

  Canvas& next() override {
    canvas_.append(pictures_ == 0 ? "" : "</g>\n");
    canvas_.append(fmt::format("<g style=\"animation-delay:{:.3f}s\">\n",
                               static_cast<double>(pictures_) / static_cast<double>(rate_)));
    ++pictures_;
    return canvas_;
  }

  std::string finish() override {
    const double pictures = std::max(pictures_, 1);
    canvas_.append(pictures_ == 0 ? "" : "</g>\n");
    canvas_.append(
        fmt::format("<style>g{{visibility:hidden;animation:turn {:.3f}s step-end infinite}}"
                    "@keyframes turn{{0%{{visibility:visible}}{:.4f}%{{visibility:hidden}}}}"
                    "@media(prefers-reduced-motion:reduce){{g{{animation:none}}"
                    "g:first-of-type{{visibility:visible}}}}</style>\n",
                    pictures / static_cast<double>(rate_), 100.0 / pictures));
    return canvas_.finish();
  }

 private:
  SvgCanvas canvas_;
  int rate_;
  int pictures_ = 0;
};

}  // namespace

std::string svg_text(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::unique_ptr<Flipbook> make_svg_flipbook(int width, int height, int rate) {
  return std::make_unique<SvgFlipbook>(width, height, rate);
}

std::unique_ptr<Canvas> make_svg_canvas(int width, int height) {
  return std::make_unique<SvgCanvas>(width, height);
}

}  // namespace broadside::app
