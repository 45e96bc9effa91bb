#include "broadside/broad_phase/broad_phase.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "base/reserve.hpp"
#include "base/scope_guard.hpp"
#include "base/try_alloc.hpp"
#include "box_search.hpp"
#include "broad_phase_state.hpp"
#include "broadside/base/validate.hpp"
#include "moves.hpp"
#include "tracking_technique.hpp"

namespace broadside::inline v0_2 {

using detail::BroadPhaseState;

namespace {

/// Reports a change to the technique, unless a rebuild is due: then the next update inserts all boxes of the
/// store. A technique that runs out of memory makes one due.
template <typename Report>
void report_to(BroadPhaseState& state, const Report& report) {
  state.needs_rebuild = state.needs_rebuild || !detail::try_alloc([&] { report(*state.technique); });
}

/// Reports a change of the boxes, after which the visits of watched queries no longer count.
template <typename Report>
void notify(BroadPhaseState& state, const Report& report) {
  state.visits.clear();
  report_to(state, report);
}

/// Returns whether all new boxes are valid. A technique that must read them anyway tests them in the same
/// pass.
bool are_valid(const detail::Moves& moves, BroadPhaseState& state) {
  if (state.tracking != nullptr) {
    bool valid = false;
    report_to(state, [&](Technique& /*technique*/) { valid = state.tracking->are_valid(moves); });
    if (!state.needs_rebuild) {
      return valid;
    }
  }
  return detail::are_valid(moves.boxes, state.workers);
}

/// Calls a stage; its duration goes to `seconds`, 0 unless times are measured.
template <typename Stage>
void timed(const BroadPhaseState& state, double& seconds, Stage stage) {
  using Clock = std::chrono::steady_clock;
  const auto start = state.measures_times ? Clock::now() : Clock::time_point();
  stage();
  seconds = state.measures_times ? std::chrono::duration<double>(Clock::now() - start).count() : 0.0;
}

/// Returns whether each index is the one before it plus 1. Then the boxes that they name are one range of an
/// array, which can be checked and copied at once.
bool are_consecutive(std::span<const BoxIndex> indices) {
  BoxIndex apart = indices.empty() ? 1 : 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {  // without a branch, so that compilers vectorize it
    apart |= indices[i] ^ (indices.front() + static_cast<BoxIndex>(i));
  }
  return apart == 0 && indices.front() <= indices.back();  // no wrap-around to 0
}

/// Drops the pairs that types or filters exclude.
/// @param only_by_group all others are dropped already: most pairs need no look at their filters
void drop_excluded(const BoxStore& boxes, bool only_by_group, PairBuffer& found) {
  const auto pairs = found.pairs();
  const auto groups = boxes.groups();
  const auto end = std::remove_if(pairs.begin(), pairs.end(), [&](Pair pair) {
    if (only_by_group) {
      const std::int32_t a = groups[pair.a];
      const std::int32_t b = groups[pair.b];
      if (a == b ? a >= 0 : a <= 0 || b <= 0) {
        return false;
      }
    }
    return !boxes.may_touch(pair.a, pair.b);
  });
  found.shrink(static_cast<std::size_t>(end - pairs.begin()));
}

}  // namespace

/// Uses of kinds that a call holds until boxes have them, and releases at its end.
class BroadPhase::KindUses {
 public:
  explicit KindUses(BroadPhaseState& state) : state_(state) {}
  ~KindUses() {
    for (const BoxStore::KindAndGroup& held : held_) {
      state_.boxes.release_kind(held.kind);
    }
  }
  KindUses(const KindUses&) = delete;
  KindUses& operator=(const KindUses&) = delete;

  /// Adds a use of a kind.
  [[nodiscard]] Error hold(const BoxKind& given) {
    const BoxKind kind = BoxStore::without_group(given);
    detail::reserve(held_, held_.size() + 1);
    held_.push_back({static_cast<std::uint16_t>(kind.type), given.filter.group});
    any_group_ = any_group_ || given.filter.group != 0;
    if (kind.filter != Filter{}) {
      const auto used = state_.boxes.use_kind(kind);
      if (!used.has_value()) {
        return used.error();
      }
      const std::uint16_t number = used->number;
      held_.back().kind = number;
      if (used->is_reused) {
        report_to(state_, [number](Technique& technique) { technique.on_kind_reused(number); });
      }
    }
    return {};
  }
  /// Returns the last kind.
  [[nodiscard]] const BoxStore::KindAndGroup& last() const { return held_.back(); }

