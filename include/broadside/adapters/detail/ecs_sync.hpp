#pragma once

#include <algorithm>

#include "broadside/adapters/ecs.hpp"
#include "broadside/base/validate.hpp"

// Applies the changes in a registry to the world: one pass over the view records all differences, then the
// world steps.
//
//     view -> entries -> added, removed, changed -> World::step -> due -> callbacks

namespace broadside::inline v0_2::ecs {

namespace detail {

/// Returns the name of an entity for an error.
template <typename Entity>
std::string name_of(Entity entity, std::size_t place) {
  if constexpr (std::is_enum_v<Entity>) {
    return "entity " + std::to_string(static_cast<std::underlying_type_t<Entity>>(entity));
  } else if constexpr (std::is_integral_v<Entity>) {
    return "entity " + std::to_string(entity);
  } else {
    return "entity at place " + std::to_string(place) + " of the view";
  }
}

}  // namespace detail

// Entities and bodies.

template <std::totally_ordered Entity, typename Position>
auto CollisionSystem<Entity, Position>::record_of(BodyId body) const -> const Record* {
  const bool known =
      body.index < records_.size() && records_[body.index].entity && records_[body.index].body == body;
  return known ? &records_[body.index] : nullptr;
}

template <std::totally_ordered Entity, typename Position>
std::optional<BodyId> CollisionSystem<Entity, Position>::body(Entity entity) const {
  const auto at = record_of_entity_.find(entity);
  return at == record_of_entity_.end() ? std::nullopt : std::optional(records_[at->second].body);
}

template <std::totally_ordered Entity, typename Position>
std::optional<Entity> CollisionSystem<Entity, Position>::entity(BodyId body) const {
  const Record* record = record_of(body);
  return record == nullptr ? std::nullopt : record->entity;
}

template <std::totally_ordered Entity, typename Position>
Box CollisionSystem<Entity, Position>::rectangle(const EntityCollider& collider) {
  const Vec2 size{collider.width, collider.height};
  return Box::of_size(size, 0.5F * size);
}

template <std::totally_ordered Entity, typename Position>
Shape CollisionSystem<Entity, Position>::shape_of(const EntityCollider& collider) {
  return collider.shape ? *collider.shape : Shape(rectangle(collider));
}

template <std::totally_ordered Entity, typename Position>
bool CollisionSystem<Entity, Position>::is_shape_of(const Shape& shape, const EntityCollider& collider) {
  if (collider.shape) {
    return *collider.shape == shape;
  }
  const Box* box = std::get_if<Box>(&shape);
  return box != nullptr && *box == rectangle(collider);
}

// The view.

template <std::totally_ordered Entity, typename Position>
void CollisionSystem<Entity, Position>::begin_view() {
  ++updates_;
  next_in_view_ = 0;
  view_entries_.clear();
}

// Most views keep the order of the last one, with few exceptions: try the next entity of the last view first.
template <std::totally_ordered Entity, typename Position>
std::uint32_t CollisionSystem<Entity, Position>::find(Entity entity) {
  if (next_in_view_ < view_order_.size()) {
    const std::uint32_t next = view_order_[next_in_view_];
    if (records_[next].entity == entity) {
      ++next_in_view_;
      return next;
    }
  }
  const auto at = record_of_entity_.find(entity);
  if (at == record_of_entity_.end()) {
    return none;
  }
  next_in_view_ = records_[at->second].view_index + 1;
  return at->second;
}

/// Returns the error of an entity that is new or has changed.
template <std::totally_ordered Entity, typename Position>
Error CollisionSystem<Entity, Position>::find_error(const ViewEntry& entry) const {
  const EntityCollider& collider = *entry.collider;
  const Transform transform = PositionTraits<Position>::read(*entry.position);
  const Record* known = entry.record == none ? nullptr : &records_[entry.record];
  const bool is_new = known == nullptr || known->type != collider.type;
  const bool same_shape = !is_new && is_shape_of(known->shape, collider);
  if (same_shape && known->transform == transform) {
    return {};
  }
  const auto who = [&] {
    return detail::name_of(entry.entity, static_cast<std::size_t>(&entry - view_entries_.data()));
  };
  if (!is_finite(transform.position)) {
    return {ErrorCode::not_finite, who() + ": position must be finite"};
  }
  if (same_shape && known->transform.rotation == transform.rotation) {
    return {};
  }
  if (!is_valid(collider.type)) {
    return validate(collider.type, who()).error();
  }
  const Shape shape = shape_of(collider);
  if (auto valid = validate(shape); !valid.has_value()) {
    return {valid.error().code, who() + ": " + valid.error().message};
  }
  if (!is_valid(bounds(shape, transform))) {
    return {ErrorCode::invalid_argument,
            who() + ": rotation must be a cosine and a sine, whose squares sum up to 1"};
  }
  if (is_new && !is_finite(collider.velocity)) {
    return {ErrorCode::not_finite, who() + ": velocity must be finite"};
  }
  if (is_new && collider.type == BodyType::static_body && collider.velocity != Vec2{}) {
    return {ErrorCode::invalid_argument, who() + ": a static entity must have velocity 0"};
  }
  return {};
}

// Detection.

template <std::totally_ordered Entity, typename Position>
Result<void> CollisionSystem<Entity, Position>::detect(float seconds) {
  clear_pending();
  if (!is_finite(seconds) || seconds < 0.0F) {
    return Error{ErrorCode::invalid_argument, "update: seconds must be a finite number, 0 or more"};
  }
  for (const ViewEntry& entry : view_entries_) {
    if (Error error = find_error(entry)) {
      return error;
    }
  }
  if (auto added = add_new(); !added.has_value()) {
    return added;
  }
  remove_missing();
  if (auto changed = apply_changes(); !changed.has_value()) {
    return changed;
  }
  if (auto stepped = world_.step(seconds); !stepped.has_value()) {
    return stepped;
  }
  if (seconds > 0.0F) {
    write_back();
  }
  queue_callbacks_of_colliders();
  clear_removed();
  return {};
}

template <std::totally_ordered Entity, typename Position>
Result<void> CollisionSystem<Entity, Position>::add_new() {
  new_bodies_.clear();
  new_entries_.clear();
  for (std::size_t i = 0; i < view_entries_.size(); ++i) {
    const EntityCollider& collider = *view_entries_[i].collider;
    if (view_entries_[i].record != none && records_[view_entries_[i].record].type == collider.type) {
      continue;
    }
    const Transform transform = PositionTraits<Position>::read(*view_entries_[i].position);
    new_entries_.push_back(i);
    new_bodies_.push_back({.shape = shape_of(collider),
                           .type = collider.type,
                           .position = transform.position,
                           .rotation = transform.rotation,
                           .velocity = collider.velocity,
                           .tag = collider.tag,
                           .filter = collider.filter,
                           .sensor = collider.sensor,
                           .bullet = collider.bullet,
                           .enabled = collider.enabled});
  }
  if (new_bodies_.empty()) {
    return {};
  }
  const auto ids = world_.add(new_bodies_);
  if (!ids.has_value()) {
    return ids.error();
  }
  for (std::size_t k = 0; k < ids->size(); ++k) {
    ViewEntry& entry = view_entries_[new_entries_[k]];
    const BodyDef& body = new_bodies_[k];
    const BodyId id = (*ids)[k];
    entry.record = id.index;
    if (id.index >= records_.size()) {
      records_.resize(std::size_t{id.index} + 1);
    }
    Record& record = records_[id.index];
    record = {};
    record.entity = entry.entity;
    record.body = id;
    record.transform = {body.position, body.rotation};
    record.shape = body.shape;
    record.type = body.type;
    record.filter = body.filter;
    record.sensor = body.sensor;
    record.bullet = body.bullet;
    record.enabled = body.enabled;
    listen_for(record, *entry.collider);
    record_of_entity_[entry.entity] = id.index;
  }
  return {};
}

/// Removes the bodies of entities that the view did not show, or showed with another type.
template <std::totally_ordered Entity, typename Position>
void CollisionSystem<Entity, Position>::remove_missing() {
  view_order_.clear();
  for (const ViewEntry& entry : view_entries_) {
    records_[entry.record].update = updates_;
    records_[entry.record].view_index = view_order_.size();
    view_order_.push_back(entry.record);
  }
  removed_records_.clear();
  for (std::uint32_t i = 0; i < records_.size(); ++i) {
    Record& record = records_[i];
    if (!record.entity || record.update == updates_) {
      continue;
    }
    removed_records_.push_back(i);
    // An error means that the caller removed the body, against the precondition of `world()`.
    static_cast<void>(world_.remove(record.body));
    const auto at = record_of_entity_.find(*record.entity);
    if (at != record_of_entity_.end() && at->second == i) {
      record_of_entity_.erase(at);
    }
    for (const std::string& target : record.targets) {
      unsubscribe(record.tag, target);
    }
    record.targets.clear();
  }
}

// Records of removed entities are needed until their end callbacks are queued.
template <std::totally_ordered Entity, typename Position>
void CollisionSystem<Entity, Position>::clear_removed() {
  for (const std::uint32_t record : removed_records_) {
    records_[record] = {};
  }
}

template <std::totally_ordered Entity, typename Position>
Result<void> CollisionSystem<Entity, Position>::apply_changes() {
  moved_.clear();
  moved_to_.clear();
  for (const ViewEntry& entry : view_entries_) {
    Record& record = records_[entry.record];
    const Transform transform = PositionTraits<Position>::read(*entry.position);
    if (transform != record.transform) {
      moved_.push_back(record.body);
      moved_to_.push_back(transform);
    }
    if (auto applied = apply_properties(record, *entry.collider); !applied.has_value()) {
      return applied;
    }
  }
  if (auto moved = world_.move(moved_, moved_to_); !moved.has_value()) {
    return moved;
  }
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    records_[moved_[i].index].transform = moved_to_[i];
  }
  return {};
}

