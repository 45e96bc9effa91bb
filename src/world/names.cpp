#include <algorithm>
#include <utility>

#include "base/make_room.hpp"
#include "world/checks.hpp"
#include "world/state.hpp"

namespace broadside {

namespace {

Error moved_from() {
  return {
      ErrorCode::invalid_argument,
      "this World was moved from; it has no bodies and takes no calls until another one is assigned to it"};
}

}  // namespace

// Names.

Error World::State::check(BodyId body) const {
  if (bodies.contains(body)) {
    return {};
  }
  if (is_of_none) {
    return moved_from();
  }
  return body.world != bodies.world() && body.world != 0
             ? Error{ErrorCode::wrong_world, to_text(body) + " is of another world"}
             : Error{ErrorCode::stale_id,
                     to_text(body) + " is not in this world; it was removed or never added"};
}

Error World::State::check_there() const {
  return is_of_none ? moved_from() : Error{};
}

Error World::State::check_change() const {
  if (locks == 0) {
    return {};
  }
  return is_of_none ? moved_from()
                    : Error{ErrorCode::locked,
                            "the world may not be changed from within a query, a predicate or a drawer"};
}

Error World::State::check_change(BodyId body) const {
  Error error = check_change();
  return error ? error : check(body);
}

// Checks that each of these names a body, and none the same as another. Ascending lists, which most are,
// cannot; in others the bodies are marked meanwhile. Costs O(m) and no memory.
Error World::State::check_each(std::span<const BodyId> named, std::string_view call) {
  bool ascending = true;
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (!bodies.contains(named[i])) {
      return check(named[i]);
    }
    ascending = ascending && (i == 0 || named[i - 1].index < named[i].index);
  }
  if (ascending) {
    return {};
  }
  const std::size_t again = bodies.find_repeated(named);
  if (again == named.size()) {
    return {};
  }
  const auto first = std::find(named.begin(), named.end(), named[again]) - named.begin();
  return {ErrorCode::invalid_argument, std::string(call) + ": " + to_text(named[again]) +
                                           " is named twice, at places " + std::to_string(first) + " and " +
                                           std::to_string(again) + "; each body may be named once"};
}

BodyId World::State::id_in_step(Place place) const {
  const Replaced* before = changes.find_replaced(place);
  return before == nullptr ? bodies.id(place) : BodyId{place, before->generation, bodies.world()};
}

World::State::NameUses::~NameUses() {
  for (const std::uint32_t tag : tags_) {
    state_.tags.give_back(tag);
  }
  for (const std::uint32_t filter : filters_) {
    state_.filters.give_back(filter);
  }
}

void World::State::NameUses::reserve(std::size_t count) {
  tags_.reserve(count);
  filters_.reserve(count);
}

std::uint32_t World::State::NameUses::hold_tag(std::string_view tag) {
  detail::make_room(tags_, tags_.size() + 1);
  tags_.push_back(state_.tags.use(tag));
  return tags_.back();
}

Result<std::uint32_t> World::State::NameUses::hold_filter(const Filter& filter) {
  constexpr std::size_t most = 20'000;  // of each body type, so that the broad phase has numbers for all
  Filter plain = filter;
  plain.tags = Filter{}.tags;
  plain.hears = Filter{}.hears;
  if (state_.filters.size() >= most && !state_.filters.find(plain)) {
    return Error{ErrorCode::invalid_argument,
                 "the bodies have " + std::to_string(most) + " different filters already; that is the most"};
  }
  detail::make_room(filters_, filters_.size() + 1);
  filters_.push_back(state_.filters.use(plain));
  return filters_.back();
}

std::uint64_t World::State::tags_heard_by(std::uint32_t tag) const {
  std::uint64_t tags_heard = 0;
  for (const auto& listener : listeners) {
    if (listener->removed) {
      continue;
    }
    for (const auto& [own, other] :
         {std::pair{listener->tag_a, listener->tag_b}, std::pair{listener->tag_b, listener->tag_a}}) {
      if (own == tag || own == any_tag) {
        tags_heard |= other == any_tag ? ~std::uint64_t{0} : std::uint64_t{1} << (other % 64);
      }
    }
  }
  return tags_heard;
}

// With more than 64 tags some share a bit; `may_meet` then has the last word.
Filter World::State::effective_filter(const Slot& slot) const {
  if (!slot.enabled) {
    return {.layer = 0, .mask = 0, .wants = 0, .group = 0, .tags = 0, .hears = 0};
  }
  Filter filter = filters[slot.filter];
  if (options.interest == Interest::listeners) {
    filter.tags = std::uint64_t{1} << (slot.tag % 64);
    filter.hears = slot.sensor ? ~std::uint64_t{0} : tags_heard_by(slot.tag);
  }
  return filter;
}

Result<void> World::State::apply_filter(Place body) {
  const BoxKind kind{box_type(bodies.slot(body)), effective_filter(bodies.slot(body))};
  Result<void> result;
  bodies.for_each_part(body, [&](Place place) {
    if (result.has_value()) {
      result = broad_phase->set_kind(place, kind);
    }
  });
  if (result.has_value()) {
    mark_body(body, refiltered);
  }
  return result;
}

}  // namespace broadside
