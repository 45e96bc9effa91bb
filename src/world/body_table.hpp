#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/reserve.hpp"
#include "broadside/base/body_id.hpp"
#include "broadside/base/body_type.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/world/body_def.hpp"

namespace broadside::inline v0_2 {

/// The bodies of a world: their ids, shapes, transforms and properties.
///
/// All arrays are indexed by *place*: the index of a shape's box in the broad phase. The place of its first
/// shape identifies a body. Its further shapes are *parts* with places of their own, and `owner` maps them to
/// the body. While each body has one shape, as in most worlds, there is no table of parts.
///
///     place        0       1       2       3
///     shape     circle    box    circle   box
///     owner        0       1       1       3        bodies 0, 1 (two shapes) and 3
class BodyTable {
 public:
  using Place = BoxIndex;
  static constexpr Place none = ~Place{0};

  /// Properties that are fixed or rarely change.
  struct Slot {
    BodyType type = BodyType::dynamic;
    bool used = false;          ///< the place has a shape
    bool retired = false;       ///< all generations of the place were used: it is not reused
    bool is_part = false;       ///< a further shape of a body
    bool has_own_mass = false;  ///< the caller gave the mass
    bool enabled = true;
    bool sensor = false;
    bool bullet = false;
    std::uint32_t tag = 0;     ///< number of the tag in the world
    std::uint32_t filter = 0;  ///< number of the filter in the world

    friend bool operator==(const Slot& a, const Slot& b) = default;
  };
  /// Returns the slot of a place without a shape.
  [[nodiscard]] static Slot free_slot(bool is_retired) {
    return {.retired = is_retired, .enabled = !is_retired};
  }

  /// @param world the number of the world in the ids of its bodies
  explicit BodyTable(std::uint32_t world) : world_(world) {}

  // Ids.

  [[nodiscard]] std::uint32_t world() const { return world_; }
  /// Returns the number of bodies.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Returns the number of places, used and free.
  [[nodiscard]] std::size_t places() const { return slots_.size(); }
  /// Returns the number of places for which all arrays have memory.
  [[nodiscard]] std::size_t capacity() const { return slots_.capacity(); }
  /// Returns the number of shapes of bodies that are not static.
  [[nodiscard]] std::size_t moving_shapes() const { return moving_shapes_; }
  /// Returns the free places, the next one to be used last.
  [[nodiscard]] std::span<const Place> free_places() const { return free_places_; }
  [[nodiscard]] bool contains(BodyId body) const {
    return body.index < slots_.size() && is_body(body.index) && generations_[body.index] == body.generation &&
           body.world == world_;
  }
  [[nodiscard]] BodyId id(Place place) const { return {place, generations_[place], world_}; }
  [[nodiscard]] std::uint32_t generation(Place place) const { return generations_[place]; }
  [[nodiscard]] bool is_last_generation(Place place) const { return generations_[place] + 1 == 0; }

  // Bodies and their parts.

  /// Tells whether the place has the first shape of a body.
  [[nodiscard]] bool is_body(Place place) const { return slots_[place].used && !slots_[place].is_part; }
  /// Tells whether some body has or had several shapes.
  [[nodiscard]] bool has_parts() const { return !owners_.empty(); }
  /// Returns the body of a shape.
  [[nodiscard]] Place owner(Place place) const { return owners_.empty() ? place : owners_[place]; }
  /// Returns the bodies of two shapes.
  [[nodiscard]] Pair owners(Pair shapes) const { return ordered_pair(owner(shapes.a), owner(shapes.b)); }
  /// Returns the place of the body's next shape, or none.
  [[nodiscard]] Place next_part(Place place) const { return owners_.empty() ? none : next_parts_[place]; }
  template <typename Visit>
  void for_each_body(Visit visit) const {
    for (Place place = 0; place < slots_.size(); ++place) {
      if (is_body(place)) {
        visit(place);
      }
    }
  }
  template <typename Visit>
  void for_each_part(Place body, Visit visit) const {
    for (Place place = body; place != none; place = next_part(place)) {
      visit(place);
    }
  }

  // Properties.

