#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "broadside/base/aabb.hpp"
#include "broadside/base/body_id.hpp"
#include "broadside/base/result.hpp"
#include "broadside/body/outline.hpp"

namespace broadside {

class World;

/// What something that is drawn stands for. Which colour that has is the drawer's business.
enum class DrawRole : std::uint8_t {
  cell,            ///< of the broad phase, and the number of boxes in it
  box,             ///< what the broad phase knows of a shape
  static_body,     ///< a true shape, by the type of its body
  kinematic_body,  ///< likewise
  dynamic_body,    ///< likewise
  sensor,          ///< likewise, whatever its type
  disabled_body,   ///< likewise, whatever else it is
  candidate,       ///< the box of a body that the picked one had to be compared with
  hit,             ///< the shape of a body that the picked one touched in the last step
  picked,          ///< the picked body's shapes and boxes
  velocity,        ///< where the picked body will be after `DebugDrawOptions::seconds_ahead`
  contact_point,   ///< where two shapes touched in the last step
  normal,          ///< of a contact: a line from its point, towards the body that has the larger place
};

/// How something is to be drawn.
struct DrawStyle {
  DrawRole role = DrawRole::cell;
  BodyId body = {};       ///< whose it is; none for cells and contacts
  bool touching = false;  ///< the body touched another in the last step
  bool is_piece = false;  ///< a rectangle of a mask: an edge around each would show seams that are not there
  std::size_t boxes = 0;  ///< in the cell; 0 for all but cells
};

/// Something to draw a world on: derive from it, and hand it to `draw`. All coordinates are those of the
/// world.
class DebugDraw {
 public:
  virtual ~DebugDraw() = default;
  virtual void line(DrawPoint from, DrawPoint to, const DrawStyle& style) = 0;
  virtual void box(const Aabb& box, const DrawStyle& style) = 0;
  /// Draws a disc; one of radius 0 for points, which are seen only if they get a size in pixels.
  virtual void circle(DrawPoint center, double radius, const DrawStyle& style) = 0;
  /// Draws a convex polygon of corners [3 or more], filled; those of a turned shape go round either way.
  virtual void polygon(std::span<const DrawPoint> corners, const DrawStyle& style) = 0;
  /// Writes text around its centre.
  virtual void text(DrawPoint center, std::string_view text, const DrawStyle& style) = 0;
};

/// What to draw of a world.
struct DebugDrawOptions {
  bool cells = true;   ///< with their counts in the middle
  bool boxes = false;  ///< of all shapes
  bool shapes = true;
  bool contacts = true;  ///< points and normals of the last step
  BodyId picked = {};    ///< shown with its candidates, hits and velocity; one that is no more is left out
  std::optional<Aabb> view = {};  ///< leaves out what does not overlap it; must be valid
  double scale = 1.0;  ///< pixels to a unit of length, finite and above 0: says how round a circle is, how
                       ///< long a normal, and which cells are too small for text
  double seconds_ahead = 0.25;  ///< how long a velocity is drawn: finite, 0 or more (unit: second)
};

/// Draws a world: cells, boxes, shapes, counts, the picked body, contacts, in this order.
///
/// Within each, the order depends on the calls made to the world alone: cells from large to small, shapes by
/// their places, contacts ascending. Complexity: O(n + c + p) calls of the drawer for n shapes, c occupied
/// cells and p contacts, less where `view` leaves most out; allocates.
///
/// @par Errors
/// `invalid_argument` for a scale, a view or `seconds_ahead` that has no meaning, and for a world that was
/// moved from; nothing is drawn. A drawer that changes the world gets `locked`.
Result<void> draw(const World& world, DebugDraw& drawer, const DebugDrawOptions& options = {});

}  // namespace broadside