  /// Adds boxes [n] with the kinds that are held: one for each, or one for all.
  std::vector<BoxIndex> add(std::span<const Aabb> boxes) const {
    std::vector<BoxIndex> indices;
    if (boxes.empty()) {
      return indices;
    }
    indices.reserve(boxes.size());
    state_.boxes.reserve(boxes.size(), any_group_);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      indices.push_back(state_.boxes.add(boxes[i], held_[held_.size() == 1 ? 0 : i]));
    }
    notify(state_, [&](Technique& technique) { technique.on_added(indices); });
    return indices;
  }

 private:
  BroadPhaseState& state_;
  std::vector<BoxStore::KindAndGroup> held_;
  bool any_group_ = false;
};

BroadPhase::BroadPhase(std::unique_ptr<Technique> technique) : state_(std::make_unique<BroadPhaseState>()) {
  set_technique(std::move(technique));
}

BroadPhase::~BroadPhase() = default;

void BroadPhase::set_technique(std::unique_ptr<Technique> technique) {
  assert(technique != nullptr);
  technique->store_ = &state_->boxes;
  technique->state_ = state_.get();
  state_->tracking = technique->tracking();
  state_->technique = std::move(technique);
  state_->visits.clear();
  state_->needs_rebuild = state_->boxes.size() > 0;
}

std::string_view BroadPhase::name() const {
  return state_->technique->name();
}

std::vector<Cell> BroadPhase::cells() const {
  return state_->needs_rebuild ? std::vector<Cell>() : state_->technique->cells();
}

Result<std::vector<Cell>> BroadPhase::cells_of(BoxIndex index) const {
  if (!contains(index)) {
    return BoxStore::stale(index);
  }
  std::vector<Cell> cells;
  visit_cells([&](const Cell& cell, std::span<const BoxIndex> members) {
    if (std::find(members.begin(), members.end(), index) != members.end()) {
      cells.push_back(cell);
    }
  });
  return cells;
}

std::vector<BoxIndex> BroadPhase::members_of(const Cell& cell) const {
  std::vector<BoxIndex> all;
  visit_cells([&](const Cell& other, std::span<const BoxIndex> members) {
    if (other.bounds == cell.bounds) {
      all.insert(all.end(), members.begin(), members.end());
    }
  });
  std::sort(all.begin(), all.end());
  return all;
}

void BroadPhase::visit_cells(CellVisitor visit) const {
  if (!state_->needs_rebuild) {
    state_->technique->visit_cells(visit);
  }
}

std::vector<Cell> BroadPhase::query_cells() const {
  return state_->needs_rebuild ? std::vector<Cell>() : state_->technique->query_cells();
}

std::string BroadPhase::tuning() const {
  return state_->technique->tuning();
}

Vec2 BroadPhase::cell_size() const {
  return state_->technique->cell_size();
}

Result<void> BroadPhase::use_threads(TaskRunner* runner) {
  const auto threads = threads_of(runner, "use_threads");
  if (!threads.has_value()) {
    return threads.error();
  }
  state_->workers.use(runner, threads.value());
  return {};
}

void BroadPhase::keep_sorted(bool on) {
  state_->is_sorted = on;
}

void BroadPhase::measure_times(bool on) {
  state_->measures_times = on;
}

void BroadPhase::watch_queries(bool on) {
  state_->is_watched = on;
  state_->visits.clear();
}

Result<BoxIndex> BroadPhase::add(const Aabb& box, BodyType type, const Filter& filter) {
  if (Error error = validate(box, "box to add").error()) {
    return error;
  }
  if (Error error = validate(type, "box to add").error()) {
    return error;
  }
  const auto added = add({&box, 1}, type, filter);
  if (!added.has_value()) {
    return added.error();
  }
  return added->front();
}

Result<std::vector<BoxIndex>> BroadPhase::add(std::span<const Aabb> boxes, BodyType type,
                                              const Filter& filter) {
  if (Error error = validate(boxes).error()) {
    return error;
  }
  if (Error error = validate(type, "boxes to add").error()) {
    return error;
  }
  KindUses uses(*state_);
  if (Error error = uses.hold({type, filter})) {
    return error;
  }
  return uses.add(boxes);
}

