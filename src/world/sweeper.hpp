#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/ordered.hpp"
#include "body/convex.hpp"
#include "broadside/contact/collide.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/world/world.hpp"
#include "event/contact_log.hpp"
#include "world/body_table.hpp"
#include "world/change_list.hpp"
#include "world/motion.hpp"

namespace broadside::inline v0_2 {

/// Continuous collision detection: finds what fast bodies hit on their paths, and where they stop.
///
/// In a step a body moves straight from its *start* to its position, with its rotation at the end. *Bullets*
/// are swept in each step; in a world with `Response::bounce`, so are *fast* bodies, which moved so far that
/// they may have tunneled through an obstacle. Both are *sweepers*. The first solid shape that a sweeper hits
/// stops it and cancels its later hits.
///
///     boxes      cover the whole path of whatever moved         `swept_bounds`, before pairs are found
///     contacts   at the end of a path, and the hits along it    `sweep`
///     stops      where bodies are put back to                   `stops`, in the response
class Sweeper {
 public:
  using Place = BodyTable::Place;

  /// Where a body was stopped.
  struct Stop {
    Place body;
    float time;  ///< fraction of its path
    Vec2 from;
    Pair pair;  ///< the shapes that collided
  };

  /// @param contacts of shapes, in the last step
  Sweeper(const WorldOptions& options, const BodyTable& bodies, const Motion& motion,
          const ChangeList& changes, const ContactLog& contacts)
      : options_(options), bodies_(bodies), motion_(motion), changes_(changes), contacts_(contacts) {}

  // Bodies.

  /// Tells whether the start of each body is kept.
  [[nodiscard]] bool keeps_starts() const { return keeps_all_ || has_sweepers(); }
  /// Sets whether starts are kept even if nothing may be swept here: for bodies that are copied to another
  /// world, which has bullets. May allocate.
  void keep_starts(bool keep);
  /// Reserves memory for places and more bullets, so that nothing below can fail.
  void reserve(std::size_t places, std::size_t bullets);
  /// Grows the arrays to `places`. @pre memory was reserved
  void grow_to(std::size_t places);
  /// Sets the start of a body to its position.
  /// @return whether this changed the start
  bool reset_start(Place body);
  /// Returns the start of a body, or zero if starts are not kept.
  [[nodiscard]] Vec2 start(Place body) const { return starts_.empty() ? Vec2{} : starts_[body]; }
  /// Undoes a `note_motion` or `reset_start`.
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

  /// Reserves memory for `more` fast bodies.
  void reserve_fast(std::size_t more);
  /// Notes that a body moved by its velocity; lists it if it is fast.
  void note_motion(Place body, Vec2 from);
  /// Sorts the fast bodies, after all calls of `note_motion`.
  void sort_fast();
  /// Saves the list of fast bodies, for `restore_fast`.
  void save_fast() { saved_fast_ = fast_; }
  void restore_fast() { fast_.swap(saved_fast_); }
  [[nodiscard]] bool has_fast() const { return !fast_.empty(); }
  [[nodiscard]] bool is_fast_listed(Place body) const {
    return std::binary_search(fast_.begin(), fast_.end(), body);
  }
  /// Sets the fast bodies of a snapshot. @param fast ascending
  void set_fast(std::vector<Place> fast) { fast_ = std::move(fast); }

  // A step.

  /// The normal of a contact in the last step, from the first shape of the pair to the second.
  using EarlierNormal = std::pair<Pair, Vec2>;
  /// Sets normals of contacts of the last step, in which another world held the bodies. The next `adopt`
  /// forgets them.
  void set_earlier_normals(std::vector<EarlierNormal> normals);

