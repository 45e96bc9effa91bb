#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "broadside/base/bit_cast.hpp"
#include "broadside/distributed/broad_phase.hpp"
#include "broadside/distributed/communicator.hpp"
#include "broadside/distributed/partition.hpp"

namespace broadside::inline v0_2::detail {

/// What all parts know of each other before a step: whether one of them refused a change, and their work.
struct Agreement {
  std::uint64_t items = 0;    ///< owned by all parts
  std::uint64_t bullets = 0;  ///< among these
  double own_work = 0.0;      ///< of this part (unit: second, or items if steps are too short to be measured)
  double imbalance = 1.0;     ///< most work of a part divided by the mean
  RebalanceOptions options;
};

/// Decides together with the other parts whether a step is taken, and when and how the cuts move. Each
/// decision depends only on data that all parts have.
class Balance {
 public:
  explicit Balance(Communicator& others) : others_(others) {}

  /// Sets when the cuts move, or returns what is wrong with the options.
  Result<void> set_options(const RebalanceOptions& options);
  [[nodiscard]] std::uint64_t count() const { return count_; }

  /// Adds the time of one step to the measured work of this part.
  void add_work(double seconds) { seconds_ = seconds_ == 0.0 ? seconds : 0.75 * seconds_ + 0.25 * seconds; }

  /// Remembers the first error since the last `agree`, and returns `error`.
  Error refuse(Error error);
  void forget_refused() { refused_ = {}; }
  /// Exchanges the errors that parts remember, and their work; returns the first error, of the least rank.
  /// All errors are forgotten. Collective.
  Result<Agreement> agree(std::size_t items, std::size_t bullets = 0);

  /// Tells whether the cuts should move.
  [[nodiscard]] bool is_due(const Agreement& agreement, const Partition& partition) {
    if (others_.size() == 1 || agreement.items == 0) {
      return false;
    }
    ++since_;
    return partition.parts() == 1 ||
           (agreement.imbalance > static_cast<double>(agreement.options.max_imbalance) &&
            since_ >= agreement.options.interval);
  }

  /// Returns the min corners of some items of this part: few enough that each part can sort those of all.
  /// @param for_each is called as for_each(visit), and visit as visit(index) for each item
  template <typename ForEach, typename CornerOf>
  [[nodiscard]] std::vector<Vec2> sample(std::size_t items, const ForEach& for_each,
                                         const CornerOf& corner_of) const {
    constexpr std::size_t of_all_parts = 131'072;
    const std::size_t most =
        std::clamp<std::size_t>(of_all_parts / static_cast<std::size_t>(others_.size()), 64, 2048);
    const std::size_t stride = items / most + 1;
    std::vector<Vec2> corners;
    std::size_t counter = 0;
    for_each([&](std::uint32_t index) {
      if (counter++ % stride == 0) {
        corners.push_back(corner_of(index));
      }
    });
    return corners;
  }

  /// Returns the partition with its cuts moved. Collective.
  /// @param points of this part, a sample of its items
  Result<Partition> moved(const Partition& partition, const Agreement& agreement,
                          std::span<const Vec2> points);

 private:
  Communicator& others_;
  RebalanceOptions options_;
  Error refused_;
  double seconds_ = 0.0;     ///< of a step, smoothed
  std::uint32_t since_ = 0;  ///< steps since the cuts moved
  std::uint64_t count_ = 0;
};

}  // namespace broadside::inline v0_2::detail
