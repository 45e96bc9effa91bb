#include "broadside/distributed/broad_phase.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/bytes.hpp"
#include "body/prefetch.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "distributed/balance.hpp"
#include "distributed/halo.hpp"
#include "distributed/holdings.hpp"
#include "distributed/messages.hpp"
#include "distributed/stopwatch.hpp"

namespace broadside::inline v0_2 {

using detail::ByteReader;
using detail::ByteWriter;
using detail::Halo;
using detail::Holdings;

namespace {

void write(ByteWriter& out, const BoxKind& kind) {
  out.put(static_cast<std::uint8_t>(kind.type));
  const Filter& filter = kind.filter;
  out.put(static_cast<std::uint8_t>(filter == Filter{} ? 0 : 1));
  if (filter != Filter{}) {
    out.put(filter.layer);
    out.put(filter.mask);
    out.put(filter.wants);
    out.put(static_cast<std::uint32_t>(filter.group));
    out.put(filter.tags);
    out.put(filter.report_tags);
  }
}

BoxKind read_kind(ByteReader& in) {
  BoxKind kind;
  kind.type = static_cast<BodyType>(in.take_below<std::uint8_t>(3));
  if (in.take_below<std::uint8_t>(2) != 0) {
    kind.filter.layer = in.take<std::uint64_t>();
    kind.filter.mask = in.take<std::uint64_t>();
    kind.filter.wants = in.take<std::uint64_t>();
    kind.filter.group = static_cast<std::int32_t>(in.take<std::uint32_t>());
    kind.filter.tags = in.take<std::uint64_t>();
    kind.filter.report_tags = in.take<std::uint64_t>();
  }
  return kind;
}

Error differing(std::string_view call, std::size_t ids, std::size_t boxes) {
  return {ErrorCode::invalid_argument,
          std::string(call) + ": " + std::to_string(ids) + " ids for " + std::to_string(boxes) + " boxes"};
}

/// What other parts change in this one, to be applied as a whole.
struct Received {
  /// A box that this part did not hold.
  struct Added {
    GlobalId id;
    bool is_owned;
    std::vector<int> holders;
  };

  std::vector<BoxIndex> removed;
  std::vector<BoxIndex> moved;
  std::vector<Aabb> moved_to;
  std::vector<Added> added;
  std::vector<Aabb> added_boxes;
  std::vector<BoxKind> added_kinds;
};

}  // namespace

struct DistributedBroadPhase::State {
  explicit State(Communicator& given) : others(given), halo(given.rank(), given.size()), balance(given) {}

  /// Remembers the first error for the next search, which returns it on all parts.
  Error refuse(Error error) {
    if (!refused) {
      refused = error;
    }
    return error;
  }

  Result<std::vector<BoxIndex>> find_all(std::span<const GlobalId> wanted) const {
    std::vector<BoxIndex> indices;
    indices.reserve(wanted.size());
    for (const GlobalId id : wanted) {
      const auto index = held.find_owned(id);
      if (!index) {
        return detail::not_owned("box", id);
      }
      indices.push_back(*index);
    }
    return indices;
  }

  Error check_new(std::span<const GlobalId> added) const;
  Result<void> add(std::span<const GlobalId> added, std::span<const Aabb> boxes,
                   std::span<const BoxKind> kinds);
  void insert(BoxIndex index, GlobalId id, BodyType type, bool owned);
  void mark(BoxIndex index, bool with_kind);

  Result<void> move_cuts(const detail::Agreement& agreement, bool& have_moved);
  void send_changed(BoxIndex index);
  void send_all();
  Result<std::vector<Communicator::Message>> exchange();
  Result<void> receive(const std::vector<Communicator::Message>& incoming);
  void read(ByteReader& in, Received& received);
  void read_box(ByteReader& in, Halo::What what, GlobalId id, Received& received);
  Result<void> apply(Received& received);
  void select();

  Communicator& others;
  Halo halo;
  detail::Balance balance;
  HierarchicalGrid local;  ///< the owned boxes and the ghosts
  Error refused;
  std::uint64_t next_counter = 0;
  bool is_sorted = false;

