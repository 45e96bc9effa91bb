// Every technique compared with the independent oracle on recorded scenes: always on the shipped one, and on
// the large ones if they are beside this checkout.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "broadside/broad_phase/techniques.hpp"
#include "broadside/scene/frames.hpp"
#include "oracle.hpp"
#include "recorded_traces.hpp"

namespace broadside {
namespace {

std::vector<test::IndexPair> expected_pairs(const Frames& frames) {
  std::vector<test::Rect> rects;
  for (std::size_t i = 0; i < frames.boxes().size(); ++i) {
    const Aabb& box = frames.boxes()[i];
    rects.push_back({box.min.x, box.min.y, box.max.x, box.max.y, frames.types()[i] == BodyType::dynamic});
  }
  return test::all_pairs_by_sweeping(rects);
}

std::vector<test::IndexPair> plain(std::span<const Pair> pairs) {
  std::vector<test::IndexPair> result;
  for (const Pair& pair : pairs) {
    result.emplace_back(pair.a, pair.b);
  }
  std::sort(result.begin(), result.end());
  return result;
}

class SharedTrace : public testing::TestWithParam<const char*> {};

TEST_P(SharedTrace, every_technique_finds_what_the_oracle_finds) {
  if (!std::filesystem::exists(GetParam())) {
    GTEST_SKIP() << GetParam() << " is not here";
  }
  auto opened = open_frames(GetParam());
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  Frames& frames = **opened;
  std::vector<std::unique_ptr<BroadPhase>> broad_phases;
  for (const TechniqueEntry& technique : techniques()) {
    broad_phases.push_back(technique.create({}).value());
  }
  constexpr std::size_t brute_force_every = 30;
  for (std::size_t step = 0; frames.advance(); ++step) {
    const auto expected = expected_pairs(frames);
    for (const auto& broad_phase : broad_phases) {
      std::vector<Aabb> moved;
      for (const BoxIndex i : frames.changed()) {
        moved.push_back(frames.boxes()[i]);
      }
      if (step == 0) {
        for (BoxIndex i = 0; i < moved.size(); ++i) {
          broad_phase->add(moved[i], frames.types()[i]).value();
        }
      } else {
        broad_phase->move(frames.changed(), moved).value();
      }
      if (broad_phase->name() == "brute-force" && step % brute_force_every != 0) {
        continue;
      }
      ASSERT_TRUE(plain(broad_phase->find_pairs()) == expected) << broad_phase->name() << " at step " << step;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Traces, SharedTrace, test::recorded_traces());

}  // namespace
}  // namespace broadside
