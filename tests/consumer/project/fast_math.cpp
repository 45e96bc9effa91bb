// A program compiled with -ffast-math and in a unity build: the library still refuses NaN, and finds the same
// pairs.
#include <broadside/broadside.hpp>
#include <cmath>
#include <limits>
#include <vector>

#ifndef __FAST_MATH__
#error "this test is about -ffast-math"
#endif

namespace {

// A volatile keeps the compiler from assuming what is read.
volatile float not_a_number = std::numeric_limits<float>::quiet_NaN();
volatile float infinity = std::numeric_limits<float>::infinity();

bool refuses(const broadside::Aabb& box) {
  broadside::HierarchicalGrid grid;
  return !broadside::is_valid(box) && grid.add(box).error().code == broadside::ErrorCode::not_finite &&
         broadside::find_pairs(std::vector{box, box}).error().code == broadside::ErrorCode::not_finite;
}

bool refuses_seconds(float seconds) {
  return broadside::FixedStep::create(seconds).error().code == broadside::ErrorCode::invalid_argument;
}

}  // namespace

int main() {
  std::vector<broadside::Aabb> boxes;
  for (int i = 0; i < 1000; ++i) {
    const float x = static_cast<float>(i * 7919 % 1000);
    const float y = static_cast<float>(i * 104729 % 1000);
    boxes.push_back({{x, y}, {x + 20.0F, y + 20.0F}});
  }
  std::size_t overlapping = 0;
  for (std::size_t a = 0; a < boxes.size(); ++a) {
    for (std::size_t b = a + 1; b < boxes.size(); ++b) {
      overlapping += broadside::overlaps(boxes[a], boxes[b]) ? 1 : 0;
    }
  }
  const bool finds = broadside::find_pairs(boxes).value().size() == overlapping && overlapping > 100;
  broadside::World world;
  const bool body =
      world.add({.position = {0, not_a_number}}).error().code == broadside::ErrorCode::not_finite;
  const bool steps = refuses_seconds(not_a_number) && refuses_seconds(infinity) && refuses_seconds(0) &&
                     broadside::FixedStep::create(0.01F).has_value();
  return finds && body && steps && refuses({{0, 0}, {1, not_a_number}}) && refuses({{0, 0}, {infinity, 1}})
             ? 0
             : 1;
}
