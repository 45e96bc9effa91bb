#pragma once

#include "contest.hpp"

namespace broadside::bench {

struct ContactScore {
  std::string name;
  double ns = 0.0;  ///< a call, median over the rounds
  std::size_t disagreements = 0;
  std::vector<std::string> listed;  ///< the disagreements, one line each
};

struct ContactResult {
  Row row;
  double touching = 0.0;             ///< share of the cases, by our answers
  std::vector<ContactScore> scores;  ///< ours first

  /// Returns the time of the fastest of those that give less than or the same as ours; 0 if there is none.
  [[nodiscard]] double best_peer_ns() const;
};

/// Lets all who take the row answer the same cases in turns, each round in a new order, so that no branch
/// predictor knows what comes.
[[nodiscard]] ContactResult measure(const Row& row, Contenders& contenders);

struct BulkScore {
  std::string name;
  double ms = 0.0;  ///< a frame, median
};

struct BulkResult {
  std::string scene;
  std::size_t shapes = 0;
  std::size_t pairs = 0;
  std::size_t contacts = 0;
  bool same = true;  ///< all found the same contacts, bit for bit
  std::vector<BulkScore> scores;
};

/// The scenes that `measure_bulk` knows: bodies anywhere in memory, or as they lie in the world.
inline constexpr std::array<std::string_view, 6> bulk_scenes = {
    "circle-circle", "circle-circle-in-order", "box-box", "box-box-in-order", "mixed", "mixed-in-order"};

/// Finds the contacts among a million pairs of overlapping boxes: by a loop over `collide`, and by
/// `NarrowPhase` with one and two threads.
[[nodiscard]] BulkResult measure_bulk(std::string_view scene);

/// Returns the middle of some values, the upper one of two. @pre there is one
[[nodiscard]] double median(std::vector<double> values);

}  // namespace broadside::bench
