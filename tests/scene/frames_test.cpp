#include "broadside/scene/frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "broadside/broad_phase/technique.hpp"

namespace broadside {
namespace {

std::unique_ptr<Frames> open(const std::string& input) {
  auto frames = open_frames(input);
  EXPECT_TRUE(frames) << frames.error().message;
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

TEST(Frames, a_recording_cannot_be_longer_than_it_is) {
  const auto frames = open(BROADSIDE_SCENES "/tumbler.b2tr.xz");
  frames->limit_steps(1000);
  EXPECT_EQ(frames->step_count(), 30U);
}

TEST(Frames, a_missing_file_names_the_built_in_scenes) {
  const auto frames = open_frames("no-such-scene");
  ASSERT_FALSE(frames);
  EXPECT_NE(frames.error().message.find("chapter10, circles, pinball, rings"), std::string::npos);
}

// PB5: groups and masks were asked only after the pairs had been made. Pairs that do not count are not handed
// on.
TEST(Checklist, PB5_pairs_of_layers_that_do_not_meet_do_not_count) {
  const auto scene = parse_scene(R"({"bodies": [
      {"position": [0, 0], "size": 2, "layer": 1, "collides_with": [2]},
      {"position": [0, 0], "size": 2, "layer": 1, "collides_with": [2]}, {"position": [0, 0], "size": 2, "layer": 2}]})",
                                 "layers");
  ASSERT_TRUE(scene) << scene.error().message;
  const auto frames = make_frames(*scene);
  EXPECT_FALSE(frames->counts({0, 1}));
  EXPECT_TRUE(frames->counts({0, 2}));
  EXPECT_TRUE(frames->counts({1, 2}));
}

// A scene acts on its pairs; it must run the same whichever technique found them.
TEST(Frames, a_scene_runs_the_same_with_every_technique) {
  for (const char* name : {"chapter10", "circles", "pinball", "rings"}) {
    std::vector<Aabb> expected;
    for (const Technique& technique : techniques()) {
      const auto frames = open(name);
      frames->limit_steps(40);
      const auto broad_phase = technique.make({}).value();
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
        frames->respond(pairs);
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
