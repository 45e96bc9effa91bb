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

/// Bodies of one shape each, the movers last, and the positions of the movers in each frame.
struct Scene {
  std::string name;
  std::vector<Shape> shapes;              ///< [n], around the body's position; without holes
  std::vector<Vec2> starts;               ///< [n]
  std::size_t static_count = 0;           ///< bodies that can never move; they come first
  std::size_t first_mover = 0;            ///< earlier bodies are static or at rest
  std::vector<std::vector<Vec2>> frames;  ///< [frames][n - first_mover]
  float usual_size = 0.0F;                ///< the mean size of a body

  [[nodiscard]] std::size_t size() const { return shapes.size(); }
  [[nodiscard]] std::size_t movers() const { return size() - first_mover; }
  /// Returns whether some bodies could move but rest.
  [[nodiscard]] bool rests() const { return static_count < first_mover; }
};

/// Returns the names of the scenes of `make_scene`.
[[nodiscard]] std::span<const std::string_view> scene_names();

/// Makes a scene, the same on every machine. @pre the name is one of `scene_names`
[[nodiscard]] Scene make_scene(std::string_view name, std::size_t frames);

/// Returns the corners of a box, counter-clockwise where y points up.
[[nodiscard]] std::array<Vec2, 4> corners_of(const Box& box);

/// The events of a step: pairs of bodies by their indices in the scene, in any order.
struct Events {
  std::vector<Pair> begun;
  std::vector<Pair> ended;

  void clear() {
    begun.clear();
    ended.clear();
  }
};

/// A library with a world of bodies that reports contacts.
class Contender {
 public:
  Contender() = default;
  virtual ~Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool ours() const { return false; }
  [[nodiscard]] virtual bool takes(const Scene& scene) const = 0;
  /// Returns by how much its decision about contact may differ from ours (unit: length).
  [[nodiscard]] virtual double tolerance() const { return 0.0; }
  /// Builds the world, steps it until resting bodies are at rest, and returns the contacts; not timed.
  virtual const Events& load(const Scene& scene) = 0;
  /// Moves the movers and steps the world; timed.
  virtual const Events& step(std::span<const Vec2> positions) = 0;
  /// Returns the memory in use (unit: byte); 0 if unknown.
  [[nodiscard]] virtual std::size_t bytes() const { return 0; }
};

using Contenders = std::vector<std::unique_ptr<Contender>>;

[[nodiscard]] std::unique_ptr<Contender> make_ours();
/// @param hash use its spatial hash instead of its tree
[[nodiscard]] std::unique_ptr<Contender> make_chipmunk(bool hash);
/// @param sensors use sensors; otherwise its contacts have manifolds, like ours
[[nodiscard]] std::unique_ptr<Contender> make_box2d(bool sensors);
[[nodiscard]] std::unique_ptr<Contender> make_box2d_v3();

}  // namespace broadside::bench
