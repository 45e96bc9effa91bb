#include "race.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <numeric>

#include "shared/quantile.hpp"

namespace broadside::bench {

namespace {

/// Returns all pairs with a moving side, sorted, as CGAL finds them: it shares no code with the library, and
/// takes O(n log n) for boxes of any shape.
std::vector<Pair> exact_pairs(const Trace& trace, std::size_t frame) {
  const auto judge = make_cgal_boxes();
  judge->load(trace);
  const auto found = judge->step(trace.frame(frame));
  std::vector<Pair> pairs(found.begin(), found.end());
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

double mean(const std::vector<double>& values) {
  return values.empty()
             ? 0.0
             : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

struct Runner {
  Contender* contender;
  std::vector<double> milliseconds;
  bool exact = true;
  bool dropped = false;

  [[nodiscard]] Score score() const {
    return {
        .name = contender->name(),
        .version = contender->version(),
        .ours = contender->ours(),
        .is_default = contender->is_default(),
        .median_ms = median(milliseconds),
        .mean_ms = mean(milliseconds),
        .p99_ms = quantile(milliseconds, 0.99),
        .p999_ms = quantile(milliseconds, 0.999),
        .worst_ms = milliseconds.empty() ? 0.0 : *std::max_element(milliseconds.begin(), milliseconds.end()),
        .frames = milliseconds.size(),
        .dropped = dropped,
        .bytes = contender->bytes(),
        .exact = exact};
  }
};

/// Returns whether a contender has used up its time; every contender is timed on at least two frames.
bool used_up(const Runner& runner) {
  constexpr double share_ms = 3000.0;
  return runner.milliseconds.size() >= 2 &&
         std::accumulate(runner.milliseconds.begin(), runner.milliseconds.end(), 0.0) > share_ms;
}

/// Returns the best mean of the exact peers; 0 if there is none.
double best_peer_ms_of(const std::vector<Score>& scores) {
  double best = 0.0;
  for (const Score& score : scores) {
    if (!score.ours && score.exact && (best == 0.0 || score.mean_ms < best)) {
      best = score.mean_ms;
    }
  }
  return best;
}

std::vector<Score> scores_of(const std::vector<Runner>& runners) {
  std::vector<Score> scores;
  for (const Runner& runner : runners) {
    scores.push_back(runner.score());
  }
  return scores;
}

/// Drops contenders that are far behind the best peer and would delay the race.
void drop_slow(std::vector<Runner>& runners, std::size_t frames_to_go) {
  constexpr double too_many_times = 20.0;
  constexpr double worth_saving_ms = 500.0;
  const std::vector<Score> scores = scores_of(runners);
  const double best = best_peer_ms_of(scores);
  for (std::size_t i = 0; i < runners.size(); ++i) {
    Runner& runner = runners[i];
    const double mean_ms = scores[i].mean_ms;
    const bool far_behind = best > 0.0 && mean_ms > too_many_times * best;
    const bool long_way = mean_ms * static_cast<double>(frames_to_go) > worth_saving_ms;
    runner.dropped = runner.dropped || (far_behind && long_way && !runner.contender->is_default());
  }
}

}  // namespace

double RaceResult::best_peer_ms() const {
  return best_peer_ms_of(scores);
}

RaceResult race(const std::string& name, const Trace& trace, std::size_t frames, Contenders& contenders,
                const std::function<void(const std::string&)>& progress) {
  constexpr double too_slow_ms = 3000.0;
  constexpr std::size_t block = 100;
  frames = std::min(frames, trace.frame_count());
  assert(frames > 0 && "readers refuse traces without frames");
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
      if (!runner.dropped) {
        progress("frame " + std::to_string(begin + 1) + " of " + std::to_string(frames) + ", " +
                 runner.contender->name());
      }
      if (begin > 0 && !runner.dropped) {
        static_cast<void>(runner.contender->step(trace.frame(begin - 1)));
      }
      for (std::size_t frame = begin; frame < end && !runner.dropped; ++frame) {
        const auto start = std::chrono::steady_clock::now();
        const auto found = runner.contender->step(trace.frame(frame));
        const auto stop = std::chrono::steady_clock::now();
        const double ms = std::chrono::duration<double, std::milli>(stop - start).count();
        const bool too_slow = ms > too_slow_ms;
        runner.milliseconds.push_back(ms);
        runner.dropped =
            frame + 1 < frames && (too_slow || used_up(runner)) && !runner.contender->is_default();
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
    drop_slow(runners, frames - end);
  }
  result.pairs = pairs / static_cast<double>(frames);
  result.limit_ms = limit_ms(trace.moving_count(), static_cast<std::size_t>(result.pairs));
  result.scores = scores_of(runners);
  return result;
}

}  // namespace broadside::bench
