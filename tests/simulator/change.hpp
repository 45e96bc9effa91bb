#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "broadside/world/world.hpp"

namespace broadside::test::simulator {

/// A body to add.
struct NewBody {
  std::vector<Shape> shapes;
  BodyDef rest;
  std::string tag;

  [[nodiscard]] BodyDef as_body() const;
};

/// One call that changes a world.
struct Change {
  enum class Kind : std::uint8_t {
    add,
    add_many,
    remove,
    move,
    move_many,
    teleport,
    push,
    set_velocity,
    set_acceleration,
    set_gravity,
    set_shape,
    set_enabled,
    set_sensor,
    set_bullet,
    set_filter,
    set_tag,
    set_ignored,
    set_user_data,
    skip_response,
  };
  static constexpr std::uint32_t kinds = 19;

  Kind kind = Kind::add;
  BodyId a = {};
  BodyId b = {};
  bool flag = false;
  Transform at = {};
  Vec2 way = {};
  Shape shape = {};
  Filter filter = {};
  std::string tag = {};
  std::vector<NewBody> bodies = {};
};

/// Makes a change to a world; appends the ids of added bodies to `given`, which must have space for them.
ErrorCode make(World& world, const Change& change, std::vector<BodyId>& given);

/// Returns a description of the change: its kind, body and numbers.
std::string to_text(const Change& change);
std::string to_text(BodyId id);

/// The event and the tags of a listener.
struct ListenerKind {
  enum class Event : std::uint8_t { contact, begin, stay, end };
  Event event = Event::contact;
  std::string tag_a;
  std::string tag_b;
};

/// One call of a listener.
struct Call {
  std::uint32_t listener = 0;  ///< index in the order of adding, from 0
  BodyId a;
  BodyId b;
  bool begun = false;
  std::optional<EndCause> cause = {};  ///< only for the end of a contact

  friend bool operator==(const Call& a, const Call& b) = default;
};

}  // namespace broadside::test::simulator
