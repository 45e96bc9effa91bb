#include "broadside/world/debug_draw.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "broadside/base/validate.hpp"
#include "world/state.hpp"

namespace broadside::inline v0_2 {

namespace {

constexpr double longest_normal = 18.0;  ///< (unit: pixel)
constexpr double digit_width = 8.0;      ///< with spacing (unit: pixel)
constexpr double digit_height = 14.0;    ///< likewise

DrawPoint placed(const Transform& transform, Vec2 local) {
  const auto& [cos, sin] = transform.rotation;
  return {transform.position.x + double{cos} * local.x - double{sin} * local.y,
          transform.position.y + double{sin} * local.x + double{cos} * local.y};
}

double width(const Aabb& box) {
  return double{box.max.x} - box.min.x;
}

double height(const Aabb& box) {
  return double{box.max.y} - box.min.y;
}

void draw_shape(DebugDraw& drawer, const Shape& shape, const Transform& transform, double scale,
                DrawStyle style) {
  if (const auto* circle = std::get_if<Circle>(&shape)) {
    drawer.circle(placed(transform, circle->center), circle->radius, style);
    return;
  }
  if (const auto* segment = std::get_if<Segment>(&shape)) {
    drawer.line(placed(transform, segment->a), placed(transform, segment->b), style);
    return;
  }
  style.is_piece = std::holds_alternative<Mask>(shape);
  for (const auto& outline : outlines(shape, transform, scale)) {
    drawer.polygon(outline, style);
  }
}

/// Draws each count in the middle of the visible part of its cell, if it fits.
void draw_counts(DebugDraw& drawer, const std::vector<Cell>& cells, const std::optional<Aabb>& view,
                 double scale) {
  for (const Cell& cell : cells) {
    Aabb seen = cell.bounds;
    if (view) {
      seen = {{std::max(seen.min.x, view->min.x), std::max(seen.min.y, view->min.y)},
              {std::min(seen.max.x, view->max.x), std::min(seen.max.y, view->max.y)}};
    }
    const std::string count = std::to_string(cell.boxes);
    const double text_width = digit_width * static_cast<double>(count.size() + 1);
    if (scale * width(seen) >= text_width && scale * height(seen) >= digit_height) {
      const DrawPoint center{seen.min.x + 0.5 * width(seen), seen.min.y + 0.5 * height(seen)};
      drawer.text(center, count, {.role = DrawRole::cell, .boxes = cell.boxes});
    }
  }
}

}  // namespace

/// One call of `draw`.
class DebugDrawing {
 public:
  DebugDrawing(const World& world, DebugDraw& drawer, const DebugDrawOptions& options)
      : world_(world.state_),
        state_(*world.state_),
        boxes_(world.broad_phase()),
        drawer_(drawer),
        options_(options) {
    find_places();
    find_touching();
  }

  static Error check(const World& world, const DebugDrawOptions& options) {
    if (Error error = world.state_->check_not_moved_from()) {
      return error;
    }
    if (!(std::isfinite(options.scale) && options.scale > 0.0)) {
      return {ErrorCode::invalid_argument, "DebugDrawOptions: scale must be a finite number above 0"};
    }
    if (!(std::isfinite(options.seconds_ahead) && options.seconds_ahead >= 0.0)) {
      return {ErrorCode::invalid_argument,
              "DebugDrawOptions: seconds_ahead must be a finite number, 0 or more"};
    }
    if (!(std::isfinite(options.min_shape_size) && options.min_shape_size >= 0.0)) {
      return {ErrorCode::invalid_argument,
              "DebugDrawOptions: min_shape_size must be a finite number, 0 or more"};
    }
    return options.view ? validate(*options.view, "DebugDrawOptions: view").error() : Error{};
  }

  void draw() {
    const auto locked = state_.lock();
    const std::vector<Cell> cells = options_.cells ? cells_by_size() : std::vector<Cell>();
    for (const Cell& cell : cells) {
      drawer_.box(cell.bounds, {.role = DrawRole::cell, .boxes = cell.boxes});
    }
    for (const Place place : options_.boxes ? places_ : std::vector<Place>()) {
      drawer_.box(boxes_.box_of(place), style_of(place, DrawRole::box));
    }
    for (const Place place : options_.shapes ? places_ : std::vector<Place>()) {
      if (is_small(boxes_.box_of(place))) {
        drawer_.box(boxes_.box_of(place), style_of(place, role_of(place)));
      } else {
        draw_shape(place, role_of(place));
      }
    }
    draw_counts(drawer_, cells, options_.view, options_.scale);
    if (world_->contains(options_.picked)) {
      draw_picked(options_.picked);
    }
    if (options_.contacts) {
      draw_contacts();
    }
  }

 private:
  using State = World::State;
  using Place = State::Place;

  void find_places() {
    for (Place place = 0; place < boxes_.index_end(); ++place) {
      if (boxes_.contains(place) && (!options_.view || overlaps(boxes_.box_of(place), *options_.view))) {
        places_.push_back(place);
      }
    }
  }

