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
#include "simulator/change.hpp"
#include "simulator/setting.hpp"
#include "simulator/truth.hpp"

namespace broadside::test::simulator {

/// A slow and simple reference implementation of `World`, written from its documentation: it tests every
/// pair, and keeps only the contacts of the last step.
///
/// It shares no predicate with the library: overlaps are decided in long double (truth.hpp), motion follows
/// the formulas. For gaps as small as rounding, for bullets and for bouncing bodies it takes the answer of
/// the world, and computes the consequences itself. `settle` copies the positions of the world.
class Model {
 public:
  struct OneBody {
    BodyId id;
    BodyType type = BodyType::dynamic;
    std::vector<Shape> shapes;
    Transform at;
    Vec2 velocity;
    Vec2 acceleration;
    std::string tag;
    Filter filter;
    bool sensor = false;
    bool enabled = true;
    bool bullet = false;
    std::uint64_t user_data = 0;
    // Since positions and velocities were last copied from the world:
    TruePoint place;          ///< position by the formulas
    TruePoint speed;          ///< velocity by the formulas
    int roundings = 0;        ///< number of roundings by the world
    long double largest = 0;  ///< largest coordinate on the path
    long double fastest = 0;  ///< largest component of the velocities on the path
    mutable std::vector<Solid> solids = {};
    mutable Transform solids_at = {};
  };
  struct Touch {
    BodyId a;
    BodyId b;
    /// The manifolds that the world may report: one per argument order, more if several shapes are equally
    /// deep. Empty if shapes are apart (`end_margin`, `move_and_slide`) or the model has no manifold.
    std::vector<Manifold> manifolds = {};
    bool begun = false;
    bool is_put = false;  ///< by `move_and_slide`; their types may not touch
    std::optional<Gap> gap = {};
    bool has_depth = false;  ///< the world's separation must equal the gap: convex shapes
  };
  struct Met {
    BodyId body;
    float time = 0;
  };
  /// Returns whether the world reports a contact of two bodies, a < b.
  using Told = std::function<bool(BodyId, BodyId)>;

  explicit Model(const Setting& setting)
      : setting_(setting), options_(setting.options()), gravity_(options_.gravity) {}

  /// Makes a change, or returns the error. `given` holds the ids that the world gave to the added bodies.
  ErrorCode make(const Change& change, std::span<const BodyId> given);
  void listen(const ListenerKind& kind) { listeners_.push_back({kind, false}); }
  void stop_listening(std::uint32_t listener) { listeners_.at(listener).removed = true; }
  void set_predicate(std::function<bool(BodyId, BodyId)> predicate) { predicate_ = std::move(predicate); }

  void detect(const Told& told);
  void dispatch(const std::function<void(const Call&)>& call);
  void integrate(float seconds);
  /// Copies the state of a body from the world; returns a description of a wrong value, or nothing.
  std::string settle(BodyId id, const Transform& at, Vec2 velocity);
  /// Copies the state of a body from the world without a check.
  void place(BodyId id, const Transform& at, Vec2 velocity);
  /// Records the ground that `move_and_slide` found for a body, or none.
  void put_on(BodyId body, std::optional<BodyId> ground);

  [[nodiscard]] std::vector<BodyId> bodies() const;
  /// Returns null if there is no such body.
  [[nodiscard]] const OneBody* find(BodyId id) const;
  [[nodiscard]] const std::vector<Touch>& touches() const { return touches_; }
  [[nodiscard]] const std::vector<ContactEnd>& ends() const { return ends_; }
  /// Returns whether the cause of an end may be `parted` instead of the model's one.
  [[nodiscard]] bool was_put(std::size_t end) const { return end_tags_.at(end).was_put; }
  void accept_cause(std::size_t end, EndCause cause) { ends_.at(end).cause = cause; }
  /// Returns whether filters and types let two bodies touch, regardless of their positions.
  [[nodiscard]] bool may_touch(const OneBody& a, const OneBody& b) const;
  /// Returns whether a body is an obstacle for one that `move_and_slide` moves.
  [[nodiscard]] bool is_obstacle(const OneBody& body, const OneBody& moved) const;
  [[nodiscard]] bool can_hit(const OneBody& body, const QueryFilter& query) const;
  [[nodiscard]] const std::vector<Solid>& solids(const OneBody& body) const;
  [[nodiscard]] std::size_t listeners() const { return listeners_.size(); }
  [[nodiscard]] float last_seconds() const { return last_seconds_; }
  /// Returns an error found in a function without a return value, such as an id given twice; or nothing.
  [[nodiscard]] const std::string& complaint() const { return complaint_; }

