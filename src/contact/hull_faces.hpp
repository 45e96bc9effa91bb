#pragma once

#include <cstdint>

#include "base/convex.hpp"
#include "contact/hull_pair.hpp"
#include "contact/two.hpp"

namespace broadside::detail {

// With edges no shorter than this share of the lengths, rounding in double turns no face and moves no corner
// by more than the other share of the lengths.
inline constexpr double shortest_share = 0x1p-12;
inline constexpr double rounding_share = 0x1p-36;
inline constexpr double most_lengths = 1e40;

// A rotation's squared length may be off by as much: more than rounding to float takes.
inline constexpr double most_stretch = 1e-6;

/// The corners and faces of a core, number by number; of a line faces 2 and 3 are its ends. Up to the next
/// whole register come copies of some of them. Beside a line there are no normals.
struct alignas(64) HullFaces {
  double x[Polygon::most_vertices];  ///< the same bits as those of `place`
  double y[Polygon::most_vertices];
  double normal_x[Polygon::most_vertices];  ///< unit vectors, but for rounding
  double normal_y[Polygon::most_vertices];
  std::size_t size;
  double radius;  ///< (unit: length)
};

/// Returns a corner.
inline Point point(const HullFaces& faces, std::size_t number) {
  return {faces.x[number], faces.y[number]};
}

/// A shape where it stands.
struct Standing {
  const Shape* shape;
  const Transform* at;
};

// Beyond all numbers of edges.
inline constexpr std::uint32_t no_edge = Polygon::most_vertices;

/// What the faces of two cores tell, where rounding cannot make it different.
struct Glance {
  Two anchor;         ///< that both are placed around
  double lengths;     ///< how large the lengths are that all of it is made of (unit: length)
  double rounding;    ///< more than what rounding could make of any length
  double widest;      ///< how far the cores are apart at the face that sees most of it (unit: length)
  bool for_distance;  ///< asked for: where the cores are apart the rest is set all the same
  Answer answer;      ///< `apart`, or `touching` where they may and the rest is known
  bool on_b;
  std::uint32_t face;  ///< the face that `find_gap` takes
  std::uint32_t edge;  ///< the edge of the other core that faces it the most; `no_edge` if not sure
};

/// Places two shapes, and looks from the faces of each at the other.
/// @pre the second is a polygon and the first a box, a line or a polygon, or they are a box and a line
/// @param faces set to those of both
/// @param seen what is asked for; set to what they tell
void glance(const Standing (&pair)[2], HullFaces (&faces)[2], Glance& seen);

/// The last face in the way of one core to another, where rounding cannot make it one that tells otherwise.
struct Entrance {
  bool passes;  ///< a face keeps the two apart all the way
  bool on_b;
  std::uint32_t face;    ///< an edge: without the ends of lines
  std::uint32_t corner;  ///< of the other core: the first that is the deepest behind the face, or as good as
};

/// The share of what is clear of rounding that parallel faces and edges are told by.
inline constexpr double share_of_clear = 1e-3;

/// Tells whether one time is later than another, seen from where the motion leads meanwhile. Two faces that
/// are parallel are reached at the same time, whatever rounding tells.
inline bool is_later(double time, double other, Point motion, double clear) {
  return (time - other) * length_along_axes(motion) > share_of_clear * clear;
}

struct HullSource;

/// Places two cores, and finds the last face in the way of the first to the second.
/// @param motion of the first (unit: length)
/// @param clear more than what rounding could make of any length
/// @param faces set to the corners of both
void find_entrance(const HullSource (&cores)[2], Point motion, double clear, HullFaces (&faces)[2],
                   Entrance& found);

}  // namespace broadside::detail
