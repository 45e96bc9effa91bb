#include "run.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <vector>

#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "broadside/distributed/broad_phase.hpp"
#include "gather.hpp"
#include "shared/share.hpp"
#include "source.hpp"

namespace broadside::mpi {

namespace {

double now() {
  const std::chrono::duration<double> since = std::chrono::steady_clock::now().time_since_epoch();
  return since.count();
}

/// A hash of one pair; that of many is the sum.
std::uint64_t hash_of(GlobalPair pair) {
  std::uint64_t hash = (pair.a.value * 0x9E3779B97F4A7C15U) ^ pair.b.value;
  hash = (hash ^ (hash >> 32U)) * 0xD1B54A32D192ED03U;
  return hash ^ (hash >> 29U);
}

/// The sums of a rank over all steps but the first, which distributes the boxes.
struct Sums {
  std::array<double, 9> seconds{};
  std::array<double, 6> counts{};  ///< owned, ghosts, pairs, migrants, bytes, boxes
  double imbalance = 0.0;
  double rebalances = 0.0;
};

constexpr std::array<const char*, 9> stages{"move",   "agree", "balance", "update", "exchange",
                                            "search", "owner", "work",    "whole"};

class Run {
 public:
  Run(Communicator& others, const Options& options, Source& source)
      : others_(others), source_(source), part_(others), checks_(options.check) {}

  Result<void> steps(float max_imbalance) {
    if (auto set = part_.set_rebalance({.max_imbalance = max_imbalance}); !set.has_value()) {
      return set;
    }
    for (; source_.advance(); ++step_) {
      if (auto done = step(); !done.has_value()) {
        return done;
      }
    }
    return {};
  }

  Result<void> print() {
    auto all = gather(others_, std::vector<Sums>{sums_});
    if (!all.has_value()) {
      return all.error();
    }
    if (others_.rank() == 0) {
      print(*all);
    }
    return {};
  }

 private:
  Result<void> step() {
    const double start = now();
    auto changed = step_ == 0 ? share_.add(part_, source_, others_) : share_.move(part_, source_);
    const double moved = now();
    if (!changed.has_value()) {
      return changed;
    }
    const auto pairs = part_.find_pairs();
    if (!pairs.has_value()) {
      return pairs.error();
    }
    if (step_ > 0) {
      add_to_sums(moved - start, now() - start);
    }
    if (checks_) {
      if (auto checked = check(*pairs); !checked.has_value()) {
        return checked;
      }
    }
    return respond(*pairs);
  }

  void add_to_sums(double moving, double whole) {
    const DistributedStatistics now = part_.statistics();
    const std::array<double, 9> seconds{moving,
                                        now.agree_seconds,
                                        now.balance_seconds,
                                        now.update_seconds,
                                        now.exchange_seconds,
                                        now.search_seconds,
                                        now.owner_seconds,
                                        now.work_seconds,
                                        whole};
    const std::array<std::uint64_t, 6> counts{now.owned,    now.ghosts, now.pairs,
                                              now.migrants, now.bytes,  source_.size()};
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      sums_.seconds[i] += seconds[i];
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
      sums_.counts[i] += static_cast<double>(counts[i]);
    }
    sums_.imbalance += now.imbalance;
    sums_.rebalances = static_cast<double>(now.rebalances);
  }

  /// Compares the pairs of all ranks with those of one broad phase, which rank 0 has.
  Result<void> check(std::span<const GlobalPair> pairs) {
    std::uint64_t sum = 0;
    for (const GlobalPair pair : pairs) {
      sum += hash_of(pair);
    }
    const auto all = gather(others_, std::vector<std::uint64_t>{sum, pairs.size()});
    if (!all.has_value()) {
      return all.error();
    }
    std::array<std::uint64_t, 2> found{};
    for (std::size_t i = 0; i < all->size(); ++i) {
      found[i % 2] += (*all)[i];
    }
    const bool is_equal = others_.rank() != 0 || found == expected();
    const auto verdict = gather(others_, std::vector<std::uint64_t>{is_equal ? 1U : 0U});
    if (!verdict.has_value()) {
      return verdict.error();
    }
    return verdict->front() != 0
               ? Result<void>()
               : Error{ErrorCode::invalid_argument,
                       "step " + std::to_string(step_) + ": the pairs differ from those of one broad phase"};
  }

