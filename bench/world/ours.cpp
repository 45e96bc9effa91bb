#include <optional>

#include "broadside/world/world.hpp"
#include "contest.hpp"
#include "stages.hpp"

namespace broadside::bench {

namespace {

class Ours final : public Contender {
 public:
  [[nodiscard]] std::string name() const override { return "broadside"; }
  [[nodiscard]] bool ours() const override { return true; }
  [[nodiscard]] bool takes(const Scene& /*scene*/) const override { return true; }

  const Events& load(const Scene& scene) override {
    world_.emplace();
    const std::vector<BodyDef> bodies = bodies_of(scene);
    const std::vector<BodyId> ids = world_->add(bodies).value();
    // The world was empty, so the index of a body is its index in the scene.
    movers_.assign(ids.begin() + static_cast<std::ptrdiff_t>(scene.first_mover), ids.end());
    world_->step(0.0F).value();
    return told();
  }

  const Events& step(std::span<const Vec2> positions) override {
    world_->move(movers_, positions).value();
    world_->step(0.0F).value();
    return told();
  }

  [[nodiscard]] std::size_t bytes() const override { return world_->bytes(); }

 private:
  const Events& told() {
    events_.clear();
    for (const BodyContact& contact : world_->begun()) {
      events_.begun.push_back({contact.a.index, contact.b.index});
    }
    for (const ContactEnd& end : world_->ended()) {
      events_.ended.push_back({end.a.index, end.b.index});
    }
    return events_;
  }

  std::optional<World> world_;
  std::vector<BodyId> movers_;
  Events events_;
};

}  // namespace

std::vector<BodyDef> bodies_of(const Scene& scene) {
  std::vector<BodyDef> bodies;
  for (std::size_t i = 0; i < scene.size(); ++i) {
    bodies.push_back({.shape = scene.shapes[i],
                      .type = i < scene.static_count ? BodyType::static_body : BodyType::dynamic,
                      .position = scene.starts[i]});
  }
  return bodies;
}

std::unique_ptr<Contender> make_ours() {
  return std::make_unique<Ours>();
}

}  // namespace broadside::bench
