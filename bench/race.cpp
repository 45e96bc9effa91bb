#include "race.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace broadside::bench {

namespace {

/// Returns all pairs with a moving side, sorted, from a sweep in double that shares no code with the library.
/// It sweeps along the axis of the larger spread.
std::vector<Pair> exact_pairs(const Trace& trace, std::size_t frame) {
  std::vector<Aabb> boxes = trace.static_boxes;
  boxes.insert(boxes.end(), trace.frame(frame).begin(), trace.frame(frame).end());
  const auto spread = [&](float Vec2::*axis) {
    const auto [low, high] = std::minmax_element(
        boxes.begin(), boxes.end(), [&](const Aabb& a, const Aabb& b) { return a.min.*axis < b.min.*axis; });
    return boxes.empty() ? 0.0 : double{high->min.*axis} - double{low->min.*axis};
  };
  if (spread(&Vec2::y) > spread(&Vec2::x)) {
    for (Aabb& box : boxes) {
      std::swap(box.min.x, box.min.y);
      std::swap(box.max.x, box.max.y);
    }
  }
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

double mean(const std::vector<double>& values) {
  return values.empty()
             ? 0.0
             : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
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

  [[nodiscard]] double median_ms() const { return quantile(milliseconds, 0.5); }
};

/// Returns whether a contender has used up its time; every contender is timed on at least two frames.
bool used_up(const Runner& runner) {
  constexpr double share_ms = 3000.0;
  return runner.milliseconds.size() >= 2 &&
         std::accumulate(runner.milliseconds.begin(), runner.milliseconds.end(), 0.0) > share_ms;
}

/// Drops contenders that are far behind the best peer and would delay the race.
void let_off_the_slow(std::vector<Runner>& runners, std::size_t frames_to_go) {
  constexpr double too_many_times = 20.0;
  constexpr double worth_saving_ms = 500.0;
  double best = 0.0;
  for (const Runner& runner : runners) {
    if (!runner.contender->ours() && runner.exact && (best == 0.0 || runner.median_ms() < best)) {
      best = runner.median_ms();
    }
  }
  for (Runner& runner : runners) {
    const double median = runner.median_ms();
    const bool far_behind = best > 0.0 && median > too_many_times * best;
    const bool long_way = median * static_cast<double>(frames_to_go) > worth_saving_ms;
    runner.out = runner.out || (far_behind && long_way && !runner.contender->is_default());
  }
}

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
      progress("loading " + contender->name());
      contender->load(trace);
      runners.push_back({contender.get(), {}});
    }
  }
  RaceResult result{
      .workload = name, .boxes = trace.shape_count(), .moving = trace.moving_count(), .scores = {}};
  double pairs = 0.0;
  for (std::size_t begin = 0; begin < frames; begin += block) {
    const std::size_t end = std::min(begin + block, frames);
    for (Runner& runner : runners) {
      if (!runner.out) {
        progress("frame " + std::to_string(begin + 1) + " of " + std::to_string(frames) + ", " +
                 runner.contender->name());
      }
      for (std::size_t frame = begin; frame < end && !runner.out; ++frame) {
        const auto start = std::chrono::steady_clock::now();
        const auto found = runner.contender->step(trace.frame(frame));
        const auto stop = std::chrono::steady_clock::now();
        const double ms = std::chrono::duration<double, std::milli>(stop - start).count();
        const bool too_slow = ms > too_slow_ms;
        if (frame > begin || too_slow || frames == 1) {
          runner.milliseconds.push_back(ms);
        }
        runner.out = frame + 1 < frames && (too_slow || used_up(runner)) && !runner.contender->is_default();
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
    let_off_the_slow(runners, frames - end);
  }
  result.pairs = pairs / static_cast<double>(frames);
  result.limit_ms = limit_ms(trace.moving_count(), static_cast<std::size_t>(result.pairs));
  for (const Runner& runner : runners) {
    result.scores.push_back({.name = runner.contender->name(),
                             .ours = runner.contender->ours(),
                             .is_default = runner.contender->is_default(),
                             .median_ms = runner.median_ms(),
                             .mean_ms = mean(runner.milliseconds),
                             .p99_ms = quantile(runner.milliseconds, 0.99),
                             .frames = runner.milliseconds.size(),
                             .let_off = runner.out,
                             .bytes = runner.contender->bytes(),
                             .exact = runner.exact});
  }
  return result;
}

}  // namespace broadside::bench
