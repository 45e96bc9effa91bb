#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "base/first_exception.hpp"
#include "base/lazy_update.hpp"
#include "body/convex.hpp"
#include "broadside/contact/collide.hpp"
#include "broadside/world/world.hpp"
#include "event/contact_log.hpp"
#include "world/body_table.hpp"
#include "world/bytes.hpp"
#include "world/change_list.hpp"
#include "world/ended_contacts.hpp"
#include "world/impacts.hpp"
#include "world/listeners.hpp"
#include "world/measures.hpp"
#include "world/motion.hpp"
#include "world/pair_rules.hpp"
#include "world/slide_memory.hpp"
#include "world/sweeper.hpp"

namespace broadside {

enum class Change : std::uint8_t;

/// The parts of a `World`.
struct World::State {
  using Place = BoxIndex;
  static constexpr Place none = BodyTable::none;

  using Slot = BodyTable::Slot;

  using Replaced = ChangeList::Replaced;

  /// How a body moved before a stage that may be taken back.
  struct BeforeMotion {
    Place body;
    Vec2 position;
    Vec2 remainder;
    Vec2 velocity;
    Vec2 start;      ///< where its motion of this step began, where that is kept
    bool was_moved;  ///< it counted as moved already
  };

  // Kinds of changes, as bits.
  static constexpr std::uint8_t renewed = ChangeList::renewed;
  static constexpr std::uint8_t moved = ChangeList::moved;
  static constexpr std::uint8_t unboxed = ChangeList::unboxed;
  static constexpr std::uint8_t refiltered = ChangeList::refiltered;
  static constexpr std::uint8_t resensed = ChangeList::resensed;

  State(const WorldOptions& given, std::uint32_t number_of_it);
  explicit State(const WorldOptions& given) : State(given, next_number()) {}
  [[nodiscard]] static std::uint32_t next_number();
  /// Returns the state of all worlds that were moved from: it has no bodies and refuses all changes.
  [[nodiscard]] static const std::shared_ptr<State>& of_none();

  // Names.
  [[nodiscard]] Error check(BodyId body) const;
  [[nodiscard]] Error check_there() const;
  [[nodiscard]] Error check_change() const;
  [[nodiscard]] Error check_change(BodyId body) const;
  [[nodiscard]] Error check_each(std::span<const BodyId> bodies, std::string_view call);
  [[nodiscard]] Error check_moves(std::span<const BodyId> moving, std::size_t targets);
  /// Returns the id that the place had in the last step.
  [[nodiscard]] BodyId id_in_step(Place place) const;

  template <typename T, typename Read>
  [[nodiscard]] Result<T> read(BodyId body, Read of) const;

  // Changes.
  template <typename Set, typename Value>
  Result<void> change_slots(BodyId body, Change change, const Value& value, Set set);
  void mark(Place place, std::uint8_t bits) {
    if (changes.mark(place, bits)) {
      is_up_to_date.store(false, std::memory_order_relaxed);
    }
  }
  void mark_body(Place body, std::uint8_t bits);
  void set_transform(Place body, const Transform& transform);
  void place_at(Place body, const Transform& transform);
  Result<void> apply_filter(Place body);
  void expect_new_filters();
  Result<void> apply_due_filters();
  void remove(std::span<const BodyId> gone);
  void forget_place(Place place);
  Result<std::vector<BoxIndex>> add_boxes(std::span<const Body> added, std::span<const Slot> kinds);
  void reserve(std::span<const Body> added, std::size_t shapes);
  void take_place(Place place);
  void place_body(const Body& body, const Slot& slot, std::span<const BoxIndex> places);
  void become_bullet(Place body);
  void forget_bullet(Place body);

  // Queries.
  void replace_by_owners(std::vector<Place>& found) const;
  [[nodiscard]] bool is_asked_for(Place place, const QueryFilter& query) const;
  template <typename Query>
  auto run_query(const QueryFilter& filter, Query query);
  template <typename VisitShapes>
  Result<void> visit_bodies(const QueryFilter& filter, BodyVisitor visit, VisitShapes visit_shapes);