  std::array<std::uint64_t, 2> expected() {
    for (BoxIndex i = 0; i < source_.size(); ++i) {
      if (step_ == 0) {
        const BoxKind kind = source_.kind(i);
        (void)one_.add(source_.box(i), kind.type, kind.filter);
      } else if (source_.has_changed(i)) {
        (void)one_.move(i, source_.box(i));
      }
    }
    std::array<std::uint64_t, 2> sums{};
    for (const Pair pair : one_.find_pairs()) {
      sums[0] += hash_of(ordered_pair(app::Share::id_of(pair.a), app::Share::id_of(pair.b)));
      ++sums[1];
    }
    return sums;
  }

  /// Lets the bodies of a scene respond, on all ranks alike, to the contacts that the ranks found.
  Result<void> respond(std::span<const GlobalPair> pairs) {
    Frames* const frames = source_.responding();
    if (frames == nullptr) {
      return {};
    }
    std::vector<Pair> own;
    for (const GlobalPair pair : pairs) {
      own.push_back({app::Share::index_of(pair.a), app::Share::index_of(pair.b)});
    }
    const auto contacts = narrow_phase_.find_contacts(own, frames->shapes(), frames->transforms());
    if (!contacts.has_value()) {
      return contacts.error();
    }
    auto all = gather(others_, std::vector<Contact>(contacts->begin(), contacts->end()));
    if (!all.has_value()) {
      return all.error();
    }
    std::sort(all->begin(), all->end(), [](const Contact& a, const Contact& b) { return a.pair < b.pair; });
    frames->respond(*all);
    return {};
  }

  void print(std::span<const Sums> all) const {
    const double steps = std::max(1.0, static_cast<double>(step_) - 1.0);
    const auto per_step = [&](std::size_t count) {
      double sum = 0.0;
      for (const Sums& sums : all) {
        sum += sums.counts[count];
      }
      return sum / steps;
    };
    std::printf("%s: %zu boxes, %zu steps on %zu ranks%s\n", source_.name().c_str(), source_.size(), step_,
                all.size(), checks_ ? ", each step equal to one broad phase" : "");
    std::printf("ms a step, the mean of the slowest rank:");
    for (std::size_t i = 0; i < stages.size(); ++i) {
      double slowest = 0.0;
      for (const Sums& sums : all) {
        slowest = std::max(slowest, sums.seconds[i]);
      }
      std::printf(" %s %.3f%s", stages[i], 1000.0 * slowest / steps, i + 1 < stages.size() ? "," : "\n");
    }
    std::printf("a step: %.1f pairs, %.1f ghosts (%.3f %% of the boxes), %.1f migrants, %.0f bytes\n",
                per_step(2), per_step(1), 100.0 * per_step(1) / std::max(1.0, per_step(0)), per_step(3),
                per_step(4));
    std::printf("imbalance %.2f on average, the cuts were moved %.0f times\n", all[0].imbalance / steps,
                all[0].rebalances);
  }

  Communicator& others_;
  Source& source_;
  DistributedBroadPhase part_;
  app::Share share_;
  HierarchicalGrid one_;  ///< with all boxes, for checks
  NarrowPhase narrow_phase_;
  bool checks_;
  std::size_t step_ = 0;
  Sums sums_;
};

}  // namespace

Result<void> run(Communicator& others, const Options& options) {
  auto source = open_source(options.input, options.boxes, options.steps);
  if (!source.has_value()) {
    return source.error();
  }
  Run run(others, options, **source);
  if (auto done = run.steps(options.max_imbalance); !done.has_value()) {
    return done;
  }
  return run.print();
}

}  // namespace broadside::mpi
