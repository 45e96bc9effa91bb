#include "broadside/scene/frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "boxes.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "broadside/scene/random.hpp"

namespace broadside {
namespace {

std::unique_ptr<Frames> open(const std::string& input) {
  auto frames = open_frames(input);
  EXPECT_TRUE(frames.has_value()) << frames.error().message;
  return std::move(frames).value();
}

TEST(Frames, changed_names_the_boxes_that_differ) {
  const auto frames = open("pinball");
  ASSERT_TRUE(frames->advance());
  EXPECT_EQ(frames->changed().size(), frames->boxes().size());
  ASSERT_TRUE(frames->advance());
  EXPECT_EQ(frames->changed().size(), 7U);  // five balls and two flippers
  for (const BoxIndex i : frames->changed()) {
    EXPECT_NE(frames->types()[i], BodyType::static_body);
  }
}

TEST(Frames, end_when_they_end_and_can_be_rewound) {
  for (const char* input : {"chapter10", BROADSIDE_SCENES "/tumbler.b2tr.xz"}) {
    const auto frames = open(input);
    frames->limit_steps(5);
    std::vector<std::vector<Aabb>> first;
    while (frames->advance()) {
      first.emplace_back(frames->boxes().begin(), frames->boxes().end());
    }
    EXPECT_EQ(first.size(), 5U);
    EXPECT_FALSE(frames->advance());
    frames->rewind();
    for (const auto& boxes : first) {
      ASSERT_TRUE(frames->advance());
      EXPECT_TRUE(std::ranges::equal(frames->boxes(), boxes));
    }
  }
}

TEST(Frames, recorded_boxes_touch_as_shapes_where_they_touch_as_boxes) {
  for (const char* input : {BROADSIDE_SCENES "/tumbler.b2tr.xz", "edges"}) {
    const BoxList edges{{1, 2, 3, 4},
                        {{{0.1F, 0.0F}, {0.7F, 1e6F}},
                         {{0.7F, 1e6F}, {1e7F, 3e6F}},
                         {{0.7F, -3e38F}, {0.7F, 3e38F}},
                         {{-1e-40F, 0.3F}, {0.1F, 0.3F}}}};
    const auto frames = std::string_view(input) == "edges" ? make_frames(edges, input) : open(input);
    ASSERT_TRUE(frames->advance());
    const auto pairs = find_pairs(frames->boxes(), {.sorted = true}).value();
    ASSERT_GE(pairs.size(), 4U);
    NarrowPhase narrow_phase;
    const auto contacts = narrow_phase.find_contacts(pairs, frames->shapes(), frames->transforms()).value();
    EXPECT_EQ(contacts.size(), pairs.size()) << input;
  }
}

TEST(Frames, boxes_of_a_scene_are_the_bounds_of_its_shapes) {
  const auto frames = open("shapes");
  while (frames->advance()) {
    for (BoxIndex i = 0; i < frames->boxes().size(); ++i) {
      ASSERT_EQ(frames->boxes()[i], bounds(frames->shapes()[i], frames->transforms()[i]));
    }
  }
}

TEST(Frames, of_any_source_keep_their_number_of_boxes) {
  for (const char* input :
       {"chapter10", "circles", "pinball", "rings", "shapes", BROADSIDE_SCENES "/tumbler.b2tr.xz"}) {
    const auto frames = open(input);
    frames->limit_steps(30);
    ASSERT_TRUE(frames->advance());
    const std::size_t count = frames->boxes().size();
    do {
      ASSERT_EQ(frames->boxes().size(), count) << input;
      ASSERT_EQ(frames->shapes().size(), count) << input;
      ASSERT_EQ(frames->transforms().size(), count) << input;
      auto pairs = find_pairs(frames->boxes(), {.sorted = true}).value();
      const auto types = frames->types();
      std::erase_if(pairs, [&](Pair pair) { return !can_touch(types[pair.a], types[pair.b]); });
      NarrowPhase narrow_phase;
      frames->respond(narrow_phase.find_contacts(pairs, frames->shapes(), frames->transforms()).value());
    } while (frames->advance());
  }
}

TEST(Frames, a_recording_cannot_be_longer_than_it_is) {
  const auto frames = open(BROADSIDE_SCENES "/tumbler.b2tr.xz");
  frames->limit_steps(1000);
  EXPECT_EQ(frames->step_count(), 30U);
}

TEST(SwayingFrames, begin_as_recorded_and_move_by_a_twentieth_of_the_size) {
  Random random(7);
  for (int round = 0; round < 100; ++round) {
    Trace trace;
    for (int i = 0; i < 20; ++i) {
      const Vec2 corner{static_cast<float>(random.uniform(-1e3, 1e3)),
                        static_cast<float>(random.uniform(-1e3, 1e3))};
      const Vec2 size{static_cast<float>(random.uniform(1.0, 90.0)),
                      static_cast<float>(random.uniform(1.0, 90.0))};
      (i < 5 ? trace.static_boxes : trace.moving_boxes).push_back({corner, corner + size});
      trace.body_ids.push_back(i);
    }
    trace.profiles.resize(1);
    const auto recorded = make_frames(trace, "trace");
    ASSERT_TRUE(recorded->advance());
    const std::vector<Aabb> given(recorded->boxes().begin(), recorded->boxes().end());
    const auto frames = make_swaying_frames(make_frames(trace, "trace"), 45);
    EXPECT_EQ(frames->step_count(), 45U);
    EXPECT_EQ(frames->name(), "trace");
    std::vector<Aabb> before;
    for (std::size_t step = 0; step < 45; ++step) {
      ASSERT_TRUE(frames->advance());
      ASSERT_EQ(frames->boxes().size(), given.size());
      if (step % 10 == 0) {
        EXPECT_TRUE(std::ranges::equal(frames->boxes(), given)) << step;
      }
      EXPECT_EQ(frames->changed().size(), step == 0 ? 20U : 15U);
      for (std::size_t i = 0; i < given.size(); ++i) {
        const Aabb& box = frames->boxes()[i];
        if (i < 5) {
          EXPECT_EQ(box, given[i]);
          continue;
        }
        const Vec2 size = given[i].max - given[i].min;
        const double side = std::max(size.x, size.y);
        const Vec2 away = box.min - given[i].min;
        EXPECT_LE(std::hypot(away.x, away.y), 0.2501 * side + 1e-3);
        EXPECT_NEAR(box.max.x - box.min.x, size.x, 1e-3);
        EXPECT_NEAR(box.max.y - box.min.y, size.y, 1e-3);
        if (step > 0) {
          const Vec2 moved = box.min - before[i].min;
          EXPECT_NEAR(std::hypot(moved.x, moved.y), 0.05 * side, 1e-3);
        }
      }
      before.assign(frames->boxes().begin(), frames->boxes().end());
    }
    EXPECT_FALSE(frames->advance());
  }
}

TEST(SwayingFrames, of_points_and_of_extreme_boxes_are_valid) {
  const float limit = std::numeric_limits<float>::max();
  const BoxList list{{7, 8, 9, 10},
                     {{{3.0F, 4.0F}, {3.0F, 4.0F}},
                      {{5.0F, 4.0F}, {5.0F, 4.0F}},
                      {{-limit, -limit}, {limit, limit}},
                      {{0.9F * limit, 0.0F}, {limit, 1e-40F}}}};
  for (const std::size_t count : {0U, 1U, 2U, 4U}) {
    BoxList some = list;
    some.ids.resize(count);
    some.boxes.resize(count);
    const auto frames = make_swaying_frames(make_frames(some, "list"), 30);
    for (int step = 0; step < 30; ++step) {
      ASSERT_TRUE(frames->advance());
      ASSERT_EQ(frames->boxes().size(), count);
      for (BoxIndex i = 0; i < count; ++i) {
        EXPECT_TRUE(is_valid(frames->boxes()[i]));
        EXPECT_EQ(frames->id(i), list.ids[i]);
      }
      if (step > 0 && count == 2) {
        EXPECT_EQ(frames->changed().size(), 2U);  // points move, too
      }
    }
  }
}

TEST(Frames, a_missing_file_names_the_built_in_scenes) {
  const auto frames = open_frames("no-such-scene");
  ASSERT_FALSE(frames.has_value());
  EXPECT_NE(frames.error().message.find("chapter10, circles, pinball, rings, shapes"), std::string::npos);
}

TEST(Frames, a_missing_file_may_be_a_misspelled_built_in_scene) {
  EXPECT_TRUE(open_frames("circels").error().message.ends_with("; did you mean circles?"));
  EXPECT_FALSE(test::mentions(open_frames("missing.csv").error().message, "did you mean"));
}

TEST(Frames, have_a_name_without_control_characters) {
  const auto scene = parse_scene(R"({"name": "a\u001b[31mb\u009bc\n"})", "t");
  ASSERT_TRUE(scene.has_value()) << scene.error().message;
  EXPECT_EQ(make_frames(*scene)->name(), "a\\x1b[31mb\\xc2\\x9bc\\x0a");
  EXPECT_EQ(make_frames(BoxList(), "\x1b")->name(), "\\x1b");
  EXPECT_EQ(make_frames(Trace(), "\x1b")->name(), "\\x1b");
}

// PB5: groups and masks were tested only after the pairs had been made. Pairs that do not count are not
// passed on.
TEST(Checklist, PB5_pairs_of_layers_that_do_not_meet_do_not_count) {
  const auto scene = parse_scene(R"({"bodies": [
      {"position": [0, 0], "size": 2, "layer": 1, "collides_with": [2]},
      {"position": [0, 0], "size": 2, "layer": 1, "collides_with": [2]}, {"position": [0, 0], "size": 2, "layer": 2}]})",
                                 "layers");
  ASSERT_TRUE(scene.has_value()) << scene.error().message;
  const auto frames = make_frames(*scene);
  EXPECT_FALSE(frames->counts({0, 1}));
  EXPECT_TRUE(frames->counts({0, 2}));
  EXPECT_TRUE(frames->counts({1, 2}));
}

