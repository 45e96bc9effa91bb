#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/pair.hpp"
#include "broadside/body/shape.hpp"

namespace broadside::bench {

/// Bodies of one shape each, those that move last, and where these are in each frame.
struct Scene {
  std::string name;
  std::vector<Shape> shapes;              ///< [n], around the body's position; none of them has a hole
  std::vector<Vec2> starts;               ///< [n]
  std::size_t static_count = 0;           ///< bodies that can never move; they come first
  std::size_t first_mover = 0;            ///< those before it are static, or could move but rest
  std::vector<std::vector<Vec2>> frames;  ///< [frames][n - first_mover]
  float usual_size = 0.0F;                ///< the mean size of a body

  [[nodiscard]] std::size_t size() const { return shapes.size(); }
  [[nodiscard]] std::size_t movers() const { return size() - first_mover; }
  /// Tells whether some bodies rest that could move.
  [[nodiscard]] bool rests() const { return static_count < first_mover; }
};

/// The scenes that `make_scene` knows.
[[nodiscard]] std::span<const std::string_view> scene_names();

/// Makes a scene, the same on every machine. @pre the name is one of `scene_names`
[[nodiscard]] Scene make_scene(std::string_view name, std::size_t frames);

/// Returns the corners of a box, counter-clockwise where y points up.
[[nodiscard]] std::array<Vec2, 4> corners_of(const Box& box);

/// What a step told: pairs of bodies, by their places in the scene, in any order.
struct Events {
  std::vector<Pair> begun;
  std::vector<Pair> ended;

  void clear() {
    begun.clear();
    ended.clear();
  }
};

/// Somebody who keeps a world of bodies and tells who touches.
class Contender {
 public:
  Contender() = default;
  virtual ~Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool ours() const { return false; }
  [[nodiscard]] virtual bool takes(const Scene& scene) const = 0;
  /// Returns how far from ours its touching may be (unit: length).
  [[nodiscard]] virtual double tolerance() const { return 0.0; }
  /// Builds the world, steps it at the start until what rests is at rest, and returns what touches; not
  /// timed.
  virtual const Events& load(const Scene& scene) = 0;
  /// Moves the movers and steps the world; timed.
  virtual const Events& step(std::span<const Vec2> positions) = 0;
  /// Returns the bytes held, 0 where it cannot be asked.
  [[nodiscard]] virtual std::size_t bytes() const { return 0; }
};

using Contenders = std::vector<std::unique_ptr<Contender>>;

[[nodiscard]] std::unique_ptr<Contender> make_ours();
/// @param hash its spatial hash instead of its tree
[[nodiscard]] std::unique_ptr<Contender> make_chipmunk(bool hash);
/// @param sensors else its contacts have manifolds, as ours have
[[nodiscard]] std::unique_ptr<Contender> make_box2d(bool sensors);

}  // namespace broadside::bench
