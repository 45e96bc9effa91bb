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

/// Collisions between the entities of another library's registry: EnTT's, or one with the same interface.
namespace broadside::inline v0_2::ecs {

/// Reads the transform of an entity, and writes it back after the world moved the entity.
///
/// Works for components with members x and y; specialize it for others. `read` may return a rotation.
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

/// A callback for two touching entities: takes both and the contact, both, or nothing.
///
/// Copies share the function, so it stays alive while it runs, even if it changes the collider that owns it.
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

/// The component that makes an entity collide.
///
///     using Collider = broadside::ecs::Collider<entt::entity>;
///     registry.emplace<Collider>(player, Collider{.width = 64, .height = 64, .tag = "player",
///                                                 .callbacks = {{"food", [&] { grow(20); }}}});
template <typename Entity>
struct Collider {
  std::optional<Shape> shape = {};  ///< in the frame of the entity; if not set, a box of `width` and `height`
  float width = 0.0F;               ///< 0 or more; the position is the corner with the least coordinates
                                    ///< (unit: length)
  float height = 0.0F;              ///< likewise
  std::string tag = {};             ///< name for listeners and callbacks; any string
  BodyType type = BodyType::dynamic;  ///< a change replaces the body, which ends its contacts
  Filter filter = {};                 ///< as in `BodyDef`
  bool sensor = false;                ///< as in `BodyDef`
  bool bullet = false;                ///< as in `BodyDef`
  bool enabled = true;                ///< if false, the entity touches nothing
  Vec2 velocity = {};                 ///< initial; for updates with a time (unit: length per second)
  /// Callbacks by the tag of the other entity; `World::any` for tags without an entry. Called in each update
  /// in which the two touch, with this entity first, and normals that point away from it.
  std::map<std::string, Callback<Entity>, std::less<>> callbacks = {};
};

/// A registry of entities with components, such as `entt::registry`.
template <typename Registry, typename Entity, typename Position>
concept EntityRegistry = std::totally_ordered<Entity> && std::copyable<Entity> &&
    requires(Registry& registry, Entity entity, void (*visit)(Entity, Position&, Collider<Entity>&)) {
  { registry.valid(entity) } -> std::convertible_to<bool>;
  registry.destroy(entity);
  registry.template view<Position, Collider<Entity>>().each(visit);
};

/// Finds the entities with a position and a collider that touch, and runs callbacks for them.
///
///     CollisionSystem<entt::entity, Position> collisions;
///     collisions.on_begin("player", "poison", [&](auto player, auto poison, const BodyContact&) {
///       collisions.destroy_later(poison);
///     });
///     collisions.update(registry).value();   // once a frame, after the entities moved
///
/// Changes of components since the last update are found by comparison: entities may appear, disappear, move,
/// grow and change tags without notice. An unchanged component costs the comparison only. Entities are
/// identified by value: a reused entity must differ from the old one, for example by its version.
///
/// Callbacks run after detection: first those of colliders, for each contact from a to b and then from b to
/// a; then listeners, in ascending order of the contacts, then in the order in which they were added; end
/// listeners last. They may change the registry in any way; an entity that is destroyed, or about to be, gets
/// no further callback.
/// @par Order
/// Contacts are ascending by (a, b), the indices of the bodies. A new entity gets the index of the body that
/// was removed last, or else the next one, in the order of the view.
template <std::totally_ordered Entity, typename Position>
class CollisionSystem {
 public:
  using EntityCollider = Collider<Entity>;
  using ContactCallback = Callback<Entity>;
  using EndCallback = Callback<Entity, ContactEnd>;

  /// Makes a system whose world tests only pairs with a callback or listener (`Interest::listeners`).
  CollisionSystem() : CollisionSystem(World::create({.interest = Interest::listeners}).value()) {}
  /// Makes a system with a given world.
  explicit CollisionSystem(World world) : world_(std::move(world)) {}
  CollisionSystem(const CollisionSystem&) = delete;
  CollisionSystem& operator=(const CollisionSystem&) = delete;

  /// Adds a callback for each update in which entities with these tags touch; `World::any` is any tag.
  ListenerId on_contact(std::string_view tag_a, std::string_view tag_b, ContactCallback callback);
  /// Adds a callback for when entities with these tags begin to touch.
  ListenerId on_begin(std::string_view tag_a, std::string_view tag_b, ContactCallback callback);
  /// Adds a callback for when they no longer touch. The second may no longer exist, the first always does.
  ListenerId on_end(std::string_view tag_a, std::string_view tag_b, EndCallback callback);
  /// Removes a listener at once; returns whether it existed.
  bool remove_listener(ListenerId listener);

