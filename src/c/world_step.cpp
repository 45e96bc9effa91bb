#include <utility>

#include "world.hpp"

using broadside::BodyContact;
using broadside::BodyId;
using broadside::ContactEnd;
using broadside::EndCause;
using broadside::Error;
using broadside::ErrorCode;
using broadside::ListenerId;
using broadside::World;
using broadside::detail::as_id;
using broadside::detail::as_vec2;
using broadside::detail::call_world;
using broadside::detail::give;
using broadside::detail::in_c;

namespace broadside::inline v0_2::detail {

bs_contact in_c(const BodyContact& contact) {
  return {in_c(contact.a),  in_c(contact.b), in_c(contact.manifold),
          contact.fraction, contact.begun,   contact.approach_speed};
}

bs_contact_end in_c(const ContactEnd& end) {
  static_assert(static_cast<int>(EndCause::parted) == BS_PARTED);
  static_assert(static_cast<int>(EndCause::removed) == BS_REMOVED);
  static_assert(static_cast<int>(EndCause::disabled) == BS_DISABLED);
  static_assert(static_cast<int>(EndCause::filtered) == BS_FILTERED);
  return {in_c(end.a), in_c(end.b), static_cast<bs_end_cause>(end.cause)};
}

}  // namespace broadside::inline v0_2::detail

namespace {

Error none_of(const char* function, const char* what, long long number) {
  return {ErrorCode::invalid_argument,
          std::string(function) + ": there are no " + what + " with the number " + std::to_string(number)};
}

}  // namespace

// Listeners.

bs_status bs_world_listen(bs_world* world, bs_event event, const char* tag_a, const char* tag_b,
                          bs_contact_listener* listener, void* user, uint32_t* listener_id) {
  constexpr const char* function = "bs_world_listen";
  return call_world(
      function, world,
      {{tag_a, "tag_a"}, {tag_b, "tag_b"}, {reinterpret_cast<const void*>(listener), "listener"}},
      [&](World& made) {
        const auto call = [listener, user](const BodyContact& contact) {
          const bs_contact same = in_c(contact);
          listener(user, &same);
        };
        ListenerId id;
        switch (event) {
          case BS_ON_CONTACT:
            id = made.on_contact(tag_a, tag_b, call);
            break;
          case BS_ON_STAY:
            id = made.on_stay(tag_a, tag_b, call);
            break;
          case BS_ON_BEGIN:
            id = made.on_begin(tag_a, tag_b, call);
            break;
          default:
            return none_of(function, "events", static_cast<long long>(event));
        }
        if (listener_id != nullptr) {
          *listener_id = id.number;
        }
        return Error{};
      });
}

bs_status bs_world_listen_for_ends(bs_world* world, const char* tag_a, const char* tag_b,
                                   bs_end_listener* listener, void* user, uint32_t* listener_id) {
  return call_world(
      "bs_world_listen_for_ends", world,
      {{tag_a, "tag_a"}, {tag_b, "tag_b"}, {reinterpret_cast<const void*>(listener), "listener"}},
      [&](World& made) {
        const ListenerId id = made.on_end(tag_a, tag_b, [listener, user](const ContactEnd& end) {
          const bs_contact_end same = in_c(end);
          listener(user, &same);
        });
        if (listener_id != nullptr) {
          *listener_id = id.number;
        }
        return Error{};
      });
}

bs_status bs_world_remove_listener(bs_world* world, uint32_t listener_id) {
  return call_world("bs_world_remove_listener", world, {}, [&](World& made) {
    // Its beginning is not a variable: at -O1, g++ 12 would warn of a copy that does not happen.
    Error error;
    if (!made.remove_listener({listener_id})) {
      error = {ErrorCode::stale_id, "bs_world_remove_listener: there is no listener with the number " +
                                        std::to_string(listener_id)};
    }
    return error;
  });
}

bs_status bs_world_set_predicate(bs_world* world, bs_predicate* predicate, void* user) {
  return call_world("bs_world_set_predicate", world, {}, [&](World& made) {
    if (predicate == nullptr) {
      return made.set_predicate({}).error();
    }
    return made
        .set_predicate([predicate, user](BodyId a, BodyId b) { return predicate(user, in_c(a), in_c(b)); })
        .error();
  });
}

