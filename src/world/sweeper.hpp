#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "body/convex.hpp"
#include "broadside/contact/collide.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "event/contact_log.hpp"
#include "world/body_table.hpp"
#include "world/bytes.hpp"
#include "world/change_list.hpp"
#include "world/motion.hpp"

namespace broadside {

/// Finds what fast bodies meet on their paths, and where they stop.
///
/// In a step a body goes straight from its *start* to its position, with the rotation that it has at the end.
/// *Bullets* are swept in each step; in a world of bodies that bounce, so are *fast* bodies, which moved so
/// far that they may be behind what they ran into. Both are *sweepers*. The first solid shape that a sweeper
/// meets stops it; what it would have met later is void.
///
///     boxes      cover the whole path of whatever moved         `swept_bounds`, before pairs are found
///     contacts   at the end of a path, and what was met on it   `sweep`
///     stops      where bodies are put back to                   `stops`, in the response
class Sweeper {
 public:
  using Place = BodyTable::Place;

  /// Where a body was stopped.
  struct Stop {
    Place body;
    float time;  ///< share of its way
    Vec2 from;
    Pair pair;  ///< the shapes that met
  };

  /// @param contacts of shapes, in the last step
  Sweeper(const BodyTable& bodies, const Motion& motion, const ChangeList& changes,
          const ContactLog& contacts)
      : bodies_(bodies), motion_(motion), changes_(changes), contacts_(contacts) {}

  // Bodies.

  /// Says that bodies bounce: all starts are kept, and fast bodies are swept.
  void expect_bounces() { bounces_ = true; }
  /// Tells whether it knows where the motion of each body began in this step.
  [[nodiscard]] bool keeps_starts() const { return bounces_ || !bullets_.empty(); }
  /// Reserves memory for places and more bullets, so that nothing below can fail.
  void reserve(std::size_t places, std::size_t bullets);
  /// Makes room for places that were added. @pre memory was reserved
  void grow_to(std::size_t places);
  /// Says that the motion of a body begins where it is.
  /// @return whether it began elsewhere
  bool start_anew(Place body);
  /// Returns where the motion of a body began, where that is kept.
  [[nodiscard]] Vec2 start(Place body) const { return starts_.empty() ? Vec2{} : starts_[body]; }
  /// Takes back a `note_motion` or `start_anew`.
  void restore_start(Place body, Vec2 start);

  /// Returns the bullets, ascending.
  [[nodiscard]] std::span<const Place> bullets() const { return bullets_; }
  /// @pre memory was reserved for it
  void add_bullet(Place body);
  void remove_bullet(Place body);
  /// Forgets the stop of a body.
  void forget_stop(Place body);
  /// Forgets that a body was fast.
  void forget_fast(Place body) { std::erase(fast_, body); }

  // Motion.

  /// Makes room for so many more fast bodies.
  void reserve_fast(std::size_t more);
  /// Says that a body moved by itself; notes whether it is fast.
  void note_motion(Place body, Vec2 from);
  /// Says that all motions were noted.
  void sort_fast();
  /// Forgets which bodies are fast.
  void clear_fast() { fast_.clear(); }
  [[nodiscard]] bool has_fast() const { return !fast_.empty(); }

  // A step.

  /// Tells whether anything is swept in this step.
  [[nodiscard]] bool sweeps_any() const { return !bullets_.empty() || !fast_.empty(); }
  /// Tells whether a shape moved in this step. @pre starts are kept
  [[nodiscard]] bool is_swept(Place place) const {
    return starts_[bodies_.owner(place)] != bodies_.transform(place).position;
  }
  /// Returns a box around a shape on its whole path, from that around its end.
  [[nodiscard]] Aabb swept_bounds(Place place, const Aabb& at_end) const;
  /// Finds what is met, and who stops. Until `adopt`, all that can be asked stays as it is.
  ///
  /// For p pairs and bullets that stop with k pairs altogether: O((p + k) log(p + k)), and p + k casts.
  /// @param pairs of shapes whose swept boxes overlap, sorted
  /// @param touching contacts of those that touch at the ends of their paths
  /// @param joined is given these together with what is met, sorted
  /// @return whether anything was swept, so that `joined` replaces `touching`
  bool sweep(std::span<const Pair> pairs, std::span<const Contact> touching, std::vector<Contact>& joined);
  /// Makes what was found that of the last step. It cannot fail.
  ///
  /// @param mark called with a body and bits of `ChangeList`
  template <typename Mark>
  void adopt(Mark mark);

  /// Returns when two bodies met, as a share of the step: 1 where they touch at its end.
  [[nodiscard]] float time(Pair pair) const;
  /// Returns who was stopped, ascending by body.
  [[nodiscard]] std::span<const Stop> stops() const { return stops_; }
  void clear_stops() { stops_.clear(); }
  /// Returns a point of the way of a stopped body that ends at `to`.
  [[nodiscard]] static detail::Point point_of(const Stop& stop, Vec2 to, double share) {
    return point_between(stop.from, to, share);
  }

  // Snapshots.

