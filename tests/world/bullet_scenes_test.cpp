// Several bullets in one step, in order of time.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "boxes.hpp"
#include "broadside/world/world.hpp"
#include "world/drawn_movers.hpp"
#include "world/sweep_reference.hpp"

namespace broadside::test::bullet_scenes_test {
namespace {

/// A pair of bodies that touches in a step, and the time.
struct Touch {
  std::size_t a;
  std::size_t b;
  Real time = 1;
};

/// Finds all touches of a scene in order of time by searching all pairs for the next one.
class SceneReference {
 public:
  SceneReference(const std::vector<Mover>& movers, const std::vector<Path>& paths)
      : movers_(movers), paths_(paths), stops_(movers.size(), 2) {
    while (find_next()) {
    }
    for_each_pair([this](std::size_t a, std::size_t b) {
      if (!is_bullet(a) && !is_bullet(b)) {
        const Real end = reference(a, b).separation(at(a, 1) - at(b, 1));
        is_sure_ = is_sure_ && std::abs(end) > slack(a, b);
        if (end <= 0) {
          touches_.push_back({a, b});
        }
      }
    });
    std::sort(touches_.begin(), touches_.end(),
              [](const Touch& x, const Touch& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  }

  /// Sorted by pair.
  [[nodiscard]] const std::vector<Touch>& touches() const { return touches_; }
  /// Returns whether no decision is so close that rounding may change it, and no bullet starts in contact.
  [[nodiscard]] bool is_sure() const { return is_sure_; }
  [[nodiscard]] std::size_t late_hits() const { return late_hits_; }

 private:
  [[nodiscard]] bool is_bullet(std::size_t i) const { return movers_[i].body.bullet; }
  [[nodiscard]] RealVec at(std::size_t i, Real time) const {
    return paths_[i].from + std::min(time, stops_[i]) * (paths_[i].to - paths_[i].from);
  }
  [[nodiscard]] Real slack(std::size_t a, std::size_t b) const {
    return 10 * rim * std::min<Real>(movers_[a].size, movers_[b].size);
  }
  [[nodiscard]] SweepReference reference(std::size_t a, std::size_t b) const {
    return {movers_[a].body.shape, movers_[a].end_rotation, movers_[b].body.shape, movers_[b].end_rotation};
  }
  template <typename Visit>
  void for_each_pair(Visit visit) const {
    for (std::size_t a = 0; a < movers_.size(); ++a) {
      for (std::size_t b = a + 1; b < movers_.size(); ++b) {
        if (can_touch(movers_[a].body.type, movers_[b].body.type) || movers_[a].body.sensor ||
            movers_[b].body.sensor) {
          visit(a, b);
        }
      }
    }
  }

  bool find_next() {
    Touch next{0, 0, 2};
    for_each_pair([&](std::size_t a, std::size_t b) {
      const bool is_known = std::any_of(touches_.begin(), touches_.end(),
                                        [&](const Touch& touch) { return touch.a == a && touch.b == b; });
      if (is_known || !(is_bullet(a) || is_bullet(b))) {
        return;
      }
      Real since = 0;
      for (const std::size_t i : {a, b}) {
        since = stops_[i] <= 1 ? std::max(since, stops_[i]) : since;
      }
      const Meeting met = reference(a, b).meet(at(a, since) - at(b, since), at(a, 1) - at(b, 1));
      if (met.start < slack(a, b) || std::abs(met.least) < slack(a, b)) {
        is_sure_ = false;
        return;
      }
      const Real time = met.time <= 1 ? since + (1 - since) * met.time : 2;
      is_sure_ = is_sure_ && (time > 1 || std::abs(time - next.time) > 1e-5L);
      if (time < next.time) {
        next = {a, b, time};
        late_hits_ += since > 0 ? 1 : 0;
      }
    });
    if (next.time > 1 || !is_sure_) {
      return false;
    }
    touches_.push_back(next);
    if (!movers_[next.a].body.sensor && !movers_[next.b].body.sensor) {
      for (const std::size_t i : {next.a, next.b}) {
        stops_[i] = is_bullet(i) ? std::min(stops_[i], next.time) : stops_[i];
      }
    }
    return true;
  }

  const std::vector<Mover>& movers_;
  const std::vector<Path>& paths_;
  std::vector<Real> stops_;
  std::vector<Touch> touches_;
  bool is_sure_ = true;
  std::size_t late_hits_ = 0;
};

/// Draws 3 to 8 bodies, most of them bullets, that cross the same place.
std::vector<Mover> draw_scene(Random& random) {
  constexpr std::array types{BodyType::static_body, BodyType::kinematic, BodyType::dynamic,
                             BodyType::dynamic};
  std::vector<Mover> movers(3 + random.below(6));
  for (Mover& mover : movers) {
    mover.size = drawn_scale(0.5F, 4.0F, random);
    mover.body.shape = drawn_shape(mover.size, random);
    mover.body.rotation = drawn_rotation(random);
    mover.body.type = types[random.below(4)];
    mover.body.bullet = random.below(2) == 0;
    mover.body.sensor = random.below(6) == 0;
    const float length = random.below(6) == 0 ? 0.0F : random.between(1.0F, 60.0F);
    mover.motion = length * drawn_direction(random);
    const float away = random.between(0.0F, 6.0F);
    const Vec2 there = away * drawn_direction(random);
    mover.body.position = there - random.unit() * mover.motion;
    draw_drive(mover, random);
  }
  return movers;
}

TEST(WorldBullets, stop_at_the_first_body_that_they_hit) {
  Random random(81);
  std::size_t sure = 0;
  std::size_t late_hits = 0;
  const std::size_t scenes = cases_to_draw() / 25;
  for (std::size_t scene = 0; scene < scenes; ++scene) {
    const std::vector<Mover> movers = draw_scene(random);
    World world;
    std::vector<BodyId> ids;
    const std::vector<Path> paths = set_going(world, movers, ids);
    const SceneReference expected(movers, paths);
    if (!expected.is_sure()) {
      continue;
    }
    ++sure;
    late_hits += expected.late_hits();
    world.step(0).value();
    const auto contacts = world.contacts();
    ASSERT_EQ(contacts.size(), expected.touches().size()) << scene;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Touch& touch = expected.touches()[i];
      ASSERT_EQ(contacts[i].a, ids[touch.a]) << scene;
      ASSERT_EQ(contacts[i].b, ids[touch.b]) << scene;
      ASSERT_NEAR(contacts[i].fraction, static_cast<double>(touch.time), 1e-3) << scene;
    }
    // A body passed on the way is no contact in the next step, and a world at rest stays at rest.
    world.step(0).value();
    for (const BodyContact& contact : world.contacts()) {
      const std::size_t a = contact.a.index - ids[0].index;
      const std::size_t b = contact.b.index - ids[0].index;
      const SweepReference pair(movers[a].body.shape, movers[a].end_rotation, movers[b].body.shape,
                                movers[b].end_rotation);
      ASSERT_LT(pair.separation(paths[a].to - paths[b].to), 1e-3L) << scene;
      ASSERT_EQ(contact.fraction, 1.0F);
    }
  }
  EXPECT_GT(sure, scenes / 3);
  EXPECT_GT(late_hits, scenes / 20);
}

}  // namespace
}  // namespace broadside::test::bullet_scenes_test
