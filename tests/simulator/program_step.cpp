// The steps of `Program`.

#include <algorithm>
#include <array>
#include <cmath>

#include "simulator/program.hpp"

namespace broadside::test::simulator {

namespace {

/// Runs a call of the library; returns whether it threw the exception of a callback.
template <typename Call>
bool throws(Call call) {
  try {
    call();
  } catch (const Thrown&) {
    return true;
  }
  return false;
}

}  // namespace

void Program::set_predicate(World& world, bool can_throw) {
  if (predicate_ == 0) {
    world.set_predicate({}).value();
    return;
  }
  world
      .set_predicate([this, can_throw, kind = predicate_](BodyId a, BodyId b) {
        if (can_throw && throws_in_ && (*throws_in_)-- == 0) {
          throw Thrown{};
        }
        return (a.index + b.index) % 3 != kind;
      })
      .value();
}

std::string Program::step(Random& random) {
  const float seconds = draw_.seconds(random);
  if (random.below(16) == 0 && (world_.step(-1).has_value() || world_.step(std::nanf("")).has_value())) {
    return "a step of no length was accepted";
  }
  words_ += words(" of ", seconds, " s");
  return run_step(seconds, random);
}

/// Runs steps with no or few changes between them: a step processes only what changed.
std::string Program::step_often(Random& random) {
  const std::uint32_t count = 2 + random.below(5);
  const float seconds = draw_.seconds(random);
  words_ += words(": ", count, " of ", seconds, " s, between them: ");
  std::string difference;
  for (std::uint32_t i = 0; i < count && difference.empty(); ++i) {
    if (random.below(3) != 0) {
      const auto kind = static_cast<Change::Kind>(2 + random.below(Change::kinds - 2));
      const BodyId a = pick(random);
      const BodyId b = pick(random);
      difference = apply(draw_.change(kind, random, a, b, foreign_), random);
      words_ += "; ";
    }
    if (difference.empty()) {
      difference = run_step(seconds, random);
    }
  }
  return difference;
}

std::string Program::run_step(float seconds, Random& random) {
  const bool moves_first = setting_.step_order() == StepOrder::motion_first;
  std::string difference = moves_first ? probe_motion(seconds) : std::string();
  if (!difference.empty()) {
    return difference;
  }
  heard_.clear();
  given_.clear();
  ++counts_.steps;
  bool is_done = false;
  const std::uint32_t throws_in = random.below(60);
  if (predicate_ != 0 && throws_in < 20 && setting_.is_modelled()) {
    const std::uint64_t before = world_.hash();
    throws_in_ = throws_in;
    is_done = !throws([&] { world_.step(seconds).value(); });
    throws_in_.reset();
    counts_.exceptions += is_done ? 0U : 1U;
    if (!is_done && (world_.hash() != before || !heard_.empty())) {
      return "the predicate threw, and something changed";
    }
  }
  const std::uint32_t listener_throws_in = random.below(30);
  if (!is_done) {
    if (listener_throws_in < 8) {
      listener_throws_in_ = listener_throws_in;
    }
    const bool threw = throws([&] { world_.step(seconds).value(); });
    counts_.exceptions += threw ? 1U : 0U;
    if (threw != (listener_throws_in < 8 && listener_throws_in < heard_.size())) {
      return "the step did not throw the exception of a listener, or threw without one";
    }
    listener_throws_in_.reset();
  }
  end_step(seconds);
  difference = detect_in_model();
  if (difference.empty()) {
    difference = check_tell();
  }
  if (difference.empty() && !moves_first) {
    model_.integrate(seconds);
  }
  return difference.empty() ? settle() : difference;
}

std::string Program::step_in_stages(Random& random) {
  const float seconds = draw_.seconds(random);
  const bool moves_first = setting_.step_order() == StepOrder::motion_first;
  words_ += words(" of ", seconds, " s");
  ++counts_.steps;
  std::string difference;
  const auto integrate = [&] {
    difference = in_little_memory(random, "integrate", [&] { world_.integrate(seconds).value(); });
    model_.integrate(seconds);
  };
  if (moves_first) {
    integrate();
    if (difference.empty()) {
      difference = settle();
    }
  }
  if (difference.empty()) {
    difference = in_little_memory(random, "detect", [this] { world_.detect().value(); });
  }
  if (difference.empty()) {
    difference = detect_in_model();
  }
  if (!difference.empty()) {
    return difference;
  }
  heard_.clear();
  given_.clear();
  world_.dispatch().value();
  difference = check_tell();
  if (!difference.empty()) {
    return difference;
  }
  world_.respond().value();
  if (!moves_first) {
    integrate();
  }
  end_step(seconds);
  return difference.empty() ? settle() : difference;
}

void Program::end_step(float seconds) {
  last_step_ = world_.hash();
  in_parts_.record_step(world_, seconds);
}

std::string Program::detect_in_model() {
  std::vector<std::pair<BodyId, BodyId>> found;
  for (const BodyContact& contact : world_.contacts()) {
    found.emplace_back(contact.a, contact.b);
  }
  model_.detect(
      [&](BodyId a, BodyId b) { return std::binary_search(found.begin(), found.end(), std::pair(a, b)); });
  return check_touches();
}

// The motion.

/// Moves the model and a copy of the world, and compares their positions, in which the step finds contacts.
std::string Program::probe_motion(float seconds) {
  if (!setting_.is_modelled() || seconds == 0) {
    return {};
  }
  World probe;
  probe.restore(world_.snapshot()).value();
  probe.integrate(seconds).value();
  model_.integrate(seconds);
  for (const BodyId id : model_.bodies()) {
    const Transform at = probe.transform(id).value();
    const Vec2 velocity = probe.velocity(id).value();
    if (std::string difference = model_.settle(id, at, velocity); !difference.empty()) {
      return difference;
    }
  }
  return {};
}

/// Compares positions and velocities, and copies those of the world.
std::string Program::settle() {
  for (const BodyId id : model_.bodies()) {
    if (!world_.contains(id)) {
      return words(to_text(id), " is missing");
    }
    const Transform at = world_.transform(id).value();
    const Vec2 velocity = world_.velocity(id).value();
    note(at.position);
    ++counts_.comparisons;
    if (!setting_.is_modelled()) {
      model_.place(id, at, velocity);
    } else if (std::string difference = model_.settle(id, at, velocity); !difference.empty()) {
      return difference;
    }
  }
  return {};
}

}  // namespace broadside::test::simulator