TEST(Frames, filters_say_the_same_as_counts) {
  const auto frames = open("pinball");
  ASSERT_TRUE(frames->advance());
  std::size_t kept_apart = 0;
  for (BoxIndex a = 0; a < 30; ++a) {
    for (BoxIndex b = a + 1; b < 30; ++b) {
      EXPECT_EQ(may_touch(frames->filter(a), frames->filter(b)), frames->counts({a, b})) << a << " " << b;
      kept_apart += frames->counts({a, b}) ? 0U : 1U;
    }
  }
  EXPECT_GT(kept_apart, 0U);
  EXPECT_FLOAT_EQ(frames->seconds_per_step(), 1.0F / 240.0F);
  EXPECT_EQ(open("chapter10")->tag(0), "player");
}

// A scene responds to its pairs; it must run the same whichever technique found them.
TEST(Frames, a_scene_runs_the_same_with_every_technique) {
  for (const char* name : {"chapter10", "circles", "pinball", "rings", "shapes"}) {
    std::vector<Aabb> expected;
    for (const TechniqueEntry& technique : techniques()) {
      const auto frames = open(name);
      frames->limit_steps(40);
      const auto broad_phase = technique.create({}).value();
      while (frames->advance()) {
        std::vector<Aabb> moved;
        for (const BoxIndex i : frames->changed()) {
          moved.push_back(frames->boxes()[i]);
        }
        if (broad_phase->size() == 0) {
          for (BoxIndex i = 0; i < moved.size(); ++i) {
            broad_phase->add(moved[i], frames->types()[i]).value();
          }
        } else {
          broad_phase->move(frames->changed(), moved).value();
        }
        const auto pairs = broad_phase->find_pairs();
        sort_pairs(pairs);
        NarrowPhase narrow_phase;
        frames->respond(narrow_phase.find_contacts(pairs, frames->shapes(), frames->transforms()).value());
      }
      const std::vector<Aabb> last(frames->boxes().begin(), frames->boxes().end());
      if (expected.empty()) {
        expected = last;
      }
      EXPECT_EQ(last, expected) << name << " with " << technique.name;
    }
  }
}

}  // namespace
}  // namespace broadside
