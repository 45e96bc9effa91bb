#pragma once

#include <functional>
#include <string>
#include <vector>

#include "contender.hpp"

namespace broadside::bench {

struct Score {
  std::string name;
  std::string version;  ///< of a peer's library; empty for code of this repository
  bool ours = false;
  bool is_default = false;
  double median_ms = 0.0;
  double mean_ms = 0.0;
  double p99_ms = 0.0;
  double p999_ms = 0.0;
  double worst_ms = 0.0;
  std::size_t frames = 0;  ///< number of timed frames
  bool dropped = false;    ///< before the last frame
  std::size_t bytes = 0;
  bool exact = false;
};

struct RaceResult {
  std::string workload;
  std::size_t boxes = 0;
  std::size_t moving = 0;
  double pairs = 0.0;  ///< per frame, mean
  double limit_ms = 0.0;
  std::vector<Score> scores;

  /// Returns the best mean of the exact peers; 0 if there is none.
  [[nodiscard]] double best_peer_ms() const;
};

/// Runs all contenders in turns of a hundred frames, so that a busy moment of the machine affects all alike.
/// Before a turn, the contender gets the boxes of its last frame again, untimed, to fill the caches with its
/// own data: then all frames are counted. The pairs of the first and the last frame are
/// compared with those that CGAL finds; for dropped contenders only those of the first.
///
/// A contender, except our default, is dropped if a frame or all of its counted frames take more than three
/// seconds; and after a turn, if it takes more than twenty times as long as the best peer and would need more
/// than half a second for the rest.
/// @pre `trace` has a frame, and `frames` > 0
[[nodiscard]] RaceResult race(const std::string& name, const Trace& trace, std::size_t frames,
                              Contenders& contenders,
                              const std::function<void(const std::string&)>& progress);

}  // namespace broadside::bench