  [[nodiscard]] const Slot& slot(Place place) const { return slots_[place]; }
  [[nodiscard]] const Shape& shape(Place place) const { return shapes_[place]; }
  [[nodiscard]] const Transform& transform(Place place) const { return transforms_[place]; }
  [[nodiscard]] std::span<const Shape> shapes() const { return shapes_; }
  [[nodiscard]] std::span<const Transform> transforms() const { return transforms_; }
  [[nodiscard]] float mass(Place body) const { return masses_[body]; }
  [[nodiscard]] std::uint64_t user_data(Place body) const {
    return body < user_data_.size() ? user_data_[body] : 0;
  }
  /// Returns the box around all shapes of a body.
  [[nodiscard]] Aabb bounds(Place body) const;
  /// Returns the shorter side of the box around a shape, at most the largest float.
  [[nodiscard]] float shorter_side(Place place) const;
  /// Returns an upper bound for the coordinates of all positions.
  [[nodiscard]] float farthest() const { return farthest_; }

  // Changes.

  /// Reserves memory for bodies with `shapes` shapes in total, so that `add` cannot fail.
  void reserve(std::span<const BodyDef> added, std::size_t shapes);
  /// Reserves memory for `places` more free places, so that `remove` cannot fail.
  void reserve_free(std::size_t places) { detail::reserve(free_places_, free_places_.size() + places); }
  /// Adds a body at the places of its shapes in the broad phase.
  void add(const BodyDef& body, const Slot& slot, std::span<const Place> places);
  /// Removes a body: its places become free in the order of its shapes, as in the broad phase.
  void remove(Place body);

  /// Moves all shapes of a body; calls `moved` with the place of each.
  template <typename Moved>
  void set_transform(Place body, const Transform& transform, Moved moved) {
    note_position(transform.position);
    for_each_part(body, [&](Place place) {
      transforms_[place] = transform;
      moved(place);
    });
  }
  void set_shape(Place body, const Shape& shape);
  /// Calls `set` with the slot of each shape of a body.
  template <typename Set>
  void change_slots(Place body, Set set) {
    for_each_part(body, [&](Place place) { set(slots_[place]); });
  }
  void reserve_user_data() { user_data_.reserve(slots_.capacity()); }
  /// @pre memory was reserved
  void set_user_data(Place body, std::uint64_t data);

  // Reading of snapshots, place by place.

  /// What a snapshot stores for a place.
  struct Record {
    Slot slot;
    std::uint32_t generation = 0;
    Shape shape;
    Transform transform;
    float mass = 1.0F;
    std::uint64_t user_data = 0;
  };
  void append(const Record& record);
  /// Sets the free places, the next one last; returns false unless these are exactly the places without a
  /// shape that are not retired, each once.
  [[nodiscard]] bool set_free_places(std::span<const Place> places);
  /// Assigns parts to bodies.
  ///
  /// @param nexts [places] place of the next shape of the same body, or none
  /// @return false unless each part belongs to exactly one body and has its properties
  [[nodiscard]] bool join(std::span<const Place> nexts);
  /// Creates the table of parts.
  void expect_parts();

  [[nodiscard]] std::size_t bytes() const;

 private:
  void free(Place place);
  void take_place(Place place, const Shape& shape, const Transform& transform, const Slot& slot);
  void note_position(Vec2 position) {
    farthest_ = std::max({farthest_, std::abs(position.x), std::abs(position.y)});
  }
  void measure_mass(Place body);
  [[nodiscard]] static bool may_move(const Slot& slot) {
    return slot.used && slot.type != BodyType::static_body;
  }

  std::uint32_t world_;
  std::size_t size_ = 0;
  std::size_t moving_shapes_ = 0;
  float farthest_ = 0.0F;

  // By place.
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> generations_;
  std::vector<Shape> shapes_;
  std::vector<Transform> transforms_;
  std::vector<float> masses_;             ///< of the body, at its first shape
  std::vector<std::uint64_t> user_data_;  ///< may be shorter: the rest have none
  std::vector<Place> owners_;             ///< empty until a body has two shapes
  std::vector<Place> next_parts_;         ///< likewise

  std::vector<Place> free_places_;
};

}  // namespace broadside::inline v0_2
