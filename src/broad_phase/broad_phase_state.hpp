#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "broadside/base/pair_sorter.hpp"
#include "broadside/broad_phase/box_store.hpp"
#include "broadside/broad_phase/pair_buffer.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "pair_workers.hpp"

namespace broadside::inline v0_2::detail {

/// What a `BroadPhase` owns, and its technique may use.
struct BroadPhaseState {
  BoxStore boxes;
  PairWorkers workers;
  PairSorter sorter;
  PairBuffer pairs;                      ///< the result of the last `find_pairs`
  std::vector<unsigned char> requested;  ///< [slots] scratch of `find_pairs_of`: 1 if asked for
  std::vector<std::uint32_t> visits;     ///< [cells] visits by watched queries; may end early
  bool needs_rebuild = false;            ///< the structure missed a change or is incomplete
  bool measures_times = false;
  bool is_watched = false;
  bool is_sorted = false;
  std::unique_ptr<Technique> technique;   ///< refers to the members above
  TrackingTechnique* tracking = nullptr;  ///< the same, if it is one
};

}  // namespace broadside::inline v0_2::detail
