#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/bytes.hpp"
#include "base/reserve.hpp"
#include "broadside/base/body_id.hpp"
#include "broadside/base/vec2.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::inline v0_2::detail {

/// The surface that a body stood on.
struct SlideGround {
  BodyId body;
  Transform at;  ///< of the ground
  Vec2 normal;   ///< outward unit normal of the ground (world)

  friend bool operator==(const SlideGround&, const SlideGround&) = default;
};

/// The state of a body at the end of a call of `World::move_and_slide`.
struct SlideRecord {
  BodyId body;
  Transform at;
  Vec2 remainder;  ///< exact position minus the rounded one (unit: length)
  std::optional<SlideGround> ground = {};
  bool is_dirty = false;             ///< the next step reports the ground as a contact
  std::vector<BodyId> crossed = {};  ///< bodies that it was passing through, ascending

  friend bool operator==(const SlideRecord&, const SlideRecord&) = default;
};

void put(ByteWriter& out, const SlideRecord& record);
/// Reads a record of a body of `world`, which has `places` places.
[[nodiscard]] SlideRecord take_slide_record(ByteReader& in, std::uint32_t world, std::size_t places);

/// Keeps the latest `SlideRecord` of each body that `World::move_and_slide` moved.
class SlideMemory {
 public:
  /// Returns the record of the body at a place, or null. Valid until the next change.
  [[nodiscard]] const SlideRecord* find(std::uint32_t place) const;
  /// Reserves memory, so that the next `set` cannot fail.
  void reserve_one() { reserve(records_, records_.size() + 1); }
  void set(SlideRecord&& record);
  void forget(std::uint32_t place);
  /// Notes that a step has reported the ground of all bodies.
  void set_reported();

  [[nodiscard]] const std::vector<SlideRecord>& records() const { return records_; }
  void write(ByteWriter& out) const;
  /// Reads what `write` wrote. Invalid data makes the reader fail.
  void read(ByteReader& in, std::uint32_t world, std::size_t places);
  [[nodiscard]] std::size_t bytes() const;

 private:
  std::vector<SlideRecord> records_;  ///< ascending by place
};

}  // namespace broadside::inline v0_2::detail