  /// Applies the changes in the registry, finds the touching entities, and runs the callbacks.
  ///
  /// @param seconds if more than 0, the world also moves its bodies by their velocities, its gravity and its
  ///   response, and their positions are written back before the callbacks run
  /// @par Errors
  /// A component that is not finite or not valid (a NaN in a position, a width below 0) is refused with a
  /// sentence that names the entity; nothing changes and no callback runs. `locked` from within a callback.
  /// `invalid_argument` for too many different filters, as in `World::set_filter`: entities may have
  /// appeared, disappeared or changed by then, none has moved, and no callback runs; the next update applies
  /// the rest.
  /// @par Complexity
  /// O(n) comparisons for n entities, O(log n) for each that appeared, disappeared, or changed its position
  /// in the view; then that of `World::step`. Allocates only if there is more of anything than before.
  template <EntityRegistry<Entity, Position> Registry>
  Result<void> update(Registry& registry, float seconds = 0.0F) {
    if (updating_) {
      return Error{ErrorCode::locked, "an update may not begin from within a callback of the last one"};
    }
    const Updating guard(updating_);
    destroy_pending(registry);
    begin_view();
    registry.template view<Position, EntityCollider>().each(
        [this](Entity entity, Position& position, EntityCollider& collider) {
          view_entries_.push_back({entity, &position, &collider, find(entity)});
        });
    if (auto done = detect(seconds); !done.has_value()) {
      return done;
    }
    run_callbacks(registry);
    destroy_pending(registry);
    return {};
  }

  /// Destroys an entity after the callbacks of this update. Between updates, it is destroyed at the
  /// beginning of the next one. It gets no further callback. An entity that does not exist, or is passed
  /// twice, does no harm.
  void destroy_later(Entity entity) { to_destroy_.insert(entity); }

  /// Returns the underlying world, for queries, velocities, techniques and statistics. Bodies of entities are
  /// moved by their components.
  /// @pre bodies of entities are not removed through it
  [[nodiscard]] World& world() { return world_; }
  [[nodiscard]] const World& world() const { return world_; }
  /// Returns the body of an entity as of the last update; nothing if it has none.
  [[nodiscard]] std::optional<BodyId> body(Entity entity) const;
  /// Returns the entity of a body as of the last update; nothing if the body has none.
  [[nodiscard]] std::optional<Entity> entity(BodyId body) const;

 private:
  /// The last state of an entity that was passed to the world. By the index of its body.
  struct Record {
    std::optional<Entity> entity;  ///< empty if the slot is free
    BodyId body;
    Transform transform;
    Shape shape;
    std::string tag;
    BodyType type = BodyType::dynamic;
    Filter filter;
    bool sensor = false;
    bool bullet = false;
    bool enabled = true;
    std::vector<std::string> targets;  ///< keys of its callbacks, sorted
    std::size_t view_index = 0;        ///< position in the last view
    std::uint64_t update = 0;          ///< the last one whose view contained it
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// An entity in the view of this update.
  struct ViewEntry {
    Entity entity;
    Position* position;
    EntityCollider* collider;
    std::uint32_t record;  ///< `none` for a new entity
  };

  /// A callback to run after detection.
  template <typename Event>
  struct Due {
    Entity a;
    Entity b;
    Event event;
    Callback<Entity, Event> callback;
    ListenerId listener;  ///< none for a callback of a collider
  };

  /// A pair of tags that colliders have callbacks for. It needs a listener, or the world would not test the
  /// pair.
  struct TagPairListener {
    std::size_t colliders = 0;
    ListenerId listener;
  };

  /// Keeps callbacks from starting a nested update.
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
  [[nodiscard]] Error find_error(const ViewEntry& entry) const;

  // Detection, up to the queue of callbacks.
  void begin_view();
  [[nodiscard]] std::uint32_t find(Entity entity);
  Result<void> detect(float seconds);
  Result<void> add_new();
  void remove_missing();
  Result<void> apply_changes();
  Result<void> apply_properties(Record& record, const EntityCollider& collider);
  void listen_for(Record& record, const EntityCollider& collider);
  void subscribe(const std::string& tag, const std::string& target);
  void unsubscribe(const std::string& tag, const std::string& target);
  void write_back();
  void queue_callback_of(const Record& from, const Record& to, const BodyContact& contact);
  void queue_callbacks_of_colliders();
  void clear_removed();
  template <typename Event>
  auto queue_for(std::vector<Due<Event>>& queue, Callback<Entity, Event> callback,
                 const std::shared_ptr<ListenerId>& listener);

  // Callbacks.
  void clear_pending();
  template <typename Registry>
  void run_callbacks(Registry& registry);
  template <typename Registry>
  void destroy_pending(Registry& registry);

  World world_;
  std::vector<Record> records_;
  std::map<Entity, std::uint32_t> record_of_entity_;
  std::map<std::pair<std::string, std::string>, TagPairListener> tag_pair_listeners_;
  std::vector<std::uint32_t> view_order_;  ///< records in the order of the last view
  std::uint64_t updates_ = 0;
  std::set<Entity> to_destroy_;
  bool updating_ = false;

  // State of one update.
  std::vector<ViewEntry> view_entries_;
  std::size_t next_in_view_ = 0;
  std::vector<std::uint32_t> removed_records_;
  std::vector<BodyDef> new_bodies_;
  std::vector<std::size_t> new_entries_;
  std::vector<BodyId> moved_;
  std::vector<Transform> moved_to_;
  std::vector<Due<BodyContact>> due_of_colliders_;
  std::vector<Due<BodyContact>> due_;
  std::vector<Due<ContactEnd>> due_ends_;
  std::vector<ListenerId> removed_listeners_;
};

}  // namespace broadside::inline v0_2::ecs

#include "broadside/adapters/detail/ecs_listeners.hpp"
#include "broadside/adapters/detail/ecs_sync.hpp"
