#include "playback.hpp"

#include <algorithm>
#include <chrono>

#include "shared/grid_options.hpp"

namespace broadside::view {

namespace {

/// Returns how long some work takes (unit: second).
template <typename Work>
double timed(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Result<Playback> Playback::open(const std::string& input, BoxList::Origin origin) {
  Playback playback;
  auto frames = open_frames(input, origin);
  if (!frames.has_value()) {
    return frames.error();
  }
  playback.frames_ = *std::move(frames);
  playback.steps_ = playback.frames_->step_count();
  // A scene runs for as long as the window is open; a recording has its own end.
  playback.frames_->limit_steps(static_cast<std::size_t>(-1));
  playback.frames_->advance();
  playback.world_ = std::make_unique<World>();
  playback.world_->measure_times(true);
  if (auto filled = playback.fill(); !filled.has_value()) {
    return filled.error();
  }
  playback.detect();
  return playback;
}

Result<void> Playback::fill() {
  const auto shapes = frames_->shapes();
  const auto transforms = frames_->transforms();
  std::vector<BodyDef> bodies;
  for (BoxIndex i = 0; i < shapes.size(); ++i) {
    bodies.push_back({.shape = shapes[i],
                      .type = frames_->types()[i],
                      .position = transforms[i].position,
                      .rotation = transforms[i].rotation,
                      .tag = std::string(frames_->tag(i)),
                      .filter = frames_->filter(i)});
  }
  auto added = world_->add(bodies);
  if (!added.has_value()) {
    return added.error();
  }
  bodies_ = *std::move(added);
  shapes_.assign(shapes.begin(), shapes.end());
  transforms_.assign(transforms.begin(), transforms.end());
  before_ = transforms_;
  return {};
}

// Passes changed shapes and transforms on to the world.
void Playback::take_over() {
  const auto shapes = frames_->shapes();
  const auto transforms = frames_->transforms();
  moved_.clear();
  moved_to_.clear();
  has_changes_ = false;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (shapes[i] != shapes_[i]) {
      world_->set_shape(bodies_[i], shapes[i]).value();
      shapes_[i] = shapes[i];
      has_changes_ = true;
    }
    if (transforms[i] != transforms_[i]) {
      moved_.push_back(bodies_[i]);
      moved_to_.push_back(transforms[i]);
    }
  }
  has_changes_ = has_changes_ || !moved_.empty();
  world_->move(moved_, moved_to_).value();
  before_.swap(transforms_);
  transforms_.assign(transforms.begin(), transforms.end());
  if (step_ == 0) {
    before_ = transforms_;  // the way back to the first step is no motion
  }
}

void Playback::detect() {
  const double all = timed([this] { world_->step(0.0F).value(); });
  const Statistics now = statistics();
  times_.update = std::min(now.update_seconds, all);
  times_.pairs = std::min(now.pairs_seconds, all - times_.update);
  times_.contacts = all - times_.update - times_.pairs;
}

void Playback::step() {
  times_.scene = timed([this] {
    frames_->respond(world_->shape_contacts());
    ++step_;
    if (!frames_->advance()) {
      rewind();
    }
  });
  times_.move = timed([this] { take_over(); });
  detect();
  tell_velocity();
}

void Playback::rewind() {
  if (frames_->step_count() > 1) {  // otherwise this is the first step
    frames_->rewind();
    frames_->advance();
  }
  step_ = 0;
}

void Playback::restart() {
  rewind();
  take_over();
  detect();
}

Statistics Playback::statistics() const {
  const Statistics last = world_->broad_phase().statistics();
  if (has_changes_) {
    return last;
  }
  return {.cells = last.cells,
          .occupied_cells = last.occupied_cells,
          .entries = last.entries,
          .boxes = last.boxes,
          .bytes = last.bytes};
}

Result<void> Playback::set_technique(std::string_view technique, std::optional<Vec2> cell_size) {
  auto changed = world_->set_technique(technique, with_bounds({.cell_size = cell_size}, frames_->boxes()));
  if (changed.has_value()) {
    // In an unchanged world the broad phase would not run, and its counters would stay empty.
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      world_->set_shape(bodies_[i], shapes_[i]).value();
    }
    has_changes_ = !bodies_.empty();
    detect();
  }
  return changed;
}

void Playback::follow(BodyId body) {
  followed_ = body;
  tell_velocity();
}

void Playback::tell_velocity() {
  const BodyId body = followed_;
  if (world_->contains(body) && world_->type(body).value() != BodyType::static_body) {
    const Vec2 way = transforms_[body.index].position - before_[body.index].position;
    // A velocity beyond the range of float is refused, and is not shown.
    static_cast<void>(world_->set_velocity(body, (1.0F / frames_->seconds_per_step()) * way));
  }
}

}  // namespace broadside::view
