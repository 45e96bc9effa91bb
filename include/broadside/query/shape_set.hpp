#pragma once

#include <cstdint>
#include <span>

#include "broadside/base/function_ref.hpp"
#include "broadside/base/hit.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"
#include "broadside/broad_phase/broad_phase.hpp"

namespace broadside::inline v0_2 {

/// The input of all queries: the boxes of a broad phase, and the shapes in them.
///
/// Each box contains the `bounds` of its shape, and may be larger. Shapes are valid. If rounding leaves it
/// open whether something touches a shape, it touches the shape only if it touches the box.
///
/// Queries find the shapes in an area, on a path or near a point. They run between frames and keep no state
/// from one to the next. Their answers are those of the functions of contact/collide.hpp for every shape; the
/// broad phase only reduces the number of tests. They see the latest change: between a change and `update`
/// they test all boxes one by one, unless a `HierarchicalGrid` has a tree, which follows changes. The number
/// of results is not limited.
///
/// Each thread keeps its scratch memory, so a query that finds no more than an earlier one does not allocate,
/// except for the query that builds the first tree of a `HierarchicalGrid`.
///
/// @par Errors
/// An argument with a NaN, an infinity, an inverted area or an invalid shape is refused (`not_finite`,
/// `inverted_box`, `invalid_argument`), and so are fewer shapes or transforms than there are indices
/// (`invalid_argument`). Nothing is visited then.
/// @par Threads
/// Queries are const, so any number may run at the same time. A visitor may run queries of its own; it may
/// not change the broad phase.
struct ShapeSet {
  const BroadPhase& boxes;
  std::span<const Shape> shapes;          ///< [boxes.index_end()] by index
  std::span<const Transform> transforms;  ///< [boxes.index_end()] by index
  /// Queries find only shapes whose box is on one of these layers (`Filter::layer`). All bits, the default,
  /// also find those on no layer. With the tree of a `HierarchicalGrid`, rays, casts and `nearest` skip all
  /// nodes without a box on these layers.
  std::uint64_t layers = ~std::uint64_t{0};
};

/// Returns whether a query may find the shape with an index. Called before a shape is tested, at most once
/// for each box, and only for boxes that the query may hit.
using Accept = FunctionRef<bool(BoxIndex)>;

/// Called for each shape that is found; returns false to stop the query.
using Visit = FunctionRef<bool(BoxIndex)>;

/// Called for each hit of a ray or of a moving shape; returns false to stop the query.
using VisitHit = FunctionRef<bool(const ShapeHit&)>;

/// Accepts all shapes.
inline constexpr auto accept_all = [](BoxIndex /*index*/) { return true; };

}  // namespace broadside::inline v0_2