  // Stages, as the public functions of `World` have them.
  void integrate(float seconds, bool may_take_back);
  Result<void> detect();
  Result<void> dispatch();
  Result<void> respond();
  Result<void> step(float seconds);
  [[nodiscard]] StepOrder order() const {
    return options.order.value_or(options.response == Response::bounce ? StepOrder::motion_first
                                                                       : StepOrder::detect_first);
  }

  // Parts of them.
  [[nodiscard]] Error check_mover(BodyId body) const;
  template <typename Set>
  Result<void> change_motion(BodyId body, Change change, std::string_view what, Vec2 value, Set set);
  void move_exactly(Place body, detail::Point to);
  [[nodiscard]] Error prepare_motion(float seconds);
  [[nodiscard]] Error check_step(float seconds);
  void remember_motion(Place body);
  void take_back_motion();
  [[nodiscard]] bool is_answered(Pair pair) const;
  bool add_impact(Pair pair, const Manifold& manifold, bool is_reported);
  bool find_impacts(detail::FirstException& thrown);
  void separate_all(detail::FirstException& thrown);
  [[nodiscard]] double pressing_of(const Impacts::Impact& impact) const;
  [[nodiscard]] double speed_of(const Impacts::Impact& impact) const;
  void change_speed(const Impacts::Impact& impact, double change);
  void rest(const Impacts::Impact& impact);
  [[nodiscard]] bool is_resting(double speed, double acceleration) const;
  void bounce(const Impacts::Impact& impact);
  void update_boxes();
  [[nodiscard]] bool is_quiet() const;
  void find_due();
  [[nodiscard]] std::span<Pair> find_pairs(bool quiet);
  void add_extra(bool quiet);
  [[nodiscard]] bool is_found(Pair pair) const;
  void add_lasting(bool quiet);
  [[nodiscard]] bool is_put(const detail::SlideRecord& record) const;
  [[nodiscard]] Contact nearest_contact(Pair pair) const;
  void merge_parts();
  void prepare_events(bool quiet);
  void adopt_contacts(bool quiet);
  void list_ends(std::span<const Pair> pairs);
  void advance_unchanged();
  void forget_changes();
  void forget_slides();
  void adopt_slide(detail::SlideRecord&& record);
  [[nodiscard]] EndCause cause_of_end(Pair pair) const;
  void bring_up_to_date();
  Result<void> rebuild(std::unique_ptr<BroadPhase> fresh);

  void stop_bullets();

  // Sliding.
  struct Slide;

  // Recording.
  class Note;
  /// Writes a change down that cannot fail any more, if somebody wants it.
  template <typename... Arguments>
  void note(Change change, const Arguments&... arguments);
  void write_all(detail::ByteWriter& out, std::vector<ListenerId>& names) const;

  // As bytes.
  [[nodiscard]] std::vector<std::byte> snapshot() const;
  void write(detail::ByteWriter& out) const;
  class Renumbering;
  void write_places(detail::ByteWriter& out, Renumbering& names) const;
  void write_contacts(detail::ByteWriter& out, Renumbering& names) const;
  void read(detail::ByteReader& in);
  void read_names(detail::ByteReader& in);
  void read_places(detail::ByteReader& in);
  void read_contacts(detail::ByteReader& in);

  WorldOptions options;
  BodyTable bodies;
  Tags tags;
  Listeners listeners{tags};
  PairRules rules{options, bodies, tags, listeners};
  TechniqueOptions technique_options;
  std::unique_ptr<BroadPhase> broad_phase;
  std::array<NarrowPhase, 2> narrow_phases;  ///< one holds the contacts of the last step
  std::size_t next_narrow_phase = 0;         ///< the other
  TaskRunner* runner = nullptr;
  bool measures_times = false;
  bool watches_queries = false;

  // By place.
  ChangeList changes;

