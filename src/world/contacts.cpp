#include <algorithm>
#include <limits>

#include "base/number_text.hpp"
#include "base/to_vec2.hpp"
#include "broadside/contact/collide.hpp"
#include "world/collect.hpp"
#include "world/state.hpp"

namespace broadside::inline v0_2 {

std::string_view name(EndCause cause) {
  switch (cause) {
    case EndCause::parted:
      return "parted";
    case EndCause::removed:
      return "removed";
    case EndCause::disabled:
      return "disabled";
    case EndCause::filtered:
      return "filtered";
  }
  return "unknown";
}

BodyContact World::State::contact_at(ContactLog::At at) const {
  const Contact& contact = contacts()[at];
  const auto [a, b] = contact.pair;
  const detail::Point speed =
      detail::to_point(motions.velocity_at_contact(a)) - detail::to_point(motions.velocity_at_contact(b));
  return {id_in_step(a),
          id_in_step(b),
          contact.manifold,
          sweeper.time(contact.pair),
          contacts().has_begun(at),
          detail::to_number(dot(speed, detail::to_point(contact.manifold.normal)))};
}

BodyContact ContactRange::operator[](std::size_t i) const {
  const World::State& state = *static_cast<const World::State*>(state_);
  return state.contact_at(kind_ == Kind::all ? state.contacts().nth(i) : indices_[i]);
}

ContactRange World::contacts() const {
  return {state_.get(), state_->contacts().size()};
}

ContactRange World::begun() const {
  return {state_.get(), ContactRange::Kind::begun, state_->contacts().begun()};
}

ContactRange World::stayed() const {
  return {state_.get(), ContactRange::Kind::stayed, state_->contacts().stayed()};
}

std::span<const ContactEnd> World::ended() const {
  return state_->ended.ends();
}

std::span<const Contact> World::shape_contacts() const {
  return state_->shape_contacts.in_order();
}

Result<bool> World::touching(BodyId a, BodyId b) const {
  if (Error error = state_->check(a, b)) {
    return error;
  }
  return state_->overlap(a, b);
}

bool World::State::overlap(BodyId a, BodyId b) const {
  // A body that was added after the step did not touch anything in it.
  return id_in_step(a.index) == a && id_in_step(b.index) == b &&
         contacts().find(ordered_pair(a.index, b.index)) != nullptr;
}

Result<std::vector<BodyContact>> World::contacts_of(BodyId body) const {
  return collect<BodyContact>([&](ContactVisitor visit) { return visit_contacts(body, visit); });
}

Result<void> World::visit_contacts(BodyId body, ContactVisitor visit) const {
  const auto state = state_;  // the visitor may destroy this world
  if (Error error = state->check(body)) {
    return error;
  }
  if (state->id_in_step(body.index) != body) {
    return {};  // it was added after the step
  }
  const auto locked = state->lock();  // a change would replace the contacts that are visited
  for (const ContactLog::At at : state->contacts().of(body.index)) {
    const BodyContact contact = state->contact_at(at);
    if (!visit(contact.a == body ? contact : swapped(contact)) || state->rules.is_abandoned()) {
      break;
    }
  }
  return {};
}

Result<std::vector<BodyId>> World::candidates(BodyId body) const {
  const auto state = state_;  // the predicate may destroy this world
  if (Error error = state->check(body)) {
    return error;
  }
  std::vector<State::Place> places;
  const BroadPhase& boxes = broad_phase();
  state->bodies.for_each_part(body.index,
                              [&](State::Place part) { boxes.append_area(boxes.box_of(part), places); });
  state->replace_by_owners(places);
  std::vector<BodyId> found;
  const auto locked = state->lock();
  for (const State::Place other : places) {
    if (!state->rules.keeps_apart(ordered_pair(body.index, other))) {
      found.push_back(state->bodies.id(other));
    }
  }
  return found;
}

// Explanations.

namespace {

std::string why_filtered(const Filter& a, const Filter& b) {
  if (a.group != 0 && a.group == b.group) {  // then masks are ignored
    if (a.group < 0) {
      return "both are in group " + std::to_string(a.group) + ", whose members never touch";
    }
  } else if ((a.mask & b.layer) == 0) {
    return "the first one's mask leaves out the layers of the second";
  } else if ((b.mask & a.layer) == 0) {
    return "the second one's mask leaves out the layers of the first";
  }
  return "nothing is interested: neither filter wants a layer of the other, and no listener has their "
         "tags";
}

}  // namespace

std::string World::why(BodyId a, BodyId b) const {
  const auto state = state_;  // the predicate may destroy this world
  if (const Error error = state->check(a, b)) {
    return "they do not touch: " + error.message;
  }
  if (a == b) {
    return "they do not touch: they are one body";
  }
  const std::string no = "they do not touch: ";
  const State::Slot& first = state->bodies.slot(a.index);
  const State::Slot& second = state->bodies.slot(b.index);
  if (!first.enabled || !second.enabled) {
    return no + (first.enabled ? "the second" : "the first") + " is disabled";
  }
  if (!can_touch(PairRules::box_type(first), PairRules::box_type(second))) {
    return state->overlap(a, b)
               ? "they touch: move_and_slide put one of them on the other"
               : no +
                     (first.type == second.type ? "both are " + std::string(name(first.type))
                                                : "one is " + std::string(name(first.type)) + ", the other " +
                                                      std::string(name(second.type))) +
                     ", and one must be dynamic or a sensor";
  }
  const Filter filter_a = state->rules.effective_filter(first);
  const Filter filter_b = state->rules.effective_filter(second);
  if (!may_touch(filter_a, filter_b)) {
    return no + why_filtered(filter_a, filter_b);
  }
  if (state->rules.is_ignored(ordered_pair(a.index, b.index))) {
    return no + "the pair is ignored";
  }
  if (!state->rules.is_awaited(a.index, b.index)) {
    return no + "no listener has their tags";
  }
  if (const auto locked = state->lock(); !state->rules.passes_predicate(a.index, b.index)) {
    return no + "the predicate keeps them apart";
  }
  const Aabb box_a = state->bodies.bounds(a.index);
  const Aabb box_b = state->bodies.bounds(b.index);
  if (!broadside::overlaps(box_a, box_b)) {
    const float on_x = std::max(box_b.min.x - box_a.max.x, box_a.min.x - box_b.max.x);
    const float on_y = std::max(box_b.min.y - box_a.max.y, box_a.min.y - box_b.max.y);
    return no + "their boxes are apart by " + detail::number_text(on_x > 0.0F ? on_x : on_y) + " on " +
           (on_x > 0.0F ? "x" : "y");
  }
  float nearest = std::numeric_limits<float>::max();
  state->bodies.for_each_part(a.index, [&](State::Place i) {
    state->bodies.for_each_part(b.index, [&](State::Place j) {
      nearest = std::min(nearest, distance(state->bodies.shape(i), state->bodies.transform(i),
                                           state->bodies.shape(j), state->bodies.transform(j))
                                      .distance);
    });
  });
  if (nearest > 0.0F) {
    return no + "their boxes overlap, but their shapes are apart by " + detail::number_text(nearest);
  }
  return state->overlap(a, b) ? "they touch" : "they touch since the last step: the next one reports it";
}

}  // namespace broadside::inline v0_2
