#include "world/pair_rules.hpp"

#include <algorithm>
#include <string>

#include "base/reserve.hpp"

namespace broadside::inline v0_2 {

PairRules::PairRules(const WorldOptions& options, const BodyTable& bodies, Tags& tags,
                     const Listeners& listeners)
    : options_(options), bodies_(bodies), tags_(tags), listeners_(listeners) {
  tags_.use(std::string_view());
  filters_.use(Filter{});
}

// Uses of tags and filters.

PairRules::Uses::~Uses() {
  for (const std::uint32_t tag : tags_) {
    rules_.tags_.release_number(tag);
  }
  for (const std::uint32_t filter : filters_) {
    rules_.filters_.release_number(filter);
  }
}

std::uint32_t PairRules::Uses::hold_tag(std::string_view tag) {
  detail::reserve(tags_, tags_.size() + 1);
  tags_.push_back(rules_.tags_.use(tag));
  return tags_.back();
}

Result<std::uint32_t> PairRules::Uses::hold_filter(const Filter& filter) {
  constexpr std::size_t max_filters =
      20'000;  // for each of three body types, which stays within the limit of the broad phase
  Filter plain = filter;
  plain.tags = Filter{}.tags;
  plain.report_tags = Filter{}.report_tags;
  if (rules_.filters_.size() >= max_filters && !rules_.filters_.find(plain)) {
    return Error{ErrorCode::invalid_argument, "the bodies have " + std::to_string(max_filters) +
                                                  " different filters already; that is the most"};
  }
  detail::reserve(filters_, filters_.size() + 1);
  filters_.push_back(rules_.filters_.use(plain));
  return filters_.back();
}

// Ignored pairs.

bool PairRules::is_ignored(Pair bodies) const {
  return !ignored_.empty() && std::binary_search(ignored_.begin(), ignored_.end(), bodies);
}

void PairRules::set_ignored(Pair bodies, bool ignored) {
  const auto at = std::lower_bound(ignored_.begin(), ignored_.end(), bodies);
  if (ignored) {
    ignored_.insert(at, bodies);
  } else {
    ignored_.erase(at);
  }
}

void PairRules::forget_ignored(Place body) {
  std::erase_if(ignored_, [body](Pair pair) { return pair.a == body || pair.b == body; });
}

// Queries.

// With more than 64 tags some share a bit; `is_awaited` then decides exactly.
Filter PairRules::effective_filter(const Slot& slot) const {
  if (!slot.enabled) {
    return {.layer = 0, .mask = 0, .wants = 0, .group = 0, .tags = 0, .report_tags = 0};
  }
  Filter filter = filters_[slot.filter];
  if (options_.interest == Interest::listeners) {
    filter.tags = std::uint64_t{1} << (slot.tag % 64);
    filter.report_tags = slot.sensor ? ~std::uint64_t{0} : listeners_.tags_matching(slot.tag);
  }
  return filter;
}

bool PairRules::passes_predicate(Place a, Place b) const {
  if (a == b || is_ignored(ordered_pair(a, b))) {
    return false;
  }
  return !predicate_ || is_abandoned_ || predicate_(bodies_.id(std::min(a, b)), bodies_.id(std::max(a, b)));
}

bool PairRules::is_awaited(Place a, Place b) const {
  if (!tags_share_bits()) {
    return true;
  }
  const auto senses = [this](const Slot& sensor, const Slot& other) {
    return sensor.sensor && (filters_[sensor.filter].wants & filters_[other.filter].layer) != 0;
  };
  const Slot& first = bodies_.slot(a);
  const Slot& second = bodies_.slot(b);
  return senses(first, second) || senses(second, first) || listeners_.has_listener(first.tag, second.tag);
}

bool PairRules::is_filtered(Pair bodies) const {
  const Slot& a = bodies_.slot(bodies.a);
  const Slot& b = bodies_.slot(bodies.b);
  return !may_touch(effective_filter(a), effective_filter(b)) || !may_meet(bodies.a, bodies.b);
}

bool PairRules::keeps_apart(Pair bodies) const {
  return !can_touch(box_type(bodies_.slot(bodies.a)), box_type(bodies_.slot(bodies.b))) ||
         is_filtered(bodies);
}

}  // namespace broadside::inline v0_2
