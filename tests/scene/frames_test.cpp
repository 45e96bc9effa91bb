#include "broadside/scene/frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/techniques.hpp"

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

TEST(Frames, a_missing_file_names_the_built_in_scenes) {
  const auto frames = open_frames("no-such-scene");
  ASSERT_FALSE(frames.has_value());
  EXPECT_NE(frames.error().message.find("chapter10, circles, pinball, rings, shapes"), std::string::npos);
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
