#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/hash_mixer.hpp"
#include "base/numbering.hpp"
#include "broadside/base/filter.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/world/world.hpp"
#include "world/body_table.hpp"
#include "world/listeners.hpp"
#include "world/tags.hpp"

namespace broadside {

/// Which bodies may meet: tags, filters, pairs that are ignored, and the caller's predicate.
///
/// What a filter can say, the broad phase knows: `effective_filter`. The rest is asked of each pair that it
/// finds: `may_meet`.
///
/// Filters are numbered, and bodies count their uses. Number 0, the default filter, is always there.
class PairRules {
 public:
  using Place = BodyTable::Place;
  using Slot = BodyTable::Slot;
  using Predicate = std::function<bool(BodyId, BodyId)>;

  struct FilterHash {
    std::uint32_t operator()(const Filter& filter) const {
      return detail::HashMixer()
          .add(filter.layer)
          .add(filter.mask)
          .add(filter.wants)
          .add(static_cast<std::uint64_t>(filter.group))
          .short_hash();
    }
  };
  using Filters = detail::Numbering<Filter, FilterHash>;

  /// Uses of tags and filters that a call holds until it has given them to bodies: on an error it gives them
  /// back.
  class Uses {
   public:
    explicit Uses(PairRules& rules) : rules_(rules) {}
    ~Uses();
    Uses(const Uses&) = delete;
    Uses& operator=(const Uses&) = delete;

    void reserve(std::size_t count);
    [[nodiscard]] std::uint32_t hold_tag(std::string_view tag);
    [[nodiscard]] Result<std::uint32_t> hold_filter(const Filter& filter);
    /// Leaves the uses to whom the numbers were given.
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
  /// Ignores a pair of bodies, or no longer. @pre it changes something
  void set_ignored(Pair bodies, bool ignored);
  /// Ignores these pairs alone. @pre they are sorted
  void restore_ignored(std::vector<Pair> pairs) { ignored_ = std::move(pairs); }
  /// Forgets which pairs of a body are ignored.
  void forget_ignored(Place body);

  [[nodiscard]] const Predicate& predicate() const { return predicate_; }
  void set_predicate(Predicate predicate) { predicate_ = std::move(predicate); }
  /// Takes over the predicate of another world, which then has none.
  void take_predicate(PairRules& other) { predicate_ = std::move(other.predicate_); }
  /// Does not call the predicate from here on.
  void abandon() { is_abandoned_ = true; }

  /// Returns the type of a body's boxes: a sensor detects bodies of every type, as a dynamic one does.
  [[nodiscard]] static BodyType box_type(const Slot& slot) {
    return slot.sensor ? BodyType::dynamic : slot.type;
  }
  /// Returns the filter that the caller gave a body.
  [[nodiscard]] const Filter& filter(const Slot& slot) const { return filters_[slot.filter]; }
  /// Returns the filter of a body's boxes.
  [[nodiscard]] Filter effective_filter(const Slot& slot) const;
  [[nodiscard]] BoxKind box_kind(const Slot& slot) const { return {box_type(slot), effective_filter(slot)}; }
  /// Tells whether some pair that the broad phase finds may have to be asked about.
  [[nodiscard]] bool must_ask() const {
    return bodies_.has_parts() || !ignored_.empty() || predicate_ || tags_share_bits();
  }
  /// Tells whether the caller lets two bodies meet, as far as filters do not say. Calls the predicate.
  [[nodiscard]] bool lets_meet(Place a, Place b) const;
  /// Tells whether somebody may want to hear of two bodies, as far as the broad phase does not know: where
  /// tags share bits, it lets pairs through that nobody waits for.
  [[nodiscard]] bool is_waited_for(Place a, Place b) const;
  /// Tells whether two bodies may be a contact, as far as the broad phase does not know.
  [[nodiscard]] bool may_meet(Place a, Place b) const { return is_waited_for(a, b) && lets_meet(a, b); }
  /// Tells whether filters or the caller keep two bodies apart.
  [[nodiscard]] bool is_filtered(Pair bodies) const;
  /// Tells whether types, filters or the caller keep two bodies apart.
  [[nodiscard]] bool keeps_apart(Pair bodies) const;

  [[nodiscard]] std::size_t bytes() const;

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

}  // namespace broadside
