#include "motion.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "broadside/scene/random.hpp"

namespace broadside::bench {

namespace {

constexpr double turn = 6.283185307179586;  // (unit: radian)

Vec2 direction(Random& random, double length) {
  const double angle = random.uniform(0.0, turn);
  return {static_cast<float>(length * std::cos(angle)), static_cast<float>(length * std::sin(angle))};
}

/// Boxes in a square world, and how they move from frame to frame.
class MovingBoxes {
 public:
  MovingBoxes(const Workload& workload, std::uint64_t seed) : boxes_(workload.boxes), random_(seed) {
    for (const Aabb& box : boxes_) {
      world_ = merge(world_, box);
      size_ = std::max(size_, double{box.max.x} - double{box.min.x});
    }
    const double step = 0.05 * size_;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      velocities_.push_back(direction(random_, step));
    }
  }

  [[nodiscard]] std::span<const Aabb> boxes() const { return boxes_; }

  void steady() {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      shift(i, velocities_[i]);
    }
  }

  void brownian() {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      shift(i, direction(random_, 0.05 * size_));
    }
  }

  /// Ten flocks fly in circles, each box with a little motion of its own.
  void swarm() {
    constexpr std::size_t flocks = 10;
    const double angle = turn * static_cast<double>(++frame_) / 240.0;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const double own = angle + static_cast<double>(i % flocks);
      const Vec2 flight{static_cast<float>(0.3 * size_ * std::cos(own)),
                        static_cast<float>(0.3 * size_ * std::sin(own))};
      shift(i, flight + direction(random_, 0.02 * size_));
    }
  }

  /// In each frame, a share of the boxes disappears and appears elsewhere.
  void churn(double share) {
    steady();
    const auto changes = static_cast<std::size_t>(share * static_cast<double>(boxes_.size()));
    for (std::size_t k = 0; k < changes; ++k) {
      place_anywhere(random_.below(boxes_.size()));
    }
  }
  void churn_1() { churn(0.01); }
  void churn_10() { churn(0.1); }

  /// The camera moves: all boxes by the same vector.
  void scroll() {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      shift(i, {static_cast<float>(-0.3 * size_), 0.0F});
    }
  }

  /// An eighth of the world moves, the rest sleeps; another eighth wakes every 60 frames.
  void sleep() {
    const std::uint64_t awake = frame_++ / 60 % 8;
    const double width = (double{world_.max.x} - double{world_.min.x}) / 8.0;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const double strip = (double{boxes_[i].min.x} - double{world_.min.x}) / width;
      if (strip >= static_cast<double>(awake) && strip < static_cast<double>(awake + 1)) {
        shift(i, velocities_[i]);
      }
    }
  }

  /// All turn around the middle: those outside move by their own size in a frame.
  void rotation() {
    const Vec2 middle = 0.5F * (world_.min + world_.max);
    const double angle = 2.0 * size_ / (double{world_.max.x} - double{world_.min.x});
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const double x = double{boxes_[i].min.x} - double{middle.x};
      const double y = double{boxes_[i].min.y} - double{middle.y};
      shift(i, {static_cast<float>(x * (std::cos(angle) - 1.0) - y * std::sin(angle)),
                static_cast<float>(x * std::sin(angle) + y * (std::cos(angle) - 1.0))});
    }
  }

  /// Boxes fall, and bounce off the ground.
  void gravity() {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      Vec2& velocity = velocities_[i];
      velocity.y -= static_cast<float>(0.005 * size_);
      if (boxes_[i].min.y < world_.min.y && velocity.y < 0.0F) {
        velocity.y = -0.9F * velocity.y;
      }
      shift(i, velocity);
    }
  }

  void teleport() {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      place_anywhere(i);
    }
  }

 private:
  void shift(std::size_t i, Vec2 by) { boxes_[i] = {boxes_[i].min + by, boxes_[i].max + by}; }

  void place_anywhere(std::size_t i) {
    const double x = random_.uniform(double{world_.min.x}, double{world_.max.x});
    const double y = random_.uniform(double{world_.min.y}, double{world_.max.y});
    shift(i, Vec2{static_cast<float>(x), static_cast<float>(y)} - boxes_[i].min);
  }

  std::vector<Aabb> boxes_;
  std::vector<Vec2> velocities_;
  Random random_;
  Aabb world_{};
  double size_ = 0.0;  ///< of the largest box (unit: length)
  std::uint64_t frame_ = 0;
};

struct Mover {
  Motion motion;
  void (MovingBoxes::*advance)();
};

constexpr Mover movers[] = {
    {{"steady", "each in its own direction, 5 % of its size a frame"}, &MovingBoxes::steady},
    {{"brownian", "a new direction in each frame"}, &MovingBoxes::brownian},
    {{"swarm", "ten flocks that fly in circles"}, &MovingBoxes::swarm},
    {{"churn-1", "1 % of the boxes are replaced in each frame"}, &MovingBoxes::churn_1},
    {{"churn-10", "10 % of the boxes are replaced in each frame"}, &MovingBoxes::churn_10},
    {{"scroll", "all by the same vector"}, &MovingBoxes::scroll},
    {{"sleep", "an eighth moves, the others sleep"}, &MovingBoxes::sleep},
    {{"rotation", "all turn around the middle"}, &MovingBoxes::rotation},
    {{"gravity", "all fall and bounce"}, &MovingBoxes::gravity},
    {{"teleport", "each appears anywhere in each frame"}, &MovingBoxes::teleport},
};

}  // namespace

std::span<const Motion> motions() {
  static const std::vector<Motion> all = [] {
    std::vector<Motion> result;
    for (const Mover& mover : movers) {
      result.push_back(mover.motion);
    }
    return result;
  }();
  return all;
}

Trace record_motion(const Workload& workload, std::string_view name, std::uint32_t frames,
                    std::uint64_t seed) {
  Trace trace;
  trace.profiles.resize(frames);
  for (std::size_t i = 0; i < workload.boxes.size(); ++i) {
    trace.body_ids.push_back(static_cast<std::int32_t>(i));
  }
  MovingBoxes moving(workload, seed);
  const auto* const mover = std::find_if(std::begin(movers), std::end(movers), [&](const Mover& candidate) {
    return candidate.motion.name == name;
  });
  trace.moving_boxes.reserve(frames * workload.boxes.size());
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    trace.moving_boxes.insert(trace.moving_boxes.end(), moving.boxes().begin(), moving.boxes().end());
    (moving.*mover->advance)();
  }
  return trace;
}

}  // namespace broadside::bench
