#pragma once

#include <cstdint>

#include "base/convex.hpp"
#include "contact/two.hpp"

namespace broadside::detail {

// With edges no shorter than this share of the lengths, rounding in double turns no face and moves no corner
// by more than the other share of the lengths.
inline constexpr double shortest_share = 0x1p-12;
inline constexpr double rounding_share = 0x1p-36;
inline constexpr double most_lengths = 1e40;

// A rotation's squared length may be off by as much: more than rounding to float takes.
inline constexpr double most_stretch = 1e-6;

/// A core before its corners are placed.
struct HullSource {
  enum class Kind : std::uint8_t { line, box, polygon };

  Kind kind;
  std::size_t size;
  const EdgeLanes* edges;  ///< of a polygon; null if it is none
  Point origin;            ///< of a line: its start; of a box: its center; of a polygon: its offset
  Point way;   ///< of a line: its end; of a box: from its center to the right; of a polygon: its rotation
  Point up;    ///< of a box: from its center
  Point axis;  ///< along the line, to the right, or of the rotation
  double inverse_length;  ///< of the axis: 1 for all but a line
  double radius;          ///< (unit: length)
  double reach;           ///< as that of `Convex`
  double extent;          ///< as that of `Convex`
  double shortest;        ///< at most the length of any edge (unit: length)
  bool is_fit;            ///< valid, its angles are more than rounding, its rotation has a length of 1

  /// @pre shape is a box, a capsule, a segment or a polygon
  static HullSource of(const Shape& shape, const Transform& at, Two anchor);
  static HullSource of(const Box& box, const Transform& at, Point offset);
  static HullSource of(const Capsule& capsule, const Transform& at, Point offset);
  static HullSource of(const Segment& segment, const Transform& at, Point offset);
  static HullSource of(const Polygon& polygon, const Transform& at, Point offset);
};

/// The corners and faces of a core, number by number; of a line faces 2 and 3 are its ends. Up to the next
/// whole register come copies of some of them.
struct alignas(64) HullFaces {
  double x[Polygon::most_vertices];  ///< the same bits as those of `place`
  double y[Polygon::most_vertices];
  double normal_x[Polygon::most_vertices];  ///< unit vectors, but for rounding
  double normal_y[Polygon::most_vertices];
};

/// What the faces of two cores tell, where rounding cannot make it different.
struct Glance {
  double widest;  ///< how far the cores are apart at the face that sees most of it (unit: length)
  bool is_sure;   ///< whether the rest is known
  bool is_clear;  ///< whether the edge is that which faces the face the most, whichever face is taken
  bool on_b;
  std::uint32_t face;  ///< the face that `find_gap` takes
  std::uint32_t edge;  ///< the edge of the other core that faces it the most
};

/// Places two cores, and looks from the faces of each at the other.
/// @param slack as in `find_widest_axis`
/// @param rounding more than what rounding could make of any length
/// @param most of cores that are further apart only that is told (unit: length); infinity for a distance
/// @param faces set to those of both
/// @param seen set to what they tell
void glance(const HullSource (&cores)[2], double slack, double rounding, double most, HullFaces (&faces)[2],
            Glance& seen);

/// The last face in the way of one core to another, where rounding cannot make it one that tells otherwise.
struct Entrance {
  bool passes = false;  ///< a face keeps the two apart all the way
  bool on_b = false;
  std::uint32_t face = 0;    ///< an edge: without the ends of lines
  std::uint32_t corner = 0;  ///< of the other core: the deepest behind the face
};

/// The share of what is clear of rounding that parallel faces and edges are told by.
inline constexpr double share_of_clear = 1e-3;

/// Tells whether one time is later than another, seen from where the motion leads meanwhile. Two faces that
/// are parallel are reached at the same time, whatever rounding tells.
inline bool is_later(double time, double other, Point motion, double clear) {
  return (time - other) * length_along_axes(motion) > share_of_clear * clear;
}

/// Places two cores, and finds the last face in the way of the first to the second.
/// @param motion of the first (unit: length)
/// @param clear more than what rounding could make of any length
/// @param faces set to the corners of both
void find_entrance(const HullSource (&cores)[2], Point motion, double clear, HullFaces (&faces)[2],
                   Entrance& found);

}  // namespace broadside::detail
