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

std::uint32_t* put(std::uint32_t* at, BodyId body) {
  *at++ = body.index;
  *at++ = body.generation;
  return at;
}

float* put(float* at, Vec2 vector) {
  *at++ = vector.x;
  *at++ = vector.y;
  return at;
}

/// Writes the number of contacts [p], and the addresses of two blocks of arrays:
///
/// - words: index and generation of a, then of b [p][4], begun [p], number of points [p], their features
/// [p][2]
/// - numbers: normal [p][2], fraction [p], approach speed [p], position and separation of the points
/// [p][2][3]
template <typename Contacts>
void write_contacts(const Contacts& contacts) {
  static std::vector<std::uint32_t> words;
  static std::vector<float> numbers;
  const std::size_t p = contacts.size();
  words.resize(8 * p);
  numbers.resize(10 * p);
  std::uint32_t* bodies = words.data();
  std::uint32_t* begun = bodies + 4 * p;
  std::uint32_t* sizes = begun + p;
  std::uint32_t* features = sizes + p;
  float* normals = numbers.data();
  float* fractions = normals + 2 * p;
  float* speeds = fractions + p;
  float* points = speeds + p;
  for (const BodyContact& contact : contacts) {
    bodies = put(put(bodies, contact.a), contact.b);
    *begun++ = contact.begun ? 1 : 0;
    *sizes++ = contact.manifold.size;
    normals = put(normals, contact.manifold.normal);
    *fractions++ = contact.fraction;
    *speeds++ = contact.approach_speed;
    for (const ManifoldPoint& point : contact.manifold.points) {
      *features++ = point.feature;
      points = put(points, point.position);
      *points++ = point.separation;
    }
  }
  Writer writer;
  writer.number(p);
  writer.number(reinterpret_cast<std::uintptr_t>(words.data()));
  writer.number(reinterpret_cast<std::uintptr_t>(numbers.data()));
}

/// Writes the number of ends [p], and the address of: index and generation of a, then of b [p][4], cause [p].
void write_ends(std::span<const ContactEnd> ends) {
  static std::vector<std::uint32_t> words;
  words.resize(5 * ends.size());
  std::uint32_t* bodies = words.data();
  std::uint32_t* causes = bodies + 4 * ends.size();
  for (const ContactEnd& end : ends) {
    bodies = put(put(bodies, end.a), end.b);
    *causes++ = static_cast<std::uint32_t>(end.cause);
  }
  Writer writer;
  writer.number(ends.size());
  writer.number(reinterpret_cast<std::uintptr_t>(words.data()));
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
      write_ends({&end, 1});
      report_end(number);
    });
    return id.number;
  }
  auto dispatch = [number](const BodyContact& contact) {
    write_contacts(std::span(&contact, 1));
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

BROADSIDE_EXPORT(std::size_t, world_contact_count)(const World* world) {
  return world->contacts().size();
}

/// Writes contacts, as `write_contacts` does: 0 all, 1 those that began, 2 those that stayed.
BROADSIDE_EXPORT(void, world_contacts)(const World* world, int which) {
  write_contacts(which == 0 ? world->contacts() : (which == 1 ? world->begun() : world->stayed()));
}

/// Writes all ends, as `write_ends` does.
BROADSIDE_EXPORT(void, world_ended)(const World* world) {
  write_ends(world->ended());
}

/// Writes the contacts of a body in the last step, as `write_contacts` does.
BROADSIDE_EXPORT(int, world_contacts_of)
(const World* world, std::uint32_t index, std::uint32_t generation, std::uint32_t number) {
  const auto contacts = world->contacts_of({index, generation, number});
  if (contacts.has_value()) {
    write_contacts(*contacts);
  }
  return report(contacts);
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