  std::vector<BoxIndex> box_places;  ///< scratch
  std::vector<Aabb> boxes;           ///< scratch
  Motion motions{bodies, options.gravity};
  std::vector<BeforeMotion> before_motion;  ///< in the stage that is under way
  Sweeper sweeper{bodies, motions, changes, shape_contacts};
  Impacts impacts;               ///< of the last step
  std::vector<Place> shifted;    ///< scratch: shapes of bodies that were moved apart
  NarrowPhase separation_phase;  ///< finds the contacts of these
  std::vector<Pair> skipped;     ///< pairs of bodies that do not answer in this step

  detail::SlideMemory slide_memory;  ///< of bodies that `move_and_slide` moved

  // What the last step found.
  ContactLog shape_contacts;
  ContactLog part_contacts;          ///< of bodies, where some have several shapes
  std::vector<Place> due;            ///< of the last quiet step: those whose contacts were searched again
  std::vector<std::uint8_t> is_due;  ///< [places] 1 for these
  std::span<const Contact> newest;   ///< of these, those that touch, sorted; in a narrow phase or in `joined`
  std::vector<Contact> kept;         ///< `joined` of the last step
  std::vector<Contact> joined;
  std::vector<Contact> extra;       ///< scratch: of shapes that do not touch, or whose types are no pair
  std::vector<Contact> with_extra;  ///< scratch
  std::vector<Contact> merged;      ///< what was found, of bodies
  std::vector<Contact> merging;     ///< likewise, while a step looks for it
  std::vector<std::pair<Pair, std::uint32_t>> merge_order;  ///< scratch: of bodies, and which contact
  EndedContacts ended{tags};
  bool filters_are_due = false;  ///< what the broad phase lets through is not what is wanted by now
  bool all_anew = true;          ///< nothing of the last step's contacts may be kept
  std::vector<Pair> touching;    ///< scratch: pairs of the body contacts

  mutable std::atomic<std::uint32_t> locks = 0;     ///< visitors and predicates that are running
  LazyUpdate lazy_update;                           ///< of what const calls bring up to date
  mutable std::atomic<bool> is_up_to_date = false;  ///< the broad phase

  bool is_abandoned = false;  ///< its world was destroyed by a callback: no other callback is called
  bool is_of_none = false;    ///< it is `of_none`

  Recording* recording = nullptr;
  std::unique_ptr<detail::ByteWriter> recorder;  ///< what goes into `recording` at the end
  std::vector<ListenerId> recorded_listeners;    ///< by their number in the recording

  /// Returns the contacts of bodies.
  [[nodiscard]] const ContactLog& contacts() const {
    return bodies.has_parts() ? part_contacts : shape_contacts;
  }
  [[nodiscard]] ContactLog& contacts() { return bodies.has_parts() ? part_contacts : shape_contacts; }
  [[nodiscard]] BodyContact contact_at(ContactLog::At at) const;
  [[nodiscard]] bool overlap(BodyId a, BodyId b) const;
  ListenerId listen(std::string_view tag_a, std::string_view tag_b,
                    std::unique_ptr<Listeners::Listener> listener);
  void dispatch_contacts(bool each, std::size_t count, detail::FirstException& thrown);
  /// Calls no callback from here on: the world was destroyed, and its state lives on for a call under way.
  void abandon();
};

/// Another handle to the state of a world, for a call whose callbacks may move or destroy the world.
class World::Handle {
 public:
  explicit Handle(const World& world) : world_(world.state_) {}
  explicit Handle(std::shared_ptr<State> state) : world_(std::move(state)) {}
  ~Handle() { world_.state_.reset(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  World& operator*() { return world_; }
  World* operator->() { return &world_; }
  const World* operator->() const { return &world_; }

 private:
  World world_;
};

/// Keeps the world from being changed while it lives.
class Lock {
 public:
  explicit Lock(std::atomic<std::uint32_t>& locks) : locks_(locks) { ++locks_; }
  ~Lock() { --locks_; }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  std::atomic<std::uint32_t>& locks_;
};

}  // namespace broadside
