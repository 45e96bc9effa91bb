#pragma once

#include <algorithm>

#include "broadside/adapters/ecs.hpp"

// Listeners and callbacks. During detection, callbacks are only queued.

namespace broadside::inline v0_2::ecs {

// Listeners.

/// Returns a listener for the world that queues `callback`. Its id is known only after it was added.
template <std::totally_ordered Entity, typename Position>
template <typename Event>
auto CollisionSystem<Entity, Position>::queue_for(std::vector<Due<Event>>& queue,
                                                  Callback<Entity, Event> callback,
                                                  const std::shared_ptr<ListenerId>& listener) {
  return [this, &queue, callback = std::move(callback), listener](const Event& event) {
    const Record* a = record_of(event.a);
    const Record* b = record_of(event.b);
    if (a != nullptr && b != nullptr && callback) {
      queue.push_back({*a->entity, *b->entity, event, callback, *listener});
    }
  };
}

template <std::totally_ordered Entity, typename Position>
ListenerId CollisionSystem<Entity, Position>::on_contact(std::string_view tag_a, std::string_view tag_b,
                                                         ContactCallback callback) {
  const auto listener = std::make_shared<ListenerId>();
  *listener = world_.on_contact(tag_a, tag_b, queue_for(due_, std::move(callback), listener));
  return *listener;
}

template <std::totally_ordered Entity, typename Position>
ListenerId CollisionSystem<Entity, Position>::on_begin(std::string_view tag_a, std::string_view tag_b,
                                                       ContactCallback callback) {
  const auto listener = std::make_shared<ListenerId>();
  *listener = world_.on_begin(tag_a, tag_b, queue_for(due_, std::move(callback), listener));
  return *listener;
}

template <std::totally_ordered Entity, typename Position>
ListenerId CollisionSystem<Entity, Position>::on_end(std::string_view tag_a, std::string_view tag_b,
                                                     EndCallback callback) {
  const auto listener = std::make_shared<ListenerId>();
  *listener = world_.on_end(tag_a, tag_b, queue_for(due_ends_, std::move(callback), listener));
  return *listener;
}

template <std::totally_ordered Entity, typename Position>
bool CollisionSystem<Entity, Position>::remove_listener(ListenerId listener) {
  if (updating_) {
    removed_listeners_.push_back(listener);
  }
  return world_.remove_listener(listener);
}

// Adds the new targets first, so that the listener of a pair of tags that stays is not removed in between.
template <std::totally_ordered Entity, typename Position>
void CollisionSystem<Entity, Position>::listen_for(Record& record, const EntityCollider& collider) {
  std::vector<std::string> targets;
  for (const auto& [target, callback] : collider.callbacks) {
    subscribe(collider.tag, target);
    targets.push_back(target);
  }
  for (const std::string& target : record.targets) {
    unsubscribe(record.tag, target);
  }
  record.tag = collider.tag;
  record.targets = std::move(targets);
}

template <std::totally_ordered Entity, typename Position>
void CollisionSystem<Entity, Position>::subscribe(const std::string& tag, const std::string& target) {
  TagPairListener& pair = tag_pair_listeners_[{tag, target}];
  if (pair.colliders == 0) {
    pair.listener = world_.on_contact(tag, target, [](const BodyContact&) {});
  }
  ++pair.colliders;
}

template <std::totally_ordered Entity, typename Position>
void CollisionSystem<Entity, Position>::unsubscribe(const std::string& tag, const std::string& target) {
  const auto at = tag_pair_listeners_.find({tag, target});
  if (--at->second.colliders == 0) {
    world_.remove_listener(at->second.listener);
    tag_pair_listeners_.erase(at);
  }
}

template <std::totally_ordered Entity, typename Position>
void CollisionSystem<Entity, Position>::queue_callbacks_of_colliders() {
  if (tag_pair_listeners_.empty()) {
    return;
  }
  for (const BodyContact contact : world_.contacts()) {
    const Record* a = record_of(contact.a);
    const Record* b = record_of(contact.b);
    if (a == nullptr || b == nullptr) {
      continue;
    }
    queue_callback_of(*a, *b, contact);
    queue_callback_of(*b, *a, swapped(contact));
  }
}

template <std::totally_ordered Entity, typename Position>
void CollisionSystem<Entity, Position>::queue_callback_of(const Record& from, const Record& to,
                                                          const BodyContact& contact) {
  if (from.targets.empty()) {
    return;
  }
  const auto& callbacks = view_entries_[from.view_index].collider->callbacks;
  auto at = callbacks.find(to.tag);
  if (at == callbacks.end()) {
    at = callbacks.find(World::any);
  }
  if (at != callbacks.end() && at->second) {
    due_of_colliders_.push_back({*from.entity, *to.entity, contact, at->second, {}});
  }
}

// Callbacks.

template <std::totally_ordered Entity, typename Position>
template <typename Registry>
void CollisionSystem<Entity, Position>::run_callbacks(Registry& registry) {
  const auto exists = [&](Entity entity) { return registry.valid(entity) && !to_destroy_.contains(entity); };
  const auto is_due = [&](const auto& due) {
    return exists(due.a) && std::find(removed_listeners_.begin(), removed_listeners_.end(), due.listener) ==
                                removed_listeners_.end();
  };
  // A callback that steps the world makes the queues longer: hence indices, and a copy of each entry.
  const auto run = [](const auto& queue, auto is_wanted) {
    for (std::size_t i = 0, count = queue.size(); i < count; ++i) {
      if (is_wanted(queue[i])) {
        const auto due = queue[i];  // NOLINT(performance-unnecessary-copy-initialization)
        due.callback(due.a, due.b, due.event);
      }
    }
  };
  const auto both_exist = [&](const Due<BodyContact>& due) { return is_due(due) && exists(due.b); };
  run(due_of_colliders_, both_exist);
  run(due_, both_exist);
  run(due_ends_, is_due);
  clear_pending();
}

template <std::totally_ordered Entity, typename Position>
void CollisionSystem<Entity, Position>::clear_pending() {
  due_of_colliders_.clear();
  due_.clear();
  due_ends_.clear();
  removed_listeners_.clear();
}

// Destroying an entity may run callbacks of the registry that mark others for destruction.
template <std::totally_ordered Entity, typename Position>
template <typename Registry>
void CollisionSystem<Entity, Position>::destroy_pending(Registry& registry) {
  while (!to_destroy_.empty()) {
    const std::set<Entity> to_destroy = std::exchange(to_destroy_, {});
    for (const Entity entity : to_destroy) {
      if (registry.valid(entity)) {
        registry.destroy(entity);
      }
    }
  }
}

}  // namespace broadside::inline v0_2::ecs
