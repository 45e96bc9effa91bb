// The player, the food and the poison of the ECS tutorial, as entities of EnTT.

#include <broadside/adapters/ecs.hpp>
#include <broadside/broadside.hpp>
#include <cstdio>
#include <entt/entt.hpp>

struct Position {
  float x = 0.0F;
  float y = 0.0F;
};

using Collider = broadside::ecs::Collider<entt::entity>;

int main() {
  entt::registry registry;
  broadside::ecs::CollisionSystem<entt::entity, Position> collisions;
  const auto add = [&](Position position, Collider collider) {
    const entt::entity entity = registry.create();
    registry.emplace<Position>(entity, position);
    registry.emplace<Collider>(entity, std::move(collider));
    return entity;
  };

  const entt::entity player = add({0, 100}, {.width = 64, .height = 64, .tag = "player"});
  for (int i = 1; i <= 8; ++i) {
    add({80.0F * static_cast<float>(i), 120},
        {.width = 30, .height = 30, .tag = i % 3 == 0 ? "poison" : "food"});
  }
  // As in the tutorial: by the tag of the other entity, without arguments, in each step in which they touch.
  registry.get<Collider>(player).callbacks["poison"] = [&] {
    auto& collider = registry.get<Collider>(player);
    collider.width = collider.height -= 0.5F;
  };
  // Beyond the tutorial: once when they begin to touch, with both entities.
  collisions.on_begin("player", "food", [&](entt::entity eater, entt::entity food) {
    auto& collider = registry.get<Collider>(eater);
    collider.width = collider.height += 20;
    collisions.destroy_later(food);
  });

  for (int step = 0; step < 200; ++step) {
    registry.get<Position>(player).x += 2;
    if (const auto updated = collisions.update(registry); !updated.has_value()) {
      std::printf("step %d: %s\n", step, updated.error().message.c_str());
      return 1;
    }
  }
  std::printf("The player is %.0f wide, %zu bodies are left.\n",
              static_cast<double>(registry.get<Collider>(player).width), collisions.world().size());
}
