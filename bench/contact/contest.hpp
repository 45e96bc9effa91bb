#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::bench {

enum class Kind : std::uint8_t { circle, box, capsule, segment, polygon, rounded, mask };
inline constexpr std::array<std::string_view, 7> kind_names = {"circle",  "box",     "capsule", "segment",
                                                               "polygon", "rounded", "mask"};

/// What is asked. `area` is `overlap` of mask_overlap.hpp: the first touching pixel and the common area.
enum class Function : std::uint8_t { overlaps, collide, distance, cast, cast_ray, area };
inline constexpr std::array<std::string_view, 6> function_names = {"overlaps", "collide",  "distance",
                                                                   "cast",     "cast_ray", "area"};

[[nodiscard]] constexpr std::string_view name_of(Kind kind) {
  return kind_names[static_cast<std::size_t>(kind)];
}
[[nodiscard]] constexpr std::string_view name_of(Function function) {
  return function_names[static_cast<std::size_t>(function)];
}

inline constexpr std::uint32_t usual_sprite_side = 64;

/// One row of the table. For `cast_ray` the ray is a circle of radius 0 in `a`, and the shape is `b`.
struct Row {
  Function function = Function::overlaps;
  Kind a = Kind::circle;
  Kind b = Kind::circle;
  std::uint32_t sprite_side = usual_sprite_side;  ///< columns and rows of masks

  /// Returns such as "circle-box", or "ray-box".
  [[nodiscard]] std::string pairing() const;
};

/// Two shapes, and how the first one moves where that is asked.
struct Case {
  Shape a;
  Transform at_a;
  Shape b;
  Transform at_b;
  Vec2 motion;
};

/// Makes random cases [n] of a row, the same on every machine. Half of them touch (or are hit), to a depth of
/// 0.3 at most for convex shapes of sizes from 0.5 to 4; of the others the boxes overlap (or the path comes
/// by). Against masks the others are ten times as large, and grow as the sprites do.
[[nodiscard]] std::vector<Case> make_cases(const Row& row, std::size_t count);

/// What a contender found.
struct Answer {
  bool touching = false;  ///< or hit
  float value =
      0.0F;  ///< distance, time, or area; of `collide` the deepest separation, NaN where it is not said
};

/// Somebody who looks at two shapes.
class Contender {
 public:
  Contender() = default;
  virtual ~Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool takes(const Row& row) const = 0;
  /// Returns how far from ours its touching may be (unit: length).
  [[nodiscard]] virtual float tolerance(const Row& row) const = 0;
  /// Takes in the shapes and where they stand; not timed.
  virtual void load(const Row& row, std::span<const Case> cases) = 0;
  /// Answers all cases in the given order, each to its own place; timed.
  virtual void run(std::span<const std::uint32_t> order, std::span<Answer> answers) = 0;
};

using Contenders = std::vector<std::unique_ptr<Contender>>;

[[nodiscard]] std::unique_ptr<Contender> make_ours();
[[nodiscard]] std::unique_ptr<Contender> make_chipmunk();
/// @param in_world `collide` goes on to the manifold in the world, as ours is; else it stops at the local one
[[nodiscard]] std::unique_ptr<Contender> make_box2d(bool in_world);
[[nodiscard]] std::unique_ptr<Contender> make_per_pixel();

/// Tells whether a peer's answer is as good as ours, where shapes may be wrong by `tolerance`.
///
/// Touching is not compared by itself: who says "touching" is wrong only where ours has a gap of more than
/// the tolerance, and who says "apart" where ours has a depth of more. Of paths, the place at the peer's time
/// is judged.
[[nodiscard]] bool agrees(const Row& row, const Case& one, const Answer& ours, const Answer& peer,
                          float tolerance);

/// Returns a case and two answers as one line.
[[nodiscard]] std::string describe(const Case& one, const Answer& ours, const Answer& peer);

}  // namespace broadside::bench
