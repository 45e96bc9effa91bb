// What one part refuses is refused on all parts, with its sentence, and changes nothing.

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <mutex>

#include "boxes.hpp"
#include "broadside/distributed/broad_phase.hpp"
#include "broadside/distributed/in_process.hpp"
#include "watchdog.hpp"

namespace broadside::test::distributed_refusals_test {
namespace {

constexpr std::chrono::seconds patience{240};
constexpr Aabb unit{{0.0F, 0.0F}, {1.0F, 1.0F}};

/// A call that is refused. It may use the ids of two boxes that its part owns.
struct BadCall {
  std::string name;
  ErrorCode code;
  std::function<Error(DistributedBroadPhase&, std::span<const GlobalId>)> call;
};

std::vector<BadCall> bad_calls() {
  std::vector<BadCall> calls;
  for (const BadBox& bad : bad_boxes()) {
    calls.push_back({"add " + bad.name, bad.code, [bad](auto& part, auto) {
                       const std::vector<Aabb> boxes{unit, bad.box};
                       return part.add(boxes).error();
                     }});
    calls.push_back({"move to " + bad.name, bad.code, [bad](auto& part, auto ids) {
                       const std::vector<Aabb> boxes{unit, bad.box};
                       return part.move(ids, boxes).error();
                     }});
  }
  const auto add = [&](const char* name, ErrorCode code, auto call) { calls.push_back({name, code, call}); };
  const std::vector<Aabb> boxes{unit, unit};
  const std::vector<GlobalId> unknown{GlobalId::of(9, 9), GlobalId::of(9, 10)};
  const std::vector<GlobalId> twice{GlobalId::of(9, 9), GlobalId::of(9, 9)};
  add("move unknown ids", ErrorCode::stale_id,
      [=](auto& part, auto) { return part.move(unknown, boxes).error(); });
  add("remove unknown ids", ErrorCode::stale_id,
      [=](auto& part, auto) { return part.remove(unknown).error(); });
  add("set the kind of an unknown id", ErrorCode::stale_id,
      [=](auto& part, auto) { return part.set_kind(unknown[0], {}).error(); });
  add("set a kind without meaning", ErrorCode::invalid_argument,
      [](auto& part, auto ids) { return part.set_kind(ids[0], {.type = static_cast<BodyType>(7)}).error(); });
  add("add a kind without meaning", ErrorCode::invalid_argument,
      [=](auto& part, auto) { return part.add(boxes, BoxKind{.type = static_cast<BodyType>(7)}).error(); });
  add("move with too few boxes", ErrorCode::invalid_argument,
      [=](auto& part, auto ids) { return part.move(ids, std::span(boxes).first(1)).error(); });
  add("move twice", ErrorCode::invalid_argument, [=](auto& part, auto ids) {
    const std::vector<GlobalId> same{ids[0], ids[0]};
    return part.move(same, boxes).error();
  });
  add("remove twice", ErrorCode::invalid_argument, [](auto& part, auto ids) {
    const std::vector<GlobalId> same{ids[0], ids[0]};
    return part.remove(same).error();
  });
  add("add with too few ids", ErrorCode::invalid_argument,
      [=](auto& part, auto) { return part.add(std::span(unknown).first(1), boxes).error(); });
  add("add with too few kinds", ErrorCode::invalid_argument,
      [=](auto& part, auto) { return part.add(unknown, boxes, std::vector<BoxKind>(1)).error(); });
  add("add an id twice", ErrorCode::invalid_argument,
      [=](auto& part, auto) { return part.add(twice, boxes).error(); });
  add("add an id that exists", ErrorCode::invalid_argument,
      [=](auto& part, auto ids) { return part.add(ids, boxes).error(); });
  return calls;
}

TEST(DistributedRefusals, are_those_of_all_parts_and_change_nothing) {
  const Watchdog watchdog(patience);
  for (const BadCall& bad : bad_calls()) {
    for (const int parts : {1, 3}) {
      std::mutex mutex;
      std::vector<std::string> sentences;
      run_in_process(parts, [&](Communicator& others) {
        DistributedBroadPhase part(others);
        const auto x = static_cast<float>(100 * others.rank());
        const std::vector<Aabb> boxes{{{x, 0.0F}, {x + 1.0F, 1.0F}}, {{x + 1.0F, 1.0F}, {x + 2.0F, 2.0F}}};
        (void)part.add(boxes).value();
        std::size_t pairs = part.find_pairs().value().size();
        const std::vector<GlobalId> owned(part.owned().begin(), part.owned().end());
        const bool refuses = owned.size() >= 2 && others.rank() == parts - 1;
        // Good changes of all parts stay for the next search.
        const std::vector<Aabb> more{{{x, 0.5F}, {x + 0.5F, 0.75F}}};
        (void)part.add(more).value();
        const std::vector<GlobalId> before(part.owned().begin(), part.owned().end());
        Error own;
        if (refuses) {
          own = bad.call(part, std::span(owned).first(2));
          EXPECT_EQ(own.code, bad.code) << bad.name << ": " << own.message;
          EXPECT_FALSE(own.message.empty());
        }
        const auto refused = part.find_pairs();
        EXPECT_EQ(refused.error().code, bad.code) << bad.name;
        EXPECT_TRUE(!refuses || refused.error().message == own.message);
        EXPECT_EQ(std::vector<GlobalId>(part.owned().begin(), part.owned().end()), before) << bad.name;
        pairs = part.find_pairs().value().size();
        const std::lock_guard lock(mutex);
        sentences.push_back(refused.error().message);
        sentences.push_back(std::to_string(pairs));
      }).value();
      std::size_t pairs = 0;
      for (std::size_t i = 0; i < sentences.size(); i += 2) {
        EXPECT_EQ(sentences[i], sentences[0]);
        pairs += std::stoul(sentences[i + 1]);
      }
      EXPECT_EQ(pairs, 2U * static_cast<std::size_t>(parts)) << bad.name;
    }
  }
}

TEST(DistributedRefusals, of_several_parts_are_answered_by_that_of_the_least_rank) {
  const Watchdog watchdog(patience);
  run_in_process(5, [](Communicator& others) {
    DistributedBroadPhase part(others);
    if (others.rank() == 4) {
      (void)part.remove(std::vector{GlobalId::of(1, 44)});
    }
    if (others.rank() == 2) {
      (void)part.remove(std::vector{GlobalId::of(1, 22)});
      (void)part.remove(std::vector{GlobalId::of(1, 23)});
    }
    EXPECT_EQ(part.find_pairs().error().message, "box 22 of rank 1 is not owned by this part");
    EXPECT_TRUE(part.find_pairs().has_value());
  }).value();
}

TEST(DistributedRefusals, of_options) {
  run_in_process(1, [](Communicator& others) {
    DistributedBroadPhase part(others);
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    for (const RebalanceOptions& bad :
         {RebalanceOptions{.max_imbalance = 0.99F}, RebalanceOptions{.max_imbalance = nan},
          RebalanceOptions{.interval = 0}, RebalanceOptions{.max_share = 0.0F},
          RebalanceOptions{.max_share = 1.5F}, RebalanceOptions{.max_share = nan}}) {
      EXPECT_EQ(part.set_rebalance(bad).error().code, ErrorCode::invalid_argument);
    }
    EXPECT_TRUE(part.set_rebalance({.max_imbalance = std::numeric_limits<float>::infinity()}).has_value());
  }).value();
}

/// Passes messages on, and damages them in a drawn exchange.
class Damaging final : public Communicator {
 public:
  Damaging(Communicator& others, std::uint64_t seed) : others_(others), random_(seed) {}
  [[nodiscard]] int rank() const override { return others_.rank(); }
  [[nodiscard]] int size() const override { return others_.size(); }
  [[nodiscard]] Result<std::vector<Message>> exchange(std::vector<Message> outgoing) override {
    auto incoming = others_.exchange(std::move(outgoing));
    if (incoming.has_value() && random_.below(3) == 0) {
      for (Message& message : *incoming) {
        damage(message);
      }
    }
    return incoming;
  }

