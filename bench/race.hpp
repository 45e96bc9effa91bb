#pragma once

#include <functional>
#include <string>
#include <vector>

#include "contender.hpp"

namespace broadside::bench {

struct Score {
  std::string name;
  bool ours = false;
  bool is_default = false;
  double median_ms = 0.0;
  double mean_ms = 0.0;
  double p99_ms = 0.0;
  std::size_t frames = 0;  ///< that were timed
  bool let_off = false;    ///< of the frames that the others went on with
  std::size_t bytes = 0;
  bool exact = false;
};

struct RaceResult {
  std::string workload;
  std::size_t boxes = 0;
  std::size_t moving = 0;
  double pairs = 0.0;  ///< a frame, in the mean
  double limit_ms = 0.0;
  std::vector<Score> scores;

  /// Returns the best median of those that are not ours and exact; 0 if there is none.
  [[nodiscard]] double best_peer_ms() const;
};

/// Lets all contenders take the frames in turns of five, so that a busy moment hits all alike; the first
/// frame of a turn finds cold caches and is not counted. Each one's pairs are held against an independent
/// sweep on the first and the last frame; who is let off, on the first alone.
///
/// Let off the rest, all but our default: who takes more than three seconds for a frame, or for all of its
/// counted ones; and after a turn who takes more than twenty times as long as the best peer and would need
/// more than half a second to go on.
[[nodiscard]] RaceResult race(const std::string& name, const Trace& trace, std::size_t frames,
                              Contenders& contenders,
                              const std::function<void(const std::string&)>& progress);

}  // namespace broadside::bench
