#include "picture.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "broadside/body/outline.hpp"
#include "canvas.hpp"

namespace broadside::app {

namespace {

constexpr float caption_height = 28.0F;
constexpr float smallest_cell = 3.0F;
constexpr float smallest_cell_with_text = 13.0F;

constexpr Color white{255, 255, 255};
constexpr Color ink{38, 44, 52};
constexpr Color lit{255, 196, 61};
constexpr Color lit_edge{196, 140, 20};
constexpr Color mark{214, 40, 40};

constexpr std::size_t max_marked_contacts = 500;
constexpr std::size_t max_single_pixels = 4096;
constexpr float arrow_length = 26.0F;
constexpr float arrow_head = 6.0F;
constexpr float dot_radius = 2.8F;
constexpr float cut_width = 1.5F;

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
  View(Aabb world, bool y_is_up, int picture_width)
      : world_(world), y_is_up_(y_is_up), width_(picture_width) {
    // A very long or flat world is shown with margins rather than as a stripe.
    const double width = std::max(double{world.max.x} - world.min.x, 1e-30);
    const double height = std::max(double{world.max.y} - world.min.y, 1e-30);
    scale_ = width_ / std::max(width, 0.6 * height);
    height_ = std::clamp(scale_ * height, 0.3 * width_, width_ / 0.6);
    left_ = 0.5 * (width_ - scale_ * width);
    top_ = 0.5 * (height_ - scale_ * height);
  }

  [[nodiscard]] int height() const { return static_cast<int>(std::ceil(height_)); }
  /// Returns the number of pixels per unit of length.
  [[nodiscard]] double scale() const { return scale_; }

  [[nodiscard]] Vec2 map(double x, double y) const {
    return {limited(left_ + scale_ * (x - world_.min.x)),
            limited(top_ + scale_ * (y_is_up_ ? world_.max.y - y : y - world_.min.y))};
  }

  [[nodiscard]] Aabb map(const Aabb& box) const {
    const Vec2 a = map(box.min.x, box.min.y);
    const Vec2 b = map(box.max.x, box.max.y);
    return {{a.x, std::min(a.y, b.y)}, {b.x, std::max(a.y, b.y)}};
  }

  /// Converts a direction from the world to the picture.
  [[nodiscard]] Vec2 map_direction(Vec2 direction) const {
    return {direction.x, y_is_up_ ? -direction.y : direction.y};
  }

  [[nodiscard]] bool shows(const Aabb& mapped) const {
    return overlaps(mapped, Aabb{{0.0F, 0.0F}, {static_cast<float>(width_), static_cast<float>(height_)}});
  }

  /// Clips a box to the picture; a box that lies outside gets a size of 0 or less.
  [[nodiscard]] Aabb visible_part(const Aabb& mapped) const {
    return {{std::max(mapped.min.x, 0.0F), std::max(mapped.min.y, 0.0F)},
            {std::min(mapped.max.x, static_cast<float>(width_)),
             std::min(mapped.max.y, static_cast<float>(height_))}};
  }

 private:
  /// Clamps a coordinate: far outside of the picture it need not be exact, but drawing programs must accept
  /// it.
  static float limited(double value) { return static_cast<float>(std::clamp(value, -1e5, 1e5)); }

