#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/distributed/broad_phase.hpp"
#include "broadside/scene/frames.hpp"

namespace broadside::app {

/// Returns the red, green and blue of a color that differs from those of the parts with numbers near by.
[[nodiscard]] std::array<std::uint8_t, 3> color_of_part(int part);

/// Returns the cuts: boxes without a width or without a height, which may be infinite on the other axis.
[[nodiscard]] std::vector<Aabb> cuts_of(const Partition& partition);

/// Finds the pairs of frames with a `DistributedBroadPhase` whose parts are threads.
class Parts {
 public:
  static constexpr int max_parts = 1024;

  /// What all parts did.
  struct Totals {
    std::uint64_t ghosts = 0;
    std::uint64_t migrants = 0;
    std::uint64_t bytes = 0;
    std::uint64_t rebalances = 0;  ///< how often the cuts were moved
    double imbalance = 1.0;        ///< work of the slowest part divided by the mean
  };

  /// @param count in [1, max_parts]
  explicit Parts(int count);
  ~Parts();
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  /// Takes over the boxes of a step and finds its pairs that count, timed.
  ///
  /// @return sorted; valid until the next call
  /// @par Errors
  /// `io` if the system refuses a thread.
  /// @par Exceptions
  /// `std::bad_alloc` if memory runs out in a part; all later calls throw it.
  Result<std::span<const Pair>> step(const Frames& frames);

  [[nodiscard]] int count() const { return static_cast<int>(found_.size()); }
  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }
  /// Returns the part that owns each box [n].
  [[nodiscard]] std::span<const std::uint16_t> owners() const { return owners_; }
  [[nodiscard]] const Partition& partition() const { return partition_; }
  /// Returns the counts of the last step.
  [[nodiscard]] const Totals& last() const { return last_; }
  /// Returns the sums of all steps except the first, which distributes the boxes.
  [[nodiscard]] const Totals& sums() const { return sums_; }
  [[nodiscard]] const std::vector<double>& milliseconds() const { return milliseconds_; }

 private:
  class Source;
  /// What a part found in a step.
  struct Found {
    Error error;
    std::vector<GlobalPair> pairs;
    DistributedStatistics statistics;
  };

  void run(int count);
  void run_part(Communicator& others);
  bool wait_for(std::uint64_t step);
  void end();
  Result<void> search(const Source& source);
  void add_up();

  std::vector<Found> found_;  ///< by part
  std::vector<std::uint16_t> owners_;
  Partition partition_;
  std::vector<Pair> pairs_;
  Totals last_;
  Totals sums_;
  std::vector<double> milliseconds_;

  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by the mutex.
  const Source* source_ = nullptr;
  std::uint64_t step_ = 0;  ///< number of the step that the parts should take
  std::size_t done_ = 0;    ///< parts that took it
  bool ends_ = false;       ///< the parts should end
  bool have_ended_ = false;
  Error failed_;
  std::exception_ptr thrown_;  ///< by a part, when memory runs out

  std::thread thread_;  ///< runs the parts
};

}  // namespace broadside::app
