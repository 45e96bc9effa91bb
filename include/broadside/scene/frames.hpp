#pragma once

#include <cstddef>
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

namespace broadside::inline v0_2 {

/// A source of shapes and boxes that change from step to step.
///
/// The source is a running scene, a recorded trace or a list of boxes.
///
///     while (frames.advance()) {
///       // Find the pairs of frames.boxes(), and their contacts by frames.shapes() and transforms().
///       frames.respond(contacts);
///     }
class Frames {
 public:
  virtual ~Frames() = default;
  Frames(const Frames&) = delete;
  Frames& operator=(const Frames&) = delete;

  /// Advances to the next step, at first to step 0; returns false if there is none.
  bool advance();

  /// Rewinds to before step 0.
  void rewind();

  /// Returns the name of the scene, trace or list, as `printable` returns it.
  [[nodiscard]] virtual std::string name() const = 0;
  /// Returns the number of steps, as recorded or as set by `limit_steps`.
  [[nodiscard]] virtual std::size_t step_count() const = 0;
  /// Sets the number of steps; to be called before the first. Recorded boxes have no more steps than were
  /// recorded.
  virtual void limit_steps(std::size_t steps) = 0;
  /// Returns the boxes [n] of this step. Their number never changes.
  [[nodiscard]] std::span<const Aabb> boxes() const { return boxes_; }
  /// Returns the shapes [n] of this step. A recorded box is a `Box`, rounded outwards if float cannot hold
  /// its half size: boxes that touch are shapes that touch.
  [[nodiscard]] virtual std::span<const Shape> shapes() const = 0;
  /// Returns the transforms [n] of the shapes of this step.
  [[nodiscard]] virtual std::span<const Transform> transforms() const = 0;
  /// Returns the indices of the boxes that differ from the step before; all of them at step 0.
  [[nodiscard]] std::span<const BoxIndex> changed() const { return changed_; }
  /// Returns the types [n] of the bodies.
  [[nodiscard]] virtual std::span<const BodyType> types() const = 0;

  /// Returns whether a pair counts, besides the rules of the body types.
  [[nodiscard]] virtual bool counts(Pair /*pair*/) const { return true; }
  /// Returns the filter that is equivalent to `counts`, for a world or a broad phase.
  [[nodiscard]] virtual Filter filter(BoxIndex /*box*/) const { return {}; }
  /// Returns the tag of a body that rules refer to; empty if it has none.
  [[nodiscard]] virtual std::string_view tag(BoxIndex /*box*/) const { return {}; }
  /// Returns the duration of a step (unit: second).
  [[nodiscard]] virtual float seconds_per_step() const { return 1.0F / 60.0F; }
  /// Lets the bodies respond to their contacts.
  /// @pre `contacts` is sorted by pair
  virtual void respond(std::span<const Contact> /*contacts*/) {}

  /// Returns the id of a box in files.
  [[nodiscard]] virtual std::uint64_t id(BoxIndex box) const { return box; }
  /// Returns a color as "#rrggbb".
  [[nodiscard]] virtual std::string_view color(BoxIndex box) const;
  /// Returns whether y points up in a picture.
  [[nodiscard]] virtual bool y_is_up() const { return false; }
  /// Returns the part of the world that a picture should show.
  [[nodiscard]] virtual Aabb view() const;

 protected:
  Frames() = default;
  /// Writes the boxes of the step to `boxes`.
  virtual void load(std::size_t step, std::vector<Aabb>& boxes) = 0;
  /// Called by `rewind`: returns to the state before step 0.
  virtual void restart() {}

 private:
  std::size_t next_step_ = 0;
  std::vector<Aabb> boxes_;
  std::vector<Aabb> before_;
  std::vector<BoxIndex> changed_;
};

[[nodiscard]] std::unique_ptr<Frames> make_frames(Scene scene);
[[nodiscard]] std::unique_ptr<Frames> make_frames(Trace trace, const std::string& name);
[[nodiscard]] std::unique_ptr<Frames> make_frames(BoxList list, const std::string& name);

/// Repeats the first step of recorded boxes, which move to and fro; for measuring boxes without motion.
///
/// Step 0 has the boxes as recorded. Then a box that is not static moves along a line of random direction, by
/// 5 % of its larger side per step: 5 steps away, back, 5 steps to the opposite side, back, and so on. A
/// point moves by 5 % of the suggested cell size. A box that would leave the range of float stays.
[[nodiscard]] std::unique_ptr<Frames> make_swaying_frames(std::unique_ptr<Frames> recorded,
                                                          std::size_t steps);

/// Opens a built-in scene or a file of any format that broadside reads; "-" is the standard input.
///
/// The extension selects the format (.json, .csv, .b2tr, .xz), otherwise the first bytes.
/// @param origin subtracted from the coordinates of boxes as CSV; other formats are refused with one
[[nodiscard]] Result<std::unique_ptr<Frames>> open_frames(const std::string& input,
                                                          BoxList::Origin origin = {});

}  // namespace broadside::inline v0_2