  detail::Holdings held;          ///< by index in `local`
  std::vector<BodyType> types;    ///< likewise
  std::vector<BoxIndex> changed;  ///< may name boxes twice, or such that were removed since
  std::vector<BoxIndex> gone;     ///< boxes that the current search gave to other parts
  std::vector<GlobalPair> pairs;
  DistributedStatistics statistics;
};

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
    return refuse(differing("add", added.size(), boxes.size()));
  }
  if (Error error = check_new(added)) {
    return refuse(error);
  }
  const std::vector<BoxKind> plain(kinds.empty() ? boxes.size() : 0);
  const auto indices = local.add(boxes, kinds.empty() ? plain : kinds);
  if (!indices.has_value()) {
    return refuse(indices.error());
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

/// Sends the changes of an owned box to the parts that hold it or will do so.
void DistributedBroadPhase::State::send_changed(BoxIndex index) {
  const Aabb& box = local.box_of(index);
  const auto write_box = [&](ByteWriter& out, Halo::What what) {
    out.put_words(box);
    if (what != Halo::What::change) {
      write(out, BoxKind{types[index], *local.filter(index)});
    }
  };
  const auto change = std::exchange(held.changed(index), Halo::Changed::nothing);
  const Halo::Stay stay = halo.update(index, held.ids()[index], box, change, write_box);
  held.set_meets_others(index, !halo.is_inside(box));
  if (stay == Halo::Stay::ghost) {
    held.set_owned(index, false);
  } else if (stay == Halo::Stay::gone) {
    held.erase(index);
    gone.push_back(index);
  }
}

void DistributedBroadPhase::State::send_all() {
  changed.clear();
  held.for_each_owned([this](BoxIndex index) { send_changed(index); });
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

Result<std::vector<Communicator::Message>> DistributedBroadPhase::State::exchange() {
  auto messages = halo.take_messages();
  detail::Stopwatch clock;
  auto incoming = others.exchange(std::move(messages));
  statistics.exchange_seconds = clock.lap();
  return incoming;
}

/// Applies what other parts sent, and what the current search gave to them.
Result<void> DistributedBroadPhase::State::receive(const std::vector<Communicator::Message>& incoming) {
  detail::Stopwatch clock;
  Received received;
  received.removed = std::exchange(gone, {});
  Result<void> applied =
      detail::read_all(incoming, "find_pairs", [&](ByteReader& in, std::size_t) { read(in, received); });
  if (applied.has_value()) {
    applied = apply(received);
  }
  statistics.update_seconds += clock.lap();
  return applied;
}

void DistributedBroadPhase::State::read(ByteReader& in, Received& received) {
  const auto what = static_cast<Halo::What>(in.take_below<std::uint8_t>(4));
  const GlobalId id{in.take<std::uint64_t>()};
  if (what != Halo::What::drop) {
    read_box(in, what, id, received);
    return;
  }
  const auto index = held.find(id);
  in.fail_if(!index || held.is_owned(*index));
  if (!in.failed()) {
    held.erase(*index);
    received.removed.push_back(*index);
  }
}

void DistributedBroadPhase::State::read_box(ByteReader& in, Halo::What what, GlobalId id,
                                            Received& received) {
  const bool is_mine = what == Halo::What::own;
  std::vector<int> holders = is_mine ? Halo::read_holders(in) : std::vector<int>();
  const auto box = in.take_words<Aabb>();
  const bool has_kind = what != Halo::What::change;
  const BoxKind kind = has_kind ? read_kind(in) : BoxKind{};
  const auto index = held.find(id);
  in.fail_if(!is_valid(box) || id == Holdings::no_id || (!index && !has_kind) ||
             (index && held.is_owned(*index)));
  if (in.failed()) {
    return;
  }
  if (!index) {
    received.added.push_back({id, is_mine, std::move(holders)});
    received.added_boxes.push_back(box);
    received.added_kinds.push_back(kind);
    return;
  }
  received.moved.push_back(*index);
  received.moved_to.push_back(box);
  if (has_kind) {
    in.fail_if(local.set_kind(*index, kind).error().code != ErrorCode::none);
    types[*index] = kind.type;
  }
  if (is_mine) {
    held.set_owned(*index, true);
    halo.set_holders(*index, std::move(holders));
    held.set_meets_others(*index, !halo.is_inside(box));
  }
}

Result<void> DistributedBroadPhase::State::apply(Received& received) {
  if (auto removed = local.remove(received.removed); !removed.has_value()) {
    return removed;
  }
  if (auto moved = local.move(received.moved, received.moved_to); !moved.has_value()) {
    return moved;
  }
  const auto indices = local.add(received.added_boxes, received.added_kinds);
  if (!indices.has_value()) {
    return indices.error();
  }
  for (std::size_t i = 0; i < received.added.size(); ++i) {
    auto& [id, is_mine, holders] = received.added[i];
    const BoxIndex index = (*indices)[i];
    insert(index, id, received.added_kinds[i].type, is_mine);
    if (is_mine) {
      halo.set_holders(index, std::move(holders));
      held.set_meets_others(index, !halo.is_inside(received.added_boxes[i]));
    }
  }
  return {};
}

/// Keeps the pairs that this part reports: those whose larger min corner lies in its region.
void DistributedBroadPhase::State::select() {
  detail::Stopwatch clock;
  const std::span<const Pair> found = local.find_pairs();
  statistics.search_seconds = clock.lap();
  pairs.clear();
  pairs.reserve(found.size());
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
    return state.refuse(differing("move", ids.size(), boxes.size()));
  }
  const auto indices = state.find_all(ids);
  if (!indices.has_value()) {
    return state.refuse(indices.error());
  }
  if (auto moved = state.local.move(*indices, boxes); !moved.has_value()) {
    return state.refuse(moved.error());
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
    return state.refuse(detail::not_owned("box", id));
  }
  if (auto set = state.local.set_kind(*index, kind); !set.has_value()) {
    return state.refuse(set.error());
  }
  state.types[*index] = kind.type;
  state.mark(*index, true);
  return {};
}

Result<void> DistributedBroadPhase::remove(std::span<const GlobalId> ids) {
  State& state = *state_;
  const auto indices = state.find_all(ids);
  if (!indices.has_value()) {
    return state.refuse(indices.error());
  }
  if (auto removed = state.local.remove(*indices); !removed.has_value()) {
    return state.refuse(removed.error());
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
  const auto agreement = state.balance.agree(std::exchange(state.refused, {}), state.held.owned_count());
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
