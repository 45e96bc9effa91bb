#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/body_type.hpp"
#include "broadside/base/filter.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/scene/box_list.hpp"
#include "broadside/scene/scene.hpp"
#include "broadside/scene/trace.hpp"

namespace broadside {

/// Shapes and their boxes that change from step to step, whatever they come from: a scene that runs, a
/// recorded trace, a list of boxes.
///
///     while (frames.advance()) {
///       ... find the pairs of frames.boxes(), and their contacts by frames.shapes() and transforms() ...
///       frames.respond(contacts);
///     }
class Frames {
 public:
  virtual ~Frames() = default;
  Frames(const Frames&) = delete;
  Frames& operator=(const Frames&) = delete;

  /// Goes to the next step, at first to step 0; false when there is none.
  bool advance();

  /// Goes back to before step 0.
  void rewind();

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::size_t step_count() const = 0;
  /// Asks for that many steps, before the first. A scene runs as long as it is told; recorded boxes end when
  /// they end.
  virtual void limit_steps(std::size_t steps) = 0;
  /// Returns the boxes [n] of this step. Their number never changes.
  [[nodiscard]] std::span<const Aabb> boxes() const { return boxes_; }
  /// Returns the shapes [n] of this step. What was recorded as a box is a box, rounded outwards where its
  /// half is no float: those that touch as boxes touch as shapes.
  [[nodiscard]] virtual std::span<const Shape> shapes() const = 0;
  /// Returns where the shapes [n] of this step stand.
  [[nodiscard]] virtual std::span<const Transform> transforms() const = 0;
  /// Returns the places of the boxes that differ from the step before; all of them at step 0.
  [[nodiscard]] std::span<const BoxIndex> changed() const { return changed_; }
  [[nodiscard]] virtual std::span<const BodyType> types() const = 0;

  /// Tells whether a pair counts, beyond what the body types say.
  [[nodiscard]] virtual bool counts(Pair /*pair*/) const { return true; }
  /// Returns the filter that says the same as `counts`, for a world or a broad phase.
  [[nodiscard]] virtual Filter filter(BoxIndex /*box*/) const { return {}; }
  /// Returns what a body is called by rules; empty where it has no such name.
  [[nodiscard]] virtual std::string_view tag(BoxIndex /*box*/) const { return {}; }
  /// Returns how much time a step stands for (unit: second).
  [[nodiscard]] virtual float seconds_per_step() const { return 1.0F / 60.0F; }
  /// Lets the bodies act on what they touch. @pre contacts are sorted by their pairs
  virtual void respond(std::span<const Contact> /*contacts*/) {}

  /// Returns what a box is called in files.
  [[nodiscard]] virtual std::uint64_t id(BoxIndex box) const { return box; }
  /// Returns a colour as "#rrggbb".
  [[nodiscard]] virtual std::string_view color(BoxIndex box) const;
  /// Tells whether y points up, for a picture.
  [[nodiscard]] virtual bool y_is_up() const { return false; }
  /// Returns the part of the world that a picture should show.
  [[nodiscard]] virtual Aabb view() const;

 protected:
  Frames() = default;
  /// Writes the boxes of the step into place.
  virtual void load(std::size_t step, std::vector<Aabb>& boxes) = 0;
  virtual void restart() {}

 private:
  std::size_t next_step_ = 0;
  std::vector<Aabb> boxes_;
  std::vector<Aabb> before_;
  std::vector<BoxIndex> changed_;
};

[[nodiscard]] std::unique_ptr<Frames> make_frames(Scene scene);
[[nodiscard]] std::unique_ptr<Frames> make_frames(Trace trace, std::string name);
[[nodiscard]] std::unique_ptr<Frames> make_frames(BoxList list, std::string name);

/// Opens whatever `input` names: a built-in scene, or a file of any kind that broadside reads ("-" is the
/// standard input). The kind is told by the ending (.json, .csv, .b2tr, .xz), else by the first bytes.
[[nodiscard]] Result<std::unique_ptr<Frames>> open_frames(const std::string& input);

}  // namespace broadside
