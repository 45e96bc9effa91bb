// Every const function of an object, called by several threads at once right after a change: the answers
// equal those of a twin that is used by one thread, and ThreadSanitizer sees no race.

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broad_phase/box_search.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "broadside/query/area.hpp"
#include "broadside/query/cast.hpp"
#include "broadside/query/nearest.hpp"
#include "broadside/query/ray.hpp"
#include "broadside/world/debug_draw.hpp"
#include "broadside/world/world.hpp"
#include "concurrency/side_by_side.hpp"
#include "watchdog.hpp"

namespace broadside::test {
namespace {

constexpr std::chrono::seconds patience{240};
constexpr std::size_t callers = 3;

/// The answer of a call, as numbers; values that may differ from call to call, such as bytes held, are left
/// out.
using Answer = std::vector<double>;

template <typename Object>
struct Question {
  std::string name;
  std::function<void(const Object&, Answer&)> ask;
};

void take(Answer& answer, const Aabb& box) {
  answer.insert(answer.end(), {box.min.x, box.min.y, box.max.x, box.max.y});
}

void take(Answer& answer, std::string_view text) {
  answer.push_back(static_cast<double>(std::hash<std::string_view>()(text) >> 12U));
}

template <typename Range>
void take_all(Answer& answer, const Range& indices) {
  answer.push_back(static_cast<double>(indices.size()));
  answer.insert(answer.end(), indices.begin(), indices.end());
}

/// Asks all questions from several threads, each of which begins with another question, and a twin from this
/// thread. The first question to a new structure differs from thread to thread, so that over the rounds every
/// pair of questions runs at the same time.
template <typename Object>
void ask_side_by_side(const Object& object, const Object& twin, std::span<const Question<Object>> questions,
                      std::size_t round) {
  std::array<std::vector<Answer>, callers> answers;
  side_by_side(callers, [&](std::size_t caller) {
    answers[caller].resize(questions.size());
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const std::size_t at = (i + round * (caller + 1) + caller) % questions.size();
      questions[at].ask(object, answers[caller][at]);
    }
  });
  for (std::size_t at = 0; at < questions.size(); ++at) {
    Answer expected;
    questions[at].ask(twin, expected);
    for (std::size_t caller = 0; caller < callers; ++caller) {
      ASSERT_EQ(answers[caller][at], expected) << questions[at].name << ", round " << round;
    }
  }
}

constexpr Aabb some_area{{5.0F, 5.0F}, {30.0F, 25.0F}};

std::vector<Question<BroadPhase>> questions_of_broad_phases() {
  return {
      {"name", [](const BroadPhase& phase, Answer& answer) { take(answer, phase.name()); }},
      {"filter",
       [](const BroadPhase& phase, Answer& answer) {
         answer.push_back(static_cast<double>(phase.filter(7).value().layer));
       }},
      {"box", [](const BroadPhase& phase, Answer& answer) { take(answer, phase.box(7).value()); }},
      {"box_of", [](const BroadPhase& phase, Answer& answer) { take(answer, phase.box_of(8)); }},
      {"sizes",
       [](const BroadPhase& phase, Answer& answer) {
         answer.insert(answer.end(), {static_cast<double>(phase.size()),
                                      static_cast<double>(phase.index_end()), phase.contains(9) ? 1.0 : 0.0});
       }},
      {"statistics",
       [](const BroadPhase& phase, Answer& answer) {
         const Statistics statistics = phase.statistics();
         EXPECT_GT(statistics.bytes, 0U);
         answer.push_back(static_cast<double>(statistics.boxes));
       }},
      {"cells",
       [](const BroadPhase& phase, Answer& answer) {
         for (const Cell& cell : phase.cells()) {
           take(answer, cell.bounds);
         }
       }},
      {"query_cells", [](const BroadPhase& phase, Answer&) { static_cast<void>(phase.query_cells()); }},
      {"tuning", [](const BroadPhase& phase, Answer& answer) { take(answer, phase.tuning()); }},
      {"query_area",
       [](const BroadPhase& phase, Answer& answer) {
         std::vector<BoxIndex> hits;
         for (int i = 0; i < 40; ++i) {  // often enough for a tree to be built
           phase.query_area(some_area, hits).value();
         }
         take_all(answer, hits);
       }},
      {"append_area",
       [](const BroadPhase& phase, Answer& answer) {
         std::vector<BoxIndex> hits;
         phase.append_area(some_area, hits);
         answer.push_back(static_cast<double>(hits.size()));
       }},
      {"append_split",
       [](const BroadPhase& phase, Answer& answer) {
         std::vector<BoxIndex> within;
         std::vector<BoxIndex> crossing;
         detail::BoxSearch(phase).append_split(some_area, within, crossing);
         answer.push_back(static_cast<double>(within.size()));
         answer.push_back(static_cast<double>(crossing.size()));
       }},
      {"visit_along_path",
       [](const BroadPhase& phase, Answer& answer) {
         detail::SweptBoxScratch room;
         std::vector<BoxIndex> met;
         detail::BoxSearch(phase).visit_along_path(detail::SweptBox({{0, 0}, {1, 1}}, {40, 30}),
                                                   detail::all_layers, room,
                                                   [&](std::span<detail::BoxHit> some) {
                                                     for (const auto& one : some) {
                                                       met.push_back(one.index);
                                                     }
                                                     return 1.0;
                                                   });
         std::sort(met.begin(), met.end());
         take_all(answer, met);
       }},
      {"initial_radius", [](const BroadPhase& phase,
                            Answer&) { static_cast<void>(detail::BoxSearch(phase).initial_radius()); }},
      {"visit_nearest",
       [](const BroadPhase& phase, Answer&) {
         detail::NearestScratch room;
         static_cast<void>(detail::BoxSearch(phase).visit_nearest(
             {{10, 10}, 3, 100.0}, room, [](std::span<const detail::Near>) { return 100.0; }));
       }},
  };
}

/// A broad phase, and shapes for its boxes.
struct Scene {
  std::unique_ptr<BroadPhase> boxes;
  std::vector<Shape> shapes;
  std::vector<Transform> transforms;
  std::vector<BoxIndex> indices;

