#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"
#include "broadside/world/world.hpp"

/// Collisions between the entities of somebody else's registry: EnTT's, or any of that form.
namespace broadside::ecs {

/// Tells where an entity stands, and writes it down where a world moved it. Made for components with members
/// x and y; specialise it for others. What `read` returns may be turned.
template <typename Position>
struct PositionTraits {
  static Transform read(const Position& position) {
    return {{static_cast<float>(position.x), static_cast<float>(position.y)}, {}};
  }
  static void write(Position& position, const Transform& transform) {
    position.x = static_cast<std::remove_cvref_t<decltype(position.x)>>(transform.position.x);
    position.y = static_cast<std::remove_cvref_t<decltype(position.y)>>(transform.position.y);
  }
};

/// What is called when two entities touch: with both and the contact, with both, or with nothing.
///
/// Copies share what they call, so it lives on while it runs, whatever it does to the collider that it is of.
template <typename Entity, typename Event = BodyContact>
class Callback {
 public:
  Callback() = default;

  template <typename F>
  requires(!std::same_as<F, Callback> && (std::invocable<F&, Entity, Entity, const Event&> ||
                                          std::invocable<F&, Entity, Entity> || std::invocable<F&>))
      Callback(F call) {
    if constexpr (requires { call == nullptr; }) {  // an empty std::function or a null pointer
      if (call == nullptr) {
        return;
      }
    }
    function_ = std::make_shared<const Function>(
        [call = std::move(call)](Entity a, Entity b, const Event& event) mutable {
          if constexpr (std::invocable<F&, Entity, Entity, const Event&>) {
            call(a, b, event);
          } else if constexpr (std::invocable<F&, Entity, Entity>) {
            call(a, b);
          } else {
            call();
          }
        });
  }

  explicit operator bool() const { return function_ != nullptr; }
  /// @pre it is not empty
  void operator()(Entity a, Entity b, const Event& event) const { (*function_)(a, b, event); }

 private:
  using Function = std::function<void(Entity, Entity, const Event&)>;
  std::shared_ptr<const Function> function_;
};

/// The component that makes an entity collide:
///
///     registry.emplace<Collider>(player, {.width = 64, .height = 64, .tag = "player",
///                                         .callbacks = {{"food", [&] { grow(20); }}}});
template <typename Entity>
struct Collider {
  std::optional<Shape> shape = {};  ///< in the entity's own frame; a box of `width` and `height` if not told
  float width = 0.0F;               ///< 0 or more; the position is the box's corner of the least
                                    ///< coordinates (unit: length)
  float height = 0.0F;              ///< likewise
  std::string tag = {};             ///< what others know it by; any name will do
  BodyType type = BodyType::dynamic;  ///< another type makes another body of it: its contacts end
  Filter filter = {};                 ///< as that of a `Body`
  bool sensor = false;                ///< as that of a `Body`
  bool bullet = false;                ///< as that of a `Body`
  bool enabled = true;                ///< one that is not touches nothing
  Vec2 velocity = {};                 ///< when it is found first, for updates with a time (unit: length per
                                      ///< second)
  /// By the tag of the other one; `World::any` for all that have no entry of their own. Called in each update
  /// in which the two touch, with this entity as the first, and normals that point away from it.
  std::map<std::string, Callback<Entity>, std::less<>> callbacks = {};
};

/// A registry of entities that have components, such as `entt::registry`.
template <typename Registry, typename Entity, typename Position>
concept EntityRegistry = std::totally_ordered<Entity> && std::copyable<Entity> &&
    requires(Registry& registry, Entity entity, void (*visit)(Entity, Position&, Collider<Entity>&)) {
  { registry.valid(entity) } -> std::convertible_to<bool>;
  registry.destroy(entity);
  registry.template view<Position, Collider<Entity>>().each(visit);
};

/// Finds out in each update which entities with a position and a collider touch, and calls who waits for it.
///
///     CollisionSystem<entt::entity, Position> collisions;
///     collisions.on_begin("player", "poison", [&](auto player, auto poison, const BodyContact&) {
///       collisions.destroy_later(poison);
///     });
///     collisions.update(registry).value();   // once a frame, after the entities moved
///
/// What changed in the components since the last update is found by comparing: entities come and go, move,
/// grow, change tags, as they like, without telling. What did not change costs the comparison and no more.
/// Entities are told apart by their values: one that is given out again must differ, as those with a version
/// do.
///
/// Callbacks run after detection is over: first those of colliders, for each contact from the one found first
/// to the other and back, then listeners, ascending by contact, then by who was added first; ends come last.
/// They may do anything to the registry; an entity that is destroyed, or about to be, gets no further
/// callback. Order: that in which the view first showed the entities, and nothing else.
template <std::totally_ordered Entity, typename Position>
class CollisionSystem {
 public:
  using EntityCollider = Collider<Entity>;
  using ContactCallback = Callback<Entity>;
  using EndCallback = Callback<Entity, ContactEnd>;
  using ListenerId = World::ListenerId;

