#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "broadside/world/world.hpp"

namespace broadside::test {

/// A body that is to be added, which owns what `Body` looks at.
struct NewBody {
  std::vector<Shape> shapes;
  Body rest;
  std::string tag;

  /// Returns it as the library wants it; looks at this.
  [[nodiscard]] Body as_body() const;
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
    set_shape,
    set_enabled,
    set_sensor,
    set_filter,
    set_tag,
    set_ignored,
    set_user_data,
  };
  static constexpr std::uint32_t kinds = 15;

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

/// Whom a listener listens to, and for what.
struct ListenerKind {
  enum class Event : std::uint8_t { contact, begin, end };
  Event event = Event::contact;
  std::string tag_a;
  std::string tag_b;
};

/// One call of a listener.
struct Call {
  std::uint32_t listener = 0;  ///< in the order in which they were added, from 0
  BodyId a;
  BodyId b;
  bool begun = false;
  std::optional<EndCause> cause = {};  ///< of the end of a contact

  friend bool operator==(const Call& a, const Call& b) = default;
};

/// A world as its comments describe it, slow and obvious: everything is looked at, nothing is remembered but
/// what touched in the last step. Shapes are looked at by the functions of contact/collide.hpp, one by one.
/// Bullets and what bodies do when they touch are left out. Speeds are only about right: `motion` is to be
/// set to what the world says after it was found to be near.
class WorldModel {
 public:
  struct OneBody {
    BodyId id;
    BodyType type = BodyType::dynamic;
    std::vector<Shape> shapes;
    Transform at;
    Vec2 velocity;
    std::string tag;
    Filter filter;
    bool sensor = false;
    bool enabled = true;
    std::uint64_t user_data = 0;
  };
  struct Touch {
    BodyId a;
    BodyId b;
    std::vector<Manifold> manifolds;  ///< more than one where several shapes are equally deep
    bool begun = false;
  };
  struct Met {
    BodyId body;
    float time = 0;
  };

  explicit WorldModel(Interest interest) : interest_(interest) {}

  /// Makes a change, or tells why not. `given` is what the world called the bodies that it added.
  ErrorCode make(const Change& change, std::span<const BodyId> given);
  void listen(const ListenerKind& kind) { listeners_.push_back({kind, false}); }
  void stop_listening(std::uint32_t listener) { listeners_.at(listener).removed = true; }
  void set_predicate(std::function<bool(BodyId, BodyId)> predicate) { predicate_ = std::move(predicate); }

  void detect();
  void tell(const std::function<void(const Call&)>& call);
  void integrate(Vec2 gravity, float seconds);

  [[nodiscard]] std::vector<BodyId> bodies() const;
  /// Returns null where there is no such body.
  [[nodiscard]] const OneBody* find(BodyId id) const;
  OneBody& at(BodyId id) { return bodies_.at(id.index); }
  [[nodiscard]] const std::vector<Touch>& touches() const { return touches_; }
  [[nodiscard]] const std::vector<ContactEnd>& ends() const { return ends_; }
  /// Tells whether something keeps two bodies apart, wherever they are.
  [[nodiscard]] bool may_touch(const OneBody& a, const OneBody& b) const;
  [[nodiscard]] bool overlaps_now(const OneBody& a, const OneBody& b) const;
  [[nodiscard]] std::size_t listeners() const { return listeners_.size(); }

  using Test = std::function<bool(const Shape&, const Transform&)>;
  using Time = std::function<std::optional<float>(const Shape&, const Transform&)>;
  [[nodiscard]] std::vector<BodyId> find_all(const QueryFilter& filter, const Test& test) const;
  /// Returns the bodies for which `time` is something, by (the least of that, body).
  [[nodiscard]] std::vector<Met> find_in_order(const QueryFilter& filter, const Time& time) const;

 private:
  struct Listener {
    ListenerKind kind;
    bool removed = false;
  };
  struct Ended {
    std::string tag_a;
    std::string tag_b;
  };

  [[nodiscard]] ErrorCode check(BodyId id) const;
  ErrorCode add(std::span<const NewBody> added, std::span<const BodyId> given);
  ErrorCode make_on_body(const Change& change);
  ErrorCode move_many(const Change& change);
  [[nodiscard]] bool is_asked_for(const OneBody& body, const QueryFilter& query) const;
  [[nodiscard]] bool cares(const OneBody& a, const OneBody& b) const;
  [[nodiscard]] EndCause cause_of_end(BodyId a, BodyId b) const;

  Interest interest_;
  std::map<std::uint32_t, OneBody> bodies_;  ///< by index
  std::map<BodyId, std::string> tags_of_removed_;
  std::set<std::pair<BodyId, BodyId>> ignored_;
  std::set<BodyId> ever_;
  std::vector<Listener> listeners_;
  std::function<bool(BodyId, BodyId)> predicate_;
  std::vector<Touch> touches_;
  std::vector<ContactEnd> ends_;
  std::vector<Ended> end_tags_;
  std::uint32_t world_ = 0;
  float last_seconds_ = 1.0F / 60;
};

/// Tells whether two manifolds are the same in all that is in use.
bool same(const Manifold& a, const Manifold& b);

}  // namespace broadside::test
