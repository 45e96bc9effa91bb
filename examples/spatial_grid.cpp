// The demo of "Broad Phase Collision Detection Using Spatial Partitioning": rings of boxes, and on each ring
// a box that circles it. One program, three techniques, and the three cell sizes of the article's buttons;
// the answers are the same.

#include <algorithm>
#include <broadside/broadside.hpp>
#include <chrono>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include "steps.hpp"

namespace {

using broadside::BodyId, broadside::Vec2;
using Time = std::chrono::duration<double, std::micro>;

constexpr Vec2 canvas{546, 410};
constexpr float whole_turn = 6.2831855F;

Vec2 on_ring(int ring, float angle) {
  const float radius = static_cast<float>(ring) * canvas.y / 12;
  const auto [cos, sin] = broadside::Rotation::by(angle);
  return 0.5F * canvas + Vec2{radius * cos, radius * sin};
}

class Demo {
 public:
  Demo(const char* technique, const broadside::TechniqueOptions& options) {
    world_.set_technique(technique, options).value();
    for (int ring = 1; ring <= 5; ++ring) {
      const int count = ring == 1 ? 15 : 15 * ring * 65 / 100;
      for (int i = 0; i < count; ++i) {
        add(on_ring(ring, whole_turn * static_cast<float>(i) / static_cast<float>(count)));
      }
      movers_.push_back(add(on_ring(ring, angle_)));
    }
  }

  // The article's order of a step: boxes, pairs, the user's response, acceleration and inertia, the user's
  // update.
  void step(float seconds) {
    const auto start = std::chrono::steady_clock::now();
    world_.detect().value();
    best_time_ = std::min(best_time_, Time(std::chrono::steady_clock::now() - start));
    tests_ += world_.broad_phase().statistics().tests;
    pairs_ += world_.contacts().size();  // the user's handleCollisions would be called here
    world_.integrate(seconds).value();
    angle_ += 0.02F;
    for (int ring = 1; ring <= 5; ++ring) {
      world_.move(movers_[static_cast<std::size_t>(ring - 1)], on_ring(ring, angle_)).value();
    }
  }

  void print_row(const char* technique, const char* cell, int steps) const {
    const broadside::Statistics counts = world_.broad_phase().statistics();
    std::printf("%-17s %5s  %10.1f  %9.2f  %7llu  %8llu  %7llu  %10.1f\n", technique, cell,
                static_cast<double>(tests_) / steps, static_cast<double>(pairs_) / steps,
                static_cast<unsigned long long>(counts.cells),
                static_cast<unsigned long long>(counts.occupied_cells),
                static_cast<unsigned long long>(counts.entries), best_time_.count());
  }

  /// Draws the canvas as of the last step; touching boxes are dark.
  void draw() const {
    std::vector<std::string> lines(24, std::string(64, ' '));
    const auto put = [&](Vec2 at, char what) {
      lines[static_cast<std::size_t>(at.y / canvas.y * 24)][static_cast<std::size_t>(at.x / canvas.x * 64)] =
          what;
    };
    for (const BodyId body : world_.bodies()) {
      put(world_.position(body).value(), 'o');
    }
    for (const broadside::BodyContact contact : world_.contacts()) {
      put(world_.position(contact.a).value(), '#');
      put(world_.position(contact.b).value(), '#');
    }
    for (const std::string& line : lines) {
      std::printf("  %s\n", line.substr(0, line.find_last_not_of(' ') + 1).c_str());
    }
  }

 private:
  BodyId add(Vec2 position) {
    return world_.add({.shape = broadside::Box::of_size({10, 10}), .position = position}).value();
  }

  broadside::World world_;
  std::vector<BodyId> movers_;
  float angle_ = 0.2F;
  std::uint64_t tests_ = 0, pairs_ = 0;
  Time best_time_{1e9};
};

}  // namespace

int main(int argc, char** argv) {
  const int steps = steps_of(argc, argv, 315);
  using Row = std::tuple<const char*, const char*, broadside::TechniqueOptions>;
  const broadside::Aabb bounds{{}, canvas};
  std::printf("technique          cell  tests/step  hits/step    cells  occupied  entries  us at best\n");
  for (const auto& [technique, cell, options] :
       {Row{"brute-force", "-", {}},
        {"uniform-grid", "1", {broadside::Vec2{1, 1}, bounds}},
        {"uniform-grid", "14.14", {broadside::Vec2{14.142136F, 14.142136F}, bounds}},
        {"uniform-grid", "50", {broadside::Vec2{50, 50}, bounds}},
        {"hierarchical-grid", "-", {}}}) {
    Demo demo(technique, options);
    for (int i = 0; i < steps; ++i) {
      demo.step(1.0F / 60);
    }
    demo.print_row(technique, cell, steps);
    if (technique == broadside::default_technique().name) {
      std::printf("\nStep %d, what touches is dark:\n\n", steps);
      demo.draw();
    }
  }
}