  void write_starts(detail::ByteWriter& out) const;
  /// Bullets were added before.
  void read_starts(detail::ByteReader& in);
  void write_hits(detail::ByteWriter& out) const;
  void read_hits(detail::ByteReader& in);
  [[nodiscard]] std::size_t bytes() const;

 private:
  static constexpr float never = 2.0F;  ///< beyond the end of a step

  /// Two shapes, at least one of a bullet, of which at least one moved in this step.
  struct Swept {
    Pair pair;
    float since = 0.0F;               ///< from which time on they were swept: 0, or that of the last stop
    std::optional<CastHit> hit = {};  ///< its time is a share of the step
    bool slides = false;              ///< they touched at the start, and do not come closer
    bool is_seam = false;             ///< what was met is the edge of a surface that goes on level
    bool is_met = false;              ///< the hit counts: no bullet of the pair was stopped before

    [[nodiscard]] bool is_expected() const { return hit && !slides && !is_seam && !is_met; }
  };
  /// The motion of a body over the rest of a step.
  struct Leg {
    detail::Point from;
    detail::Point motion;
  };
  /// What a bullet touches at the end of the step.
  struct BulletTouch {
    Place body;
    std::size_t contact;  ///< its place among `joined`
    Vec2 normal;          ///< from the body
    bool is_met;
  };

  [[nodiscard]] bool is_fast(Place body, Vec2 from) const;
  [[nodiscard]] bool sweeps(Place place) const { return is_sweeper_[bodies_.owner(place)] != 0; }
  [[nodiscard]] std::size_t sweeper_number(Place body) const;
  [[nodiscard]] float time_of_stop(Place body) const;
  [[nodiscard]] static detail::Point point_between(Vec2 from, Vec2 to, double share);
  [[nodiscard]] static Vec2 stop_between(Vec2 from, Vec2 to, float time);
  [[nodiscard]] Transform end_of(Place place) const;
  [[nodiscard]] Leg leg_of(Place place, float since) const;
  [[nodiscard]] std::optional<CastHit> cast(Pair pair, const Leg& a, const Leg& b) const;
  [[nodiscard]] bool slides(Pair pair, float since, Vec2 normal) const;
  [[nodiscard]] const Contact* contact_before(Pair pair) const;
  void sweep_from(Swept& one, float since);
  void add_swept(Pair pair);
  void index_swept();
  [[nodiscard]] std::span<const std::pair<Place, std::size_t>> swept_with(Place body) const;
  [[nodiscard]] double lift_height(Place body, const Leg& leg) const;
  [[nodiscard]] detail::Point lift_of(Place body, const Leg& leg) const;
  void find_lift(Place bullet);
  void find_seam(Swept& one);
  void find_seams();
  void find_sweepers();
  void meet_in_order();
  void join(std::span<const Pair> pairs, std::span<const Contact> touching, std::vector<Contact>& joined);
  void list_touch(Pair pair, Vec2 normal, bool is_met, std::size_t contact);
  void level_seams(std::span<Contact> joined);
  void level_seam(const BulletTouch& touch, std::span<const BulletTouch> touches, std::span<Contact> joined);

  const BodyTable& bodies_;
  const Motion& motion_;
  const ChangeList& changes_;
  const ContactLog& contacts_;
  bool bounces_ = false;
  std::vector<Vec2> starts_;              ///< [places] of bodies; empty where they are not kept
  std::vector<Place> bullets_;            ///< ascending
  std::vector<Place> fast_;               ///< bodies that move too fast in this step to be seen; sorted
  std::vector<Place> sweepers_;           ///< bullets and these; sorted
  std::vector<std::uint8_t> is_sweeper_;  ///< [places] 1 for these, while they are swept

  // While they are swept.
  std::vector<Swept> swept_;
  std::vector<std::pair<Place, std::size_t>> swept_of_;  ///< bodies, and entries of `swept_`; sorted
  std::vector<std::pair<float, std::size_t>> meetings_;  ///< times of `swept_`, a heap
  std::vector<std::size_t> stopping_;        ///< entries of `swept_` with a bullet that is stopped
  std::vector<Vec2> lifts_;                  ///< [sweepers] off what they slide along
  std::vector<float> stop_times_;            ///< [sweepers], else empty
  std::vector<Pair> stop_pairs_;             ///< [sweepers] the shapes that met
  std::vector<Place> moved_bodies_;          ///< since the last step, where starts are kept
  std::vector<BulletTouch> bullet_touches_;  ///< sorted by body and contact

  // What was found, and what a step finds.
  std::vector<Stop> stops_;  ///< sorted by body
  std::vector<Stop> new_stops_;
  std::vector<std::pair<Pair, float>> times_;  ///< of swept contacts, sorted
  std::vector<std::pair<Pair, float>> new_times_;
};

template <typename Mark>
void Sweeper::adopt(Mark mark) {
  times_.swap(new_times_);
  stops_.swap(new_stops_);
  const bool are_swept = sweeps_any();
  for (const Place body : moved_bodies_) {
    starts_[body] = bodies_.transform(body).position;
    if (are_swept) {
      mark(body, ChangeList::unboxed);
    }
  }
  for (const Place body : fast_) {
    mark(body, ChangeList::moved);  // what was found on its way does not stay
  }
  fast_.clear();
}

}  // namespace broadside