  Aabb world_;
  bool y_is_up_;
  double width_;
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

// Drawn after the boxes, so that the numbers can be read.
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

void draw_shape(Canvas& canvas, const View& view, const Shape& shape, const Transform& transform,
                const Paint& paint) {
  std::vector<std::vector<Vec2>> lines;
  if (const auto* circle = std::get_if<Circle>(&shape); circle != nullptr && circle->center == Vec2{}) {
    const Vec2 center = view.map(transform.position.x, transform.position.y);
    const double radius = std::min(view.scale() * circle->radius, 1e5);
    canvas.circle(center, static_cast<float>(radius), paint);
    return;
  }
  for (const auto& outline : outlines(shape, transform, view.scale(), max_single_pixels)) {
    lines.emplace_back();
    for (const DrawPoint& point : outline) {
      lines.back().push_back(view.map(point.x, point.y));
    }
  }
  if (std::holds_alternative<Segment>(shape)) {
    canvas.line(lines[0][0], lines[0][1], 2.0F, paint.outline);
  } else {
    canvas.polygons(lines, paint);
  }
}

/// Tells whether a shape covers all of its box.
bool is_upright_box(const Shape& shape, const Transform& transform) {
  const auto* box = std::get_if<Box>(&shape);
  return box != nullptr && box->rotation == Rotation{} && transform.rotation == Rotation{};
}

Color color_of(const PictureContents& contents, BoxIndex box) {
  if (contents.parts == nullptr) {
    return parse_color(contents.frames.color(box));
  }
  const auto [red, green, blue] = color_of_part(contents.parts->owners()[box]);
  return {red, green, blue};
}

void draw_shapes(Canvas& canvas, const View& view, const PictureContents& contents) {
  const Frames& frames = contents.frames;
  std::vector<bool> touches(frames.boxes().size(), false);
  for (const Contact& contact : contents.contacts) {
    touches[contact.pair.a] = true;
    touches[contact.pair.b] = true;
  }
  for (BoxIndex i = 0; i < frames.boxes().size(); ++i) {
    const Aabb box = view.map(frames.boxes()[i]);
    if (!view.shows(box)) {
      continue;
    }
    const Color color = color_of(contents, i);
    const Paint paint{touches[i] ? darker(color, 0.8F) : color, touches[i] ? 0.85F : 0.6F,
                      darker(color, 0.4F), 0.9F};
    if (is_upright_box(frames.shapes()[i], frames.transforms()[i])) {
      canvas.rectangle(box, paint);
    } else {
      draw_shape(canvas, view, frames.shapes()[i], frames.transforms()[i], paint);
    }
  }
}

/// Draws a dot where two shapes touch, and an arrow along the normal, from the first shape to the second.
void draw_contacts(Canvas& canvas, const View& view, std::span<const Contact> contacts) {
  if (contacts.size() > max_marked_contacts) {
    return;
  }
  for (const Contact& contact : contacts) {
    const Vec2 way = view.map_direction(contact.manifold.normal);
    const Vec2 across{-way.y, way.x};
    for (const ManifoldPoint& point : contact.manifold.in_use()) {
      const Vec2 at = view.map(point.position.x, point.position.y);
      const Vec2 tip = at + arrow_length * way;
      if (!view.shows({at, at})) {
        continue;
      }
      const Vec2 base = tip - arrow_head * way;
      canvas.line(at, base, 1.6F, mark);
      canvas.polygons({{tip, base + 0.5F * arrow_head * across, base - 0.5F * arrow_head * across}},
                      {mark, 1.0F, mark, 0.0F});
      canvas.circle(at, dot_radius, {mark, 1.0F, white, 0.9F});
    }
  }
}

void draw_cuts(Canvas& canvas, const View& view, const Partition& partition) {
  for (const Aabb& cut : cuts_of(partition)) {
    const Aabb line = view.map(cut);
    canvas.line(line.min, line.max, cut_width, ink);
  }
}

/// Counts what the picture shows. @param cells_of the technique whose cells are drawn; empty if none are
std::string caption_of(const PictureContents& contents, std::string_view cells_of) {
  const Frames& frames = contents.frames;
  const auto shown = [&](BoxIndex box) {
    return !contents.view || overlaps(frames.boxes()[box], *contents.view);
  };
  const auto both_shown = [&shown](Pair pair) { return shown(pair.a) && shown(pair.b); };
  std::size_t bodies = 0;
  for (BoxIndex i = 0; i < frames.boxes().size(); ++i) {
    bodies += shown(i) ? 1U : 0U;
  }
  const auto counted = [](std::ptrdiff_t count, std::string_view what) {
    return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
  };
  const auto pairs = std::count_if(contents.pairs.begin(), contents.pairs.end(), both_shown);
  const auto contacts = std::count_if(contents.contacts.begin(), contents.contacts.end(),
                                      [&](const Contact& contact) { return both_shown(contact.pair); });
  std::string parts;
  if (contents.parts != nullptr) {
    const Parts::Totals& last = contents.parts->last();
    parts = "; " + counted(contents.parts->count(), "part") + ", " +
            counted(static_cast<std::ptrdiff_t>(last.ghosts), "ghost") + ", " +
            counted(static_cast<std::ptrdiff_t>(last.migrants), "migrant");
  }
  return contents.title + ": " + std::to_string(bodies) + (bodies == 1 ? " body, " : " bodies, ") +
         counted(pairs, "pair") + ", " + counted(contacts, "contact") +
         (cells_of.empty() ? "" : "; cells of " + std::string(cells_of)) + parts;
}

}  // namespace

Result<void> check_picture_name(std::string_view path) {
  if (path.ends_with(".svg") || path.ends_with(".png")) {
    return {};
  }
  return Error{ErrorCode::invalid_argument,
               "--picture: \"" + std::string(path) + "\" does not end in .svg or .png"};
}

namespace {

View view_of(const PictureContents& contents) {
  return {contents.view.value_or(contents.frames.view()), contents.frames.y_is_up(), contents.width};
}

int height_of(const View& view) {
  return view.height() + static_cast<int>(caption_height);
}

void draw(Canvas& canvas, const View& view, const PictureContents& contents) {
  const Aabb page{{0.0F, 0.0F}, {static_cast<float>(contents.width), static_cast<float>(height_of(view))}};
  canvas.rectangle(page, {white, 1.0F, white, 0.0F});
  draw_cells(canvas, view, contents.cells);
  draw_shapes(canvas, view, contents);
  draw_counts(canvas, view, contents.cells);
  if (contents.parts != nullptr) {
    draw_cuts(canvas, view, contents.parts->partition());
  }
  draw_contacts(canvas, view, contents.contacts);
  canvas.rectangle({{0.0F, page.max.y - caption_height}, page.max}, {white, 1.0F, white, 0.0F});
  const std::string caption = caption_of(contents, contents.cells.empty() ? "" : contents.technique);
  constexpr float width_of_letter = 0.65F;  // relative to its height
  const float size = std::min(14.0F, page.max.x / (width_of_letter * static_cast<float>(caption.size())));
  canvas.text({0.5F * page.max.x, page.max.y - 0.5F * caption_height}, size, caption, ink);
}

}  // namespace

std::string draw_picture(std::string_view path, const PictureContents& contents) {
  const View view = view_of(contents);
  const int height = height_of(view);
  const auto canvas = path.ends_with(".svg") ? make_svg_canvas(contents.width, height)
                                             : make_png_canvas(contents.width, height);
  draw(*canvas, view, contents);
  return canvas->finish();
}

Result<void> check_animation(std::string_view path, std::size_t steps) {
  if (!path.ends_with(".svg")) {
    return Error{ErrorCode::invalid_argument,
                 "--animation: \"" + std::string(path) + "\" does not end in .svg"};
  }
  if (steps > max_animated_steps) {
    return Error{ErrorCode::invalid_argument, "--animation: " + std::to_string(steps) +
                                                  " steps are too many for a picture; at most " +
                                                  std::to_string(max_animated_steps) + ", see --steps"};
  }
  return {};
}

// The view is that of the first step, so that the picture stands still while bodies move.
void Animation::add(const PictureContents& contents) {
  if (!flipbook_) {
    view_ = contents.view.value_or(contents.frames.view());
  }
  const View view(view_, contents.frames.y_is_up(), contents.width);
  if (!flipbook_) {
    flipbook_ = make_svg_flipbook(contents.width, height_of(view), rate);
  }
  draw(flipbook_->next(), view, contents);
}

std::string Animation::finish() {
  return flipbook_ ? flipbook_->finish() : std::string();
}

}  // namespace broadside::app
