#include "world/recorder.hpp"

namespace broadside::inline v0_2 {

ListenerId World::State::listen(std::string_view tag_a, std::string_view tag_b, Listeners::Wants wants,
                                ContactListener on_contact, EndListener on_end) {
  if (is_moved_from()) {
    return {};
  }
  auto listener = std::make_unique<Listeners::Listener>();
  listener->wants = wants;
  listener->on_contact = std::move(on_contact);
  listener->on_end = std::move(on_end);
  PairRules::Uses names(rules);
  listener->tag_a = tag_a == any ? Listeners::any_tag : names.hold_tag(tag_a);
  listener->tag_b = tag_b == any ? Listeners::any_tag : names.hold_tag(tag_b);
  listeners.reserve_one();
  journal.reserve_listener();
  Note(*this, Change::listen, tag_a, tag_b).keep();
  names.keep();
  const ListenerId id = listeners.add(std::move(listener));
  journal.add_listener(id);
  invalidate_filters();
  return id;
}

ListenerId World::on_contact(std::string_view tag_a, std::string_view tag_b, ContactListener listener) {
  return state_->listen(tag_a, tag_b, Listeners::Wants::contacts, std::move(listener));
}

ListenerId World::on_begin(std::string_view tag_a, std::string_view tag_b, ContactListener listener) {
  return state_->listen(tag_a, tag_b, Listeners::Wants::begins, std::move(listener));
}

ListenerId World::on_stay(std::string_view tag_a, std::string_view tag_b, ContactListener listener) {
  return state_->listen(tag_a, tag_b, Listeners::Wants::stays, std::move(listener));
}

ListenerId World::on_end(std::string_view tag_a, std::string_view tag_b, EndListener listener) {
  return state_->listen(tag_a, tag_b, Listeners::Wants::ends, {}, std::move(listener));
}

bool World::remove_listener(ListenerId listener) {
  if (!state_->listeners.contains(listener)) {
    return false;
  }
  State::Note(*state_, Change::remove_listener, state_->journal.number_of(listener)).keep();
  state_->listeners.remove(listener);
  state_->invalidate_filters();
  return true;
}

// Listeners that are added meanwhile are first called in the next step. If a listener throws, the others are
// still called.
Result<void> World::State::dispatch() {
  if (listeners.is_dispatching()) {
    return Error{ErrorCode::locked, "listeners are being called already"};
  }
  if (Error error = check_change()) {
    return error;
  }
  const std::size_t count = listeners.all().size();
  using Wants = Listeners::Wants;
  const bool each = listeners.any_wants(Wants::contacts) || listeners.any_wants(Wants::stays);
  const bool some = each || listeners.any_wants(Wants::begins);
  if (some) {
    listeners.prepare();
  }
  detail::FirstException thrown;
  {
    listeners.begin_dispatch();
    const detail::ScopeGuard guard([this] { listeners.end_dispatch(); });
    const auto on_contact = [&](const Listeners::Listener& listener, const BodyContact& contact) {
      const bool concerned = listener.wants == Wants::contacts ||
                             listener.wants == (contact.begun ? Wants::begins : Wants::stays);
      if (concerned && listener.on_contact && !rules.is_abandoned() && bodies.contains(contact.a) &&
          bodies.contains(contact.b)) {
        thrown.guard([&] { listener.on_contact(contact); });
      }
    };
    const ContactLog& all = contacts();
    const auto began = all.begun();
    const std::size_t reported = each ? all.size() : some ? began.size() : 0;
    for (std::size_t i = 0; i < reported; ++i) {
      const ContactLog::At at = each ? all.nth(i) : began[i];
      const auto [a, b] = all[at].pair;
      const std::uint32_t tag_a = bodies.slot(a).tag;
      const std::uint32_t tag_b = bodies.slot(b).tag;
      if (listeners.may_match(tag_a, tag_b)) {
        listeners.for_each_match(contact_at(at), tag_a, tag_b, count, on_contact);
      }
    }
    const auto on_end = [&](const Listeners::Listener& listener, const ContactEnd& end) {
      if (listener.on_end && !rules.is_abandoned() && bodies.contains(end.a)) {
        thrown.guard([&] { listener.on_end(end); });
      }
    };
    for (std::size_t i = 0; i < ended.ends().size(); ++i) {
      const auto [tag_a, tag_b] = ended.tags()[i];
      listeners.for_each_match(ended.ends()[i], tag_a, tag_b, count, on_end);
    }
  }
  thrown.rethrow();
  return {};
}

}  // namespace broadside::inline v0_2