  /// Numbers of pairs that touch or may touch, and of those among them that rounding left undecided.
  [[nodiscard]] std::uint64_t decisions() const { return decisions_; }
  [[nodiscard]] std::uint64_t undecided() const { return undecided_; }

  struct Found {
    BodyId body;
    Verdict verdict = Verdict::apart;
  };
  /// Returns the bodies that a query finds or may find, ascending by id.
  [[nodiscard]] std::vector<Found> find_all(const QueryFilter& filter, const Solid& asked) const;
  using Time = std::function<std::optional<float>(const Shape&, const Transform&)>;
  /// Returns the bodies for which `time` returns a value, sorted by (least time, body).
  [[nodiscard]] std::vector<Met> find_in_order(const QueryFilter& filter, const Time& time) const;

 private:
  struct Listener {
    ListenerKind kind;
    bool removed = false;
  };
  struct Ended {
    std::string tag_a;
    std::string tag_b;
    bool was_put = false;
  };
  struct Put {
    BodyId ground;
    Transform at;
  };

  OneBody& at(BodyId id) { return bodies_.at(id.index); }
  [[nodiscard]] ErrorCode check(BodyId id) const;
  [[nodiscard]] ErrorCode check_both(BodyId a, BodyId b) const;
  ErrorCode add(std::span<const NewBody> added, std::span<const BodyId> given);
  ErrorCode make_on_body(const Change& change);
  ErrorCode move_many(const Change& change);
  ErrorCode drive(OneBody& body, const Change& change);
  static void put_at(OneBody& body, const Transform& at);
  [[nodiscard]] bool cares(const OneBody& a, const OneBody& b) const;
  [[nodiscard]] bool is_filtered(const OneBody& a, const OneBody& b) const;
  /// Returns whether the caller excludes a pair: as an ignored pair, or by the predicate.
  [[nodiscard]] bool is_kept_apart(const OneBody& a, const OneBody& b) const;
  [[nodiscard]] bool is_put_on(const OneBody& a, const OneBody& b) const;
  [[nodiscard]] EndCause cause_of_end(const Touch& touch) const;
  [[nodiscard]] std::optional<Touch> touch_of(const OneBody& a, const OneBody& b, bool touched,
                                              const Told& told);
  void list_ends(const std::vector<Touch>& before);

  Setting setting_;
  WorldOptions options_;
  Vec2 gravity_;
  std::map<std::uint32_t, OneBody> bodies_;  ///< by index
  std::map<BodyId, std::string> tags_of_removed_;
  std::set<std::pair<BodyId, BodyId>> ignored_;
  std::map<BodyId, Put> put_;
  std::set<BodyId> ever_;
  std::vector<Listener> listeners_;
  std::function<bool(BodyId, BodyId)> predicate_;
  std::vector<Touch> touches_;
  std::vector<ContactEnd> ends_;
  std::vector<Ended> end_tags_;
  std::uint32_t world_ = 0;
  float last_seconds_ = 1.0F / 60;
  std::string complaint_;
  std::uint64_t decisions_ = 0;
  std::uint64_t undecided_ = 0;
};

/// Returns the deepest separation of a manifold.
float deepest_of(const Manifold& manifold);

/// Returns whether the used parts of two manifolds are equal.
bool same(const Manifold& a, const Manifold& b);

}  // namespace broadside::test::simulator
