// The game of the tutorial "Optimizing Collision Detection": a player grows by food and shrinks by poison,
// and what was eaten reappears elsewhere. The entities live in the game's own registry; any class with the
// interface of EnTT's registry will do.

#include <algorithm>
#include <broadside/adapters/ecs.hpp>
#include <broadside/scene/random.hpp>
#include <cstdio>
#include <map>
#include <string>

#include "steps.hpp"

namespace {

struct Position {  // of the corner at the top left
  float x = 0;
  float y = 0;
};

using Collider = broadside::ecs::Collider<int>;

struct Thing {
  Position position;
  Collider collider;
};

struct Registry {
  template <typename, typename>
  Registry& view() {
    return *this;
  }
  template <typename Visit>
  void each(Visit visit) {
    for (auto& [entity, thing] : things) {
      visit(entity, thing.position, thing.collider);
    }
  }
  [[nodiscard]] bool valid(int entity) const { return things.contains(entity); }
  void destroy(int entity) { things.erase(entity); }

  std::map<int, Thing> things;
};

class Game {
 public:
  Game() {
    add("player", 64);
    for (int i = 0; i < 24; ++i) {
      add(i % 3 == 2 ? "poison" : "food", 30);
    }
    registry_.things[0].collider.callbacks["food"] = [this] { eat("food", 20); };
    registry_.things[0].collider.callbacks["poison"] = [this] { eat("poison", -20); };
  }

  void step() {
    ++step_;
    auto& [position, collider] = registry_.things.at(0);
    const auto bounce = [](float& at, float& velocity, float size, float end) {
      at += velocity / 60;
      velocity = at < 0 ? 160.0F : at + size > end ? -120.0F : velocity;
    };
    bounce(position.x, velocity_.x, collider.width, 640);
    bounce(position.y, velocity_.y, collider.height, 360);
    collisions_.update(registry_).value();
    tests_ += collisions_.world().broad_phase().statistics().tests;
  }

  void report() const {
    std::printf("\nAfter %d steps: %d meals, %d of them poison; the player is %.0f wide.\n", step_, meals_,
                poisons_, static_cast<double>(registry_.things.at(0).collider.width));
    std::printf("Every pair: 300 tests a step. Here: %llu, for only pairs with a callback are looked at.\n",
                static_cast<unsigned long long>(tests_) / static_cast<unsigned>(step_));
  }

 private:
  void add(const char* tag, float size) {
    const int entity = static_cast<int>(registry_.things.size());
    registry_.things[entity] = {somewhere(), {.width = size, .height = size, .tag = tag}};
    registry_.things[entity].collider.callbacks["player"] = [this, entity] {
      registry_.things.at(entity).position = somewhere();
    };
  }

  Position somewhere() {
    return {static_cast<float>(random_.below(611)), static_cast<float>(random_.below(331))};
  }

  // Grows the player on all sides, or shrinks it to no less than 24: a size below 0 would be refused.
  void eat(const char* what, float growth) {
    auto& [position, collider] = registry_.things.at(0);
    const float size = std::clamp(collider.width + growth, 24.0F, 164.0F);
    position = {position.x - (size - collider.width) / 2, position.y - (size - collider.width) / 2};
    collider.width = collider.height = size;
    poisons_ += growth < 0 ? 1 : 0;
    if (++meals_ <= 16) {
      const std::string bar(static_cast<std::size_t>(size) / 8, growth > 0 ? '#' : 'x');
      std::printf("step %3d  %-6s  %s %.0f wide\n", step_, what, bar.c_str(), static_cast<double>(size));
    }
  }

  Registry registry_;
  broadside::ecs::CollisionSystem<int, Position> collisions_;
  broadside::Random random_{10};
  broadside::Vec2 velocity_{160, 120};
  int step_ = 0, meals_ = 0, poisons_ = 0;
  std::uint64_t tests_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  std::printf("A player among 16 pieces of food and 8 of poison, on 640 x 360:\n\n");
  Game game;
  for (int left = steps_of(argc, argv, 600); left > 0; --left) {
    game.step();
  }
  game.report();
}