  /// Tells whether anything is swept in this step.
  [[nodiscard]] bool sweeps_any() const { return !bullets_.empty() || !fast_.empty(); }
  /// Tells whether boxes cover the paths of moved bodies: of all of them, as bullets may come from another
  /// world.
  [[nodiscard]] bool boxes_cover_paths() const { return keeps_all_ || sweeps_any(); }
  /// Tells whether a shape moved in this step. @pre starts are kept
  [[nodiscard]] bool is_swept(Place place) const {
    return starts_[bodies_.owner(place)] != bodies_.transform(place).position;
  }
  /// Returns the swept box of a shape, given its box at the end of its path.
  [[nodiscard]] Aabb swept_bounds(Place place, const Aabb& at_end) const;
  /// Finds the hits and stops of this step. Until `adopt`, all accessors return those of the last step.
  ///
  /// For p pairs and stopped bodies with k pairs in total: O((p + k) log(p + k)), and p + k casts.
  /// @param pairs of shapes whose swept boxes overlap, sorted
  /// @param touching contacts of those that touch at the ends of their paths
  /// @param joined receives these and the hits on the paths, sorted
  /// @return whether anything was swept, so that `joined` replaces `touching`
  bool sweep(std::span<const Pair> pairs, std::span<const Contact> touching, std::vector<Contact>& joined);
  /// Makes the results those of the last step. Cannot fail.
  ///
  /// @param mark called with a body and bits of `ChangeList`
  template <typename Mark>
  void adopt(Mark mark);

  /// Returns the time of impact of two bodies as a fraction of the step: 1 if they touch at its end.
  [[nodiscard]] float time(Pair pair) const;
  /// Returns the stops, ascending by body.
  [[nodiscard]] std::span<const Stop> stops() const { return stops_; }
  void clear_stops() { stops_.clear(); }
  /// Returns the point of a path where a share of it is done.
  [[nodiscard]] static detail::Point point_between(Vec2 from, Vec2 to, double share);

  // Snapshots.

  void write_starts(detail::ByteWriter& out) const;
  /// @pre bullets were added
  void read_starts(detail::ByteReader& in);
  void write_hits(detail::ByteWriter& out) const;
  void read_hits(detail::ByteReader& in);
  [[nodiscard]] std::size_t bytes() const;

 private:
  static constexpr float never = 2.0F;  ///< beyond the end of a step

  /// A pair of shapes, at least one of a sweeper, of which at least one moved in this step.
  struct Swept {
    Pair pair;
    float since = 0.0F;           ///< start of the sweep: 0, or the time of the last stop
    std::optional<Hit> hit = {};  ///< its fraction is one of the step
    bool slides = false;          ///< they touched at the start, and do not come closer
    bool is_seam = false;         ///< ghost collision: the edge of a surface that continues level
    bool is_confirmed = false;    ///< the hit counts: no sweeper of the pair was stopped before

    [[nodiscard]] bool is_expected() const { return hit && !slides && !is_seam && !is_confirmed; }
  };
  /// The motion of a body over the rest of a step.
  struct Leg {
    detail::Point from;
    detail::Point motion;
  };
  /// The direction off the surfaces that a sweeper slides along or was stopped by.
  struct Lift {
    Vec2 direction;     ///< sum of the outward normals; zero if there are none
    Place surface = 0;  ///< one of their shapes; the others move as it does
  };
  /// A surface that a sweeper slides along or was stopped by.
  struct Surface {
    Vec2 normal;  ///< from the surface
    Place place;
    float since;  ///< start of the sweep that hit it
  };
  /// A contact of a sweeper at the end of the step.
  struct BulletTouch {
    Place body;
    std::size_t contact;  ///< index in `joined`
    Vec2 normal;          ///< from the body
    float separation;     ///< least one of the contact
    bool is_confirmed;
  };

