#include "broadside/distributed/broad_phase.hpp"

#include <algorithm>
#include <string>

#include "body/prefetch.hpp"
#include "distributed/broad_phase_state.hpp"
#include "distributed/stopwatch.hpp"

namespace broadside::inline v0_2 {

using detail::Halo;
using detail::Holdings;

namespace {

Error differing(std::string_view call, std::size_t ids, std::size_t boxes) {
  return {ErrorCode::invalid_argument,
          std::string(call) + ": " + std::to_string(ids) + " ids for " + std::to_string(boxes) + " boxes"};
}

}  // namespace

Error DistributedBroadPhase::State::check_new(std::span<const GlobalId> added) const {
  std::vector<GlobalId> sorted(added.begin(), added.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  const auto name = [](GlobalId id) { return "add: " + detail::name_of("box", id); };
  if (twice != sorted.end()) {
    return {ErrorCode::invalid_argument, name(*twice) + " is named twice"};
  }
  for (const GlobalId id : added) {
    if (id == Holdings::no_id || held.find(id)) {
      return {ErrorCode::invalid_argument,
              name(id) + (id == Holdings::no_id ? " is not a valid id" : " exists already")};
    }
  }
  return {};
}

Result<void> DistributedBroadPhase::State::add(std::span<const GlobalId> added, std::span<const Aabb> boxes,
                                               std::span<const BoxKind> kinds) {
  if (added.size() != boxes.size()) {
    return balance.refuse(differing("add", added.size(), boxes.size()));
  }
  if (Error error = check_new(added)) {
    return balance.refuse(error);
  }
  const std::vector<BoxKind> plain(kinds.empty() ? boxes.size() : 0);
  const auto indices = local.add(boxes, kinds.empty() ? plain : kinds);
  if (!indices.has_value()) {
    return balance.refuse(indices.error());
  }
  for (std::size_t i = 0; i < added.size(); ++i) {
    insert((*indices)[i], added[i], kinds.empty() ? BodyType::dynamic : kinds[i].type, true);
    mark((*indices)[i], true);
  }
  return {};
}

void DistributedBroadPhase::State::insert(BoxIndex index, GlobalId id, BodyType type, bool owned_here) {
  if (index >= types.size()) {
    types.resize(local.index_end());
  }
  types[index] = type;
  held.insert(index, id, owned_here);
}

void DistributedBroadPhase::State::mark(BoxIndex index, bool with_kind) {
  Halo::Changed& change = held.changed(index);
  if (change == Halo::Changed::nothing) {
    changed.push_back(index);
  }
  change = std::max(change, with_kind ? Halo::Changed::all : Halo::Changed::position);
}

Result<void> DistributedBroadPhase::State::move_cuts(const detail::Agreement& agreement, bool& have_moved) {
  const std::vector<Vec2> points = balance.sample(
      held.owned_count(), [this](const auto& visit) { held.for_each_owned(visit); },
      [this](BoxIndex index) { return local.box_of(index).min; });
  auto partition = balance.moved(halo.partition(), agreement, points);
  if (!partition.has_value()) {
    return partition.error();
  }
  have_moved = *partition != halo.partition();
  if (have_moved) {
    halo.set_partition(std::move(*partition));
  }
  return {};
}

/// Keeps the pairs that this part reports: those whose larger min corner lies in its region.
void DistributedBroadPhase::State::select() {
  detail::Stopwatch clock;
  const std::span<const Pair> found = local.find_pairs();
  statistics.search_seconds = clock.lap();
  pairs.clear();
  if (pairs.capacity() < found.size()) {
    pairs.reserve(found.size() + found.size() / 8);  // fresh memory costs more than all else here
  }
  const int rank = others.rank();
  const std::span<const GlobalId> ids = held.ids();
  constexpr std::size_t ahead = 24;  // the ids of a pair lie anywhere in memory
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Pair later = found[std::min(i + ahead, found.size() - 1)];
    detail::Prefetch::line_of(ids.data(), later.a);
    detail::Prefetch::line_of(ids.data(), later.b);
    const auto [a, b] = found[i];
    // If one of the boxes is in this region alone, so is the corner.
    if (held.meets_others(a) && held.meets_others(b)) {
      const Vec2 one = local.box_of(a).min;
      const Vec2 other = local.box_of(b).min;
      if (halo.partition().part_of({std::max(one.x, other.x), std::max(one.y, other.y)}) != rank) {
        continue;
      }
    }
    pairs.push_back(ordered_pair(ids[a], ids[b]));
  }
  if (is_sorted) {
    std::sort(pairs.begin(), pairs.end());
  }
  statistics.owner_seconds = clock.lap();
}

DistributedBroadPhase::DistributedBroadPhase(Communicator& others)
    : state_(std::make_unique<State>(others)) {}
DistributedBroadPhase::~DistributedBroadPhase() = default;

Result<void> DistributedBroadPhase::set_rebalance(const RebalanceOptions& options) {
  return state_->balance.set_options(options);
}

void DistributedBroadPhase::keep_sorted(bool on) {
  state_->is_sorted = on;
}

Result<std::vector<GlobalId>> DistributedBroadPhase::add(std::span<const Aabb> boxes, const BoxKind& kind) {
  std::vector<GlobalId> ids;
  ids.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    ids.push_back(GlobalId::of(state_->others.rank(), state_->next_counter + i));
  }
  const std::vector<BoxKind> kinds(boxes.size(), kind);
  if (auto added = state_->add(ids, boxes, kinds); !added.has_value()) {
    return added.error();
  }
  state_->next_counter += boxes.size();
  return ids;
}

