#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "broadside/base/body_id.hpp"
#include "broadside/base/export.h"
#include "broadside/base/manifold.hpp"

namespace broadside::inline v0_2 {

/// Two bodies that touch.
struct BodyContact {
  BodyId a;
  BodyId b;
  Manifold manifold;  ///< normal from a to b; for bodies with several shapes, that of their deepest contact
  /// Time of impact as a fraction of the step: 1, unless the contact was found on the path of a swept body (a
  /// bullet, or, with `Response::bounce`, a body that moves more than a quarter of its size in a step).
  float fraction = 1.0F;
  bool begun = false;           ///< whether they did not touch in the previous step
  float approach_speed = 0.0F;  ///< speed at which they approached along the normal when the contact was
                                ///< found; negative if they separated (unit: length per second)
};

/// Returns the same contact with a and b swapped and the normal reversed.
constexpr BodyContact swapped(const BodyContact& contact) {
  return {contact.b,        contact.a,     swapped(contact.manifold),
          contact.fraction, contact.begun, contact.approach_speed};
}

/// Identifies a listener. No two listeners have the same id, whatever their worlds; the default identifies
/// none.
struct ListenerId {
  std::uint32_t number = 0;

  explicit constexpr operator bool() const { return number != 0; }
  friend constexpr bool operator==(ListenerId a, ListenerId b) = default;
};

/// Why a contact ended.
enum class EndCause : std::uint8_t {
  parted,    ///< one of the bodies moved, or changed its shape
  removed,   ///< one of the bodies was removed; its id is stale
  disabled,  ///< one of the bodies was disabled
  filtered,  ///< a filter, a tag, an ignored pair, the predicate or their types keep them apart
};

/// Returns the cause's name, such as "parted".
[[nodiscard]] BROADSIDE_API std::string_view name(EndCause cause);

/// Two bodies that touched in the previous step and no longer do.
struct ContactEnd {
  BodyId a;
  BodyId b;
  EndCause cause = EndCause::parted;

  friend constexpr bool operator==(const ContactEnd& a, const ContactEnd& b) = default;
};

class World;

/// A view of contacts in a world's last step, ascending by (a, b). It stays valid until the next step, even
/// if the world is moved meanwhile.
class BROADSIDE_API ContactRange {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = BodyContact;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = BodyContact;

    Iterator() = default;
    Iterator(const ContactRange* range, std::size_t at) : range_(range), at_(at) {}
    BodyContact operator*() const { return (*range_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return {range_, at_++}; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const ContactRange* range_ = nullptr;
    std::size_t at_ = 0;
  };

  [[nodiscard]] std::size_t size() const { return kind_ == Kind::all ? size_ : indices_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// @pre i < size()
  [[nodiscard]] BodyContact operator[](std::size_t i) const;
  [[nodiscard]] Iterator begin() const { return {this, 0}; }
  [[nodiscard]] Iterator end() const { return {this, size()}; }

 private:
  friend class World;
  enum class Kind : std::uint8_t { all, begun, stayed };
  ContactRange(const void* state, std::size_t size) : state_(state), size_(size) {}
  ContactRange(const void* state, Kind kind, std::span<const std::uint32_t> indices)
      : state_(state), kind_(kind), indices_(indices) {}

  const void* state_;  ///< of the world, as `World::State`
  Kind kind_ = Kind::all;
  std::span<const std::uint32_t> indices_ = {};  ///< of contacts; unused for `all`
  std::size_t size_ = 0;                         ///< for `all`
};

}  // namespace broadside::inline v0_2
