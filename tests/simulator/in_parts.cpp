#include "simulator/in_parts.hpp"

#include <mutex>
#include <utility>

#include "broadside/distributed/in_process.hpp"

namespace broadside::test::simulator {

using What = distributed::Change::What;

void InParts::record(const Change& change, std::span<const BodyId> given, ErrorCode code) {
  if (setting_.parts == 0) {
    return;
  }
  switch (change.kind) {
    case Change::Kind::add:
      if (code != ErrorCode::none) {
        changes_.push_back({What::add, bodies_.size(), change.bodies.front().as_body(), {}, code});
        break;
      }
      [[fallthrough]];
    case Change::Kind::add_many:
      for (std::size_t i = 0; i < given.size(); ++i) {
        changes_.push_back({What::add, bodies_.size(), change.bodies[i].as_body(), {}, code});
        numbers_[given[i]] = bodies_.size();
        bodies_.push_back(given[i]);
      }
      break;
    case Change::Kind::move_many:
      if (code == ErrorCode::none) {
        record_of(change.a, {.kind = Change::Kind::move, .at = change.at}, code);
        record_of(change.b, {.kind = Change::Kind::move, .at = {change.way, change.at.rotation}}, code);
      }
      break;
    case Change::Kind::set_gravity:
    case Change::Kind::set_ignored:
    case Change::Kind::skip_response:  // a `DistributedWorld` has none
      break;
    default:
      record_of(change.a, change, code);
      break;
  }
}

void InParts::record_of(BodyId body, const Change& change, ErrorCode code) {
  distributed::Change one;
  one.what = change.kind == Change::Kind::remove ? What::remove : What::change;
  const auto found = numbers_.find(body);
  one.number = found == numbers_.end() ? bodies_.size() : found->second;
  one.refused = found == numbers_.end() ? ErrorCode::stale_id : code;
  one.change = [change](World& world, BodyId own) {
    Change of_own = change;
    of_own.a = own;
    std::vector<BodyId> given;
    const ErrorCode made = make(world, of_own, given);
    return made == ErrorCode::none ? Result<void>() : Error{made, "the world refused it"};
  };
  if (change.kind == Change::Kind::remove && found != numbers_.end()) {
    numbers_.erase(found);
  }
  changes_.push_back(std::move(one));
}

distributed::Questions InParts::draw_questions(Random& random) const {
  distributed::Questions questions;
  const Standing asked = draw_.standing(random);
  const auto except = [&] {
    const auto number = random.below(1 + 2 * static_cast<std::uint32_t>(bodies_.size()));
    return number < bodies_.size() ? std::optional(distributed::id_of(number)) : std::nullopt;
  };
  questions.areas = {bounds(asked.shape, asked.at)};
  questions.rays = {{asked.at.position, draw_.long_way(random), except()}};
  questions.casts = {{asked.shape, asked.at, draw_.long_way(random), except()}};
  questions.points = {{.point = asked.at.position, .count = random.below(6), .except = except()}};
  return questions;
}

void InParts::record_step(const World& world, float seconds) {
  if (setting_.parts == 0) {
    return;
  }
  distributed::Step step{std::exchange(changes_, {}), seconds, {}};
  Random random(steps_.size());
  if (one_in(3, random)) {
    step.questions = draw_questions(random);
  }
  outcomes_.push_back(distributed::outcome_of(world, bodies_, step.questions));
  steps_.push_back(std::move(step));
}

std::string InParts::repeat() const {
  if (setting_.parts == 0) {
    return {};
  }
  Random random(static_cast<std::uint64_t>(setting_.parts));
  const distributed::Parts parts = distributed::draw_parts(setting_.parts, random);
  std::mutex mutex;
  std::string difference;
  const auto run = [&](Communicator& others) {
    auto part = DistributedWorld::create(others, setting_.options()).value();
    part->set_rebalance(parts.rebalance).value();
    const std::string wrong = distributed::run_steps(*part, others, parts, steps_, outcomes_);
    const std::lock_guard lock(mutex);
    difference = difference.empty() ? wrong : difference;
  };
  try {
    run_in_process(parts.count, run).value();
  } catch (const Exception& error) {  // also of a part that waited for one with a difference
    return difference.empty() ? std::string("a part threw: ") + error.what() : difference;
  }
  return difference;
}

}  // namespace broadside::test::simulator
