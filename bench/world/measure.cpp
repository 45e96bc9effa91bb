#include "measure.hpp"

#include <time.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "broadside/contact/collide.hpp"
#include "shared/quantile.hpp"

namespace broadside::bench {

namespace {

constexpr std::size_t turn = 5;
constexpr double share_ms = 20'000.0;  // after this time a peer is dropped

struct Runner {
  Contender* contender;
  WorldScore score;
  std::vector<double> milliseconds;
  std::vector<Pair> touching;  ///< sorted
  std::vector<std::vector<Pair>> of_turn;
};

/// Applies begins and ends to the touching pairs. A pair may begin and end in the same call.
void follow(std::vector<Pair>& touching, const Events& events) {
  std::vector<Pair> begun = events.begun;
  std::vector<Pair> ended = events.ended;
  std::sort(begun.begin(), begun.end());
  std::sort(ended.begin(), ended.end());
  std::vector<Pair> with;
  std::merge(touching.begin(), touching.end(), begun.begin(), begun.end(), std::back_inserter(with));
  touching.clear();
  std::set_difference(with.begin(), with.end(), ended.begin(), ended.end(), std::back_inserter(touching));
}

/// Returns the separation of two shapes, negative if they overlap.
double gap(const Scene& scene, std::span<const Vec2> positions, Pair pair) {
  const auto at = [&](BoxIndex i) {
    return Transform{i < scene.first_mover ? scene.starts[i] : positions[i - scene.first_mover], {}};
  };
  const Shape& a = scene.shapes[pair.a];
  const Shape& b = scene.shapes[pair.b];
  const Manifold manifold = collide(a, at(pair.a), b, at(pair.b));
  if (!manifold.touching()) {
    return static_cast<double>(distance(a, at(pair.a), b, at(pair.b)).distance);
  }
  double deepest = 0.0;
  for (const ManifoldPoint& point : manifold.in_use()) {
    deepest = std::min(deepest, static_cast<double>(point.separation));
  }
  return deepest;
}

void compare(const Scene& scene, std::size_t frame, std::span<const Pair> ours, Runner& peer,
             std::span<const Pair> theirs) {
  std::vector<Pair> differ;
  std::set_symmetric_difference(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                                std::back_inserter(differ));
  peer.score.differences += differ.size();
  for (const Pair pair : differ) {
    const double apart = gap(scene, scene.frames[frame], pair);
    if (std::abs(apart) > peer.contender->tolerance()) {
      ++peer.score.disagreements;
      const bool touches = std::binary_search(theirs.begin(), theirs.end(), pair);
      peer.score.listed.push_back("frame " + std::to_string(frame + 1) + ": " + std::to_string(pair.a) +
                                  " and " + std::to_string(pair.b) + (touches ? " touch" : " do not touch") +
                                  ", by ours they are apart by " + std::to_string(apart));
    }
  }
}

/// Runs the frames of a turn; stores the touching pairs after each.
void run(const Scene& scene, std::size_t begin, std::size_t end, Runner& runner) {
  runner.of_turn.clear();
  for (std::size_t frame = begin; frame < end; ++frame) {
    const double start = worked_ms();
    const Events& events = runner.contender->step(scene.frames[frame]);
    const double stop = worked_ms();
    if (begin > 0 && frame > begin) {
      runner.milliseconds.push_back(stop - start);
    }
    follow(runner.touching, events);
    runner.of_turn.push_back(runner.touching);
  }
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

double worked_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

double WorldResult::best_peer_mean_ms() const {
  double best = 0.0;
  for (const WorldScore& score : scores) {
    if (!score.ours && (best == 0.0 || score.mean_ms < best)) {
      best = score.mean_ms;
    }
  }
  return best;
}

WorldResult measure(const Scene& scene, Contenders& contenders,
                    const std::function<void(const std::string&)>& progress) {
  std::vector<Runner> runners;
  for (const auto& contender : contenders) {
    if (contender->takes(scene)) {
      progress("loading " + contender->name());
      runners.push_back(
          {.contender = contender.get(), .score = {}, .milliseconds = {}, .touching = {}, .of_turn = {}});
      runners.back().score.name = contender->name();
      runners.back().score.ours = contender->ours();
      follow(runners.back().touching, contender->load(scene));
    }
  }
  WorldResult result{.scene = scene.name, .bodies = scene.size(), .movers = scene.movers(), .scores = {}};
  const std::size_t frames = scene.frames.size();
  Runner& ours = runners.front();
  for (std::size_t begin = 0; begin < frames; begin += turn) {
    const std::size_t end = std::min(begin + turn, frames);
    std::vector<Pair> before = ours.touching;
    for (Runner& runner : runners) {
      if (runner.score.dropped) {
        continue;
      }
      progress("frame " + std::to_string(begin + 1) + " of " + std::to_string(frames) + ", " +
               runner.score.name);
      run(scene, begin, end, runner);
      for (std::size_t i = 0; i < end - begin && &runner != &ours; ++i) {
        compare(scene, begin + i, ours.of_turn[i], runner, runner.of_turn[i]);
      }
      runner.score.dropped = !runner.score.ours && end < frames && sum(runner.milliseconds) > share_ms;
    }
    for (const std::vector<Pair>& now : ours.of_turn) {
      std::vector<Pair> stayed;
      std::set_intersection(before.begin(), before.end(), now.begin(), now.end(), std::back_inserter(stayed));
      result.touching += static_cast<double>(now.size()) / static_cast<double>(frames);
      result.begun += static_cast<double>(now.size() - stayed.size()) / static_cast<double>(frames);
      result.ended += static_cast<double>(before.size() - stayed.size()) / static_cast<double>(frames);
      before = now;
    }
  }
  for (Runner& runner : runners) {
    runner.score.median_ms = median(runner.milliseconds);
    runner.score.mean_ms =
        sum(runner.milliseconds) / std::max(1.0, static_cast<double>(runner.milliseconds.size()));
    runner.score.frames = runner.milliseconds.size();
    runner.score.bytes = runner.contender->bytes();
    result.scores.push_back(std::move(runner.score));
  }
  return result;
}

}  // namespace broadside::bench
