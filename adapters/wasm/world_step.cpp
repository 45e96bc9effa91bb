#include <span>
#include <string>
#include <vector>

#include "bridge.hpp"
#include "broadside/world/world.hpp"
#include "world_bridge.hpp"

using namespace broadside;
using namespace broadside::wasm;

// Callbacks into JavaScript. `listener` is the number that it passed to `world_listen`; output is the event.
BROADSIDE_IMPORT(void, report_contact)(std::uint32_t listener);
BROADSIDE_IMPORT(void, report_end)(std::uint32_t listener);
BROADSIDE_IMPORT(bool, pair_asked)
(const World* world, std::uint32_t a, std::uint32_t a_generation, std::uint32_t b,
 std::uint32_t b_generation);

namespace {

void write(Writer& writer, const BodyContact& contact) {
  writer.body(contact.a);
  writer.body(contact.b);
  writer.number(contact.begun);
  writer.number(contact.fraction);
  writer.number(contact.approach_speed);
  writer.vec2(contact.manifold.normal);
  writer.number(contact.manifold.size);
  for (const ManifoldPoint& point : contact.manifold.points) {
    writer.vec2(point.position);
    writer.number(point.separation);
    writer.number(point.feature);
  }
}

void write(Writer& writer, const ContactEnd& end) {
  writer.body(end.a);
  writer.body(end.b);
  writer.number(end.cause);
}

}  // namespace

/// Adds the listener `number` of JavaScript for events of two tags: 0 each contact, 1 begins, 2 ends, 3
/// stays. Returns the id of the listener in the world.
BROADSIDE_EXPORT(std::uint32_t, world_listen)
(World* world, int what, std::uint32_t tag_a, std::uint32_t tag_b, std::uint32_t number) {
  const std::string_view a = tag_of(tag_a);
  const std::string_view b = tag_of(tag_b);
  if (what == 2) {
    const ListenerId id = world->on_end(a, b, [number](const ContactEnd& end) {
      Writer writer;
      write(writer, end);
      report_end(number);
    });
    return id.number;
  }
  auto dispatch = [number](const BodyContact& contact) {
    Writer writer;
    write(writer, contact);
    report_contact(number);
  };
  const ListenerId id = what == 1   ? world->on_begin(a, b, dispatch)
                        : what == 3 ? world->on_stay(a, b, dispatch)
                                    : world->on_contact(a, b, dispatch);
  return id.number;
}

BROADSIDE_EXPORT(bool, world_unlisten)(World* world, std::uint32_t listener) {
  return world->remove_listener(ListenerId{listener});
}

/// Installs or removes the predicate for pairs that calls JavaScript.
BROADSIDE_EXPORT(int, world_set_predicate)(World* world, bool ask) {
  if (!ask) {
    return report(world->set_predicate({}));
  }
  return report(world->set_predicate([world](BodyId a, BodyId b) {
    return pair_asked(world, a.index, a.generation, b.index, b.generation);
  }));
}

BROADSIDE_EXPORT(int, world_step)(World* world, float seconds) {
  return report(world->step(seconds));
}

/// Runs one stage of a step: 0 detect, 1 dispatch, 2 respond, 3 integrate.
BROADSIDE_EXPORT(int, world_stage)(World* world, int stage, float seconds) {
  switch (stage) {
    case 0:
      return report(world->detect());
    case 1:
      return report(world->dispatch());
    case 2:
      return report(world->respond());
    default:
      return report(world->integrate(seconds));
  }
}

/// Excludes the contact of the two bodies in input from the response of this step.
BROADSIDE_EXPORT(int, world_skip_response)(World* world) {
  Reader reader;
  const BodyId a = reader.body();
  return report(world->skip_response(a, reader.body()));
}

BROADSIDE_EXPORT(int, world_set_gravity)(World* world, float x, float y) {
  return report(world->set_gravity({x, y}));
}

/// Returns a number of contacts: 0 all, 1 those that began, 2 those that stayed.
BROADSIDE_EXPORT(std::size_t, world_contact_count)(const World* world, int which) {
  return which == 0 ? world->contacts().size()
                    : (which == 1 ? world->begun().size() : world->stayed().size());
}

/// Writes one contact: a and b (index, generation), begun, fraction, approach speed, normal, number of
/// points, then of both points position, separation and feature.
BROADSIDE_EXPORT(void, world_contact)(const World* world, int which, std::size_t i) {
  Writer writer;
  const ContactRange range = which == 0 ? world->contacts() : (which == 1 ? world->begun() : world->stayed());
  write(writer, range[i]);
}

/// Writes all ends: a and b (index, generation), and the cause of each.
BROADSIDE_EXPORT(void, world_ended)(const World* world) {
  Writer writer;
  for (const ContactEnd& end : world->ended()) {
    write(writer, end);
  }
}

/// Writes the contacts of a body in the last step, as `world_contact` does.
BROADSIDE_EXPORT(int, world_contacts_of)
(const World* world, std::uint32_t index, std::uint32_t generation, std::uint32_t number) {
  Writer writer;
  return report(world->visit_contacts({index, generation, number}, [&](const BodyContact& contact) {
    write(writer, contact);
    return true;
  }));
}

/// Writes whether the two bodies in input touched in the last step.
BROADSIDE_EXPORT(int, world_touching)(const World* world) {
  Reader reader;
  const BodyId a = reader.body();
  return answer(world->touching(a, reader.body()), [](Writer& writer, bool touch) { writer.number(touch); });
}

/// Returns a sentence (UTF-8) that says why the two bodies in input touch or not.
BROADSIDE_EXPORT(const Range*, world_why)(const World* world) {
  static std::string sentence;
  Reader reader;
  const BodyId a = reader.body();
  sentence = world->why(a, reader.body());
  return answer_in_place(sentence);
}

/// Returns the address of the bodies of all contacts: index and generation of a, then of b [p][4].
BROADSIDE_EXPORT(const std::uint32_t*, world_contact_pairs)(const World* world) {
  static std::vector<std::uint32_t> ids;
  ids.clear();
  for (const BodyContact& contact : world->contacts()) {
    ids.insert(ids.end(), {contact.a.index, contact.a.generation, contact.b.index, contact.b.generation});
  }
  return ids.data();
}
