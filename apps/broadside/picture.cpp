#include "picture.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "canvas.hpp"

namespace broadside::app {

namespace {

constexpr float picture_width = 1200.0F;
constexpr float caption_height = 28.0F;
constexpr float smallest_cell = 3.0F;
constexpr float smallest_cell_with_text = 13.0F;

constexpr Color white{255, 255, 255};
constexpr Color ink{38, 44, 52};
constexpr Color lit{255, 196, 61};
constexpr Color lit_edge{196, 140, 20};

Color parse_color(std::string_view text) {
  const auto part = [text](std::size_t at) {
    return static_cast<std::uint8_t>(std::stoul(std::string(text.substr(at, 2)), nullptr, 16));
  };
  return {part(1), part(3), part(5)};
}

Color darker(Color color, float factor) {
  const auto scale = [factor](std::uint8_t part) {
    return static_cast<std::uint8_t>(factor * static_cast<float>(part));
  };
  return {scale(color.red), scale(color.green), scale(color.blue)};
}

/// Maps the world to the picture.
class View {
 public:
  View(Aabb world, bool y_is_up) : world_(world), y_is_up_(y_is_up) {
    // A very long or flat world is shown with margins rather than as a stripe.
    const double width = std::max(double{world.max.x} - world.min.x, 1e-30);
    const double height = std::max(double{world.max.y} - world.min.y, 1e-30);
    scale_ = picture_width / std::max(width, 0.6 * height);
    height_ = std::clamp(scale_ * height, 0.3 * picture_width, picture_width / 0.6);
    left_ = 0.5 * (picture_width - scale_ * width);
    top_ = 0.5 * (height_ - scale_ * height);
  }

  [[nodiscard]] int height() const { return static_cast<int>(std::ceil(height_)); }

  [[nodiscard]] Aabb map(const Aabb& box) const {
    const auto x = [this](double value) { return limited(left_ + scale_ * (value - world_.min.x)); };
    const auto y = [this](double value) {
      return limited(top_ + scale_ * (y_is_up_ ? world_.max.y - value : value - world_.min.y));
    };
    const float y_a = y(box.min.y);
    const float y_b = y(box.max.y);
    return {{x(box.min.x), std::min(y_a, y_b)}, {x(box.max.x), std::max(y_a, y_b)}};
  }

  [[nodiscard]] bool shows(const Aabb& mapped) const {
    return overlaps(mapped, Aabb{{0.0F, 0.0F}, {picture_width, static_cast<float>(height_)}});
  }

  /// Cuts off what lies outside of the picture; what lies there altogether gets no size, or less.
  [[nodiscard]] Aabb visible_part(const Aabb& mapped) const {
    return {{std::max(mapped.min.x, 0.0F), std::max(mapped.min.y, 0.0F)},
            {std::min(mapped.max.x, picture_width), std::min(mapped.max.y, static_cast<float>(height_))}};
  }

 private:
  /// What lies far outside of the picture need not be exact, but must stay a number that drawing programs
  /// take.
  static float limited(double value) { return static_cast<float>(std::clamp(value, -1e5, 1e5)); }

  Aabb world_;
  bool y_is_up_;
  double scale_ = 1.0;
  double height_ = 1.0;
  double left_ = 0.0;
  double top_ = 0.0;
};

void draw_cells(Canvas& canvas, const View& view, std::vector<Cell> cells) {
  const auto area = [](const Cell& cell) {
    return (double{cell.bounds.max.x} - cell.bounds.min.x) * (double{cell.bounds.max.y} - cell.bounds.min.y);
  };
  std::stable_sort(cells.begin(), cells.end(),
                   [&area](const Cell& a, const Cell& b) { return area(a) > area(b); });
  for (const Cell& cell : cells) {
    const Aabb box = view.map(cell.bounds);
    if (view.shows(box) && box.max.x - box.min.x >= smallest_cell) {
      const float opacity = std::min(0.10F + 0.05F * static_cast<float>(cell.boxes), 0.55F);
      canvas.rectangle(box, {lit, opacity, lit_edge, 0.5F});
    }
  }
}

// After the boxes, so that the numbers can be read.
void draw_counts(Canvas& canvas, const View& view, const std::vector<Cell>& cells) {
  for (const Cell& cell : cells) {
    const Aabb box = view.visible_part(view.map(cell.bounds));
    const float side = std::min(box.max.x - box.min.x, box.max.y - box.min.y);
    if (side >= smallest_cell_with_text) {
      const float size = std::clamp(0.4F * side, 8.0F, 18.0F);
      canvas.text(0.5F * (box.min + box.max), size, std::to_string(cell.boxes), ink);
    }
  }
}

void draw_boxes(Canvas& canvas, const View& view, const Frames& frames, const std::vector<Pair>& pairs) {
  std::vector<bool> touches(frames.boxes().size(), false);
  for (const Pair& pair : pairs) {
    touches[pair.a] = true;
    touches[pair.b] = true;
  }
  for (BoxIndex i = 0; i < frames.boxes().size(); ++i) {
    const Aabb box = view.map(frames.boxes()[i]);
    if (!view.shows(box)) {
      continue;
    }
    const Color color = parse_color(frames.color(i));
    const Paint paint{touches[i] ? darker(color, 0.6F) : color, touches[i] ? 0.85F : 0.6F,
                      darker(color, 0.4F), 0.9F};
    if (frames.is_circle(i)) {
      canvas.circle(0.5F * (box.min + box.max), 0.5F * (box.max.x - box.min.x), paint);
    } else {
      canvas.rectangle(box, paint);
    }
  }
}

}  // namespace

Result<void> check_picture_name(std::string_view path) {
  if (path.ends_with(".svg") || path.ends_with(".png")) {
    return {};
  }
  return Error{ErrorCode::invalid_argument,
               "--picture: \"" + std::string(path) + "\" does not end in .svg or .png"};
}

std::string draw_picture(std::string_view path, const Frames& frames, const BroadPhase& broad_phase,
                         const std::vector<Pair>& pairs, const std::string& caption) {
  const View view(frames.view(), frames.y_is_up());
  const auto width = static_cast<int>(picture_width);
  const int height = view.height() + static_cast<int>(caption_height);
  const auto canvas =
      path.ends_with(".svg") ? make_svg_canvas(width, height) : make_png_canvas(width, height);
  const Aabb page{{0.0F, 0.0F}, {picture_width, static_cast<float>(height)}};
  canvas->rectangle(page, {white, 1.0F, white, 0.0F});
  const auto cells = broad_phase.cells();
  draw_cells(*canvas, view, cells);
  draw_boxes(*canvas, view, frames, pairs);
  draw_counts(*canvas, view, cells);
  canvas->rectangle({{0.0F, page.max.y - caption_height}, page.max}, {white, 1.0F, white, 0.0F});
  canvas->text({0.5F * picture_width, page.max.y - 0.5F * caption_height}, 14.0F, caption, ink);
  return canvas->finish();
}

}  // namespace broadside::app
