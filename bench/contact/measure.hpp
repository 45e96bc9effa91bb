#pragma once

#include "contest.hpp"

namespace broadside::bench {

struct ContactScore {
  std::string name;
  double ns = 0.0;  ///< per call, median over the rounds
  std::size_t disagreements = 0;
  std::vector<std::string> listed;  ///< the disagreements, one line each
};

struct ContactResult {
  Row row;
  double touching = 0.0;             ///< share of the cases, by our answers
  std::vector<ContactScore> scores;  ///< ours first

  /// Returns the time of the fastest peer; 0 if there is none.
  [[nodiscard]] double best_peer_ns() const;
};

/// Runs all contenders that support the row on the same cases in turns, each round in a new order, so that
/// branch predictors cannot learn it.
[[nodiscard]] ContactResult measure(const Row& row, Contenders& contenders);

struct BulkScore {
  std::string name;
  double ms = 0.0;  ///< per frame, median
};

struct BulkResult {
  std::string scene;
  std::size_t shapes = 0;
  std::size_t pairs = 0;
  std::size_t contacts = 0;
  bool same = true;  ///< whether all found the same contacts, bit for bit
  std::vector<BulkScore> scores;
};

/// The scenes of `measure_bulk`: bodies in random order in memory, or sorted by position.
inline constexpr std::array<std::string_view, 6> bulk_scenes = {
    "circle-circle", "circle-circle-in-order", "box-box", "box-box-in-order", "mixed", "mixed-in-order"};

/// Finds the contacts among a million pairs of overlapping boxes: by a loop over `collide`, and by
/// `NarrowPhase` with one and two threads.
[[nodiscard]] BulkResult measure_bulk(std::string_view scene);

}  // namespace broadside::bench
