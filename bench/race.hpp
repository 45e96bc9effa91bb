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
  double p99_ms = 0.0;
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
/// sweep on the first and the last frame. Who takes more than three seconds for a frame is let off the rest.
[[nodiscard]] RaceResult race(const std::string& name, const Trace& trace, std::size_t frames,
                              Contenders& contenders,
                              const std::function<void(const std::string&)>& progress);

}  // namespace broadside::bench