  void find_touching() {
    touches_.resize(state_.bodies.places());
    state_.contacts().for_each([this](const Contact& contact) {
      for (const Place place : {contact.pair.a, contact.pair.b}) {
        touches_[place] = state_.id_in_step(place) == state_.bodies.id(place);
      }
    });
  }

  [[nodiscard]] std::vector<Cell> cells_by_size() const {
    std::vector<Cell> cells = boxes_.cells();
    const auto& view = options_.view;
    std::erase_if(cells, [&](const Cell& cell) { return view && !overlaps(cell.bounds, *view); });
    std::stable_sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) {
      return width(a.bounds) * height(a.bounds) > width(b.bounds) * height(b.bounds);
    });
    return cells;
  }

  [[nodiscard]] DrawStyle style_of(Place place, DrawRole role) const {
    const Place body = state_.bodies.owner(place);
    return {.role = role, .body = state_.bodies.id(body), .touching = touches_[body]};
  }

  [[nodiscard]] DrawRole role_of(Place place) const {
    const State::Slot& slot = state_.bodies.slot(place);
    if (!slot.enabled) {
      return DrawRole::disabled_body;
    }
    if (slot.sensor) {
      return DrawRole::sensor;
    }
    return slot.type == BodyType::static_body ? DrawRole::static_body
           : slot.type == BodyType::kinematic ? DrawRole::kinematic_body
                                              : DrawRole::dynamic_body;
  }

  [[nodiscard]] bool is_small(const Aabb& box) const {
    return options_.scale * std::max(width(box), height(box)) <= options_.min_shape_size;
  }

  void draw_shape(Place place, DrawRole role) {
    broadside::draw_shape(drawer_, state_.bodies.shape(place), state_.bodies.transform(place), options_.scale,
                          style_of(place, role));
  }

  void draw_boxes(BodyId body, DrawRole role) {
    state_.bodies.for_each_part(
        body.index, [&](Place place) { drawer_.box(boxes_.box_of(place), style_of(place, role)); });
  }

  void draw_shapes(BodyId body, DrawRole role) {
    state_.bodies.for_each_part(body.index, [&](Place place) { draw_shape(place, role); });
  }

  void draw_picked(BodyId picked) {
    for (const BodyId candidate : world_->candidates(picked).value()) {
      draw_boxes(candidate, DrawRole::candidate);
    }
    for (const BodyContact& contact : world_->contacts_of(picked).value()) {
      if (world_->contains(contact.b)) {
        draw_shapes(contact.b, DrawRole::hit);
      }
    }
    draw_boxes(picked, DrawRole::picked);
    draw_shapes(picked, DrawRole::picked);
    const Vec2 position = world_->position(picked).value();
    const DrawPoint from{position.x, position.y};
    const Vec2 velocity = world_->velocity(picked).value();
    if (velocity != Vec2{}) {
      const double seconds = options_.seconds_ahead;
      drawer_.line(from, {from.x + seconds * velocity.x, from.y + seconds * velocity.y},
                   style_of(picked.index, DrawRole::velocity));
    }
  }

  /// Returns the length of the normals of two shapes: at most half the size of the smaller one.
  [[nodiscard]] double normal_length(Pair pair) const {
    double length = longest_normal / options_.scale;
    for (const Place place : {pair.a, pair.b}) {
      if (boxes_.contains(place)) {
        length = std::min(length, 0.5 * std::max(width(boxes_.box_of(place)), height(boxes_.box_of(place))));
      }
    }
    return length;
  }

  [[nodiscard]] bool is_in_view(const ManifoldPoint& point) const {
    return !options_.view || contains(*options_.view, point.position);
  }

  bool has_too_many_contacts() {
    std::size_t points = 0;
    for (const Contact& contact : world_->shape_contacts()) {
      for (const ManifoldPoint& point : contact.manifold.in_use()) {
        if (is_in_view(point) && ++points > options_.max_contact_points) {
          return true;
        }
      }
    }
    return false;
  }

  void draw_contacts() {
    if (has_too_many_contacts()) {
      return;
    }
    for (const Contact& contact : world_->shape_contacts()) {
      const Vec2 normal = contact.manifold.normal;
      const double length = normal_length(contact.pair);
      for (const ManifoldPoint& point : contact.manifold.in_use()) {
        if (is_in_view(point)) {
          const DrawPoint at{point.position.x, point.position.y};
          drawer_.line(at, {at.x + length * normal.x, at.y + length * normal.y}, {.role = DrawRole::normal});
          drawer_.circle(at, 0.0, {.role = DrawRole::contact_point});
        }
      }
    }
  }

  World::Handle world_;  // the drawer may move or destroy the world
  const State& state_;
  const BroadPhase& boxes_;
  DebugDraw& drawer_;
  const DebugDrawOptions& options_;
  std::vector<Place> places_;  ///< ascending
  std::vector<bool> touches_;  ///< by place of a body
};

Result<void> draw(const World& world, DebugDraw& drawer, const DebugDrawOptions& options) {
  if (Error error = DebugDrawing::check(world, options)) {
    return error;
  }
  DebugDrawing(world, drawer, options).draw();
  return {};
}

}  // namespace broadside::inline v0_2
