#pragma once

#include <functional>

#include "contest.hpp"

namespace broadside::bench {

struct WorldScore {
  std::string name;
  bool ours = false;
  double median_ms = 0.0;
  double mean_ms = 0.0;
  std::size_t frames = 0;  ///< that were timed
  bool let_off = false;    ///< of the frames that the others went on with
  std::size_t bytes = 0;
  std::size_t differences = 0;      ///< pairs that touch for it or for us but not for both, over all frames
  std::size_t disagreements = 0;    ///< of these, those that rounding does not explain
  std::vector<std::string> listed;  ///< the disagreements, one line each
};

struct WorldResult {
  std::string scene;
  std::size_t bodies = 0;
  std::size_t movers = 0;
  double touching = 0.0;           ///< pairs a frame, by our answers
  double begun = 0.0;              ///< a frame
  double ended = 0.0;              ///< a frame
  std::vector<WorldScore> scores;  ///< ours first

  /// Returns the best mean of the others; 0 if there is none.
  [[nodiscard]] double best_peer_mean_ms() const;
};

/// Lets all contenders step through the scene in turns of five frames, so that a busy moment hits all alike;
/// the first frame of a turn finds cold caches and is not counted, and nor is the whole first turn. After
/// each frame what touches for them is held against what touches for us.
[[nodiscard]] WorldResult measure(const Scene& scene, Contenders& contenders,
                                  const std::function<void(const std::string&)>& progress);

/// Returns how long this thread has been at work (unit: millisecond). Others who want the processor do not
/// count; of what takes longer than a slice of its time, they would hit the slow ones harder than the fast.
[[nodiscard]] double worked_ms();

/// Returns the middle of some values, the upper one of two; 0 of none.
[[nodiscard]] double median(std::vector<double> values);

}  // namespace broadside::bench
