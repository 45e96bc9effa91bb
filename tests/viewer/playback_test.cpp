#include "viewer/playback.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "boxes.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/techniques.hpp"

namespace broadside::view {
namespace {

/// A list of 300 boxes as a file, for one test.
class BoxFile {
 public:
  BoxFile() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = testing::TempDir() + test->name() + ".csv";
    std::ofstream file(path_);
    test::Random random(5);
    for (int i = 0; i < 300; ++i) {
      const float x = random.between(0, 100);
      const float y = random.between(0, 100);
      file << i << ',' << x << ',' << y << ',' << x + 6 << ',' << y + 6 << '\n';
    }
  }
  BoxFile(const BoxFile&) = delete;
  BoxFile& operator=(const BoxFile&) = delete;
  ~BoxFile() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Returns the number of pairs that the types and filters of the bodies allow.
std::size_t pairs_of(const Playback& playback) {
  const Frames& frames = playback.frames();
  const std::vector<Pair> pairs = find_pairs(frames.boxes()).value();
  const auto counts = [&](Pair pair) {
    return can_touch(frames.types()[pair.a], frames.types()[pair.b]) &&
           may_touch(frames.filter(pair.a), frames.filter(pair.b));
  };
  return static_cast<std::size_t>(std::count_if(pairs.begin(), pairs.end(), counts));
}

TEST(Playback, counts_the_pairs_of_the_step_that_is_shown) {
  Playback playback = Playback::open("circles").value();
  for (int step = 0; step < 30; ++step) {
    EXPECT_EQ(playback.statistics().boxes_searched, playback.frames().boxes().size());
    EXPECT_EQ(playback.statistics().hits, pairs_of(playback)) << step;
    playback.step();
  }
}

TEST(Playback, counts_no_search_in_a_step_in_which_nothing_moves) {
  const BoxFile file;
  Playback playback = Playback::open(file.path()).value();
  EXPECT_EQ(playback.statistics().boxes_searched, 300U);
  EXPECT_EQ(playback.statistics().hits, pairs_of(playback));
  const std::size_t contacts = playback.world().contacts().size();
  EXPECT_GT(contacts, 0U);
  for (int step = 0; step < 3; ++step) {
    playback.step();
    const Statistics resting = playback.statistics();
    EXPECT_EQ(resting.boxes_searched, 0U);
    EXPECT_EQ(resting.tests, 0U);
    EXPECT_EQ(resting.hits, 0U);
    EXPECT_EQ(playback.times().pairs, 0.0);
    EXPECT_EQ(resting.boxes, 300U);
    EXPECT_EQ(playback.world().contacts().size(), contacts);
    EXPECT_EQ(playback.step_number(), 0U);
  }
}

TEST(Playback, counts_all_pairs_again_when_the_technique_changes) {
  const BoxFile file;
  Playback playback = Playback::open(file.path()).value();
  const std::size_t contacts = playback.world().contacts().size();
  for (const TechniqueEntry& technique : techniques()) {
    playback.step();
    EXPECT_TRUE(playback.set_technique(technique.name, std::nullopt).has_value());
    EXPECT_EQ(playback.statistics().boxes_searched, 300U) << technique.name;
    EXPECT_EQ(playback.statistics().hits, pairs_of(playback)) << technique.name;
    EXPECT_EQ(playback.world().contacts().size(), contacts) << technique.name;
  }
}

TEST(Playback, takes_cells_that_are_no_squares) {
  const BoxFile file;
  Playback playback = Playback::open(file.path()).value();
  for (const char* grid : {"uniform-grid", "hash-grid"}) {
    ASSERT_TRUE(playback.set_technique(grid, Vec2{20, 5}).has_value());
    EXPECT_EQ(playback.world().broad_phase().cell_size(), (Vec2{20, 5}));
  }
  EXPECT_EQ(playback.set_technique("hash-grid", Vec2{20, 0}).error().code, ErrorCode::invalid_argument);
}

TEST(Playback, a_scene_goes_on_after_its_steps_and_a_recording_begins_again) {
  Playback scene = Playback::open("shapes").value();
  const std::size_t steps = scene.steps();
  EXPECT_EQ(steps, 240U);
  while (scene.step_number() < steps + 3) {
    scene.step();
  }
  scene.restart();
  EXPECT_EQ(scene.step_number(), 0U);
  EXPECT_EQ(scene.frames().transforms()[0], Playback::open("shapes").value().frames().transforms()[0]);

  Playback recording = Playback::open(BROADSIDE_SCENES "/tumbler.b2tr.xz").value();
  for (std::size_t i = 0; i < recording.steps(); ++i) {
    EXPECT_EQ(recording.step_number(), i);
    EXPECT_EQ(recording.statistics().hits > 0, pairs_of(recording) > 0);
    recording.step();
  }
  EXPECT_EQ(recording.step_number(), 0U);
  EXPECT_GT(recording.statistics().boxes_searched, 0U);
}

// The way back to the first step is no motion.
TEST(Playback, the_velocity_of_a_followed_body_is_that_of_its_motion) {
  Playback recording = Playback::open(BROADSIDE_SCENES "/tumbler.b2tr.xz").value();
  const BodyId body = recording.bodies().back();
  recording.follow(body);
  Vec2 before = recording.frames().transforms().back().position;
  for (std::size_t i = 0; i < 2 * recording.steps(); ++i) {
    recording.step();
    const Vec2 now = recording.frames().transforms().back().position;
    const Vec2 expected = recording.step_number() == 0
                              ? Vec2{}
                              : (1.0F / recording.frames().seconds_per_step()) * (now - before);
    EXPECT_EQ(recording.world().velocity(body).value(), expected) << i;
    before = now;
  }
}

}  // namespace
}  // namespace broadside::view
