#include <algorithm>

#include "base/make_room.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "world/recorder.hpp"

namespace broadside {

namespace {

bool fits(std::uint32_t wanted, std::uint32_t tag, std::uint32_t any_tag) {
  return wanted == any_tag || wanted == tag;
}

ContactEnd turned(const ContactEnd& end) {
  return {end.b, end.a, end.cause};
}

}  // namespace

bool World::State::is_heard(std::uint32_t tag_a, std::uint32_t tag_b) const {
  return std::any_of(listeners.begin(), listeners.end(), [&](const auto& listener) {
    const auto [a, b] = std::pair{listener->tag_a, listener->tag_b};
    return !listener->removed && ((fits(a, tag_a, any_tag) && fits(b, tag_b, any_tag)) ||
                                  (fits(a, tag_b, any_tag) && fits(b, tag_a, any_tag)));
  });
}

// Who is interested changed: what the broad phase lets through changes with it, at the next step.
void World::State::expect_new_filters() {
  if (options.interest != Interest::listeners) {
    return;
  }
  filters_are_due = true;
  bodies.for_each_body([this](Place body) { mark_body(body, refiltered); });
}

// Bodies were marked when it became due: a step that fails from here on leaves the state as it was.
Result<void> World::State::apply_due_filters() {
  if (!filters_are_due) {
    return {};
  }
  bool all_fit = true;
  bodies.for_each_body([&](Place body) {
    const BoxKind kind{box_type(bodies.slot(body)), effective_filter(bodies.slot(body))};
    bodies.for_each_part(
        body, [&](Place place) { all_fit = all_fit && broad_phase->set_kind(place, kind).has_value(); });
  });
  if (!all_fit) {  // old and new filters are too many together; a new broad phase has the new ones alone
    const auto technique = find_technique(broad_phase->name()).value();
    if (auto rebuilt = rebuild(technique->make(technique_options).value()); !rebuilt.has_value()) {
      return rebuilt;
    }
  }
  filters_are_due = false;
  return {};
}

World::ListenerId World::State::listen(std::string_view tag_a, std::string_view tag_b,
                                       std::unique_ptr<Listener> listener) {
  if (is_of_none) {
    return 0;
  }
  NameUses names(*this);
  listener->tag_a = tag_a == any ? any_tag : names.hold_tag(tag_a);
  listener->tag_b = tag_b == any ? any_tag : names.hold_tag(tag_b);
  detail::make_room(listeners, listeners.size() + 1);
  detail::make_room(recorded_listeners, recorded_listeners.size() + 1);
  note(Change::listen, tag_a, tag_b);
  names.keep();
  listener->id = next_listener++;
  if (recorder != nullptr) {
    recorded_listeners.push_back(listener->id);
  }
  listeners.push_back(std::move(listener));
  expect_new_filters();
  return listeners.back()->id;
}

World::ListenerId World::on_contact(std::string_view tag_a, std::string_view tag_b,
                                    ContactListener listener) {
  auto one = std::make_unique<State::Listener>();
  one->wants_contact = listener != nullptr;
  one->on_contact = std::move(listener);
  return state_->listen(tag_a, tag_b, std::move(one));
}

World::ListenerId World::on_begin(std::string_view tag_a, std::string_view tag_b, ContactListener listener) {
  auto one = std::make_unique<State::Listener>();
  one->wants_begin = listener != nullptr;
  one->on_contact = std::move(listener);
  return state_->listen(tag_a, tag_b, std::move(one));
}

World::ListenerId World::on_end(std::string_view tag_a, std::string_view tag_b, EndListener listener) {
  auto one = std::make_unique<State::Listener>();
  one->on_end = std::move(listener);
  return state_->listen(tag_a, tag_b, std::move(one));
}

bool World::remove_listener(ListenerId listener) {
  const auto at = std::find_if(state_->listeners.begin(), state_->listeners.end(),
                               [&](const auto& one) { return one->id == listener && !one->removed; });
  if (at == state_->listeners.end()) {
    return false;
  }
  const auto& recorded = state_->recorded_listeners;
  const auto number = std::find(recorded.begin(), recorded.end(), listener) - recorded.begin();
  state_->note(Change::remove_listener, static_cast<std::uint32_t>(number));
  (*at)->removed = true;
  if (!state_->telling) {
    state_->drop_removed_listeners();
  }
  state_->expect_new_filters();
  return true;
}

void World::State::drop_removed_listeners() {
  std::erase_if(listeners, [this](const auto& listener) {
    if (listener->removed) {
      for (const std::uint32_t tag : {listener->tag_a, listener->tag_b}) {
        if (tag != any_tag) {
          tags.give_back(tag);
        }
      }
    }
    return listener->removed;
  });
}

/// Calls those of the first `count` listeners whom `call` says it concerns, for each way round in which the
/// tags fit, as long as the bodies are there.
template <typename Event, typename Call>
void World::State::tell_of(const Event& event, Pair tags_of_event, std::size_t count, Call call) {
  for (std::size_t k = 0; k < count; ++k) {
    Listener& listener = *listeners[k];
    const auto fits_way = [&](std::uint32_t a, std::uint32_t b) {
      return !is_abandoned && !listener.removed && fits(listener.tag_a, a, any_tag) &&
             fits(listener.tag_b, b, any_tag);
    };
    const bool as_it_is = fits_way(tags_of_event.a, tags_of_event.b);
    if (as_it_is) {
      call(listener, event);
    }
    if (fits_way(tags_of_event.b, tags_of_event.a) && !(as_it_is && listener.tag_a == listener.tag_b)) {
      call(listener, turned(event));
    }
  }
}

// Listeners that are added meanwhile hear of the next step first. One that throws does not keep the others
// from being called.
Result<void> World::State::tell() {
  if (telling) {
    return Error{ErrorCode::locked, "listeners are being told already"};
  }
  if (Error error = check_change()) {
    return error;
  }
  const std::size_t count = listeners.size();
  const auto wants = [this](bool Listener::*what) {
    return std::any_of(listeners.begin(), listeners.end(), [&](const auto& one) { return (*one).*what; });
  };
  const bool each = wants(&Listener::wants_contact);
  const bool some = each || wants(&Listener::wants_begin);
  if (some) {
    detail::make_room(heard_tags, tags.end());
    heard_tags.clear();
    for (std::uint32_t tag = 0; tag < tags.end(); ++tag) {
      heard_tags.push_back(tags_heard_by(tag));
    }
  }
  detail::FirstException thrown;
  {
    telling = true;
    const detail::Undo told([this] {
      telling = false;
      drop_removed_listeners();
    });
    if (some) {
      tell_contacts(each, count, thrown);
    }
    for (std::size_t i = 0; i < ended.size(); ++i) {
      const auto [tag_a, tag_b] = ended_tags[i];
      tell_of(ended[i], Pair{tag_a, tag_b}, count, [&](Listener& listener, const ContactEnd& end) {
        if (listener.on_end && bodies.contains(end.a)) {
          thrown.guard([&] { listener.on_end(end); });
        }
      });
    }
  }
  thrown.rethrow();
  return {};
}

void World::State::tell_contacts(bool each, std::size_t count, detail::FirstException& thrown) {
  const ContactLog& all = contacts();
  const auto began = all.begun();
  const std::size_t told = each ? all.size() : began.size();
  for (std::size_t i = 0; i < told; ++i) {
    const ContactLog::At at = each ? all.nth(i) : began[i];
    const Pair pair = all[at].pair;
    const Pair pair_tags{bodies.slot(pair.a).tag, bodies.slot(pair.b).tag};
    if (pair_tags.a < heard_tags.size() && ((heard_tags[pair_tags.a] >> (pair_tags.b % 64)) & 1U) == 0) {
      continue;
    }
    tell_of(contact_at(at), pair_tags, count, [&](Listener& listener, const BodyContact& contact) {
      const bool concerned = listener.wants_contact || (listener.wants_begin && contact.begun);
      if (concerned && bodies.contains(contact.a) && bodies.contains(contact.b)) {
        thrown.guard([&] { listener.on_contact(contact); });
      }
    });
  }
}

}  // namespace broadside