// The step.

bs_status bs_world_step(bs_world* world, float seconds) {
  return call_world("bs_world_step", world, {}, [&](World& made) { return made.step(seconds).error(); });
}

bs_status bs_world_detect(bs_world* world) {
  return call_world("bs_world_detect", world, {}, [](World& made) { return made.detect().error(); });
}

bs_status bs_world_dispatch(bs_world* world) {
  return call_world("bs_world_dispatch", world, {}, [](World& made) { return made.dispatch().error(); });
}

bs_status bs_world_respond(bs_world* world) {
  return call_world("bs_world_respond", world, {}, [](World& made) { return made.respond().error(); });
}

bs_status bs_world_integrate(bs_world* world, float seconds) {
  return call_world("bs_world_integrate", world, {},
                    [&](World& made) { return made.integrate(seconds).error(); });
}

bs_status bs_world_skip_response(bs_world* world, bs_body_id a, bs_body_id b) {
  return call_world("bs_world_skip_response", world, {},
                    [&](World& made) { return made.skip_response(as_id(a), as_id(b)).error(); });
}

bs_status bs_world_set_gravity(bs_world* world, bs_vec2 gravity) {
  return call_world("bs_world_set_gravity", world, {},
                    [&](World& made) { return made.set_gravity(as_vec2(gravity)).error(); });
}

// Results of the last step.

bs_status bs_world_contacts(bs_world* world, bs_contacts which, const bs_contact** contacts, size_t* count) {
  constexpr const char* function = "bs_world_contacts";
  return call_world(function, world, {{contacts, "contacts"}, {count, "count"}}, [&](World& made) {
    switch (which) {
      case BS_ALL_CONTACTS:
        give(made.contacts(), world->contacts, contacts, count);
        return Error{};
      case BS_BEGUN_CONTACTS:
        give(made.begun(), world->contacts, contacts, count);
        return Error{};
      case BS_STAYED_CONTACTS:
        give(made.stayed(), world->contacts, contacts, count);
        return Error{};
    }
    return none_of(function, "contacts", static_cast<long long>(which));
  });
}

bs_status bs_world_ended(bs_world* world, const bs_contact_end** ends, size_t* count) {
  return call_world("bs_world_ended", world, {{ends, "ends"}, {count, "count"}}, [&](World& made) {
    give(made.ended(), world->ends, ends, count);
    return Error{};
  });
}

bs_status bs_world_contacts_of(bs_world* world, bs_body_id id, const bs_contact** contacts, size_t* count) {
  return call_world("bs_world_contacts_of", world, {{contacts, "contacts"}, {count, "count"}},
                    [&](World& made) {
                      const auto found = made.contacts_of(as_id(id));
                      if (found.has_value()) {
                        give(*found, world->contacts, contacts, count);
                      }
                      return found.error();
                    });
}

bs_status bs_world_touching(const bs_world* world, bs_body_id a, bs_body_id b, bool* touching) {
  return call_world("bs_world_touching", world, {{touching, "touching"}}, [&](const World& made) {
    const auto found = made.touching(as_id(a), as_id(b));
    if (found.has_value()) {
      *touching = *found;
    }
    return found.error();
  });
}

bs_status bs_world_candidates(bs_world* world, bs_body_id id, const bs_body_id** ids, size_t* count) {
  return call_world("bs_world_candidates", world, {{ids, "ids"}, {count, "count"}}, [&](World& made) {
    const auto found = made.candidates(as_id(id));
    if (found.has_value()) {
      give(*found, world->ids, ids, count);
    }
    return found.error();
  });
}

bs_status bs_world_why(bs_world* world, bs_body_id a, bs_body_id b, const char** sentence) {
  return call_world("bs_world_why", world, {{sentence, "sentence"}}, [&](World& made) {
    world->text = made.why(as_id(a), as_id(b));
    *sentence = world->text.c_str();
    return Error{};
  });
}