  /// Makes a system with a world of `Interest::listeners`: pairs that nobody waits for are not even tested.
  CollisionSystem() : CollisionSystem(World::create({.interest = Interest::listeners}).value()) {}
  /// Makes a system with a world of other options.
  explicit CollisionSystem(World world) : world_(std::move(world)) {}
  CollisionSystem(const CollisionSystem&) = delete;
  CollisionSystem& operator=(const CollisionSystem&) = delete;

  /// Calls `callback` in each update in which such entities touch; `World::any` is any tag.
  ListenerId on_contact(std::string_view tag_a, std::string_view tag_b, ContactCallback callback);
  /// Calls `callback` when such entities begin to touch.
  ListenerId on_begin(std::string_view tag_a, std::string_view tag_b, ContactCallback callback);
  /// Calls `callback` when such entities no longer touch; the second may be no more, the first is always
  /// there.
  ListenerId on_end(std::string_view tag_a, std::string_view tag_b, EndCallback callback);
  /// Removes a listener, at once; tells whether it was there.
  bool remove_listener(ListenerId listener);

  /// Takes over what changed in the registry, finds who touches, and calls who waits for it.
  ///
  /// @param seconds with more than 0 the world also carries its bodies on, by their velocities and its
  ///   gravity and response, and their positions are written back before the callbacks run
  /// Errors: what is not finite or has no meaning (a NaN in a position, a width below 0) is refused with a
  /// sentence that names the entity, and nothing changes or is called; `locked` from within a callback;
  /// `invalid_argument` for too many different filters, as `World::set_filter` has it.
  /// Complexity: O(n) comparisons for n entities, O(log n) for each that came, went, or changed its place in
  /// the view; then that of `World::step`. Allocates only where there is more of anything than before.
  template <EntityRegistry<Entity, Position> Registry>
  Result<void> update(Registry& registry, float seconds = 0.0F) {
    if (updating_) {
      return Error{ErrorCode::locked, "an update may not begin from within a callback of the last one"};
    }
    const Updating guard(updating_);
    destroy_doomed(registry);
    begin_view();
    registry.template view<Position, EntityCollider>().each(
        [this](Entity entity, Position& position, EntityCollider& collider) {
          seen_.push_back({entity, &position, &collider, find(entity)});
        });
    if (auto done = detect(seconds); !done.has_value()) {
      return done;
    }
    run_callbacks(registry);
    destroy_doomed(registry);
    return {};
  }

  /// Destroys an entity once the callbacks of this update have run; between updates, at the beginning of the
  /// next one. It gets no further callback. One that is no more, or told twice, does no harm.
  void destroy_later(Entity entity) { doomed_.insert(entity); }

  /// Returns the world behind, for queries, velocities, techniques and statistics. Its bodies that are
  /// entities are moved by their components.
  [[nodiscard]] World& world() { return world_; }
  [[nodiscard]] const World& world() const { return world_; }
  /// Returns the body of an entity, as of the last update; none if it has none.
  [[nodiscard]] std::optional<BodyId> body(Entity entity) const;
  /// Returns the entity of a body, as of the last update; none if it is of none.
  [[nodiscard]] std::optional<Entity> entity(BodyId body) const;

