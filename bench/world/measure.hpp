#pragma once

#include <functional>

#include "contest.hpp"

namespace broadside::bench {

struct WorldScore {
  std::string name;
  bool ours = false;
  double median_ms = 0.0;
  double mean_ms = 0.0;
  std::size_t frames = 0;  ///< number of timed frames
  bool dropped = false;    ///< before the last frame
  std::size_t bytes = 0;
  std::size_t differences = 0;      ///< pairs that touch in only one of the two libraries, over all frames
  std::size_t disagreements = 0;    ///< of these, pairs that rounding does not explain
  std::vector<std::string> listed;  ///< the disagreements, one line each
};

struct WorldResult {
  std::string scene;
  std::size_t bodies = 0;
  std::size_t movers = 0;
  double touching = 0.0;           ///< pairs per frame, by our answers
  double begun = 0.0;              ///< per frame
  double ended = 0.0;              ///< per frame
  std::vector<WorldScore> scores;  ///< ours first

  /// Returns the best mean of the peers; 0 if there is none.
  [[nodiscard]] double best_peer_mean_ms() const;
};

/// Runs all contenders through the scene in turns of five frames, so that a busy moment of the machine
/// affects all alike; the first frame of a turn, which has cold caches, and the whole first turn are not
/// counted. After each frame the touching pairs of the peers are compared with ours.
[[nodiscard]] WorldResult measure(const Scene& scene, Contenders& contenders,
                                  const std::function<void(const std::string&)>& progress);

/// Returns the processor time of this thread (unit: millisecond). Wall-clock time would also count other
/// processes, and slow contenders, which take longer than a time slice, would suffer more.
[[nodiscard]] double worked_ms();

}  // namespace broadside::bench
