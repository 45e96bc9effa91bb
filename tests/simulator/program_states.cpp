// The operations of `Program` that concern the whole state of a world, and `move_and_slide`.

#include <array>
#include <cmath>

#include "simulator/program.hpp"

namespace broadside::test::simulator {

// Takes a snapshot, makes random changes, and restores the snapshot: all changes must be undone.
std::string Program::take_back(Random& random) {
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
    const BodyId b = any();
    const auto kind = static_cast<Change::Kind>(random.below(Change::kinds));
    static_cast<void>(make(world_, draw_.change(kind, random, a, b, foreign_), given));
    if (random.below(3) == 0) {
      world_.step(random.below(2) == 0 ? 0.0F : 1.0F / 64).value();
      last_step_ = world_.hash();
    }
  }
  muted_ = false;
  if (random.below(2) == 0 && world_.restore(std::span(bytes).first(bytes.size() - 1)).has_value()) {
    return "a part of a snapshot was accepted";
  }
  std::string difference = in_little_memory(random, "restore", [&] { world_.restore(bytes).value(); });
  if (difference.empty() && (world_.hash() != hash || world_.snapshot() != bytes)) {
    difference = "another world came back";
  }
  return difference.empty() ? check_touches() : difference;
}

/// Replaces the world by another one that is restored from its state.
std::string Program::move_to_another_world(Random& random) {
  std::string difference = finish_recording();
  if (!difference.empty()) {
    return difference;
  }
  World next = World::create({.interest = static_cast<Interest>(random.below(2)), .gravity = {1, 2}}).value();
  const bool was_used = random.below(2) == 0;
  if (was_used) {
    for (std::uint32_t n = random.below(6); n > 0; --n) {
      static_cast<void>(next.add(draw_.body(random).as_body()));
    }
    next.step(draw_.seconds(random)).value();
  }
  next.restore(world_.snapshot()).value();
  if (next.hash() != world_.hash()) {
    return "a restored world has another hash";
  }
  equip(next);
  world_ = std::move(next);
  for (std::uint32_t i = 0; i < listeners_.size(); ++i) {
    listeners_[i] = {};  // the old ids belong to the old world
    if (const auto kind = listener_kinds_[i]) {
      listen_in_world(i, *kind);
    }
  }
  return check_touches();
}

/// Begins a recording, or ends one and replays it in another world.
std::string Program::record(Random& /*random*/) {
  if (recording_ != nullptr) {
    words_ += ": plays it";
    return finish_recording();
  }
  recording_ = std::make_unique<Recording>();
  last_step_.reset();
  world_.record(recording_.get()).value();
  return {};
}

std::string Program::finish_recording() {
  if (recording_ == nullptr) {
    return {};
  }
  world_.record(nullptr).value();
  World again;
  const auto all = techniques();
  again.set_technique(all[counts_.operations % all.size()].name).value();
  set_predicate(again, false);
  std::optional<std::uint64_t> last;
  const auto done = replay(*recording_, again, [&] {
    last = again.hash();
    return true;
  });
  recording_.reset();
  ++counts_.replays;
  if (done.error()) {
    return "replay: " + done.error().message;
  }
  if (last != last_step_) {
    return "a replay came to another hash after the last step";
  }
  // The end of a replay removes its stand-in listeners, which changes the interest and so the hash.
  return again.hash() == world_.hash() || setting_.interest == Interest::listeners
             ? std::string()
             : "a replay came to another hash";
}

/// Moves a body as a player: it must not end inside an obstacle, and its ground must be a contact of the next
/// step.
std::string Program::slide(Random& random) {
  const BodyId id = pick(random);
  const Vec2 motion = 2 * draw_.way(random);
  constexpr std::array ups{Vec2{}, Vec2{0, 1}, Vec2{0, -1}, Vec2{1, 0}};
  SlideOptions options{.up = ups[random.below(ups.size())]};
  options.skin = random.below(3) == 0 ? 0x1p-7F * setting_.scale : 0.0F;
  words_ += words(" of ", to_text(id), " by (", motion.x, ", ", motion.y, "), up (", options.up.x, ", ",
                  options.up.y, ')');
  const Model::OneBody* body = model_.find(id);
  std::vector<const Model::OneBody*> obstacles;
  bool is_free = true;
  for (const BodyId other : model_.bodies()) {
    const Model::OneBody* one = model_.find(other);
    if (body == nullptr || !model_.is_obstacle(*one, *body)) {
      continue;
    }
    obstacles.push_back(one);
    const Gap gap = gap_of(model_.solids(*body), model_.solids(*one));
    is_free = is_free && gap.gap > gap.rim;
  }
  const std::uint64_t before = world_.hash();
  if (random.below(8) == 0) {
    SlideOptions throwing = options;
    throwing.respond = [](const Obstacle& /*obstacle*/) -> SlideResponse { throw Thrown{}; };
    try {
      const auto probe = world_.snapshot();
      static_cast<void>(world_.move_and_slide(id, motion, throwing));
      world_.restore(probe).value();  // `respond` was not called
    } catch (const Thrown&) {
      ++counts_.exceptions;
    }
    if (world_.hash() != before) {
      return "`respond` threw, and something changed";
    }
  }
  Result<SlideResult> result = SlideResult{};
  std::string difference = in_little_memory(random, "move_and_slide",
                                            [&] { result = world_.move_and_slide(id, motion, options); });
  if (!difference.empty()) {
    return difference;
  }
  note(static_cast<std::uint64_t>(result.error().code));
  const bool is_valid = body != nullptr && std::isfinite(motion.x);
  if (result.has_value() != is_valid) {
    return words("move_and_slide: ", result.error().message);
  }
  if (!is_valid) {
    return world_.hash() == before ? std::string() : "move_and_slide was refused, and something changed";
  }
  ++counts_.slides;
  const Transform at = world_.transform(id).value();
  if (result->position != at.position || world_.velocity(id).value() != body->velocity ||
      at.rotation != body->at.rotation) {
    return "move_and_slide returned another place than that of the body";
  }
  note(at.position);
  model_.place(id, at, body->velocity);
  model_.put_on(id, result->ground ? std::optional(result->ground->body) : std::nullopt);
  for (const Model::OneBody* one : obstacles) {
    const Gap gap = gap_of(model_.solids(*body), model_.solids(*one));
    long double largest = 0;
    for (const Solid& solid : model_.solids(*body)) {
      largest = std::max({largest, std::fabs(solid.min.x), std::fabs(solid.min.y), std::fabs(solid.max.x),
                          std::fabs(solid.max.y)});
    }
    ++counts_.comparisons;
    if (is_free && gap.gap < -(20 * gap.rim + 2 * ulp_of(largest))) {
      return words("move_and_slide put ", to_text(id), " into ", to_text(one->id), " by ", -gap.gap);
    }
  }
  return run_step(0, random);
}

}  // namespace broadside::test::simulator