  explicit Scene(const TechniqueEntry& technique) : boxes(technique.create({}).value()) {
    Random random(51);
    for (int i = 0; i < 400; ++i) {
      const Shape shape = i % 3 == 0 ? Shape(Box::of_half_size({0.5F, 1.0F})) : Shape(Circle{.radius = 1.0F});
      const Transform at{{random.between(0, 40), random.between(0, 40)}, Rotation::by(random.between(0, 6))};
      const BodyType type = random_type(random);
      indices.push_back(boxes->add(bounds(shape, at), type, {.layer = 1U + random.below(3)}).value());
      shapes.push_back(shape);
      transforms.push_back(at);
    }
    boxes->update();
  }

  void change(std::size_t round) {
    Random random(round);
    for (std::size_t i = 0; i < indices.size(); i += 1 + random.below(5)) {
      transforms[i].position = {random.between(0, 40), random.between(0, 40)};
      boxes->move(indices[i], bounds(shapes[i], transforms[i])).value();
    }
    if (round % 3 != 0) {
      boxes->update();
    }
    if (round % 3 == 2) {
      static_cast<void>(boxes->find_pairs());
    }
  }

  [[nodiscard]] ShapeSet set() const { return {*boxes, shapes, transforms}; }
};

std::vector<Question<Scene>> questions_of_shape_sets() {
  return {
      {"collect_area",
       [](const Scene& scene, Answer& answer) {
         std::vector<BoxIndex> hits;
         query_area(scene.set(), some_area, hits).value();
         take_all(answer, hits);
         query_area(scene.set(), some_area, hits).value();
         take_all(answer, hits);
       }},
      {"visit_area, visit_point, visit_shape",
       [](const Scene& scene, Answer& answer) {
         const auto visit = [&](BoxIndex index) {
           answer.push_back(index);
           return true;
         };
         visit_area(scene.set(), some_area, visit).value();
         visit_point(scene.set(), {20, 20}, visit).value();
         visit_shape(scene.set(), Circle{.radius = 5}, {{20, 20}, {}}, visit).value();
       }},
      {"nearest",
       [](const Scene& scene, Answer& answer) {
         std::vector<NearestShape> hits;
         nearest(scene.set(), {20, 20}, 5, std::numeric_limits<float>::max(), hits).value();
         for (const NearestShape& hit : hits) {
           answer.push_back(hit.index);
         }
       }},
      {"cast_ray, visit_ray",
       [](const Scene& scene, Answer& answer) {
         const auto first = cast_ray(scene.set(), {0, 0}, {40, 35}).value();
         answer.push_back(first.has_value() ? first->index : -1.0);
         visit_ray(scene.set(), {0, 0}, {40, 35}, [&](const ShapeHit& hit) {
           answer.push_back(hit.index);
           return true;
         }).value();
       }},
      {"cast_shape, visit_cast",
       [](const Scene& scene, Answer& answer) {
         const Circle ball{.radius = 0.5F};
         const auto first = cast_shape(scene.set(), ball, {}, {40, 35}).value();
         answer.push_back(first.has_value() ? first->index : -1.0);
         visit_cast(scene.set(), ball, {}, {40, 35}, [&](const ShapeHit& hit) {
           answer.push_back(hit.index);
           return true;
         }).value();
       }},
      {"statistics", [](const Scene& scene, Answer&) { static_cast<void>(scene.boxes->statistics()); }},
  };
}

class ConstCalls : public testing::TestWithParam<std::size_t> {
 protected:
  [[nodiscard]] static const TechniqueEntry& technique() { return techniques()[GetParam()]; }
};

INSTANTIATE_TEST_SUITE_P(Techniques, ConstCalls, testing::Range<std::size_t>(0, techniques().size()),
                         [](const auto& test) {
                           std::string name(techniques()[test.param].name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(ConstCalls, of_a_broad_phase_may_run_side_by_side) {
  const Watchdog watchdog(patience);
  Scene scene(technique());
  Scene twin(technique());
  const auto questions = questions_of_broad_phases();
  for (std::size_t round = 0; round < 3 * questions.size(); ++round) {
    scene.change(round);
    twin.change(round);
    ask_side_by_side<BroadPhase>(*scene.boxes, *twin.boxes, questions, round);
  }
}

TEST_P(ConstCalls, of_a_shape_set_may_run_side_by_side) {
  const Watchdog watchdog(patience);
  Scene scene(technique());
  Scene twin(technique());
  const auto questions = questions_of_shape_sets();
  for (std::size_t round = 0; round < 4 * questions.size(); ++round) {
    scene.change(round);
    twin.change(round);
    ask_side_by_side<Scene>(scene, twin, questions, round);
  }
}

/// Counts the drawing calls.
class Counter final : public DebugDraw {
 public:
  void line(DrawPoint /*from*/, DrawPoint /*to*/, const DrawStyle& /*style*/) override { ++count; }
  void box(const Aabb& /*box*/, const DrawStyle& /*style*/) override { ++count; }
  void circle(DrawPoint /*center*/, double /*radius*/, const DrawStyle& /*style*/) override { ++count; }
  void polygon(std::span<const DrawPoint> /*corners*/, const DrawStyle& /*style*/) override { ++count; }
  void text(DrawPoint /*center*/, std::string_view /*text*/, const DrawStyle& /*style*/) override { ++count; }
  double count = 0.0;
};

constexpr BoxIndex asked = 11;  // a body that is never removed

BodyId body_of(const World& world, std::size_t at) {
  return world.bodies()[at];
}

std::vector<Question<World>> questions_of_worlds() {
  const auto take_bodies = [](Answer& answer, const std::vector<BodyId>& bodies) {
    answer.push_back(static_cast<double>(bodies.size()));
    for (const BodyId body : bodies) {
      answer.push_back(body.index);
    }
  };
  const auto take_contacts = [](Answer& answer, const ContactRange& contacts) {
    answer.push_back(static_cast<double>(contacts.size()));
    for (const BodyContact& contact : contacts) {
      answer.insert(answer.end(),
                    {static_cast<double>(contact.a.index), static_cast<double>(contact.b.index)});
    }
  };
  return {
      {"bytes", [](const World& world, Answer&) { EXPECT_GT(world.bytes(), 0U); }},
      {"contact_bytes", [](const World& world, Answer&) { static_cast<void>(world.contact_bytes()); }},
      {"broad_phase",
       [](const World& world, Answer& answer) {
         answer.push_back(static_cast<double>(world.broad_phase().size()));
         EXPECT_GT(world.broad_phase().statistics().bytes, 0U);
         static_cast<void>(world.broad_phase().cells());
       }},
      {"bodies, contains, size",
       [=](const World& world, Answer& answer) {
         take_bodies(answer, world.bodies());
         answer.push_back(static_cast<double>(world.size()));
         answer.push_back(world.contains(body_of(world, asked)) ? 1.0 : 0.0);
       }},
      {"what a body is",
       [](const World& world, Answer& answer) {
         const BodyId body = body_of(world, asked);
         answer.push_back(static_cast<double>(world.type(body).value()));
         answer.push_back(world.mass(body).value());
         answer.push_back(world.enabled(body).value() ? 1.0 : 0.0);
         answer.push_back(world.sensor(body).value() ? 1.0 : 0.0);
         answer.push_back(world.bullet(body).value() ? 1.0 : 0.0);
         answer.push_back(static_cast<double>(world.user_data(body).value()));
         answer.push_back(static_cast<double>(world.filter(body).value().layer));
         take(answer, world.tag(body).value());
         answer.push_back(static_cast<double>(world.shapes(body).value().size()));
       }},
      {"where a body is",
       [](const World& world, Answer& answer) {
         const BodyId body = body_of(world, asked);
         answer.push_back(world.transform(body).value().position.x);
         answer.push_back(world.position(body).value().y);
         answer.push_back(world.velocity(body).value().x);
         take(answer, world.bounds(body).value());
         const std::array<BodyId, 1> bodies{body};
         std::array<Vec2, 1> positions{};
         world.positions(bodies, positions).value();
         answer.push_back(positions[0].x);
         world.velocities(bodies, positions).value();
         answer.push_back(positions[0].y);
         std::array<Transform, 1> transforms{};
         world.transforms(bodies, transforms).value();
         answer.push_back(transforms[0].rotation.sin);
       }},
      {"gravity, number",
       [](const World& world, Answer& answer) {
         answer.push_back(world.gravity().y);
         static_cast<void>(world.number());
       }},
      {"contacts", [=](const World& world, Answer& answer) { take_contacts(answer, world.contacts()); }},
      {"begun", [=](const World& world, Answer& answer) { take_contacts(answer, world.begun()); }},
      {"stayed", [=](const World& world, Answer& answer) { take_contacts(answer, world.stayed()); }},
      {"ended", [](const World& world,
                   Answer& answer) { answer.push_back(static_cast<double>(world.ended().size())); }},
      {"shape_contacts",
       [](const World& world, Answer& answer) {
         for (const Contact& contact : world.shape_contacts()) {
           answer.push_back(contact.pair.a);
         }
       }},
      {"overlaps",
       [](const World& world, Answer& answer) {
         const auto bodies = world.bodies();
         for (std::size_t i = 0; i < bodies.size(); ++i) {
           answer.push_back(i != asked && world.touching(bodies[asked], bodies[i]).value() ? 1.0 : 0.0);
         }
       }},
      {"contacts_of",
       [](const World& world, Answer& answer) {
         std::vector<BodyContact> contacts;
         for (std::size_t i = 0; i < 20; ++i) {
           contacts = world.contacts_of(body_of(world, i)).value();
           answer.push_back(static_cast<double>(contacts.size()));
         }
       }},
      {"candidates, why",
       [=](const World& world, Answer& answer) {
         take_bodies(answer, world.candidates(body_of(world, asked)).value());
         take(answer, world.why(body_of(world, asked), body_of(world, 3)));
       }},
      {"query_area, visit_area",
       [=](const World& world, Answer& answer) {
         take_bodies(answer, world.query_area(some_area).value());
         world.visit_area(some_area, [](BodyId) { return true; }).value();
       }},
      {"query_point, visit_point",
       [=](const World& world, Answer& answer) {
         take_bodies(answer, world.query_point({20, 20}).value());
         world.visit_point({20, 20}, [](BodyId) { return true; }).value();
       }},
      {"query_shape, visit_shape",
       [=](const World& world, Answer& answer) {
         take_bodies(answer, world.query_shape(Circle{.radius = 4}, {{20, 20}, {}}).value());
         world.visit_shape(Circle{.radius = 4}, {{20, 20}, {}}, [](BodyId) { return true; }).value();
       }},
      {"cast_ray, visit_ray",
       [](const World& world, Answer& answer) {
         const auto hit = world.cast_ray({0, 0}, {40, 40}).value();
         answer.push_back(hit.has_value() ? hit->body.index : -1.0);
         world.visit_ray({0, 0}, {40, 40}, [](const BodyHit&) { return true; }).value();
       }},
      {"cast_shape, visit_cast",
       [](const World& world, Answer& answer) {
         const auto hit = world.cast_shape(Circle{.radius = 1}, {}, {40, 40}).value();
         answer.push_back(hit.has_value() ? hit->body.index : -1.0);
         world.visit_cast(Circle{.radius = 1}, {}, {40, 40}, [](const BodyHit&) { return true; }).value();
       }},
      {"nearest",
       [](const World& world, Answer& answer) {
         for (const Nearest& near : world.nearest({20, 20}, 4).value()) {
           answer.push_back(near.body.index);
         }
       }},
      {"draw",
       [](const World& world, Answer& answer) {
         Counter counter;
         draw(world, counter, {.boxes = true, .picked = body_of(world, asked)}).value();
         answer.push_back(counter.count);
       }},
      {"snapshot", [](const World& world,
                      Answer& answer) { answer.push_back(static_cast<double>(world.snapshot().size())); }},
      {"hash", [](const World& world,
                  Answer& answer) { answer.push_back(static_cast<double>(world.hash() >> 12U)); }},
  };
}

/// Fills a world with bodies of all kinds.
void fill(World& world, bool with_parts) {
  Random random(61);
  for (int i = 0; i < 300; ++i) {
    const std::vector<Shape> more{Circle{.center = {1, 0}, .radius = 0.5F}};
    BodyDef body{.shape = i % 2 == 0 ? Shape(Circle{.radius = 1}) : Shape(Box::of_half_size({0.75F, 0.5F})),
                 .type = i % 4 == 0 ? BodyType::static_body : BodyType::dynamic,
                 .position = {random.between(0, 40), random.between(0, 40)},
                 .rotation = Rotation::by(random.between(0, 6)),
                 .tag = i % 3 == 0 ? "a" : "b",
                 .filter = {.layer = 1U + random.below(2)},
                 .sensor = i % 11 == 0,
                 .bullet = i % 13 == 1};
    if (with_parts && i % 6 == 0) {
      body.more_shapes = more;
    }
    if (i % 4 != 0 && i % 3 == 0) {
      body.velocity = {random.between(-9, 9), random.between(-9, 9)};
    }
    world.add(body).value();
  }
}

/// Changes a world; in some rounds by so little that hardly anything happens in the step.
void change(World& world, std::size_t round) {
  Random random(round);
  const auto bodies = world.bodies();
  for (std::size_t i = 0; round == 12 && i < bodies.size(); ++i) {  // from here on hardly anything moves
    if (world.type(bodies[i]).value() != BodyType::static_body) {
      world.set_velocity(bodies[i], {}).value();
    }
  }
  if (round % 4 != 3) {
    world.step(1.0F / 60).value();
  }
  world.move(bodies[1], Vec2{random.between(0, 40), random.between(0, 40)}).value();
  world.remove(bodies[100 + round]).value();
  if (round % 2 == 0) {
    world.add({.shape = Circle{.radius = 1}, .position = {random.between(0, 40), 20}}).value();
  }
}

TEST_P(ConstCalls, of_a_world_may_run_side_by_side) {
  const Watchdog watchdog(patience);
  const auto questions = questions_of_worlds();
  for (const bool with_parts : {false, true}) {
    ThreadPool pool(2);
    World world;
    World twin;
    for (World* one : {&world, &twin}) {
      one->set_technique(technique().name).value();
      one->use_threads(&pool).value();
      fill(*one, with_parts);
    }
    for (std::size_t round = 0; round < 2 * questions.size(); ++round) {
      change(world, round);
      change(twin, round);
      ask_side_by_side<World>(world, twin, questions, round);
    }
  }
}

}  // namespace
}  // namespace broadside::test
