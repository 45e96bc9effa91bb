#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/numbering.hpp"
#include "broadside/base/filter.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/world/world.hpp"
#include "world/body_table.hpp"
#include "world/listeners.hpp"
#include "world/tags.hpp"

namespace broadside::inline v0_2 {

/// Decides which bodies may meet, by tags, filters, ignored pairs and the caller's predicate.
///
/// The broad phase applies `effective_filter`. `may_meet` then applies the other rules to each pair found.
///
/// Filters are numbered, and their uses by bodies are counted. Number 0, the default filter, always exists.
class PairRules {
 public:
  using Place = BodyTable::Place;
  using Slot = BodyTable::Slot;
  using Predicate = std::function<bool(BodyId, BodyId)>;

  using Filters = detail::Interner<Filter, detail::FilterHash>;

  /// Guard of the uses of tags and filters that a call holds: releases them unless `keep` is called.
  class Uses {
   public:
    explicit Uses(PairRules& rules) : rules_(rules) {}
    ~Uses();
    Uses(const Uses&) = delete;
    Uses& operator=(const Uses&) = delete;

    [[nodiscard]] std::uint32_t hold_tag(std::string_view tag);
    [[nodiscard]] Result<std::uint32_t> hold_filter(const Filter& filter);
    /// Leaves the uses to the new owners of the numbers.
    void keep() {
      tags_.clear();
      filters_.clear();
    }

   private:
    PairRules& rules_;
    std::vector<std::uint32_t> tags_;
    std::vector<std::uint32_t> filters_;
  };

  PairRules(const WorldOptions& options, const BodyTable& bodies, Tags& tags, const Listeners& listeners);

  [[nodiscard]] Filters& filters() { return filters_; }
  [[nodiscard]] const Filters& filters() const { return filters_; }

  /// Returns the pairs of bodies that are ignored, sorted.
  [[nodiscard]] std::span<const Pair> ignored() const { return ignored_; }
  [[nodiscard]] bool is_ignored(Pair bodies) const;
  /// Ignores a pair of bodies, or stops ignoring it. @pre this is a change
  void set_ignored(Pair bodies, bool ignored);
  /// Replaces the ignored pairs. @pre they are sorted
  void restore_ignored(std::vector<Pair> pairs) { ignored_ = std::move(pairs); }
  /// Removes the ignored pairs of a body.
  void forget_ignored(Place body);

  [[nodiscard]] const Predicate& predicate() const { return predicate_; }
  void set_predicate(Predicate predicate) { predicate_ = std::move(predicate); }
  /// Moves the predicate of another world to this one.
  void take_predicate(PairRules& other) { predicate_ = std::move(other.predicate_); }
  /// Disables all callbacks: the world was destroyed or restored, and only a running call holds its state.
  void abandon() { is_abandoned_ = true; }
  [[nodiscard]] bool is_abandoned() const { return is_abandoned_; }

  /// Returns the type of a body's boxes: a sensor detects bodies of every type, as a dynamic one does.
  [[nodiscard]] static BodyType box_type(const Slot& slot) {
    return slot.sensor ? BodyType::dynamic : slot.type;
  }
  /// Returns the filter that the caller gave a body.
  [[nodiscard]] const Filter& filter(const Slot& slot) const { return filters_[slot.filter]; }
  /// Returns the filter of a body's boxes.
  [[nodiscard]] Filter effective_filter(const Slot& slot) const;
  [[nodiscard]] BoxKind box_kind(const Slot& slot) const { return {box_type(slot), effective_filter(slot)}; }
  /// Tells whether `may_meet` may reject a pair of the broad phase.
  [[nodiscard]] bool needs_may_meet() const {
    return bodies_.has_parts() || !ignored_.empty() || predicate_ || tags_share_bits();
  }
  /// Tells whether ignored pairs and the predicate let two bodies meet. Calls the predicate.
  [[nodiscard]] bool passes_predicate(Place a, Place b) const;
  /// Tells whether a listener or a sensor waits for two bodies. The broad phase lets other pairs through if
  /// tags share bits.
  [[nodiscard]] bool is_awaited(Place a, Place b) const;
  /// Tells whether two bodies that pass the filters of the broad phase may be a contact.
  [[nodiscard]] bool may_meet(Place a, Place b) const { return is_awaited(a, b) && passes_predicate(a, b); }
  /// Tells whether filters or the caller keep two bodies apart.
  [[nodiscard]] bool is_filtered(Pair bodies) const;
  /// Tells whether types, filters or the caller keep two bodies apart.
  [[nodiscard]] bool keeps_apart(Pair bodies) const;

  [[nodiscard]] std::size_t bytes() const { return filters_.bytes() + detail::bytes_of(ignored_); }

 private:
  [[nodiscard]] bool tags_share_bits() const {
    return options_.interest == Interest::listeners && tags_.end() > 64;
  }

  const WorldOptions& options_;
  const BodyTable& bodies_;
  Tags& tags_;
  const Listeners& listeners_;
  Filters filters_;
  std::vector<Pair> ignored_;
  Predicate predicate_;
  bool is_abandoned_ = false;
};

}  // namespace broadside::inline v0_2