Result<std::vector<BoxIndex>> BroadPhase::add(std::span<const Aabb> boxes, std::span<const BoxKind> kinds) {
  if (boxes.size() != kinds.size()) {
    return Error{ErrorCode::invalid_argument, "add: " + std::to_string(boxes.size()) + " boxes but " +
                                                  std::to_string(kinds.size()) +
                                                  " kinds; there must be as many"};
  }
  if (Error error = validate(boxes).error()) {
    return error;
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (!is_valid(kinds[i].type)) {
      return validate(kinds[i].type, "box " + std::to_string(i)).error();
    }
  }
  KindUses uses(*state_);
  for (const BoxKind& kind : kinds) {
    if (Error error = uses.hold(kind)) {
      return error;
    }
  }
  return uses.add(boxes);
}

Result<void> BroadPhase::set_filter(BoxIndex index, const Filter& filter) {
  return contains(index) ? set_kind(index, {state_->boxes.type(index), filter}) : BoxStore::stale(index);
}

Result<void> BroadPhase::set_kind(BoxIndex index, const BoxKind& kind) {
  if (!contains(index)) {
    return BoxStore::stale(index);
  }
  if (Error error = validate(kind.type, "box " + std::to_string(index)).error()) {
    return error;
  }
  KindUses uses(*state_);
  if (Error error = uses.hold(kind)) {
    return error;
  }
  const BoxStore::KindAndGroup& wanted = uses.last();
  BoxStore& boxes = state_->boxes;
  if (BoxStore::KindAndGroup{boxes.kind_number(index), boxes.group(index)} == wanted) {
    return {};
  }
  boxes.reserve(0, wanted.group != 0);
  const bool has_same_type = boxes.type(index) == kind.type;
  if (!has_same_type) {
    boxes.set_used(index, false);
    notify(*state_, [&](Technique& technique) { technique.on_removed(index); });
    boxes.set_used(index, true);
  }
  boxes.release_kind(boxes.kind_number(index));
  boxes.set_kind(index, wanted);
  notify(*state_, [&](Technique& technique) {
    has_same_type ? technique.on_filter_changed(index) : technique.on_added({&index, 1});
  });
  return {};
}

Result<Filter> BroadPhase::filter(BoxIndex index) const {
  return contains(index) ? Result<Filter>(state_->boxes.filter(index)) : BoxStore::stale(index);
}

Result<void> BroadPhase::move(BoxIndex index, const Aabb& box) {
  return move({&index, 1}, {&box, 1});
}

Result<void> BroadPhase::move(std::span<const BoxIndex> indices, std::span<const Aabb> boxes) {
  if (indices.size() != boxes.size()) {
    return Error{ErrorCode::invalid_argument, "move: " + std::to_string(indices.size()) + " indices but " +
                                                  std::to_string(boxes.size()) +
                                                  " boxes; there must be as many"};
  }
  // Nearly always all arguments are valid, so this is tested first, without a branch per box. Nearly always
  // the indices are consecutive, too, or there is only one.
  const bool consecutive = are_consecutive(indices);
  const auto used = state_->boxes.used();
  const bool known = consecutive && indices.back() < used.size()
                         ? std::memchr(used.data() + indices.front(), 0, indices.size()) == nullptr
                         : !state_->boxes.check_unique(indices, "move");
  const detail::Moves moves{indices, boxes, consecutive};
  if (!known || !are_valid(moves, *state_)) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (!contains(indices[i])) {
        return BoxStore::stale(indices[i]);
      }
      if (!is_valid(boxes[i])) {
        return validate(boxes[i], "new box of " + std::to_string(indices[i])).error();
      }
    }
    return state_->boxes.check_unique(indices, "move");
  }
  if (state_->tracking != nullptr) {
    report_to(*state_, [&](Technique& /*technique*/) { state_->tracking->before_move(moves); });
  }
  const auto stored = state_->boxes.boxes_to_change();
  const detail::Workers& workers = state_->workers;
  workers.for_chunks(indices.size(), workers.chunks(indices.size(), detail::min_boxes_per_task),
                     [&](std::size_t, std::size_t begin, std::size_t end) {
                       for (std::size_t i = begin; i < end; ++i) {
                         stored[indices[i]] = boxes[i];
                       }
                     });
  notify(*state_, [&](Technique& technique) { technique.on_moved(indices); });
  return {};
}

Result<void> BroadPhase::remove(BoxIndex index) {
  return remove({&index, 1});
}