template <std::totally_ordered Entity, typename Position>
Result<void> CollisionSystem<Entity, Position>::apply_properties(Record& record,
                                                                 const EntityCollider& collider) {
  Result<void> done;
  const auto sync_values = [&](auto& known, const auto& wanted, auto set) {
    if (done.has_value() && known != wanted) {
      done = (world_.*set)(record.body, wanted);
      if (done.has_value()) {
        known = wanted;
      }
    }
  };
  if (!is_shape_of(record.shape, collider)) {
    sync_values(record.shape, shape_of(collider), &World::set_shape);
  }
  sync_values(record.filter, collider.filter, &World::set_filter);
  sync_values(record.sensor, collider.sensor, &World::set_sensor);
  sync_values(record.bullet, collider.bullet, &World::set_bullet);
  sync_values(record.enabled, collider.enabled, &World::set_enabled);
  const bool same_targets = std::equal(
      record.targets.begin(), record.targets.end(), collider.callbacks.begin(), collider.callbacks.end(),
      [](const std::string& target, const auto& entry) { return target == entry.first; });
  if (done.has_value() && (record.tag != collider.tag || !same_targets)) {
    done = world_.set_tag(record.body, collider.tag);
    if (done.has_value()) {
      listen_for(record, collider);
    }
  }
  return done;
}

template <std::totally_ordered Entity, typename Position>
void CollisionSystem<Entity, Position>::write_back() {
  for (const ViewEntry& entry : view_entries_) {
    Record& record = records_[entry.record];
    const auto transform = world_.transform(record.body);
    if (transform.has_value() && *transform != record.transform) {
      PositionTraits<Position>::write(*entry.position, *transform);
      // The component may round, such as integers. What it holds now is no move of the game.
      record.transform = PositionTraits<Position>::read(*entry.position);
    }
  }
}

}  // namespace broadside::inline v0_2::ecs
