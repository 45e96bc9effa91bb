// The operations of `Program` and the changes among them.

#include "simulator/program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>

#include "allocation_watch.hpp"

namespace broadside::test::simulator {

namespace {

constexpr std::size_t max_bodies = 40;

struct Kind {
  std::string_view name;
  std::uint32_t weight;
  std::string (Program::*run)(Random&);
  bool of_one_world = false;  ///< a `DistributedWorld` has nothing like it
};

}  // namespace

/// The kinds of operations besides single changes, and their weights.
struct Kinds {
  static constexpr std::uint32_t of_change = 40;  ///< weight of all single changes
  static constexpr std::array all{
      Kind{"disturb_all", 2, &Program::disturb_all},
      Kind{"change_while_locked", 1, &Program::change_while_locked},
      Kind{"add_listener", 2, &Program::add_listener, true},
      Kind{"remove_listener", 1, &Program::remove_listener},
      Kind{"change_predicate", 1, &Program::change_predicate, true},
      Kind{"change_technique", 1, &Program::change_technique},
      Kind{"change_threads", 1, &Program::change_threads},
      Kind{"change_switches", 2, &Program::change_switches},
      Kind{"ask_of_touches", 4, &Program::ask_of_touches},
      Kind{"query", 6, &Program::query},
      Kind{"take_back", 1, &Program::take_back},
      Kind{"move_to_another_world", 1, &Program::move_to_another_world},
      Kind{"record", 2, &Program::record},
      Kind{"slide", 4, &Program::slide, true},
      Kind{"step", 16, &Program::step},
      Kind{"step_in_stages", 10, &Program::step_in_stages},
      Kind{"step_often", 4, &Program::step_often},
  };
  static constexpr std::uint32_t weights = [] {
    std::uint32_t sum = of_change;
    for (const Kind& kind : all) {
      sum += kind.weight;
    }
    return sum;
  }();
  /// Returns the kind, or null for a single change.
  static const Kind* find(std::uint32_t what) {
    std::uint32_t rest = what % weights;
    for (const Kind& kind : all) {
      if (rest < kind.weight) {
        return &kind;
      }
      rest -= kind.weight;
    }
    return nullptr;
  }
};

std::string_view name_of(std::uint32_t what) {
  const Kind* kind = Kinds::find(what);
  return kind == nullptr ? "change" : kind->name;
}

std::uint32_t operation(std::string_view name) {
  std::uint32_t what = 0;
  while (name_of(what) != name && what < Kinds::weights) {
    ++what;
  }
  return what;
}

Program::Program(const Setting& setting)
    : setting_(setting),
      draw_(setting),
      world_(World::create(setting.options()).value()),
      model_(setting),
      technique_(setting.technique),
      has_threads_(setting.threads > 1),
      in_parts_(setting) {
  if (setting.threads > 1) {
    pool_ = std::make_unique<ThreadPool>(setting.threads);
  }
  equip(world_);
  foreign_ = other_.add({.shape = Circle{.radius = 1}}).value();
  Random random(setting.bodies);
  Change first{.kind = Change::Kind::add_many};
  while (first.bodies.size() < setting.bodies) {
    NewBody body = draw_.body(random);
    if (World().add(body.as_body()).has_value()) {
      first.bodies.push_back(std::move(body));
    }
  }
  std::vector<BodyId> given;
  simulator::make(world_, first, given);
  in_parts_.record(first, given, model_.make(first, given));
  ever_ = given;
}

std::string Program::in_little_memory(Random& random, std::string_view name,
                                      const std::function<void()>& call) {
  const std::uint32_t allowed = random.below(24);
  if (allowed < 12) {
    const std::uint64_t before = world_.hash();
    try {
      const AllocationLimit limit(allowed);
      call();
      return {};
    } catch (const std::bad_alloc&) {
      ++counts_.failed_allocations;
    }
    if (world_.hash() != before) {
      return words("memory ran out in `", name, "`, and something changed");
    }
  }
  call();
  return {};
}

/// Gives a world the technique, threads and predicate of this program.
void Program::equip(World& world) {
  if (!technique_.empty()) {
    world.set_technique(technique_).value();
  }
  world.use_threads(has_threads_ ? pool_.get() : nullptr).value();
  set_predicate(world, true);
}

std::string Program::run(const Operation& operation) {
  Random random(operation.seed);
  ++counts_.operations;
  const Kind* kind = Kinds::find(operation.what);
  words_ = kind == nullptr ? std::string() : std::string(kind->name);
  if (kind != nullptr && kind->of_one_world && setting_.parts > 0) {
    words_ += ": not in parts";
    return {};
  }
  std::string difference = kind == nullptr ? change(operation.what, random) : (this->*kind->run)(random);
  if (difference.empty()) {
    difference = check_bodies();
  }
  note(world_.hash());
  return difference.empty() ? model_.complaint() : difference;
}

std::string Program::repeat_in_parts() {
  counts_.steps_in_parts += in_parts_.steps();
  return in_parts_.repeat();
}

Program::Counts Program::counts() const {
  Counts counts = counts_;
  counts.decisions = model_.decisions();
  counts.undecided = model_.undecided();
  return counts;
}

BodyId Program::pick(Random& random) const {
  const auto live = model_.bodies();
  if (one_in(20, random)) {
    if (one_in(3, random)) {
      return {};
    }
    return one_in(2, random) || ever_.empty() ? foreign_
                                              : ever_[random.below(static_cast<std::uint32_t>(ever_.size()))];
  }
  return live.empty() ? BodyId{} : live[random.below(static_cast<std::uint32_t>(live.size()))];
}

// Changes.

std::string Program::change(std::uint32_t what, Random& random) {
  const auto kind =
      static_cast<Change::Kind>((what / Kinds::weights + random.below(Change::kinds)) % Change::kinds);
  const BodyId a = pick(random);
  const BodyId b = pick(random);
  return apply(draw_.change(kind, random, a, b, foreign_), random);
}

std::string Program::apply(const Change& change, Random& random) {
  words_ += to_text(change);
  const bool is_full =
      !change.bodies.empty() && model_.bodies().size() > std::max<std::size_t>(max_bodies, setting_.bodies);
  const std::uint32_t allowed = random.below(24);
  if (is_full) {
    return {};
  }
  std::vector<BodyId> given;
  given.reserve(change.bodies.size());
  const std::uint64_t before = world_.hash();
  ErrorCode code = ErrorCode::none;
  bool failed = false;
  if (allowed < 8) {
    try {
      const AllocationLimit limit(allowed);
      code = make(world_, change, given);
    } catch (const std::bad_alloc&) {
      failed = true;
    }
  }
  if (failed) {
    ++counts_.failed_allocations;
    words_ += words(", once with memory for ", allowed, " allocations");
    if (world_.hash() != before) {
      return "memory ran out, and something changed";
    }
  }
  if (failed || allowed >= 8) {
    code = make(world_, change, given);
  }
  const ErrorCode expected = model_.make(change, given);
  in_parts_.record(change, given, code);
  ever_.insert(ever_.end(), given.begin(), given.end());
  note(static_cast<std::uint64_t>(code));
  for (const BodyId id : given) {
    note(id);
  }
  ++counts_.comparisons;
  if (code != expected) {
    return words(name(code), ", not ", name(expected));
  }
  if (code != ErrorCode::none && world_.hash() != before) {
    return "a change was refused, and something changed";
  }
  return change.kind == Change::Kind::push ? settle() : std::string();
}

/// Moves all bodies, some or none: the number of changes decides how a step works.
std::string Program::disturb_all(Random& random) {
  std::vector<BodyId> bodies;
  std::vector<Transform> places;
  const std::uint32_t one_of = random.below(3) == 0 ? 1 : 1 + random.below(16);
  for (const BodyId id : model_.bodies()) {
    Transform at = draw_.place(random);
    if (one_in(one_of, random) && std::isfinite(at.position.y) && at.rotation != Rotation{0.5F, 0.5F}) {
      bodies.push_back(id);
      places.push_back(at);
    }
  }
  world_.move(bodies, places).value();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Change one{.kind = Change::Kind::move, .a = bodies[i], .at = places[i]};
    in_parts_.record(one, {}, model_.make(one, {}));
  }
  words_ += words(": moves ", bodies.size(), " of ", model_.bodies().size());
  return {};
}

