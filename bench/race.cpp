#include "race.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace broadside::bench {

namespace {

/// All pairs with a moving side, sorted; by a sweep in double that shares nothing with the library.
std::vector<Pair> exact_pairs(const Trace& trace, std::size_t frame) {
  std::vector<Aabb> boxes = trace.static_boxes;
  boxes.insert(boxes.end(), trace.frame(frame).begin(), trace.frame(frame).end());
  std::vector<BoxIndex> order(boxes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](BoxIndex a, BoxIndex b) { return boxes[a].min.x < boxes[b].min.x; });
  std::vector<Pair> pairs;
  std::vector<BoxIndex> open;
  for (const BoxIndex i : order) {
    const Aabb& box = boxes[i];
    std::erase_if(open, [&](BoxIndex j) { return double{boxes[j].max.x} < box.min.x; });
    for (const BoxIndex j : open) {
      const bool apart = double{boxes[j].max.y} < box.min.y || double{boxes[j].min.y} > box.max.y;
      if (!apart && std::max(i, j) >= trace.static_count()) {
        pairs.push_back({std::min(i, j), std::max(i, j)});
      }
    }
    open.push_back(i);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) {
    return 0.0;
  }
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

struct Runner {
  Contender* contender;
  std::vector<double> milliseconds;
  bool exact = true;
  bool out = false;
};

}  // namespace

double RaceResult::best_peer_ms() const {
  double best = 0.0;
  for (const Score& score : scores) {
    if (!score.ours && score.exact && (best == 0.0 || score.median_ms < best)) {
      best = score.median_ms;
    }
  }
  return best;
}

RaceResult race(const std::string& name, const Trace& trace, std::size_t frames, Contenders& contenders,
                const std::function<void(const std::string&)>& progress) {
  constexpr double too_slow_ms = 3000.0;
  constexpr std::size_t block = 5;
  frames = std::min(frames, trace.frame_count());
  const std::vector<Pair> expected_first = exact_pairs(trace, 0);
  const std::vector<Pair> expected_last = exact_pairs(trace, frames - 1);
  std::vector<Runner> runners;
  for (const auto& contender : contenders) {
    if (contender->takes(trace)) {
      progress(name + ": loading " + contender->name());
      contender->load(trace);
      runners.push_back({contender.get(), {}});
    }
  }
  RaceResult result{
      .workload = name, .boxes = trace.shape_count(), .moving = trace.moving_count(), .scores = {}};
  double pairs = 0.0;
  for (std::size_t begin = 0; begin < frames; begin += block) {
    progress(name + ": frame " + std::to_string(begin + 1) + " of " + std::to_string(frames));
    const std::size_t end = std::min(begin + block, frames);
    for (Runner& runner : runners) {
      for (std::size_t frame = begin; frame < end && !runner.out; ++frame) {
        const auto start = std::chrono::steady_clock::now();
        const auto found = runner.contender->step(trace.frame(frame));
        const auto stop = std::chrono::steady_clock::now();
        const double ms = std::chrono::duration<double, std::milli>(stop - start).count();
        runner.out = ms > too_slow_ms;
        if (frame > begin || runner.out || frames == 1) {
          runner.milliseconds.push_back(ms);
        }
        if (frame == 0 || frame + 1 == frames) {
          std::vector<Pair> sorted(found.begin(), found.end());
          std::sort(sorted.begin(), sorted.end());
          runner.exact = runner.exact && sorted == (frame == 0 ? expected_first : expected_last);
        }
        if (runner.contender->is_default()) {
          pairs += static_cast<double>(found.size());
        }
      }
    }
  }
  result.pairs = pairs / static_cast<double>(frames);
  result.limit_ms = limit_ms(trace.moving_count(), static_cast<std::size_t>(result.pairs));
  for (const Runner& runner : runners) {
    result.scores.push_back({runner.contender->name(), runner.contender->ours(),
                             runner.contender->is_default(), quantile(runner.milliseconds, 0.5),
                             quantile(runner.milliseconds, 0.99), runner.contender->bytes(), runner.exact});
  }
  return result;
}

}  // namespace broadside::bench
