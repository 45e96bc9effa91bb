#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "broadside/base/aabb.hpp"
#include "broadside/base/body_id.hpp"
#include "broadside/base/export.h"
#include "broadside/base/result.hpp"
#include "broadside/body/outline.hpp"

namespace broadside::inline v0_2 {

class World;

/// What a drawn element represents. The drawer chooses the color.
enum class DrawRole : std::uint8_t {
  cell,            ///< a cell of the broad phase, and the number of boxes in it
  box,             ///< the bounding box of a shape in the broad phase
  static_body,     ///< an exact shape, by the type of its body
  kinematic_body,  ///< likewise
  dynamic_body,    ///< likewise
  sensor,          ///< likewise, whatever its type
  disabled_body,   ///< likewise, whatever else it is
  candidate,       ///< the box of a body that the narrow phase compares with the picked one
  hit,             ///< the shape of a body that the picked one touched in the last step
  picked,          ///< the picked body's shapes and boxes
  velocity,        ///< displacement of the picked body in `DebugDrawOptions::seconds_ahead`
  contact_point,   ///< where two shapes touched in the last step
  normal,          ///< of a contact: a line from its point towards shape b of its pair
};

/// How to draw an element.
struct DrawStyle {
  DrawRole role = DrawRole::cell;
  BodyId body = {};       ///< the body it belongs to; none for cells and contacts
  bool touching = false;  ///< the body touched another in the last step
  bool is_piece = false;  ///< a rectangle of a mask; outlining each would show seams that do not exist
  std::size_t boxes = 0;  ///< number of boxes in a cell; 0 for other elements
};

/// Interface that `draw` draws a world with; derive from it. All coordinates are in world space.
class DebugDraw {
 public:
  virtual ~DebugDraw() = default;
  virtual void line(DrawPoint from, DrawPoint to, const DrawStyle& style) = 0;
  virtual void box(const Aabb& box, const DrawStyle& style) = 0;
  /// Draws a disc. A point has radius 0: draw it with a size in pixels.
  virtual void circle(DrawPoint center, double radius, const DrawStyle& style) = 0;
  /// Draws a filled convex polygon of corners [3 or more], in either orientation.
  virtual void polygon(std::span<const DrawPoint> corners, const DrawStyle& style) = 0;
  /// Draws text centered at a point.
  virtual void text(DrawPoint center, std::string_view text, const DrawStyle& style) = 0;
};

/// Options of `draw`.
struct DebugDrawOptions {
  bool cells = true;   ///< with their counts in the middle
  bool boxes = false;  ///< of all shapes
  bool shapes = true;
  bool contacts = true;           ///< points and normals of the last step
  BodyId picked = {};             ///< shown with its candidates, hits and velocity; a stale id is ignored
  std::optional<Aabb> view = {};  ///< must be valid; leaves out what does not overlap it, except for `picked`
  double scale = 1.0;  ///< pixels per unit of length, finite and above 0: sets the smoothness of circles, the
                       ///< length of normals, and which cells are too small for text
  double seconds_ahead = 0.25;  ///< length of velocity lines: finite, 0 or more (unit: second)
  /// Shapes whose boxes are neither wider nor higher than this are drawn as their boxes, by `box` with the
  /// role of the shape; the picked body and its hits are not. Finite, 0 or more (unit: pixel).
  double min_shape_size = 0.0;
  /// If more contact points are in view, neither points nor normals are drawn: they would cover the picture.
  std::size_t max_contact_points = (std::numeric_limits<std::size_t>::max)();
};

/// Draws a world: cells, boxes, shapes, counts, the picked body, contacts, in this order.
///
/// @par Order
/// Cells from large to small, shapes and contacts ascending by their indices in the broad phase. It depends
/// only on the calls made to the world.
/// @par Complexity
/// O(n + c + p) calls of the drawer for n shapes, c occupied cells and p contacts, fewer if `view` leaves
/// most of them out; allocates.
/// @par Errors
/// `invalid_argument` for an invalid scale, view, `seconds_ahead` or `min_shape_size`, and for a world that
/// was moved from; nothing is drawn. A drawer that changes the world gets `locked`.
BROADSIDE_API Result<void> draw(const World& world, DebugDraw& drawer, const DebugDrawOptions& options = {});

}  // namespace broadside::inline v0_2
