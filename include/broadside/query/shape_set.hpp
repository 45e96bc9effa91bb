#pragma once

#include <span>

#include "broadside/base/function_ref.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"
#include "broadside/broad_phase/broad_phase.hpp"

namespace broadside {

// Queries: which shapes are here, on this way, next to this point? They are functions between frames; nothing
// is kept from one to the next.
//
// Their answers are those of the functions of contact/collide.hpp, asked of every shape; that only few are
// asked is the business of the broad phase. All of them are current: after a change and before `update` the
// boxes are looked at one by one. Nothing is ever cut off.
//
// Errors: an argument with a NaN, an infinity, an inverted area or a shape that is not valid is refused
// (`not_finite`, `inverted_box`, `invalid_argument`), as are fewer shapes or transforms than there are
// indices (`invalid_argument`). Then nothing is visited. Threads: all are const on what they look at, so any
// number may run side by side. A visitor may ask queries of its own; it may not change the broad phase.
// Memory: scratch is kept for each thread, so that a query that finds no more than an earlier one does not
// allocate; but one that makes the first tree of a `HierarchicalGrid` makes room for it (`detail::BoxTree`).

/// What queries look at: boxes, and the shapes in them.
///
/// Each box holds all of its shape, as `bounds` does, and may be larger; shapes are valid. Where rounding
/// leaves open whether something touches a shape, what does not touch its box does not touch the shape.
struct ShapeSet {
  const BroadPhase& boxes;
  std::span<const Shape> shapes;          ///< [boxes.index_end()] by index
  std::span<const Transform> transforms;  ///< [boxes.index_end()] by index
};

/// Says which boxes count. It is asked before any shape is looked at, about each box at most once, and only
/// about such as may be hit.
using Accept = FunctionRef<bool(BoxIndex)>;

/// Is shown what was found; false ends the query.
using Visit = FunctionRef<bool(BoxIndex)>;

/// Accepts all boxes.
inline constexpr auto accept_all = [](BoxIndex /*index*/) { return true; };

}  // namespace broadside