 private:
  void damage(Message& message) {
    if (message.empty()) {
      return;
    }
    const auto size = static_cast<std::uint32_t>(message.size());
    if (random_.below(2) == 0) {
      message.resize(random_.below(size));
    } else {
      message[random_.below(size)] = static_cast<std::byte>(random_.below(256));
    }
  }

  Communicator& others_;
  Random random_;
};

TEST(DistributedRefusals, damaged_messages_end_in_an_error_or_in_other_boxes) {
  const Watchdog watchdog(patience);
  std::mutex mutex;
  int failures = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    run_in_process(2, [&](Communicator& sound) {
      Damaging others(sound, 2 * seed + static_cast<std::uint64_t>(sound.rank()));
      DistributedBroadPhase part(others);
      Random random(seed);
      std::vector<Aabb> boxes = draw_boxes(random, 40);
      (void)part.add(boxes);
      for (int step = 0; step < 4; ++step) {
        const auto pairs = part.find_pairs();
        if (!pairs.has_value()) {
          const std::lock_guard lock(mutex);
          ++failures;
          return;
        }
        const std::vector<GlobalId> owned(part.owned().begin(), part.owned().end());
        for (const GlobalId id : owned) {
          const Aabb box = part.box(id).value();
          (void)part.move(std::span(&id, 1), std::span(&box, 1));
        }
      }
    }).value();
  }
  EXPECT_GT(failures, 50);
}

}  // namespace
}  // namespace broadside::test::distributed_refusals_test