Result<void> BroadPhase::remove(std::span<const BoxIndex> indices) {
  BoxStore& boxes = state_->boxes;
  if (Error error = boxes.check_unique(indices, "remove")) {
    return error;
  }
  boxes.reserve_free(indices.size());
  for (const BoxIndex index : indices) {
    boxes.free(index);
    notify(*state_, [&](Technique& technique) { technique.on_removed(index); });
    boxes.release_kind(boxes.kind_number(index));
  }
  return {};
}

const Aabb& BroadPhase::box_of(BoxIndex index) const {
  return state_->boxes.box(index);
}

BoxIndex BroadPhase::index_end() const {
  return static_cast<BoxIndex>(state_->boxes.slot_count());
}

std::size_t BroadPhase::size() const {
  return state_->boxes.size();
}

bool BroadPhase::contains(BoxIndex index) const {
  return state_->boxes.contains(index);
}

Result<Aabb> BroadPhase::box(BoxIndex index) const {
  return contains(index) ? Result<Aabb>(box_of(index)) : BoxStore::stale(index);
}

// While the technique works on its structure, `needs_rebuild` is set, and stays so if something throws.
void BroadPhase::update() {
  Technique& technique = *state_->technique;
  state_->visits.clear();
  timed(*state_, technique.statistics_.update_seconds, [&] {
    if (state_->needs_rebuild) {
      std::vector<BoxIndex> all;
      all.reserve(size());
      state_->boxes.for_each([&](BoxIndex index) { all.push_back(index); });
      technique.clear();
      technique.on_added(all);
    }
    state_->needs_rebuild = true;
    technique.statistics_.update_tests = 0;
    technique.statistics_.update_cells_visited = 0;
    technique.update();
    state_->needs_rebuild = false;
  });
}

std::span<Pair> BroadPhase::find_pairs() {
  return collect([this](Technique& technique) {
    technique.collect_pairs(state_->pairs);
    technique.statistics_.boxes_searched = size();
    return !state_->boxes.has_filters() || technique.applies_filters();
  });
}

Result<std::span<Pair>> BroadPhase::find_pairs_of(std::span<const BoxIndex> indices) {
  if (Error error = state_->boxes.check_unique(indices, "find_pairs_of")) {
    return error;
  }
  return collect([&](Technique& technique) {
    auto& requested = state_->requested;
    requested.resize(index_end());
    const auto mark = [&](unsigned char is_requested) {
      for (const BoxIndex index : indices) {
        requested[index] = is_requested;
      }
    };
    const detail::ScopeGuard unmark([&] { mark(0); });
    mark(1);
    technique.collect_pairs_of({indices, requested}, state_->pairs);
    technique.statistics_.boxes_searched = indices.size();
    return false;
  });
}

/// Fills the list of pairs by a function, which returns whether it applied the filters.
template <typename Find>
std::span<Pair> BroadPhase::collect(const Find& find) {
  Technique& technique = *state_->technique;
  const auto bytes = [&] {
    return state_->measures_times ? statistics().bytes + state_->pairs.bytes() : std::size_t{0};
  };
  const std::size_t bytes_before = bytes();
  update();
  timed(*state_, technique.statistics_.pairs_seconds, [&] {
    technique.statistics_.tests = 0;
    technique.statistics_.cells_visited = 0;
    technique.statistics_.owner_checks = 0;
    state_->pairs.clear();
    state_->needs_rebuild = true;
    const bool is_filtered = find(technique);
    state_->needs_rebuild = false;
    if (!is_filtered || !state_->boxes.groups().empty()) {
      drop_excluded(state_->boxes, is_filtered, state_->pairs);
    }
    if (state_->is_sorted) {
      state_->sorter.sort(state_->pairs.pairs());
    }
    technique.statistics_.hits = state_->pairs.size();
  });
  const std::size_t bytes_after = bytes();
  technique.statistics_.grown_bytes = bytes_after - std::min(bytes_before, bytes_after);
  return state_->pairs.pairs();
}

Result<void> BroadPhase::query_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  hits.clear();
  if (auto valid = validate(area, "area"); !valid.has_value()) {
    return valid;
  }
  append_area(area, hits);
  std::sort(hits.begin(), hits.end());
  return {};
}

void BroadPhase::append_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  detail::BoxSearch(*this).append(area, hits);
}

Statistics BroadPhase::statistics() const {
  Statistics result = state_->technique->statistics_;
  result.boxes = size();
  result.bytes = state_->technique->bytes() + state_->boxes.bytes() + state_->requested.capacity() +
                 state_->visits.capacity() * sizeof(std::uint32_t) + state_->workers.bytes();
  return result;
}

}  // namespace broadside::inline v0_2
