// Which of these boxes touch? The one-line function, and a broad phase that is kept from frame to frame.

#include <broadside/broadside.hpp>
#include <cstdio>
#include <vector>

int main() {
  const std::vector<broadside::Aabb> boxes = {
      {{0, 0}, {10, 10}}, {{10, 5}, {20, 15}}, {{40, 40}, {50, 50}}, {{-3, -3}, {1, 1}}};

  for (const auto [a, b] : broadside::find_pairs(boxes).value()) {
    std::printf("%u touches %u\n", a, b);
  }

  broadside::HierarchicalGrid grid;
  const auto wall = grid.add({{0, 0}, {100, 1}}, broadside::BodyType::static_body).value();
  const auto ball = grid.add({{50, 9}, {52, 11}}).value();
  for (int frame = 0; frame < 10; ++frame) {
    const float y = 9.0F - static_cast<float>(frame);
    grid.move(ball, {{50, y}, {52, y + 2}}).value();
    for (const auto [a, b] : grid.find_pairs()) {
      std::printf("frame %d: %u touches %u%s\n", frame, a, b,
                  a == wall && b == ball ? ", the ball is on the wall" : "");
    }
  }
}
