// The comparisons of `Program`.

#include <algorithm>
#include <bit>
#include <cmath>

#include "simulator/program.hpp"

namespace broadside::test::simulator {

namespace {

std::string text(const std::vector<BodyId>& ids) {
  std::string all;
  for (const BodyId id : ids) {
    all += to_text(id) + " ";
  }
  return all;
}

}  // namespace

void Program::note(Vec2 v) {
  note(std::bit_cast<std::uint32_t>(v.x + 0.0F));
  note(std::bit_cast<std::uint32_t>(v.y + 0.0F));
}

// Listeners.

void Program::hear(const Call& call) {
  if (muted_) {
    return;
  }
  Heard heard{call};
  const Reaction reaction = react(call, world_.bodies());
  std::vector<BodyId> given;
  if (reaction.change) {
    heard.code = make(world_, *reaction.change, given);
  } else if (reaction.listens) {
    listen_in_world(static_cast<std::uint32_t>(listeners_.size()), *reaction.listens);
  } else if (reaction.silences) {
    silence(*reaction.silences);
  }
  if (world_.step(0).error().code != ErrorCode::locked ||
      world_.dispatch().error().code != ErrorCode::locked) {
    heard.code = ErrorCode::too_large;  // an error that no change returns
  }
  ever_.insert(ever_.end(), given.begin(), given.end());
  given_.push_back(given);
  heard_.push_back(heard);
  if (listener_throws_in_ && (*listener_throws_in_)-- == 0) {
    throw Thrown{};
  }
}

/// Compares the calls and reactions of listeners with those of the model.
std::string Program::check_tell() {
  std::size_t calls = 0;
  std::string difference;
  model_.dispatch([&](const Call& call) {
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
      difference = words("call ", number, " should be of listener ", call.listener, " for ", to_text(call.a),
                         " and ", to_text(call.b), "; ", name(expected.code));
      if (number < heard_.size()) {
        const Heard& heard = heard_[number];
        difference += words(", not ", heard.call.listener, " for ", to_text(heard.call.a), " and ",
                            to_text(heard.call.b), "; ", name(heard.code));
      }
    }
  });
  counts_.comparisons += calls;
  note(calls);
  return difference.empty() && calls != heard_.size() ? words(heard_.size(), " calls, not ", calls)
                                                      : difference;
}

// Contacts.

std::string Program::why_not(BodyId a, BodyId b) const {
  const Model::OneBody* first = model_.find(a);
  const Model::OneBody* second = model_.find(b);
  if (first == nullptr || second == nullptr) {
    return "; one was removed";
  }
  if (!model_.may_touch(*first, *second)) {
    return "; filters or types keep them apart";
  }
  const Gap gap = gap_of(model_.solids(*first), model_.solids(*second));
  return words("; now their gap is ", gap.gap, ", with a rim of ", gap.rim);
}

/// Compares the contacts of the last step.
std::string Program::check_touches() {
  const auto& expected = model_.touches();
  std::vector<BodyContact> contacts;
  for (const BodyContact& contact : world_.contacts()) {
    contacts.push_back(contact);
  }
  const auto is_less = [](const auto& x, const auto& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); };
  for (std::size_t i = 0; i < std::max(contacts.size(), expected.size()); ++i) {
    if (i == expected.size() || (i < contacts.size() && is_less(contacts[i], expected[i]))) {
      return words(to_text(contacts[i].a), " and ", to_text(contacts[i].b), " touch in the world alone",
                   why_not(contacts[i].a, contacts[i].b));
    }
    if (i == contacts.size() || is_less(expected[i], contacts[i])) {
      return words(to_text(expected[i].a), " and ", to_text(expected[i].b), " do not touch in the world",
                   expected[i].gap ? words("; their gap is ", expected[i].gap->gap) : "");
    }
  }
  std::size_t begun = 0;
  std::size_t stayed = 0;
  const auto all_begun = world_.begun();
  const auto all_stayed = world_.stayed();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Model::Touch& touch = expected[i];
    if (std::string difference = check_contact(contacts[i], touch); !difference.empty()) {
      return difference;
    }
    const auto& part = touch.begun ? all_begun : all_stayed;
    const std::size_t at = touch.begun ? begun++ : stayed++;
    if (at >= part.size() || part[at].a != touch.a || part[at].b != touch.b ||
        part[at].begun != touch.begun) {
      return words(to_text(touch.a), " and ", to_text(touch.b), " are missing among those that ",
                   touch.begun ? "begin" : "stay");
    }
  }
  counts_.comparisons += expected.size();
  counts_.contacts += expected.size();
  if (begun != all_begun.size() || stayed != all_stayed.size()) {
    return "more begin or stay than touch";
  }
  return check_ends();
}

std::string Program::check_contact(const BodyContact& contact, const Model::Touch& touch) {
  const std::string who = words("contact of ", to_text(touch.a), " and ", to_text(touch.b), ": ");
  note(contact.a);
  note(contact.b);
  note(contact.manifold.normal);
  note(contact.manifold.points[0].position);
  note(std::bit_cast<std::uint32_t>(contact.fraction));
  if (contact.begun != touch.begun) {
    return who + (touch.begun ? "begins" : "stays");
  }
  if (!contact.manifold.touching() ||
      !(std::abs(dot(contact.manifold.normal, contact.manifold.normal) - 1) < 1e-5F)) {
    return who + "no manifold";
  }
  if (!setting_.is_modelled()) {
    return {};
  }
  if (contact.fraction != 1.0F) {
    return words(who, "time ", contact.fraction);
  }
  if (!touch.manifolds.empty() &&
      std::none_of(touch.manifolds.begin(), touch.manifolds.end(),
                   [&](const Manifold& one) { return same(one, contact.manifold); })) {
    return who + "another manifold";
  }
  if (touch.has_depth) {
    // If shapes overlap, clipping may cut off the deepest point, so the separation is only a lower bound.
    const auto separation = static_cast<long double>(deepest_of(contact.manifold));
    const long double off = 10 * touch.gap->rim + ulp_of(separation);
    const bool is_outside = separation > 0 || touch.gap->gap > off;
    if (separation < touch.gap->gap - off || (is_outside && separation > touch.gap->gap + off)) {
      return words(who, "separation ", separation, ", not ", touch.gap->gap);
    }
  }
  return {};
}