// Tries changes from within a visitor: they must be refused.
std::string Program::change_while_locked(Random& random) {
  const auto kind = static_cast<Change::Kind>(random.below(Change::kinds));
  const BodyId a = pick(random);
  const BodyId b = pick(random);
  const Change change = draw_.change(kind, random, a, b, foreign_);
  words_ += ": " + to_text(change);
  std::string difference;
  std::vector<BodyId> given;
  const auto try_it = [&](BodyId /*body*/) {
    if (const ErrorCode code = make(world_, change, given); code != ErrorCode::locked) {
      difference = words("not locked: ", name(code));
    }
    for (const auto& done :
         {world_.step(0), world_.detect(), world_.dispatch(), world_.set_technique("brute_force")}) {
      if (done.error().code != ErrorCode::locked) {
        difference = words("not locked: ", done.error().message);
      }
    }
    return random.below(2) == 0;
  };
  const Vec2 corner = draw_.to_world({-64, -64});
  const Vec2 far_corner = draw_.to_world({64, 64});
  world_.visit_area({corner, far_corner}, try_it).value();
  world_
      .visit_ray(draw_.to_world({-8, 0}), setting_.scale * Vec2{16, 0},
                 [&](const BodyHit& hit) { return try_it(hit.body); })
      .value();
  // `a` may be the id of a removed body, which has no contacts to visit.
  static_cast<void>(world_.visit_contacts(a, [&](const BodyContact& contact) { return try_it(contact.b); }));
  return difference;
}