  [[nodiscard]] bool has_sweepers() const { return bounces() || !bullets_.empty(); }
  void list_starts();
  [[nodiscard]] std::optional<Vec2> normal_before(Pair pair) const;
  [[nodiscard]] bool bounces() const { return options_.response == Response::bounce; }
  [[nodiscard]] bool is_fast(Place body, Vec2 from) const;
  [[nodiscard]] bool sweeps(Place place) const { return is_sweeper_[bodies_.owner(place)] != 0; }
  [[nodiscard]] std::size_t sweeper_number(Place body) const;
  [[nodiscard]] float time_of_stop(Place body) const;
  [[nodiscard]] Transform end_of(Place place) const;
  [[nodiscard]] Leg leg_of(Place place, float since) const;
  [[nodiscard]] std::optional<Hit> cast(Pair pair, const Leg& a, const Leg& b) const;
  [[nodiscard]] bool slides(Pair pair, float since, Vec2 normal) const;
  void sweep_from(Swept& one, float since);
  [[nodiscard]] std::span<const std::pair<Place, std::size_t>> swept_with(Place body) const;
  [[nodiscard]] double lift_height(Place body, const Leg& leg) const;
  [[nodiscard]] detail::Point lift_of(Place body, float since, const Leg& own, const Leg& other) const;
  [[nodiscard]] static bool move_alike(const Leg& a, const Leg& b, double tolerance);
  void find_sweepers();
  void find_lift(Place bullet);
  void find_seam(Swept& one);
  void find_seams();
  [[nodiscard]] bool is_solid(Pair pair) const {
    return !bodies_.slot(pair.a).sensor && !bodies_.slot(pair.b).sensor;
  }
  [[nodiscard]] bool has_stopped(const Swept& one, Place body) const;
  void meet_in_order();
  void meet_next();
  void join(std::span<const Pair> pairs, std::span<const Contact> touching, std::vector<Contact>& joined);
  void list_touch(const Contact& contact, bool is_confirmed, std::size_t number);
  void level_seams(std::span<Contact> joined);
  void level_seam(const BulletTouch& touch, std::span<const detail::Ordered> near, Contact& contact) const;

  const WorldOptions& options_;
  const BodyTable& bodies_;
  const Motion& motion_;
  const ChangeList& changes_;
  const ContactLog& contacts_;
  std::vector<Vec2> starts_;    ///< [places] of bodies; empty if not kept
  std::vector<Place> bullets_;  ///< ascending
  std::vector<Place> fast_;     ///< bodies that moved too far in this step for tests at the end; sorted
  std::vector<Place> saved_fast_;
  bool keeps_all_ = false;                      ///< set by `keep_starts`
  std::vector<EarlierNormal> earlier_normals_;  ///< of contacts that `contacts_` lacks; sorted
  std::vector<Place> sweepers_;                 ///< bullets and fast bodies of the last sweep; sorted
  std::vector<std::uint8_t> is_sweeper_;        ///< [places] 1 for sweepers, while they are swept

  // In use during `sweep`.
  std::vector<Swept> swept_;
  std::vector<std::pair<Place, std::size_t>> swept_of_;       ///< bodies, and indices in `swept_`; sorted
  std::vector<std::pair<float, std::size_t>> expected_hits_;  ///< times and indices of `swept_`, a min-heap
  std::vector<std::size_t> stopping_;   ///< indices in `swept_`, to sweep again after a stop
  std::vector<Place> met_;              ///< the sweepers of the last hits
  std::vector<Surface> surfaces_;       ///< of one sweeper
  std::vector<detail::Ordered> order_;  ///< of `surfaces_` or `bullet_touches_`
  std::vector<Lift> lifts_;             ///< [sweepers]
  std::vector<float> stop_times_;       ///< [sweepers]; empty outside of `sweep`
  std::vector<Pair> stop_pairs_;        ///< [sweepers] the shapes that collided
  std::vector<Place> moved_bodies_;     ///< bodies that moved since the last step, if starts are kept
  std::vector<BulletTouch> bullet_touches_;

  // Results of the last step, and of the current one.
  std::vector<Stop> stops_;  ///< sorted by body
  std::vector<Stop> new_stops_;
  std::vector<std::pair<Pair, float>> times_;  ///< of swept contacts, sorted
  std::vector<std::pair<Pair, float>> new_times_;
};

template <typename Mark>
void Sweeper::adopt(Mark mark) {
  earlier_normals_.clear();
  times_.swap(new_times_);
  stops_.swap(new_stops_);
  const bool are_swept = boxes_cover_paths();
  for (const Place body : moved_bodies_) {
    starts_[body] = bodies_.transform(body).position;
    if (are_swept) {
      mark(body, ChangeList::box_outdated);
    }
  }
  for (const Place body : fast_) {
    mark(body, ChangeList::moved);  // contacts on its path are not kept
  }
  fast_.clear();
}

}  // namespace broadside::inline v0_2
