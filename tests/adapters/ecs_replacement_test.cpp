// Replacing the tutorial's all-pairs system with ours changes the cost, not the behaviour: both play the same
// game.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "adapters/registry.hpp"
#include "boxes.hpp"
#include "broadside/adapters/ecs.hpp"
#include "variants.hpp"

namespace broadside::ecs::ecs_replacement_test {
namespace {

/// A thing of the game; its position is the corner with the lowest coordinates.
struct Thing {
  int number = 0;
  std::string tag;
  float x = 0.0F;
  float y = 0.0F;
  float size = 30.0F;
  std::map<std::string, std::function<void()>> callbacks;
};

/// The system of the chapter before the grid, as in the tutorial: every pair, closed boxes, both directions,
/// no arguments, queued.
class AllPairs {
 public:
  void add(Thing& thing) { things_.push_back(&thing); }
  void remove(const Thing& thing) { std::erase(things_, &thing); }

  void update() {
    std::vector<std::function<void()>> queue;
    for (std::size_t i = 0; i < things_.size(); ++i) {
      for (std::size_t j = i + 1; j < things_.size(); ++j) {
        if (overlap(*things_[i], *things_[j])) {
          push(*things_[i], *things_[j], queue);
          push(*things_[j], *things_[i], queue);
          just_touching_ += touch_only(*things_[i], *things_[j]) ? 1 : 0;
        }
      }
    }
    for (const auto& callback : queue) {
      callback();
    }
  }

  [[nodiscard]] int just_touching() const { return just_touching_; }

 private:
  static bool overlap(const Thing& a, const Thing& b) {
    return !(a.x + a.size < b.x || a.x > b.x + b.size || a.y + a.size < b.y || a.y > b.y + b.size);
  }
  static bool touch_only(const Thing& a, const Thing& b) {
    return a.x + a.size == b.x || a.x == b.x + b.size || a.y + a.size == b.y || a.y == b.y + b.size;
  }
  static void push(const Thing& from, const Thing& to, std::vector<std::function<void()>>& queue) {
    const auto at = from.callbacks.find(to.tag);
    if (at != from.callbacks.end()) {
      queue.push_back(at->second);
    }
  }

  std::vector<Thing*> things_;
  int just_touching_ = 0;
};

/// Our system, behind the same three functions.
class Ours {
 public:
  explicit Ours(std::string_view technique) { system_.world().set_technique(technique).value(); }

  void add(Thing& thing) {
    const test::Entity entity = registry_.create();
    registry_.emplace(entity, Position{});
    Collider<test::Entity> collider{.tag = thing.tag};
    for (const auto& [target, callback] : thing.callbacks) {
      collider.callbacks[target] = callback;
    }
    registry_.emplace(entity, std::move(collider));
    things_.emplace_back(&thing, entity);
  }
  void remove(const Thing& thing) {
    const auto at =
        std::find_if(things_.begin(), things_.end(), [&](const auto& one) { return one.first == &thing; });
    registry_.destroy(at->second);
    things_.erase(at);
  }

  void update() {
    for (const auto& [thing, entity] : things_) {
      registry_.get<Position>(entity) = {thing->x, thing->y};
      auto& collider = registry_.get<Collider<test::Entity>>(entity);
      collider.width = thing->size;
      collider.height = thing->size;
      collider.tag = thing->tag;
    }
    system_.update(registry_).value();
  }

 private:
  struct Position {
    float x = 0.0F;
    float y = 0.0F;
  };

  test::Registry<Position, Collider<test::Entity>> registry_;
  CollisionSystem<test::Entity, Position> system_;
  std::vector<std::pair<Thing*, test::Entity>> things_;
};

/// Player, food and poison on the canvas of the tutorial. All numbers are multiples of 5, so that many boxes
/// only touch. The result of a step does not depend on the order of its callbacks, which differs between the
/// systems.
template <typename System>
class Game {
 public:
  Game(System& system, std::uint64_t seed) : system_(system), seed_(seed) {
    for (int i = 0; i < 40; ++i) {
      add(i % 10 == 0 ? "player" : i % 3 == 0 ? "poison" : "food");
    }
  }

