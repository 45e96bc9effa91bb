// The other half of `WorldProgram`: what is run and compared.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <sstream>

#include "broadside/contact/collide.hpp"
#include "random_shapes.hpp"
#include "world/world_program.hpp"

namespace broadside::test {

namespace {

std::string text(BodyId id) {
  return std::to_string(id.index) + "/" + std::to_string(id.generation);
}

template <typename... Parts>
std::string words(const Parts&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

bool near(Vec2 a, Vec2 b, float tolerance) {
  return std::abs(a.x - b.x) <= tolerance && std::abs(a.y - b.y) <= tolerance;
}

float size(Vec2 v) {
  return std::max(std::abs(v.x), std::abs(v.y));
}

std::string text(const std::vector<BodyId>& ids) {
  std::string all;
  for (const BodyId id : ids) {
    all += text(id) + " ";
  }
  return all;
}

}  // namespace

void WorldProgram::note(Vec2 v) {
  note(std::bit_cast<std::uint32_t>(v.x + 0.0F));
  note(std::bit_cast<std::uint32_t>(v.y + 0.0F));
}

// Changes.

std::string WorldProgram::change(const Change& change) {
  std::vector<BodyId> given;
  const bool too_many = !change.bodies.empty() && model_.bodies().size() > 40;
  const std::uint64_t before = world_.hash();
  const ErrorCode code = too_many ? ErrorCode::none : make(world_, change, given);
  const ErrorCode expected = too_many ? ErrorCode::none : model_.make(change, given);
  ever_.insert(ever_.end(), given.begin(), given.end());
  note(static_cast<std::uint64_t>(code));
  for (const BodyId id : given) {
    note(id);
  }
  if (code != ErrorCode::none && world_.hash() != before) {
    return words("change ", static_cast<int>(change.kind), " was refused, and changed something");
  }
  if (code == expected && change.kind == Change::Kind::push) {
    return settle();  // the world adds in double
  }
  return code == expected
             ? std::string()
             : words("change ", static_cast<int>(change.kind), ": ", name(code), ", not ", name(expected));
}

// Whatever happens between a snapshot and its return has not happened.
std::string WorldProgram::take_back(Random& random) {
  const auto bytes = world_.snapshot();
  const std::uint64_t hash = world_.hash();
  muted_ = true;
  std::vector<BodyId> given;
  for (std::uint32_t n = random.below(20); n > 0; --n) {
    const auto live = world_.bodies();
    const auto any = [&] {
      return live.empty() ? BodyId{} : live[random.below(static_cast<std::uint32_t>(live.size()))];
    };
    const BodyId a = any();
    const auto kind = static_cast<Change::Kind>(random.below(Change::kinds));
    static_cast<void>(make(world_, random_change(kind, random, a, any()), given));
    if (random.below(3) == 0) {
      world_.step(random.below(2) == 0 ? 0.0F : 1.0F / 64).value();
    }
  }
  muted_ = false;
  if (random.below(2) == 0 && world_.restore(std::span(bytes).first(bytes.size() - 1)).has_value()) {
    return "half a snapshot was taken for one";
  }
  world_.restore(bytes).value();
  if (world_.hash() != hash || world_.snapshot() != bytes) {
    return "another world came back";
  }
  return check_touches();
}

// From within a visitor or the predicate: nothing may change.
std::string WorldProgram::change_while_locked(const Change& change, Random& random) {
  std::string difference;
  std::vector<BodyId> given;
  const auto try_it = [&](BodyId /*body*/) {
    if (const ErrorCode code = make(world_, change, given); code != ErrorCode::locked) {
      difference = words("not locked: change ", static_cast<int>(change.kind), ": ", name(code));
    }
    for (const auto& done :
         {world_.step(0), world_.detect(), world_.tell(), world_.set_technique("brute_force")}) {
      if (done.error().code != ErrorCode::locked) {
        difference = words("not locked: ", done.error().message);
      }
    }
    return random.below(2) == 0;
  };
  const Aabb everywhere{{-1e6F, -1e6F}, {1e6F, 1e6F}};
  world_.visit_area(everywhere, try_it).value();
  world_.visit_ray({-8, 0}, {16, 0}, [&](const BodyRayHit& hit) { return try_it(hit.body); }).value();
  return difference;
}

// The step.

std::string WorldProgram::step(Random& random) {
  constexpr std::array spans{0.0F, 0.0F, 1.0F / 64, 1.0F / 32};
  const float seconds = spans[random.below(4)];
  if (random.below(16) == 0 && (world_.step(-1).has_value() || world_.step(std::nanf("")).has_value())) {
    return "a step over no time at all was taken";
  }
  heard_.clear();
  given_.clear();
  if (random.below(3) == 0) {
    return step_in_stages(seconds, random);
  }
  world_.step(seconds).value();
  model_.detect();
  std::string difference = check_touches();
  if (difference.empty()) {
    difference = check_tell();
  }
  model_.integrate({}, seconds);
  return difference.empty() ? settle() : difference;
}

std::string WorldProgram::step_in_stages(float seconds, Random& random) {
  const Vec2 gravity{static_cast<float>(random.below(3)) - 1, static_cast<float>(random.below(100))};
  world_.set_gravity(gravity).value();
  world_.detect().value();
  model_.detect();
  if (std::string difference = check_touches(); !difference.empty()) {
    return difference;
  }
  world_.tell().value();
  std::string difference = check_tell();
  world_.respond().value();
  world_.integrate(seconds).value();
  model_.integrate(gravity, seconds);
  world_.set_gravity({}).value();
  difference += settle();
  return difference.empty() ? check_touches() : difference;
}

void WorldProgram::hear(const Call& call) {
  if (muted_) {
    return;
  }
  Heard heard{call};
  const Reaction reaction = react(call, world_.bodies());
  std::vector<BodyId> given;
  if (reaction.change) {
    heard.code = make(world_, *reaction.change, given);
  } else if (reaction.listens) {
    listen_in_world(*reaction.listens);
  } else if (reaction.silences) {
    world_.remove_listener(listeners_[*reaction.silences]);
  }
  if (world_.step(0).error().code != ErrorCode::locked || world_.tell().error().code != ErrorCode::locked) {
    heard.code = ErrorCode::too_large;  // as no change says
  }
  ever_.insert(ever_.end(), given.begin(), given.end());
  given_.push_back(given);
  heard_.push_back(heard);
}

// What listeners heard and did, against what the model tells and does.
std::string WorldProgram::check_tell() {
  std::size_t calls = 0;
  std::string difference;
  model_.tell([&](const Call& call) {
    Heard expected{call};
    const Reaction reaction = react(call, model_.bodies());
    const std::size_t number = calls++;
    if (reaction.change) {
      expected.code =
          model_.make(*reaction.change, number < given_.size() ? given_[number] : std::vector<BodyId>());
    } else if (reaction.listens) {
      model_.listen(*reaction.listens);
    } else if (reaction.silences) {
      model_.stop_listening(*reaction.silences);
    }
    if (difference.empty() && (number >= heard_.size() || heard_[number] != expected)) {
      difference = words("call ", number, " should be of listener ", call.listener, " for ", text(call.a),
                         " and ", text(call.b), "; ", name(expected.code));
      if (number < heard_.size()) {
        const Heard& heard = heard_[number];
        difference += words(", not ", heard.call.listener, " for ", text(heard.call.a), " and ",
                            text(heard.call.b), "; ", name(heard.code));
      }
    }
  });
  note(calls);
  note(world_.hash());
  return difference.empty() && calls != heard_.size() ? words(heard_.size(), " calls, not ", calls)
                                                      : difference;
}

/// Compares the contacts of the last step.
std::string WorldProgram::check_touches() {
  const auto& expected = model_.touches();
  const auto contacts = world_.contacts();
  if (contacts.size() != expected.size()) {
    return words(contacts.size(), " contacts, not ", expected.size());
  }
  std::size_t begun = 0;
  std::size_t stayed = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const WorldModel::Touch& touch = expected[i];
    const BodyContact contact = contacts[i];
    if (contact.a != touch.a || contact.b != touch.b || contact.begun != touch.begun ||
        contact.time != 1.0F) {
      return words("contact ", i, ": ", text(contact.a), " and ", text(contact.b), ", not ", text(touch.a),
                   " and ", text(touch.b), touch.begun ? " which begins" : " which stays");
    }
    if (std::none_of(touch.manifolds.begin(), touch.manifolds.end(),
                     [&](const Manifold& one) { return same(one, contact.manifold); })) {
      return words("manifold of ", text(touch.a), " and ", text(touch.b));
    }
    const auto part = touch.begun ? world_.begun() : world_.stayed();
    const std::size_t at = touch.begun ? begun++ : stayed++;
    if (at >= part.size() || part[at].a != touch.a || part[at].b != touch.b ||
        part[at].begun != touch.begun) {
      return words("missing among those that ", touch.begun ? "begin" : "stay");
    }
    note(contact.a);
    note(contact.b);
    note(contact.manifold.normal);
    note(contact.manifold.points[0].position);
  }
  if (begun != world_.begun().size() || stayed != world_.stayed().size()) {
    return "more begin or stay than touch";
  }
  const auto ended = world_.ended();
  if (!std::equal(ended.begin(), ended.end(), model_.ends().begin(), model_.ends().end())) {
    std::string all = "ended:";
    for (const auto& list : {std::vector(ended.begin(), ended.end()), model_.ends()}) {
      for (const ContactEnd& end : list) {
        all += words(" ", text(end.a), "-", text(end.b), " ", name(end.cause));
      }
      all += ", not";
    }
    return all;
  }
  return {};
}

/// Compares places and speeds, which the model knows about right, and takes them over.
std::string WorldProgram::settle() {
  for (const BodyId id : model_.bodies()) {
    if (!world_.contains(id)) {
      return words(text(id), " is missing");
    }
    WorldModel::OneBody& body = model_.at(id);
    const Transform at = world_.transform(id).value();
    const Vec2 velocity = world_.velocity(id).value();
    const float reach = size(at.position) + size(body.at.position);
    if (!near(at.position, body.at.position, 1e-5F * (1 + reach)) || at.rotation != body.at.rotation) {
      return words(text(id), " is at ", at.position.x, ", ", at.position.y, ", not at ", body.at.position.x,
                   ", ", body.at.position.y);
    }
    if (body.enabled && !near(velocity, body.velocity, 1e-4F * (1 + size(velocity)) + 4e-5F * reach)) {
      return words(text(id), " has velocity ", velocity.x, ", ", velocity.y, ", not ", body.velocity.x, ", ",
                   body.velocity.y);
    }
    body.at = at;
    body.velocity = velocity;
    note(at.position);
  }
  return {};
}

std::string WorldProgram::check_bodies() {
  const auto ids = model_.bodies();
  if (world_.bodies() != ids || world_.size() != ids.size()) {
    return words("there are ", text(world_.bodies()), "and not ", text(ids));
  }
  for (const BodyId id : ids) {
    const WorldModel::OneBody& body = *model_.find(id);
    const bool same_state =
        world_.transform(id).value() == body.at && world_.type(id).value() == body.type &&
        world_.shapes(id).value() == body.shapes && world_.tag(id).value() == body.tag &&
        world_.filter(id).value() == body.filter && world_.sensor(id).value() == body.sensor &&
        world_.enabled(id).value() == body.enabled && world_.user_data(id).value() == body.user_data;
    if (!same_state) {
      return words(text(id), " is not as it should be");
    }
    const Aabb box = world_.bounds(id).value();
    for (const Shape& shape : body.shapes) {
      const Aabb part = bounds(shape, body.at);
      if (part.min.x < box.min.x || part.min.y < box.min.y || part.max.x > box.max.x ||
          part.max.y > box.max.y) {
        return words(text(id), " is larger than its bounds");
      }
    }
  }
  return {};
}

// Questions.

std::string WorldProgram::ask_of_touches(Random& random) {
  const BodyId a = pick(random);
  const BodyId b = pick(random);
  const auto* first = model_.find(a);
  const auto* second = model_.find(b);
  std::vector<BodyContact> contacts;
  if (world_.contacts_of(a, contacts).has_value() != (first != nullptr)) {
    return "contacts_of";
  }
  std::vector<BodyId> others;
  for (const WorldModel::Touch& touch : model_.touches()) {
    if (first != nullptr && (touch.a == a || touch.b == a)) {
      others.push_back(touch.a == a ? touch.b : touch.a);
      const std::size_t i = others.size() - 1;
      if (i >= contacts.size() || contacts[i].a != a || contacts[i].begun != touch.begun ||
          std::none_of(touch.manifolds.begin(), touch.manifolds.end(), [&](const Manifold& one) {
            return same(touch.a == a ? one : turned(one), contacts[i].manifold);
          })) {
        return words("contact ", i, " of ", text(a));
      }
    }
  }
  if (!std::equal(contacts.begin(), contacts.end(), others.begin(), others.end(),
                  [](const BodyContact& contact, BodyId other) { return contact.b == other; })) {
    return words(contacts.size(), " contacts of ", text(a), ", not with ", text(others));
  }
  const auto touched = world_.overlaps(a, b);
  if (touched.has_value() != (first != nullptr && second != nullptr)) {
    return words("overlaps: ", touched.error().message);
  }
  if (touched.has_value() && *touched != (std::find(others.begin(), others.end(), b) != others.end())) {
    return words(text(a), " and ", text(b), *touched ? " overlap" : " do not overlap");
  }
  const std::string why = world_.why(a, b);
  const bool do_touch = first != nullptr && second != nullptr && first != second &&
                        model_.may_touch(*first, *second) && model_.overlaps_now(*first, *second);
  return why.starts_with("they touch") == do_touch ? std::string() : words(text(a), ", ", text(b), ": ", why);
}

}  // namespace broadside::test
