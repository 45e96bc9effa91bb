#pragma once

#include <atomic>
#include <optional>
#include <utility>

#include "base/bytes.hpp"
#include "base/first_exception.hpp"
#include "base/scope_guard.hpp"
#include "body/convex.hpp"
#include "broadside/query/shape_set.hpp"
#include "broadside/world/world.hpp"
#include "event/contact_log.hpp"
#include "world/body_table.hpp"
#include "world/change_list.hpp"
#include "world/compound_contacts.hpp"
#include "world/contact_finder.hpp"
#include "world/ended_contacts.hpp"
#include "world/extra_contacts.hpp"
#include "world/impacts.hpp"
#include "world/journal.hpp"
#include "world/listeners.hpp"
#include "world/measures.hpp"
#include "world/motion.hpp"
#include "world/own_broad_phase.hpp"
#include "world/pair_rules.hpp"
#include "world/place_set.hpp"
#include "world/slide_memory.hpp"
#include "world/sweeper.hpp"

namespace broadside::inline v0_2 {

enum class Change : std::uint8_t;

[[nodiscard]] Error check(const WorldOptions& options);

/// The parts of a `World`.
struct BROADSIDE_HIDDEN World::State {
  using Place = BoxIndex;
  static constexpr Place none = BodyTable::none;

  using Slot = BodyTable::Slot;

  using Replaced = ChangeList::Replaced;

  /// The motion of a body before a stage that may be rolled back.
  struct BeforeMotion {
    Place body;
    Vec2 position;
    Vec2 remainder;
    Vec2 velocity;
    Vec2 start;      ///< of its motion in this step, if starts are kept
    bool was_moved;  ///< whether it was already marked as moved
  };

  /// Bodies that a response moved.
  struct Shifted {
    std::vector<Place> shapes;
    NarrowPhase contacts;  ///< finds theirs without changing those of the step
  };

  // Kinds of changes, as bits.
  static constexpr std::uint8_t reassigned = ChangeList::reassigned;
  static constexpr std::uint8_t moved = ChangeList::moved;
  static constexpr std::uint8_t box_outdated = ChangeList::box_outdated;
  static constexpr std::uint8_t filter_changed = ChangeList::filter_changed;
  static constexpr std::uint8_t sensor_changed = ChangeList::sensor_changed;

  State(const WorldOptions& given, std::uint32_t number) : options(given), bodies(number) {}
  explicit State(const WorldOptions& given) : State(given, next_number()) {}
  [[nodiscard]] static std::uint32_t next_number();
  /// Returns the shared state of all moved-from worlds: it has no bodies and refuses all changes.
  [[nodiscard]] static const std::shared_ptr<State>& moved_from_state();
  [[nodiscard]] bool is_moved_from() const { return this == moved_from_state().get(); }

  // Checks of ids.
  [[nodiscard]] Error check(BodyId body) const;
  [[nodiscard]] Error check_not_moved_from() const;
  [[nodiscard]] Error check_change() const;
  [[nodiscard]] Error check_change(BodyId body) const;
  /// Checks both ids; returns the error of the first.
  [[nodiscard]] Error check(BodyId a, BodyId b) const { return check(bodies.contains(a) ? b : a); }
  [[nodiscard]] Error check_change(BodyId a, BodyId b) const {
    return check_change(bodies.contains(a) ? b : a);
  }
  [[nodiscard]] Error check_each(std::span<const BodyId> listed, std::string_view call);
  /// Returns the id of the body that was at a place in the last step.
  [[nodiscard]] BodyId id_in_step(Place place) const;

  template <typename T, typename Read>
  [[nodiscard]] Result<T> read(BodyId body, Read of) const;
  template <typename T, typename Of>
  Result<void> read_all(std::span<const BodyId> listed, std::span<T> values, std::string_view what,
                        const Of& of) const;

  // Changes.
  template <typename T, typename Value>
  Result<void> change_slots(BodyId body, Change change, const Value& value, T Slot::*member, T to);
  void mark(Place place, std::uint8_t bits) {
    if (changes.mark(place, bits)) {
      broad_phase.mark_outdated();
    }
  }
  void mark_body(Place body, std::uint8_t bits);
  /// Makes a body start where it is; its box no longer has to cover a path.
  void end_path(Place body);
  void set_transform(Place body, const Transform& transform);
  void place_at(Place body, const Transform& transform);
  template <typename Target>
  Result<void> move_all(std::span<const BodyId> moving, std::size_t targets, Target target);
  Result<void> apply_filter(Place body);
  void invalidate_filters();
  Result<void> update_filters();
  void remove(std::span<const BodyId> gone);
  void forget_place(Place place);
  void reserve(std::span<const BodyDef> added, std::size_t shapes);
  void place_body(const BodyDef& body, const Slot& slot, std::span<const BoxIndex> places);
  void forget_bullet(Place body);

  // Queries.
  void replace_by_owners(std::vector<Place>& found) const;
  [[nodiscard]] bool matches(Place place, const QueryFilter& query) const;
  template <typename Query>
  auto run_query(const QueryFilter& filter, Query query);
  template <typename VisitShapes>
  Result<void> visit_bodies(const QueryFilter& filter, BodyVisitor visit, VisitShapes visit_shapes);
  template <typename VisitPath>
  Result<void> visit_body_hits(const QueryFilter& filter, HitVisitor visit, VisitPath visit_path);
  [[nodiscard]] Result<std::optional<BodyHit>> body_hit(const Result<std::optional<ShapeHit>>& first) const;

  // The stages of a step, as in the public functions of `World`.
  void integrate(float seconds, bool may_take_back);
  Result<void> detect();
  Result<void> dispatch();
  Result<void> respond();
  Result<void> step(float seconds);
  [[nodiscard]] StepOrder order() const {
    return options.order.value_or(options.response == Response::bounce ? StepOrder::motion_first
                                                                       : StepOrder::detect_first);
  }

