#pragma once

#include <memory>
#include <span>
#include <vector>

#include "broadside/base/tasks.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "broadside/contact/narrow_phase.hpp"
#include "broadside/scene/frames.hpp"

namespace broadside::app {

/// Runs one technique over frames, and records the cost of each step.
class Contender {
 public:
  /// Creates a technique for frames at step 0. With a cell size and without bounds, the uniform grid gets the
  /// bounds of the boxes of that step.
  [[nodiscard]] static Result<Contender> make(const TechniqueEntry& technique,
                                              const TechniqueOptions& options, const Frames& frames);

  /// Sets the threads to use; the pairs do not depend on them.
  void use_threads(TaskRunner& threads) { broad_phase_->use_threads(&threads).value(); }

  /// Takes over the boxes of the step and finds its pairs, timed; then removes the pairs that do not count,
  /// and sorts the rest.
  const std::vector<Pair>& step(const Frames& frames);

  /// Clears the records of the steps so far, which then were a warm-up.
  void clear_records() { records_ = {}; }

  [[nodiscard]] const BroadPhase& broad_phase() const { return *broad_phase_; }
  /// Returns the pairs of the last step.
  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }
  [[nodiscard]] const std::vector<double>& milliseconds() const { return records_.milliseconds; }
  [[nodiscard]] double mean_ms() const;
  [[nodiscard]] double worst_ms() const;
  /// Returns the average of a sum over all steps.
  [[nodiscard]] double per_step(std::uint64_t sum) const;
  [[nodiscard]] std::uint64_t tests() const { return records_.tests; }
  [[nodiscard]] std::uint64_t update_tests() const { return records_.update_tests; }
  /// Returns all tests, also those for neighbor lists.
  [[nodiscard]] std::uint64_t all_tests() const { return records_.tests + records_.update_tests; }
  [[nodiscard]] std::uint64_t hits() const { return records_.hits; }
  /// Returns the visits to cells or rows, those of updates included.
  [[nodiscard]] std::uint64_t cells_visited() const { return records_.cells_visited; }
  [[nodiscard]] std::uint64_t owner_checks() const { return records_.owner_checks; }
  /// Returns the memory that the steps added (unit: byte).
  [[nodiscard]] std::uint64_t grown_bytes() const { return records_.grown_bytes; }
  [[nodiscard]] std::size_t bytes_per_box() const;
  [[nodiscard]] std::uint64_t counted_pairs() const { return records_.counted_pairs; }
  [[nodiscard]] double update_seconds() const { return records_.update_seconds; }
  [[nodiscard]] double pairs_seconds() const { return records_.pairs_seconds; }

 private:
  /// Sums over the recorded steps.
  struct Records {
    std::vector<double> milliseconds;  ///< of each step
    std::uint64_t tests = 0;
    std::uint64_t update_tests = 0;
    std::uint64_t hits = 0;
    std::uint64_t cells_visited = 0;
    std::uint64_t owner_checks = 0;
    std::uint64_t grown_bytes = 0;
    std::uint64_t counted_pairs = 0;
    double update_seconds = 0.0;
    double pairs_seconds = 0.0;
  };

  explicit Contender(std::unique_ptr<BroadPhase> broad_phase) : broad_phase_(std::move(broad_phase)) {}
  void take_over(const Frames& frames);

  std::unique_ptr<BroadPhase> broad_phase_;
  std::vector<Aabb> moved_;
  std::vector<Pair> pairs_;
  Records records_;
};

/// Runs the narrow phase over frames, and records the cost of each step.
class ContactFinder {
 public:
  /// Sets the threads to use; the contacts do not depend on them.
  void use_threads(TaskRunner& threads) { narrow_phase_.use_threads(&threads).value(); }

  /// Finds the contacts of a step's pairs, timed; valid until the next call.
  std::span<const Contact> step(const Frames& frames, std::span<const Pair> pairs);

  [[nodiscard]] std::span<const Contact> contacts() const { return contacts_; }
  [[nodiscard]] const std::vector<double>& milliseconds() const { return milliseconds_; }
  [[nodiscard]] std::uint64_t counted_contacts() const { return counted_contacts_; }

 private:
  NarrowPhase narrow_phase_;
  std::span<const Contact> contacts_;
  std::vector<double> milliseconds_;
  std::uint64_t counted_contacts_ = 0;
};

}  // namespace broadside::app
