#include "stages.hpp"

#include "broadside/broad_phase/techniques.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/event/touch_history.hpp"
#include "broadside/world/world.hpp"
#include "measure.hpp"
#include "shared/quantile.hpp"

namespace broadside::bench {

namespace {

constexpr std::size_t turn = 5;

/// Times consecutive stages.
class Laps {
 public:
  void begin() { last_ = worked_ms(); }
  void lap(const char* name, bool counts) {
    const double now = worked_ms();
    if (at_ == names_.size()) {
      names_.emplace_back(name);
      times_.emplace_back();
    }
    if (counts) {
      times_[at_].push_back(now - last_);
    }
    ++at_;
    last_ = worked_ms();
  }
  void end() { at_ = 0; }
  [[nodiscard]] std::vector<Stage> medians() const {
    std::vector<Stage> result;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      result.push_back({names_[i], median(times_[i])});
    }
    return result;
  }

 private:
  double last_ = 0.0;
  std::size_t at_ = 0;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> times_;
};

/// The modules of the library, called one after the other.
class Parts {
 public:
  explicit Parts(const Scene& scene)
      : scene_(scene), broad_phase_(default_technique().create({}).value()), shapes_(scene.shapes) {
    for (const Vec2 start : scene.starts) {
      transforms_.push_back({start, {}});
      boxes_.push_back(bounds(shapes_[boxes_.size()], transforms_.back()));
    }
    const std::span<const Aabb> boxes(boxes_);
    broad_phase_->keep_sorted(true);
    broad_phase_->add(boxes.first(scene.static_count), BodyType::static_body).value();
    broad_phase_->add(boxes.subspan(scene.static_count)).value();
    boxes_.resize(scene.movers());
    for (std::size_t i = scene.first_mover; i < scene.size(); ++i) {
      places_.push_back(static_cast<BoxIndex>(i));
    }
  }

  void step(std::span<const Vec2> positions, Laps& laps, bool counts) {
    laps.begin();
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const std::size_t place = scene_.first_mover + i;
      transforms_[place].position = positions[i];
      boxes_[i] = bounds(shapes_[place], transforms_[place]);
    }
    laps.lap("boxes", counts);
    broad_phase_->move(places_, boxes_).value();
    const std::span<Pair> pairs = broad_phase_->find_pairs();
    laps.lap("pairs", counts);
    narrow_phase_.find_contacts(pairs, shapes_, transforms_).value();
    laps.lap("contacts", counts);
    history_.advance(narrow_phase_.touching());
    laps.lap("events", counts);
    laps.end();
    pair_count_ = pairs.size();
  }

  [[nodiscard]] std::size_t pairs() const { return pair_count_; }
  [[nodiscard]] std::size_t contacts() const { return narrow_phase_.touching().size(); }

 private:
  const Scene& scene_;
  std::unique_ptr<BroadPhase> broad_phase_;
  std::vector<Shape> shapes_;
  std::vector<Transform> transforms_;
  std::vector<Aabb> boxes_;       ///< of the movers
  std::vector<BoxIndex> places_;  ///< of the movers
  NarrowPhase narrow_phase_;
  TouchHistory history_;
  std::size_t pair_count_ = 0;
};

}  // namespace

StageTimes measure_stages(const Scene& scene) {
  World world;
  const std::vector<BodyId> ids = world.add(bodies_of(scene)).value();
  const std::vector<BodyId> movers(ids.begin() + static_cast<std::ptrdiff_t>(scene.first_mover), ids.end());
  Parts parts(scene);
  Laps of_world;
  Laps of_parts;
  StageTimes result;
  const std::size_t frames = scene.frames.size();
  for (std::size_t begin = 0; begin < frames; begin += turn) {
    const std::size_t end = std::min(begin + turn, frames);
    for (std::size_t frame = begin; frame < end; ++frame) {
      const bool counts = begin > 0 && frame > begin;
      of_world.begin();
      world.move(movers, scene.frames[frame]).value();
      of_world.lap("move", counts);
      world.step(0.0F).value();
      of_world.lap("step", counts);
      of_world.end();
    }
    for (std::size_t frame = begin; frame < end; ++frame) {
      parts.step(scene.frames[frame], of_parts, begin > 0 && frame > begin);
      result.pairs += static_cast<double>(parts.pairs()) / static_cast<double>(frames);
      result.contacts += static_cast<double>(parts.contacts()) / static_cast<double>(frames);
    }
  }
  result.of_world = of_world.medians();
  result.of_parts = of_parts.medians();
  const double last = result.of_parts.empty() ? 0.0 : result.of_parts.back().ms;
  result.ns_per_pair = result.contacts > 0.0 ? 1e6 * last / result.contacts : 0.0;
  result.bytes_per_body = static_cast<double>(world.bytes()) / static_cast<double>(scene.size());
  return result;
}

}  // namespace broadside::bench