  // Parts of the stages.
  [[nodiscard]] Error check_mover(BodyId body) const;
  Result<void> change_motion(BodyId body, Change change, std::string_view what, Vec2 value,
                             void (Motion::*set)(Place, Vec2));
  void move_exactly(Place body, detail::Point to);
  [[nodiscard]] Error prepare_motion(float seconds);
  [[nodiscard]] Error check_step(float seconds);
  void remember_motion(Place body);
  void roll_back_motion();
  [[nodiscard]] bool is_answered(Pair pair) const;
  bool add_impact(Pair pair, const Manifold& manifold, bool is_reported);
  bool find_impacts(detail::FirstException& thrown);
  void separate_all(detail::FirstException& thrown);
  [[nodiscard]] double normal_acceleration(const Impacts::Impact& impact) const;
  [[nodiscard]] double speed_of(const Impacts::Impact& impact) const;
  void change_speed(const Impacts::Impact& impact, double change);
  void rest(const Impacts::Impact& impact);
  [[nodiscard]] bool is_resting(double speed, double acceleration) const;
  void bounce(const Impacts::Impact& impact);
  void update_boxes();
  [[nodiscard]] bool is_quiet() const;
  void find_searched();
  [[nodiscard]] std::span<Pair> find_pairs();
  void add_extra();
  void add_within_margin();
  [[nodiscard]] bool is_on_ground(const detail::SlideRecord& record) const;
  [[nodiscard]] Contact nearest_contact(Pair pair) const;
  void prepare_events();
  void forget_slides();
  void adopt_slide(detail::SlideRecord&& record);
  [[nodiscard]] EndCause cause_of_end(Pair pair) const;
  void bring_up_to_date();
  Result<void> set_technique(OwnBroadPhase::Make make);
  Result<void> rebuild(std::unique_ptr<BroadPhase> replacement);

  void stop_bullets();

  // Sliding.
  struct Slide;

  // Recording.
  class Note;
  void write_all(detail::ByteWriter& out, std::vector<ListenerId>& names) const;

  // Snapshots.
  [[nodiscard]] std::vector<std::byte> snapshot() const;
  void write(detail::ByteWriter& out) const;
  class Renumbering;
  void write_places(detail::ByteWriter& out, Renumbering& numbering) const;
  void write_contacts(detail::ByteWriter& out, Renumbering& numbering) const;
  void read(detail::ByteReader& in);
  void read_names(detail::ByteReader& in);
  void read_places(detail::ByteReader& in);
  void read_contacts(detail::ByteReader& in);

  WorldOptions options;
  BodyTable bodies;
  PlaceSet named;  ///< of bodies that a call lists, to find those that it repeats
  Tags tags;
  Listeners listeners{tags};
  PairRules rules{options, bodies, tags, listeners};
  OwnBroadPhase broad_phase;
  ChangeList changes;
  Motion motions{bodies, options.gravity};
  std::vector<BeforeMotion> before_motion;  ///< of the current stage
  Sweeper sweeper{options, bodies, motions, changes, shape_contacts};
  Impacts impacts;            ///< of the last step
  Shifted shifted;            ///< by the response of the last step
  std::vector<Pair> skipped;  ///< pairs of bodies without a response in this step; sorted

  detail::SlideMemory slide_memory;  ///< of bodies that `move_and_slide` moved

  // What the last step found.
  ContactLog shape_contacts;
  ContactFinder finder;
  CompoundContacts compound{bodies};
  PlaceSet searched;  ///< whose contacts the last step searched; those of the others were kept
  EndedContacts ended{tags};
  ExtraContacts extra;            ///< of the current step
  bool needs_full_search = true;  ///< the next step may keep no contacts of the last one

  mutable std::atomic<std::uint32_t> locks = 0;  ///< number of running visitors and predicates
  /// Prevents changes of the world as long as the result lives.
  [[nodiscard]] auto lock() const {
    ++locks;
    return detail::ScopeGuard([this] { --locks; });
  }

  Journal journal;

  /// Returns the contacts of bodies.
  [[nodiscard]] const ContactLog& contacts() const {
    return bodies.has_parts() ? compound.log() : shape_contacts;
  }
  [[nodiscard]] BodyContact contact_at(ContactLog::At at) const;
  [[nodiscard]] bool overlap(BodyId a, BodyId b) const;
  ListenerId listen(std::string_view tag_a, std::string_view tag_b, Listeners::Wants wants,
                    ContactListener on_contact, EndListener on_end = {});
};

/// Runs a query on the current shapes; its visitors cannot change the world.
template <typename Query>
auto World::State::run_query(const QueryFilter& filter, Query query) {
  const auto accept = [&](BoxIndex place) { return matches(place, filter); };
  using Answer = decltype(query(std::declval<const ShapeSet&>(), Accept(accept)));
  if (Error error = check_not_moved_from()) {
    return Answer(std::move(error));
  }
  bring_up_to_date();
  const auto locked = lock();
  // A group above 0 overrides masks.
  const std::uint64_t layers = filter.filter.group > 0 ? ~std::uint64_t{0} : filter.filter.mask;
  return query(ShapeSet{*broad_phase, bodies.shapes(), bodies.transforms(), layers}, Accept(accept));
}

/// Shares the state of a world, for a call whose callbacks may move or destroy the world.
class World::Handle {
 public:
  explicit Handle(std::shared_ptr<State> state) : world_(std::move(state)) {}
  ~Handle() { world_.state_.reset(); }

  World& operator*() { return world_; }
  World* operator->() { return &world_; }

 private:
  World world_;
};

}  // namespace broadside::inline v0_2
