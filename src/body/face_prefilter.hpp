#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/four_floats.hpp"
#include "base/rounding.hpp"
#include "base/tolerances.hpp"
#include "body/convex.hpp"
#include "body/prefetch.hpp"
#include "broadside/base/bit_cast.hpp"

namespace broadside::inline v0_2::detail {

/// Finds candidate faces of a polygon, by their index: correct up to rounding in float.
///
/// Processes eight faces at a time, as a branch on their number would be unpredictable. The index of a face
/// replaces the last bits of the compared number, which are not significant. Inline in a header, as a call
/// would be a good part of its time.
struct FacePrefilter {
  struct Place {
    std::size_t face;  ///< that the point is furthest in front of or, if inside, least behind
    double apart;      ///< lower bound of the distance of the point in front of it; negative if unknown
    bool is_inside;    ///< the point is certainly behind all faces, and clearly nearest to this one
  };
  /// Returns the face of a point (local), and bounds on where the point lies.
  [[nodiscard]] static Place place(const Polygon& shape, Point point) {
    constexpr auto share = static_cast<float>(
        128.0 * epsilon_of_float);        // of the numbers: more than all rounding errors together
    constexpr float min_margin = 1e-36F;  // covers rounding to the smallest float
    constexpr float max_margin = 1e25F;   // limit of the margin: beyond it, numbers may overflow
    const auto& faces = PolygonAccess::data(shape);
    // Branch-free, and NaN stays NaN: the margin below is not small then.
    constexpr double largest_float = std::numeric_limits<float>::max();
    const auto x = static_cast<float>(std::clamp(point.x, -largest_float, largest_float));
    const auto y = static_cast<float>(std::clamp(point.y, -largest_float, largest_float));
    Prefetch::around(shape);
    const FourFloats all_x = all_lanes(x);
    const FourFloats all_y = all_lanes(y);
    TwoLargest largest;
    for (std::size_t begin = 0; begin < faces.size; begin += FaceLanes::size) {
      const FaceLanes& lines = faces.faces[begin / FaceLanes::size];
      for (std::size_t k = 0; k < FaceLanes::size; k += lanes) {
        largest.take(load(&lines.x[k]) * all_x + load(&lines.y[k]) * all_y - load(&lines.offset[k]));
      }
    }
    const float margin = share * ((std::fabs(x) + std::fabs(y)) + faces.largest) + min_margin;
    const auto [first, second] = largest.of_all();
    const bool is_small = margin < max_margin;
    return {Largest::face_of(first), static_cast<double>(is_small ? first - margin : -1.0F),
            is_small && first < -margin && second < first - 4.0F * margin};
  }

  struct Entry {
    std::size_t face;
    double reach;  ///< the largest absolute coordinate of the polygon: exact
  };
  /// Returns the face, moved outward by `radius`, that a ray (local) crosses inward last, if it crosses any.
  [[nodiscard]] static Entry entry(const Polygon& shape, Point start, Point motion, double radius) {
    const auto& faces = PolygonAccess::data(shape);
    const FourFloats x = all_lanes(to_float(start.x));
    const FourFloats y = all_lanes(to_float(start.y));
    const FourFloats back_x = all_lanes(-to_float(motion.x));
    const FourFloats back_y = all_lanes(-to_float(motion.y));
    const FourFloats moved = all_lanes(to_float(radius));
    const FourFloats one = all_lanes(1.0F);
    Largest largest;
    for (std::size_t begin = 0; begin < faces.size; begin += FaceLanes::size) {
      const FaceLanes& lines = faces.faces[begin / FaceLanes::size];
      for (std::size_t k = 0; k < FaceLanes::size; k += lanes) {
        const FourFloats line_x = load(&lines.x[k]);
        const FourFloats line_y = load(&lines.y[k]);
        const FourFloats out = line_x * x + line_y * y - load(&lines.offset[k]) - moved;
        const FourFloats rate = line_x * back_x + line_y * back_y;
        const FourInts inward = rate > all_lanes(0.0F);
        const FourFloats time = out / select_lanes(inward, rate, one);
        largest.take(select_lanes(inward, time, all_lanes(-1.0F)));
      }
    }
    return {largest.face(), static_cast<double>(faces.largest)};
  }

  /// Returns the largest absolute coordinate of all corners.
  [[nodiscard]] static float largest(const Polygon& shape) { return PolygonAccess::data(shape).largest; }

  /// Returns four consecutive corners of a polygon (local): the face is between the middle two.
  [[nodiscard]] static const std::array<double, 2>* corners_around(const Polygon& shape, std::size_t face) {
    return &PolygonAccess::data(shape).around[face];
  }

 private:
  static constexpr std::size_t lanes = sizeof(FourFloats) / sizeof(float);

  static FourFloats larger(FourFloats a, FourFloats b) { return select_lanes(a > b, a, b); }
  static FourFloats lesser(FourFloats a, FourFloats b) { return select_lanes(a > b, b, a); }
  static FourFloats load(const float* from) {
    FourFloats loaded;
    std::memcpy(&loaded, from, sizeof loaded);
    return loaded;
  }

  /// The largest number of all faces so far, if that is positive, else 0 and face 0. A NaN never wins, unless
  /// it comes first.
  struct Largest {
    static constexpr std::int32_t face_number = 15;
    static_assert(Polygon::max_vertices == face_number + 1);

    void take(FourFloats numbers) {
      const FourFloats keys = with_faces(numbers, faces);
      best = larger(keys, best);
      faces = faces + all_lanes(static_cast<std::int32_t>(lanes));
    }
    static FourFloats with_faces(FourFloats numbers, FourInts faces) {
      const FourInts bits = detail::bit_cast<FourInts>(numbers) & all_lanes(~face_number);
      return detail::bit_cast<FourFloats>(bits | faces);
    }
    static std::size_t face_of(float key) {
      return static_cast<std::size_t>(detail::bit_cast<std::int32_t>(key) & face_number);
    }

    // Reduced in the register: scalar code would branch on which is larger, which is unpredictable.
    [[nodiscard]] float of_all() const {
      const FourFloats of_halves = larger(best, with_halves_swapped(best));
      return larger(of_halves, with_neighbors_swapped(of_halves))[0];
    }
    [[nodiscard]] std::size_t face() const { return face_of(of_all()); }

    FourInts faces{0, 1, 2, 3};
    FourFloats best{};
  };

  /// The two largest numbers of all faces so far, of either sign.
  struct TwoLargest {
    void take(FourFloats numbers) {
      const FourFloats keys = Largest::with_faces(numbers, faces);
      second = larger(second, lesser(first, keys));
      first = larger(first, keys);
      faces = faces + all_lanes(static_cast<std::int32_t>(lanes));
    }

    [[nodiscard]] std::array<float, 2> of_all() const {
      TwoLargest all = *this;
      all.take_in(with_halves_swapped(all.first), with_halves_swapped(all.second));
      all.take_in(with_neighbors_swapped(all.first), with_neighbors_swapped(all.second));
      return {all.first[0], all.second[0]};
    }

    void take_in(FourFloats other_first, FourFloats other_second) {
      second = larger(larger(second, other_second), lesser(first, other_first));
      first = larger(first, other_first);
    }

    FourFloats first = all_lanes(std::numeric_limits<float>::lowest());
    FourFloats second = first;
    FourInts faces{0, 1, 2, 3};
  };
};

}  // namespace broadside::inline v0_2::detail
