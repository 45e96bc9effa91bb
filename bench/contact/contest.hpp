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

/// The functions to compare. `area` is `overlap` of mask_overlap.hpp: the first touching pixel and common
/// area.
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

  /// Returns a name such as "circle-box" or "ray-box".
  [[nodiscard]] std::string pairing() const;
};

/// Two shapes, and for casts and rays the motion of the first one.
struct Case {
  Shape a;
  Transform at_a;
  Shape b;
  Transform at_b;
  Vec2 motion;
};

/// Makes random cases [n] of a row, the same on every machine. In half of them the shapes touch (or are hit),
/// with a depth of at most 0.3 for convex shapes of sizes from 0.5 to 4; in the others only the boxes overlap
/// (or the path passes nearby). Opposite masks, shapes are ten times as large, and scale with the sprites.
[[nodiscard]] std::vector<Case> make_cases(const Row& row, std::size_t count);

/// The answer of a contender.
struct Answer {
  bool touching = false;  ///< or hit
  float value = 0.0F;  ///< distance, time, or area; for `collide` the deepest separation, or NaN if unknown
};

/// A library that tests two shapes.
class Contender {
 public:
  Contender() = default;
  virtual ~Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool takes(const Row& row) const = 0;
  /// Returns by how much its decision about contact may differ from ours (unit: length).
  [[nodiscard]] virtual float tolerance(const Row& row) const = 0;
  /// Loads the shapes and their transforms; not timed.
  virtual void load(const Row& row, std::span<const Case> cases) = 0;
  /// Answers all cases in the given order; the answer of case i goes to `answers[i]`; timed.
  virtual void run(std::span<const std::uint32_t> order, std::span<Answer> answers) = 0;
};

using Contenders = std::vector<std::unique_ptr<Contender>>;

[[nodiscard]] std::unique_ptr<Contender> make_ours();
[[nodiscard]] std::unique_ptr<Contender> make_chipmunk();
/// @param in_world `collide` computes the world manifold, as ours does; otherwise only the local one
[[nodiscard]] std::unique_ptr<Contender> make_box2d(bool in_world);
[[nodiscard]] std::unique_ptr<Contender> make_box2d_v3();
[[nodiscard]] std::unique_ptr<Contender> make_per_pixel();

/// Returns whether a peer's answer agrees with ours within `tolerance`.
///
/// "Touching" is wrong only if our gap is larger than the tolerance, and "apart" only if our depth is. For
/// casts, the shapes are tested at both times, and on the paths before them.
[[nodiscard]] bool agrees(const Row& row, const Case& one, const Answer& ours, const Answer& peer,
                          float tolerance);

/// Returns a case and two answers as one line of text.
[[nodiscard]] std::string describe(const Case& one, const Answer& ours, const Answer& peer);

}  // namespace broadside::bench