// Callbacks, techniques and threads.

std::string Program::add_listener(Random& random) {
  const ListenerKind one = draw_.listener(random);
  words_ += words(" of '", one.tag_a, "' and '", one.tag_b, "', event ", static_cast<int>(one.event));
  listen_in_world(static_cast<std::uint32_t>(listeners_.size()), one);
  model_.listen(one);
  return {};
}

std::string Program::remove_listener(Random& random) {
  if (!listeners_.empty()) {
    const std::uint32_t which = random.below(static_cast<std::uint32_t>(listeners_.size()));
    words_ += words(' ', which);
    silence(which);
    model_.stop_listening(which);
  }
  return {};
}

void Program::silence(std::uint32_t listener) {
  world_.remove_listener(listeners_[listener]);
  listener_kinds_[listener].reset();
}

void Program::listen_in_world(std::uint32_t number, const ListenerKind& kind) {
  listeners_.resize(std::max<std::size_t>(listeners_.size(), number + 1));
  listener_kinds_.resize(listeners_.size());
  listener_kinds_[number] = kind;
  const auto touch = [this, number](const BodyContact& contact) {
    hear({number, contact.a, contact.b, contact.begun, {}});
  };
  switch (kind.event) {
    case ListenerKind::Event::contact:
      listeners_[number] = world_.on_contact(kind.tag_a, kind.tag_b, touch);
      break;
    case ListenerKind::Event::begin:
      listeners_[number] = world_.on_begin(kind.tag_a, kind.tag_b, touch);
      break;
    case ListenerKind::Event::stay:
      listeners_[number] = world_.on_stay(kind.tag_a, kind.tag_b, touch);
      break;
    case ListenerKind::Event::end:
      listeners_[number] = world_.on_end(kind.tag_a, kind.tag_b, [this, number](const ContactEnd& end) {
        hear({number, end.a, end.b, false, end.cause});
      });
      break;
  }
}

std::string Program::change_predicate(Random& random) {
  std::string difference = finish_recording();  // recordings do not contain the predicate
  predicate_ = random.below(3);
  words_ += words(" to ", predicate_);
  set_predicate(world_, true);
  const std::uint32_t kind = predicate_;
  if (kind == 0) {
    model_.set_predicate({});
  } else {
    model_.set_predicate([kind](BodyId a, BodyId b) { return (a.index + b.index) % 3 != kind; });
  }
  return difference;
}

std::string Program::change_technique(Random& random) {
  // Counted from the program's own technique, so that its twin uses other ones.
  const auto all = techniques();
  const std::uint32_t away = random.below(static_cast<std::uint32_t>(all.size()));
  std::size_t at = away;
  for (std::size_t i = 0; i < all.size(); ++i) {
    at += all[i].name == setting_.technique ? i : 0;
  }
  technique_ = all[at % all.size()].name;
  words_ += " to " + std::string(technique_);
  return in_little_memory(random, "set_technique", [this] { world_.set_technique(technique_).value(); });
}

std::string Program::change_threads(Random& random) {
  has_threads_ = one_in(2, random) && pool_ != nullptr;
  words_ += has_threads_ ? " on" : " off";
  world_.use_threads(has_threads_ ? pool_.get() : nullptr).value();
  return {};
}

std::string Program::change_switches(Random& random) {
  Random drawn(random.below(1'000'000) + setting_.switches);
  words_ += setting_.switches == 0 ? std::string(": none is forced") : " to " + forced_.draw(drawn);
  return {};
}

// A listener reacts alike in the world and in the model: its random numbers are seeded by the arguments.
Program::Reaction Program::react(const Call& call, const std::vector<BodyId>& bodies) const {
  Random random(call.listener +
                31 * (call.a.index + 17 * (call.b.index + 7 * (call.a.generation + bodies.size()))));
  if (!one_in(3, random) || bodies.empty()) {
    return {};
  }
  if (one_in(8, random)) {
    return {.silences = random.below(call.listener + 1)};
  }
  if (one_in(16, random)) {
    return {.listens = draw_.listener(random)};
  }
  const BodyId third = bodies[random.below(static_cast<std::uint32_t>(bodies.size()))];
  const std::array candidates{call.a, call.b, third};
  auto kind = static_cast<Change::Kind>(random.below(Change::kinds));
  if (one_in(4, random) || bodies.size() > max_bodies) {
    kind = Change::Kind::remove;
  }
  const BodyId a = candidates[random.below(3)];
  const BodyId b = candidates[random.below(3)];
  return {.change = draw_.change(kind, random, a, b, foreign_)};
}

}  // namespace broadside::test::simulator