 private:
  /// What the world was told of an entity. By the index of its body.
  struct Record {
    std::optional<Entity> entity;  ///< none at a place that is free
    BodyId body;
    Transform transform;
    Shape shape;
    std::string tag;
    BodyType type = BodyType::dynamic;
    Filter filter;
    bool sensor = false;
    bool bullet = false;
    bool enabled = true;
    std::vector<std::string> targets;  ///< what it has callbacks for, sorted
    std::size_t seen_at = 0;           ///< place in the last view
    std::uint64_t update = 0;          ///< in which it was seen last
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// An entity in the view of this update.
  struct Seen {
    Entity entity;
    Position* position;
    EntityCollider* collider;
    std::uint32_t record;  ///< none for one that is new
  };

  /// A callback that waits for the end of detection.
  template <typename Event>
  struct Due {
    Entity a;
    Entity b;
    Event event;
    Callback<Entity, Event> callback;
    ListenerId listener;  ///< 0 for that of a collider
  };

  /// Pairs of tags that colliders wait for. The world must know, or it would not test them.
  struct Wanted {
    std::size_t colliders = 0;
    ListenerId listener = 0;
  };

  /// Keeps updates from beginning within each other.
  class Updating {
   public:
    explicit Updating(bool& updating) : updating_(updating) { updating_ = true; }
    ~Updating() { updating_ = false; }
    Updating(const Updating&) = delete;
    Updating& operator=(const Updating&) = delete;

   private:
    bool& updating_;
  };

  static Box rectangle(const EntityCollider& collider);
  static Shape shape_of(const EntityCollider& collider);
  static bool is_shape_of(const Shape& shape, const EntityCollider& collider);
  [[nodiscard]] const Record* record_of(BodyId body) const;
  [[nodiscard]] Error check(const Seen& seen) const;

  // Detection, up to all that is to be called.
  void begin_view();
  [[nodiscard]] std::uint32_t find(Entity entity);
  Result<void> detect(float seconds);
  Result<void> add_new();
  void remove_gone();
  Result<void> apply_changes();
  Result<void> apply_nature(Record& record, const EntityCollider& collider);
  void listen_for(Record& record, const EntityCollider& collider);
  void want(const std::string& tag, const std::string& target);
  void unwant(const std::string& tag, const std::string& target);
  void write_back();
  void queue_callback_of(const Record& from, const Record& to, const BodyContact& contact);
  void queue_callbacks_of_colliders();
  void forget_gone();
  template <typename Event>
  auto queue_for(std::vector<Due<Event>>& queue, Callback<Entity, Event> callback,
                 const std::shared_ptr<ListenerId>& listener);

  // Callbacks.
  void forget_due();
  template <typename Registry>
  void run_callbacks(Registry& registry);
  template <typename Registry>
  void destroy_doomed(Registry& registry);

  World world_;
  std::vector<Record> records_;
  std::map<Entity, std::uint32_t> record_of_entity_;
  std::map<std::pair<std::string, std::string>, Wanted> wanted_;
  std::vector<std::uint32_t> view_order_;  ///< records as the last view showed them
  std::uint64_t updates_ = 0;
  std::set<Entity> doomed_;
  bool updating_ = false;

  // Of one update.
  std::vector<Seen> seen_;
  std::size_t next_in_view_ = 0;
  std::vector<std::uint32_t> gone_;
  std::vector<Body> new_bodies_;
  std::vector<std::size_t> new_seen_;
  std::vector<BodyId> moved_;
  std::vector<Transform> moved_to_;
  std::vector<Due<BodyContact>> due_of_colliders_;
  std::vector<Due<BodyContact>> due_;
  std::vector<Due<ContactEnd>> due_ends_;
  std::vector<ListenerId> removed_listeners_;
};

}  // namespace broadside::ecs

#include "broadside/adapters/detail/ecs_listeners.hpp"
#include "broadside/adapters/detail/ecs_sync.hpp"