  /// Plays a step; returns the callbacks that ran, sorted.
  std::vector<std::string> step() {
    ++step_;
    calls_.clear();
    for (auto& [number, thing] : things_) {
      test::Random random = random_for(number, 1);
      const bool moves = thing.tag == "player" || random.below(4) == 0;
      thing.x += moves ? 5.0F * static_cast<float>(random.below(9)) - 20.0F : 0.0F;
      thing.y += moves ? 5.0F * static_cast<float>(random.below(9)) - 20.0F : 0.0F;
    }
    if (step_ % 7 == 0) {
      const auto oldest = things_.begin();
      system_.remove(oldest->second);
      const std::string tag = oldest->second.tag;
      things_.erase(oldest);
      add(tag);
    }
    if (step_ % 11 == 0) {
      Thing& turned = things_.rbegin()->second;
      turned.tag = turned.tag == "food" ? "poison" : turned.tag == "poison" ? "food" : "player";
    }
    system_.update();
    std::sort(calls_.begin(), calls_.end());
    return calls_;
  }

  [[nodiscard]] std::vector<float> state() const {
    std::vector<float> all;
    for (const auto& [number, thing] : things_) {
      all.insert(all.end(), {static_cast<float>(number), thing.x, thing.y, thing.size});
    }
    return all;
  }

 private:
  [[nodiscard]] test::Random random_for(int number, std::uint64_t purpose) const {
    return test::Random(seed_ + 1000003ULL * static_cast<std::uint64_t>(number) + 10007ULL * step_ + purpose);
  }

  void put_somewhere(Thing& thing) const {
    test::Random random = random_for(thing.number, 2);
    thing.x = 5.0F * static_cast<float>(random.below(129));
    thing.y = 5.0F * static_cast<float>(random.below(73));
  }

  void add(const std::string& tag) {
    const int number = next_number_++;
    Thing& thing = things_[number];
    thing.number = number;
    thing.tag = tag;
    thing.size = tag == "player" ? 100.0F : 30.0F;
    put_somewhere(thing);
    const auto on = [this, &thing](const std::string& target, auto act) {
      thing.callbacks[target] = [this, &thing, target, act] {
        calls_.push_back(std::to_string(thing.number) + ": " + target);
        act(thing);
      };
    };
    // Sizes wrap around, so that two meals in one step have the same result in either order.
    const auto resize = [](Thing& player, float by) {
      player.size = 20.0F + std::fmod(player.size + 180.0F + by, 200.0F);
    };
    if (tag == "player") {
      on("food", [resize](Thing& player) { resize(player, 20.0F); });
      on("poison", [resize](Thing& player) { resize(player, -20.0F); });
      on("player", [](Thing&) {});
    } else {
      on("player", [this](Thing& eaten) { put_somewhere(eaten); });
      if (number % 2 == 0) {
        on("food", [](Thing&) {});
      }
    }
    system_.add(thing);
  }

  System& system_;
  std::uint64_t seed_;
  std::uint64_t step_ = 0;
  int next_number_ = 0;
  std::map<int, Thing> things_;
  std::vector<std::string> calls_;
};

class Replacement : public ::testing::TestWithParam<std::string> {};

TEST_P(Replacement, plays_the_same_game_as_the_tutorial) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    AllPairs before;
    Ours after(GetParam());
    Game game_before(before, seed);
    Game game_after(after, seed);
    std::size_t calls = 0;
    for (int step = 0; step < 300; ++step) {
      const auto wanted = game_before.step();
      ASSERT_EQ(game_after.step(), wanted) << "step " << step << ", seed " << seed;
      ASSERT_EQ(game_after.state(), game_before.state());
      calls += wanted.size();
    }
    EXPECT_GT(calls, 1500U);
    EXPECT_GT(before.just_touching(), 100);
  }
}

INSTANTIATE_TEST_SUITE_P(Techniques, Replacement, ::testing::ValuesIn(test::technique_names()),
                         test::technique_name);

}  // namespace
}  // namespace broadside::ecs::ecs_replacement_test