std::string Program::check_ends() {
  const auto ended = world_.ended();
  const auto& expected = model_.ends();
  counts_.comparisons += expected.size();
  bool same_ends = ended.size() == expected.size();
  for (std::size_t i = 0; same_ends && i < expected.size(); ++i) {
    same_ends =
        ended[i] == expected[i] || (model_.was_put(i) && ended[i].a == expected[i].a &&
                                    ended[i].b == expected[i].b && ended[i].cause == EndCause::parted);
  }
  if (same_ends) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      model_.accept_cause(i, ended[i].cause);  // so that the same calls of listeners are expected
    }
    return {};
  }
  std::string all = "ended:";
  for (const auto& list : {std::vector(ended.begin(), ended.end()), expected}) {
    for (const ContactEnd& end : list) {
      all += words(" ", to_text(end.a), "-", to_text(end.b), " ", name(end.cause));
    }
    all += ", not";
  }
  return all;
}

// Bodies.

std::string Program::check_bodies() {
  const auto ids = model_.bodies();
  if (world_.bodies() != ids || world_.size() != ids.size()) {
    return words("there are ", text(world_.bodies()), "and not ", text(ids));
  }
  for (const BodyId id : ids) {
    const Model::OneBody& body = *model_.find(id);
    const bool same_state =
        world_.transform(id).value() == body.at && world_.type(id).value() == body.type &&
        world_.shapes(id).value() == body.shapes && world_.tag(id).value() == body.tag &&
        world_.filter(id).value() == body.filter && world_.sensor(id).value() == body.sensor &&
        world_.enabled(id).value() == body.enabled && world_.bullet(id).value() == body.bullet &&
        world_.velocity(id).value() == body.velocity &&
        world_.acceleration(id).value() == body.acceleration &&
        world_.user_data(id).value() == body.user_data;
    if (!same_state) {
      return words(to_text(id), " is not as it should be");
    }
    const Aabb box = world_.bounds(id).value();
    for (const Solid& solid : model_.solids(body)) {
      const long double off = 0x1p-44L * (solid.size + std::fabs(solid.max.x) + std::fabs(solid.max.y));
      if (solid.min.x < static_cast<long double>(box.min.x) - off ||
          solid.min.y < static_cast<long double>(box.min.y) - off ||
          solid.max.x > static_cast<long double>(box.max.x) + off ||
          solid.max.y > static_cast<long double>(box.max.y) + off) {
        return words(to_text(id), " is larger than its bounds");
      }
    }
  }
  counts_.comparisons += ids.size();
  return {};
}

// Queries about contacts.

std::string Program::ask_of_touches(Random& random) {
  const BodyId a = pick(random);
  const BodyId b = pick(random);
  words_ += words(" of ", to_text(a), " and ", to_text(b));
  const auto* first = model_.find(a);
  const auto* second = model_.find(b);
  const auto asked = world_.contacts_of(a);
  if (asked.has_value() != (first != nullptr)) {
    return "contacts_of";
  }
  const std::vector<BodyContact> contacts = asked.value_or(std::vector<BodyContact>());
  std::vector<BodyId> others;
  for (const Model::Touch& touch : model_.touches()) {
    if (first != nullptr && (touch.a == a || touch.b == a)) {
      others.push_back(touch.a == a ? touch.b : touch.a);
      const std::size_t i = others.size() - 1;
      if (i >= contacts.size() || contacts[i].a != a || contacts[i].begun != touch.begun) {
        return words("contact ", i, " of ", to_text(a));
      }
    }
  }
  counts_.comparisons += 3;
  if (!std::equal(contacts.begin(), contacts.end(), others.begin(), others.end(),
                  [](const BodyContact& contact, BodyId other) { return contact.b == other; })) {
    return words(contacts.size(), " contacts of ", to_text(a), ", not with ", text(others));
  }
  const auto touched = world_.touching(a, b);
  if (touched.has_value() != (first != nullptr && second != nullptr)) {
    return words("overlaps: ", touched.error().message);
  }
  if (touched.has_value() && *touched != (std::find(others.begin(), others.end(), b) != others.end())) {
    return words(to_text(a), " and ", to_text(b), *touched ? " overlap" : " do not overlap");
  }
  const std::string why = world_.why(a, b);
  Verdict verdict = Verdict::apart;
  if (first != nullptr && second != nullptr && first != second && model_.may_touch(*first, *second)) {
    verdict = gap_of(model_.solids(*first), model_.solids(*second)).within(0);
  }
  const bool is_put = touched.has_value() && *touched && why.starts_with("they touch: move_and_slide");
  return verdict == Verdict::undecided || is_put ||
                 why.starts_with("they touch") == (verdict == Verdict::touching)
             ? std::string()
             : words(to_text(a), ", ", to_text(b), ": ", why);
}

}  // namespace broadside::test::simulator