Result<void> DistributedBroadPhase::add(std::span<const GlobalId> ids, std::span<const Aabb> boxes,
                                        std::span<const BoxKind> kinds) {
  return state_->add(ids, boxes, kinds);
}

Result<void> DistributedBroadPhase::move(std::span<const GlobalId> ids, std::span<const Aabb> boxes) {
  State& state = *state_;
  if (ids.size() != boxes.size()) {
    return state.balance.refuse(differing("move", ids.size(), boxes.size()));
  }
  const auto indices = state.find_all(ids);
  if (!indices.has_value()) {
    return state.balance.refuse(indices.error());
  }
  if (auto moved = state.local.move(*indices, boxes); !moved.has_value()) {
    return state.balance.refuse(moved.error());
  }
  for (const BoxIndex index : *indices) {
    state.mark(index, false);
  }
  return {};
}

Result<void> DistributedBroadPhase::set_kind(GlobalId id, const BoxKind& kind) {
  State& state = *state_;
  const auto index = state.held.find_owned(id);
  if (!index) {
    return state.balance.refuse(detail::not_owned("box", id));
  }
  if (auto set = state.local.set_kind(*index, kind); !set.has_value()) {
    return state.balance.refuse(set.error());
  }
  state.types[*index] = kind.type;
  state.mark(*index, true);
  return {};
}

Result<void> DistributedBroadPhase::remove(std::span<const GlobalId> ids) {
  State& state = *state_;
  const auto indices = state.find_all(ids);
  if (!indices.has_value()) {
    return state.balance.refuse(indices.error());
  }
  if (auto removed = state.local.remove(*indices); !removed.has_value()) {
    return state.balance.refuse(removed.error());
  }
  for (const BoxIndex index : *indices) {
    state.halo.drop(index, state.held.ids()[index]);
    state.held.erase(index);
  }
  return {};
}

std::span<const GlobalId> DistributedBroadPhase::owned() const {
  return state_->held.owned();
}

bool DistributedBroadPhase::owns(GlobalId id) const {
  return state_->held.find_owned(id).has_value();
}

Result<Aabb> DistributedBroadPhase::box(GlobalId id) const {
  const auto index = state_->held.find_owned(id);
  return index ? Result<Aabb>(state_->local.box_of(*index)) : Result<Aabb>(detail::not_owned("box", id));
}

Result<std::span<const GlobalPair>> DistributedBroadPhase::find_pairs() {
  State& state = *state_;
  DistributedStatistics& statistics = state.statistics;
  detail::Stopwatch clock;
  const auto agreement = state.balance.agree(state.held.owned_count());
  if (!agreement.has_value()) {
    return agreement.error();
  }
  statistics.agree_seconds = clock.lap();
  bool have_cuts_moved = false;
  if (state.balance.is_due(*agreement, state.halo.partition())) {
    if (auto moved = state.move_cuts(*agreement, have_cuts_moved); !moved.has_value()) {
      return moved.error();
    }
  }
  statistics.balance_seconds = clock.lap();
  detail::WorkClock work;
  if (have_cuts_moved) {
    state.send_all();
  } else {
    for (const BoxIndex index : state.changed) {
      if (state.held.changed(index) != detail::Halo::Changed::nothing) {
        state.send_changed(index);
      }
    }
    state.changed.clear();
  }
  statistics.update_seconds = clock.lap();
  statistics.work_seconds = work.lap();
  auto incoming = state.exchange();
  if (!incoming.has_value()) {
    return incoming.error();
  }
  static_cast<void>(work.lap());
  if (auto received = state.receive(*incoming); !received.has_value()) {
    return received.error();
  }
  state.select();
  statistics.work_seconds += work.lap();
  state.balance.add_work(statistics.work_seconds);
  const detail::Halo::Counts counts = state.halo.take_counts();
  statistics.owned = state.held.owned_count();
  statistics.ghosts = state.held.ghost_count();
  statistics.pairs = state.pairs.size();
  statistics.migrants = counts.migrants;
  statistics.ghost_records = counts.ghost_records;
  statistics.bytes = counts.bytes;
  statistics.rebalances = state.balance.count();
  statistics.imbalance = agreement->imbalance;
  return std::span<const GlobalPair>(state.pairs);
}

const Partition& DistributedBroadPhase::partition() const {
  return state_->halo.partition();
}

DistributedStatistics DistributedBroadPhase::statistics() const {
  return state_->statistics;
}

}  // namespace broadside::inline v0_2
