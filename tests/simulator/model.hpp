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

/// A world as its comments describe it, slow and obvious: every pair is looked at, and only the contacts of
/// the last step are kept.
///
/// It shares no predicate with the library: overlaps are decided in long double (truth.hpp), motion by the
/// formulas. Where the true gap is as small as rounding, and for bullets and bouncing bodies, it asks what
/// the world found; everything that follows from that it computes. `settle` gives it the world's places.
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
    // Since places and velocities were last taken over from the world:
    TruePoint place;          ///< where the formulas put it
    TruePoint speed;          ///< what they make of its velocity
    int roundings = 0;        ///< how often the world rounded either
    long double largest = 0;  ///< coordinate on the way
    mutable std::vector<Solid> solids = {};
    mutable Transform solids_at = {};
  };
  struct Touch {
    BodyId a;
    BodyId b;
    /// What the world may report: both ways round, more where several shapes are equally deep. Empty where
    /// shapes are apart (`end_margin`, `move_and_slide`) or the model does not know where they met.
    std::vector<Manifold> manifolds = {};
    bool begun = false;
    bool is_put = false;  ///< by `move_and_slide`; their types may be no pair
    std::optional<Gap> gap = {};
    bool has_depth = false;  ///< the world's separation is the gap: of convex shapes
  };
  struct Met {
    BodyId body;
    float time = 0;
  };
  /// Tells whether the world reports a contact of two bodies, a < b.
  using Told = std::function<bool(BodyId, BodyId)>;

  explicit Model(const Setting& setting)
      : setting_(setting), options_(setting.options()), gravity_(options_.gravity) {}

  /// Makes a change, or tells why not. `given` is what the world called the bodies that it added.
  ErrorCode make(const Change& change, std::span<const BodyId> given);
  void listen(const ListenerKind& kind) { listeners_.push_back({kind, false}); }
  void stop_listening(std::uint32_t listener) { listeners_.at(listener).removed = true; }
  void set_predicate(std::function<bool(BodyId, BodyId)> predicate) { predicate_ = std::move(predicate); }

  void detect(const Told& told);
  void dispatch(const std::function<void(const Call&)>& call);
  void integrate(float seconds);
  /// Puts a body where the world has it; returns what is wrong with that, or nothing.
  std::string settle(BodyId id, const Transform& at, Vec2 velocity);
  /// Takes over where the world has a body.
  void place(BodyId id, const Transform& at, Vec2 velocity);
  /// Notes that `move_and_slide` put a body on another, or on nothing.
  void put_on(BodyId body, std::optional<BodyId> ground);

  [[nodiscard]] std::vector<BodyId> bodies() const;
  /// Returns null where there is no such body.
  [[nodiscard]] const OneBody* find(BodyId id) const;
  [[nodiscard]] const std::vector<Touch>& touches() const { return touches_; }
  [[nodiscard]] const std::vector<ContactEnd>& ends() const { return ends_; }
  /// Tells whether an end may have `parted` for a cause besides the one given.
  [[nodiscard]] bool was_put(std::size_t end) const { return end_tags_.at(end).was_put; }
  void accept_cause(std::size_t end, EndCause cause) { ends_.at(end).cause = cause; }
  /// Tells whether filters and types let two bodies touch, wherever they are.
  [[nodiscard]] bool may_touch(const OneBody& a, const OneBody& b) const;
  /// Tells whether a body is in the way of one that `move_and_slide` moves.
  [[nodiscard]] bool is_obstacle(const OneBody& body, const OneBody& moved) const;
  [[nodiscard]] bool can_hit(const OneBody& body, const QueryFilter& query) const;
  [[nodiscard]] const std::vector<Solid>& solids(const OneBody& body) const;
  [[nodiscard]] std::size_t listeners() const { return listeners_.size(); }
  [[nodiscard]] float last_seconds() const { return last_seconds_; }
  /// Tells whether something was found wrong where nothing could be returned, such as an id given twice.
  [[nodiscard]] const std::string& complaint() const { return complaint_; }

  /// Pairs that touch or may touch, and how many of them rounding kept from being decided.
  [[nodiscard]] std::uint64_t decisions() const { return decisions_; }
  [[nodiscard]] std::uint64_t undecided() const { return undecided_; }

  struct Found {
    BodyId body;
    Verdict verdict = Verdict::apart;
  };
  /// Returns the bodies that a query may find, ascending, those that are apart left out.
  [[nodiscard]] std::vector<Found> find_all(const QueryFilter& filter, const Solid& asked) const;
  using Time = std::function<std::optional<float>(const Shape&, const Transform&)>;
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
  /// Tells whether the caller keeps two bodies apart: by a pair that is ignored, or by the predicate.
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

/// Tells whether two manifolds are the same in all that is in use.
bool same(const Manifold& a, const Manifold& b);

}  // namespace broadside::test::simulator
