#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/body_type.hpp"
#include "broadside/base/export.h"
#include "broadside/base/filter.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/broad_phase/box_kind.hpp"

namespace broadside::inline v0_2 {

namespace detail {
class TrackingTechnique;
}  // namespace detail

/// The boxes of a `BroadPhase`, which a technique reads: their corners, types and filters, by `BoxIndex`.
///
/// The slot of a removed box stays until another box gets its index. Boxes have few different kinds, so the
/// kinds are numbered, and each box has the number of its kind. Groups may be as many as boxes, so each box
/// has its own number for that.
class BROADSIDE_API BoxStore {
 public:
  BoxStore();
  ~BoxStore();
  BoxStore(const BoxStore&) = delete;
  BoxStore& operator=(const BoxStore&) = delete;

  /// Returns the number of boxes.
  [[nodiscard]] std::size_t size() const { return boxes_.size() - free_.size(); }
  /// Returns the number of slots: all indices are below.
  [[nodiscard]] std::size_t slot_count() const { return boxes_.size(); }
  /// Returns how many slots fit before the arrays grow.
  [[nodiscard]] std::size_t capacity() const { return boxes_.capacity(); }

  [[nodiscard]] bool contains(BoxIndex index) const { return index < used_.size() && used_[index] != 0; }
  /// Returns whether a slot holds a box. @pre index < slot_count()
  [[nodiscard]] bool is_used(BoxIndex index) const { return used_[index] != 0; }
  /// @pre index < slot_count(); the same below
  [[nodiscard]] const Aabb& box(BoxIndex index) const { return boxes_[index]; }
  [[nodiscard]] BodyType type(BoxIndex index) const { return types_[index]; }
  /// Returns the number of the box's kind in `kinds`.
  [[nodiscard]] std::uint16_t kind_number(BoxIndex index) const { return kind_numbers_[index]; }

  [[nodiscard]] std::int32_t group(BoxIndex index) const { return groups_.empty() ? 0 : groups_[index]; }
  [[nodiscard]] Filter filter(BoxIndex index) const;

  /// Returns whether the types and the filters let two boxes make a pair.
  [[nodiscard]] bool may_touch(BoxIndex a, BoxIndex b) const {
    return has_filters_ ? filters_allow(a, b) : can_touch(types_[a], types_[b]);
  }

  // The arrays, by slot. Valid until a box is added.

  [[nodiscard]] std::span<const Aabb> boxes() const { return boxes_; }
  [[nodiscard]] std::span<const unsigned char> used() const { return used_; }  ///< 1 for a box, 0 for none
  [[nodiscard]] std::span<const std::uint16_t> kind_numbers() const { return kind_numbers_; }
  [[nodiscard]] std::span<const std::int32_t> groups() const {
    return groups_;
  }  ///< none if no box has had one

  /// Visits the indices of all boxes, ascending.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (BoxIndex index = 0; index < used_.size(); ++index) {
      if (used_[index] != 0) {
        visit(index);
      }
    }
  }
  /// Appends the boxes that overlap an area, ascending; tests all boxes.
  void append_overlapping(const Aabb& area, std::vector<BoxIndex>& hits) const;

  /// Returns all kinds by number, unused ones included. Their filters have group 1 for any group above 0, and
  /// 0 for any other: if two kinds may touch, then some of their boxes may, depending on `groups`.
  [[nodiscard]] std::span<const BoxKind> kinds() const;
  /// Returns whether some box has or had a filter other than the default.
  [[nodiscard]] bool has_filters() const { return has_filters_; }
  /// Returns whether some kinematic box has or had the default filter.
  [[nodiscard]] bool has_plain_kinematic() const { return has_plain_kinematic_; }

  /// Returns the memory in use (unit: byte).
  [[nodiscard]] std::size_t bytes() const;

 private:
  friend class BroadPhase;
  friend class detail::TrackingTechnique;

  struct Kinds;
  static constexpr std::uint16_t plain_kinds = 3;  ///< one for each type, with the default filter

  /// What is stored of a kind for each box.
  struct KindAndGroup {
    std::uint16_t kind = 0;
    std::int32_t group = 0;

    friend bool operator==(const KindAndGroup& a, const KindAndGroup& b) = default;
  };

  /// The number of a kind with a filter. It is reused if it belonged to another kind before.
  struct NumberedKind {
    std::uint16_t number = 0;
    bool is_reused = false;
  };
  /// Returns a kind as it is in `kinds`.
  [[nodiscard]] static BoxKind without_group(BoxKind kind);
  /// Adds a use of a kind, or refuses one too many. @pre it is as in `kinds`, and the filter is not the
  /// default
  Result<NumberedKind> use_kind(const BoxKind& kind);
  void release_kind(std::uint16_t number);

  /// Reserves memory, so that `add` and `set_kind` do not allocate.
  /// @param any_group some of the new boxes have a group
  void reserve(std::size_t more, bool any_group);
  BoxIndex add(const Aabb& box, KindAndGroup kind);
  /// Sets the kind of a box and counts its use. Release the old kind before.
  void set_kind(BoxIndex index, KindAndGroup kind);
  /// Marks the slot of a box as used or unused; its box and kind stay.
  void set_used(BoxIndex index, bool used) { used_[index] = used ? 1 : 0; }
  /// Reserves memory, so that `free` does not allocate.
  void reserve_free(std::size_t more);
  void free(BoxIndex index);
  [[nodiscard]] std::span<Aabb> boxes_to_change() { return boxes_; }
  [[nodiscard]] bool filters_allow(BoxIndex a, BoxIndex b) const;

  /// Checks that each index names a box, and that none occurs twice. Costs O(m) and allocates nothing.
  [[nodiscard]] Error check_unique(std::span<const BoxIndex> indices, std::string_view call);
  [[nodiscard]] static Error stale(BoxIndex index);

  std::vector<Aabb> boxes_;
  std::vector<BodyType> types_;
  std::vector<unsigned char> used_;
  std::vector<std::uint16_t> kind_numbers_;  ///< [slots]
  std::vector<std::int32_t> groups_;         ///< [slots] or more, once some box has a group
  std::unique_ptr<Kinds> kinds_;
  bool has_filters_ = false;
  bool has_plain_kinematic_ = false;
  std::vector<BoxIndex> free_;
};

}  // namespace broadside::inline v0_2
