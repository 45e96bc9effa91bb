#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/lazy_update.hpp"
#include "base/reserve.hpp"
#include "broad_phase/create.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "world/fixed_threads.hpp"

namespace broadside::inline v0_2 {

/// The broad phase of a world, with the settings that a new one gets when the technique changes.
class OwnBroadPhase {
 public:
  using Make = std::function<Result<std::unique_ptr<Technique>>()>;

  OwnBroadPhase() : make_([] { return default_technique().create_technique({}); }) {
    adopt(make_empty().value());
  }

  [[nodiscard]] BroadPhase* operator->() { return phase_.get(); }
  [[nodiscard]] const BroadPhase* operator->() const { return phase_.get(); }
  [[nodiscard]] const BroadPhase& operator*() const { return *phase_; }

  /// Makes a broad phase of the same technique, with the same options and without boxes.
  [[nodiscard]] Result<std::unique_ptr<BroadPhase>> make_empty() const {
    return detail::create_with<BroadPhase>(make_());
  }
  /// Replaces the broad phase; the new one gets the settings of the old one.
  void adopt(std::unique_ptr<BroadPhase> replacement) {
    replacement->use_threads(runner_.get()).value();  // checked when it was set
    replacement->measure_times(measures_times_);
    replacement->keep_sorted(true);
    replacement->watch_queries(watches_queries_);
    phase_ = std::move(replacement);
    mark_outdated();
  }

  // Whether it has the boxes that the bodies have now.

  void mark_outdated() { is_up_to_date_.store(false, std::memory_order_relaxed); }
  void mark_up_to_date() { is_up_to_date_.store(true, std::memory_order_relaxed); }
  /// Calls `update` if the boxes are out of date. Several const calls of a world may do so at once.
  template <typename Update>
  void ensure_up_to_date(Update update) const {
    lazy_update_.ensure(is_up_to_date_, update);
  }
  /// Prevents such an update as long as the result lives.
  [[nodiscard]] auto lock_updates() const { return lazy_update_.lock(); }
  // Whether filters depend on listeners that changed; only the next step updates them.
  void set_filters_outdated(bool outdated) { are_filters_outdated_ = outdated; }
  [[nodiscard]] bool are_filters_outdated() const { return are_filters_outdated_; }

  /// Replaces the technique by `make()`. `make_empty` calls the same function from now on.
  Result<void> set_technique(Make make) {
    auto made = make();
    if (!made.has_value()) {
      return made.error();
    }
    phase_->set_technique(std::move(*made));
    mark_outdated();
    make_ = std::move(make);
    return {};
  }
  /// Takes the settings of another world. `adopt` applies them.
  void take_settings(const OwnBroadPhase& other) {
    make_ = other.make_;
    runner_.set(other.runner_);
    measures_times_ = other.measures_times_;
    watches_queries_ = other.watches_queries_;
  }

  void measure_times(bool on) {
    measures_times_ = on;
    phase_->measure_times(on);
  }
  void watch_queries(bool on) {
    watches_queries_ = on;
    phase_->watch_queries(on);
  }
  /// @param threads of the runner, 1 or more
  void use_threads(TaskRunner* runner, std::size_t threads) {
    runner_.set(runner, threads);
    phase_->use_threads(runner_.get()).value();
  }
  /// Returns the runner of parallel tasks, or null.
  [[nodiscard]] TaskRunner* runner() { return runner_.get(); }

  // The lists of places and boxes that an update moves or removes: scratch, so that updates do not allocate.

  void reserve(std::size_t places) {
    places_.reserve(places);
    boxes_.reserve(places);
  }
  [[nodiscard]] std::vector<BoxIndex>& places() { return places_; }
  [[nodiscard]] std::vector<Aabb>& boxes() { return boxes_; }

  [[nodiscard]] std::size_t bytes() const {
    return phase_->statistics().bytes + detail::bytes_of(places_, boxes_);
  }

 private:
  Make make_;
  std::unique_ptr<BroadPhase> phase_;
  FixedThreads runner_;
  LazyUpdate lazy_update_;
  mutable std::atomic<bool> is_up_to_date_ = false;
  bool are_filters_outdated_ = false;
  bool measures_times_ = false;
  bool watches_queries_ = false;
  std::vector<BoxIndex> places_;
  std::vector<Aabb> boxes_;
};

}  // namespace broadside::inline v0_2
