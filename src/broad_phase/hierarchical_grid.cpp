#include "create.hpp"
#include "hierarchical_grid_technique.hpp"

#include <algorithm>
#include <array>

#include "base/number_text.hpp"
#include "base/reserve.hpp"
#include "base/switches.hpp"
#include "sample.hpp"

namespace broadside::inline v0_2::detail {

namespace {

bool is_static(BodyType type) {
  return type == BodyType::static_body;
}

}  // namespace

void HierarchicalGridTechnique::on_added(std::span<const BoxIndex> indices) {
  changed_ = true;
  reset_tree();
  places_.reserve(store().capacity());
  places_.resize(store().slot_count(), Place::nowhere);
  if (neighbors_.active()) {
    neighbors_.resize(store().slot_count());
  }
  const auto moving = std::count_if(indices.begin(), indices.end(),
                                    [this](BoxIndex index) { return !is_static(store().type(index)); });
  movers_ += static_cast<std::size_t>(moving);
  provide_memory();
  for (const BoxIndex index : indices) {
    enter(index);
  }
}

// Otherwise the first two frames of a large scene would take ten times as long as the others.
void HierarchicalGridTechnique::provide_memory() {
  constexpr std::size_t few = 1024;  // movers, which need few pages
  if (movers_ < few || movers_ <= provided_) {
    return;
  }
  provided_ = std::max(movers_, provided_ + provided_ / 2);
  provide(provided_, active_);
  active_rows_.reserve(provided_);
  if (options_.neighbor_lists) {
    neighbors_.reserve(provided_, store().capacity());
  }
}

void HierarchicalGridTechnique::clear() {
  places_.clear();
  for (auto* list : {&recent_, &added_, &awaiting_purge_, &active_, &members_}) {
    list->clear();
  }
  leavers_.clear();
  neighbors_.clear();
  for (RowIndex* rows :
       {&static_rows_, &recent_rows_, &waiting_rows_, &active_rows_, &requested_rows_, &neighbors_.rows()}) {
    rows->clear();
  }
  filtered_ = false;
  filter_bits_.clear();
  rebuild_lists_ = false;
  movers_ = 0;
  outdated_ = 0;
}

void HierarchicalGridTechnique::enter(BoxIndex index) {
  if (is_static(store().type(index))) {
    if (neighbors_.drift() != Vec2{}) {
      clear_neighbor_lists();
    }
    places_[index] = Place::recent;
    append(recent_, index);
    append(added_, index);
    recent_changed_ = true;
  } else {
    places_[index] = Place::active;
    append(active_, index);
    active_changed_ = true;
  }
}

// Between two updates boxes may be added and removed any number of times, and each time adds an entry, so the
// length is limited here.
void HierarchicalGridTechnique::append(std::vector<BoxIndex>& list, BoxIndex index) {
  list.push_back(index);
  if (list.size() > 2 * store().slot_count() + 64) {
    tidy(list, places_[index]);
  }
}

// Marks a box as removed from the structure that holds it, so that its entries there no longer count.
void HierarchicalGridTechnique::forget(BoxIndex index) {
  changed_ = true;
  left_ = true;
  outdated_ += places_[index] == Place::fixed ? 1U : 0U;
  spent_ += places_[index] == Place::neighborhood ? 1.0 : 0.0;
  recent_changed_ = recent_changed_ || places_[index] == Place::recent;
  active_changed_ = active_changed_ || places_[index] == Place::active;
  places_[index] = Place::nowhere;
  if (neighbors_.active() && rebuild_lists_) {
    neighbors_.set_grown(index, no_box);  // all candidates will be dropped
  } else if (neighbors_.active()) {
    neighbors_.retire(index);
  }
}

// Static boxes do not move along, and boxes that a call leaves out neither.
Vec2 HierarchicalGridTechnique::common_motion(const Moves& moves) {
  sampled_.clear();
  if (all_move_in(moves)) {
    visit_sample(moves.indices.size(), motion_samples,
                 [&](std::size_t i) { add_motion(store().box(moves.indices[i]), moves.boxes[i]); });
  }
  return detail::common_motion(sampled_);
}

// A box that lies in its grown box is finite, so only the boxes that leave theirs are checked.
bool HierarchicalGridTechnique::are_valid(const Moves& moves) {
  if (!neighbors_.active()) {
    return detail::are_valid(moves.boxes, workers());
  }
  motion_ = follow_ && !rebuild_lists_ ? common_motion(moves) : Vec2{};
  motion_ = is_finite(neighbors_.drift() + motion_) ? motion_ : Vec2{};
  neighbors_.find_leavers(moves, neighbors_.drift() + motion_,
                          reinterpret_cast<const std::uint8_t*>(places_.data()),
                          static_cast<std::uint8_t>(Place::neighborhood), workers());
  const auto leavers = neighbors_.leavers();
  return std::all_of(leavers.begin(), leavers.end(),
                     [&](std::uint32_t i) { return is_valid(moves.boxes[i]); });
}

void HierarchicalGridTechnique::before_move(const Moves& moves) {
  const auto indices = moves.indices;
  const auto boxes = moves.boxes;
  changed_ = changed_ || !indices.empty();
  moved_together_ = all_move_in(moves);
  if (is_watched() || !tree_.move(indices, boxes)) {
    reset_tree();
  }
  const auto move_one = [&](std::size_t i) {
    const BoxIndex index = indices[i];
    if (places_[index] == Place::neighborhood) {
      places_[index] = Place::active;
      append(active_, index);
      if (leavers_.size() < store().slot_count()) {
        leavers_.push_back({index, store().box(index)});
      }
      active_changed_ = true;
    } else if (places_[index] == Place::active) {
      active_changed_ = true;
    } else if (boxes[i] != store().box(index)) {
      forget(index);
      enter(index);
    }
  };
  if (!neighbors_.active() && movers_ == store().size()) {
    active_changed_ = active_changed_ || !indices.empty();
    return;
  }
  if (!neighbors_.active()) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      move_one(i);
    }
    return;
  }
  const auto leavers = neighbors_.leavers();
  const auto leaving = std::count_if(leavers.begin(), leavers.end(), [&](std::uint32_t i) {
    return places_[indices[i]] == Place::neighborhood;
  });
  const double active = static_cast<double>(active_.size()) + static_cast<double>(leaving);
  const bool is_spent = spent_ + active * cost_of_active >= static_cast<double>(movers_);
  if (movers_ > 0 && decide(Switch::new_lists, is_spent)) {
    if (moved_together_ || neighbors_.drift() == Vec2{}) {
      regrow(moves);
    } else {  // the grown boxes of those that do not move now are in the frame of the last build
      clear_neighbor_lists();
    }
    return;
  }
  neighbors_.set_drift(neighbors_.drift() + motion_);
  for (const std::uint32_t i : leavers) {
    move_one(i);
  }
}

void HierarchicalGridTechnique::on_removed(BoxIndex index) {
  movers_ -= is_static(store().type(index)) ? 0U : 1U;
  if (is_watched() || !tree_.remove(index)) {
    reset_tree();
  }
  forget(index);
}

void HierarchicalGridTechnique::on_filter_changed(BoxIndex index) {
  tree_.set_layers(index, store().filter(index).layer);
  forget(index);
  enter(index);
}

// Drops duplicates from a list, and boxes that are elsewhere by now.
void HierarchicalGridTechnique::tidy(std::vector<BoxIndex>& list, Place place) {
  std::erase_if(list, [&](BoxIndex index) {
    const bool here = places_[index] == place;
    places_[index] = here ? Place::counted : places_[index];
    return !here;
  });
  for (const BoxIndex index : list) {
    places_[index] = place;
  }
}

void HierarchicalGridTechnique::count(const Work& work) {
  statistics_.tests += work.tests;
  statistics_.cells_visited += work.cells;
}

void HierarchicalGridTechnique::count_update(const Work& work) {
  statistics_.update_tests += work.tests;
  statistics_.update_cells_visited += work.cells;
}

void HierarchicalGridTechnique::build(RowIndex& rows, std::span<const BoxIndex> names) {
  const bool all = names.size() == store().slot_count();  // then names are positions
  std::span<const Aabb> boxes = store().boxes();
  if (neighbors_.drift() != Vec2{}) {
    moved_.resize(store().slot_count());
    for (const BoxIndex index : names) {
      moved_[index] = neighbors_.in_frame_of_build(boxes[index]);
    }
    boxes = moved_;
  }
  rows.build(names.empty()
                 ? BoxSet{}
                 : BoxSet{boxes, all ? std::span<const BoxIndex>() : names, kind_numbers_, filter_bits_},
             workers());
}

// Each kind has one bit, so that one AND compares a pair. With more kinds than bits, some share a bit;
// then too many pairs pass, and `BroadPhase` drops the rest. A reused kind keeps its bit, which is stored in
// the rows.
void HierarchicalGridTechnique::update_filters() {
  constexpr std::size_t max_compared = 128;  // kinds; with more, all pairs pass
  const auto table = store().kinds();
  const bool kinematic_too = store().has_plain_kinematic();
  if (kinds_changed_ || filter_bits_.size() != table.size() || (kinematic_too && !filtered_)) {
    kinds_changed_ = false;
    const bool are_few = table.size() <= max_compared;
    filter_bits_.clear();
    for (std::size_t a = 0; a < table.size(); ++a) {
      filter_bits_.push_back({std::uint32_t{1} << (a % filter_bit_count), are_few ? 0U : ~0U});
      for (std::size_t b = 0; b <= a && are_few; ++b) {
        if (can_touch(table[a].type, table[b].type) && may_touch(table[a].filter, table[b].filter)) {
          filter_bits_[a].accepts |= filter_bits_[b].is;
          filter_bits_[b].accepts |= filter_bits_[a].is;
        }
      }
    }
    if ((kinematic_too || table.size() > 3) && !filtered_) {  // rows were built without filters
      filtered_ = true;
      static_changed_ = true;
      recent_changed_ = true;
      active_changed_ = true;
      clear_neighbor_lists();
    }
  }
  kind_numbers_ = filtered_ ? store().kind_numbers() : std::span<const std::uint16_t>();
  for (RowIndex* rows :
       {&static_rows_, &recent_rows_, &waiting_rows_, &active_rows_, &requested_rows_, &neighbors_.rows()}) {
    rows->use_filters(filter_bits_);
  }
}

void HierarchicalGridTechnique::update() {
  // Retired slots cost a little in each frame, and a purge one pass over all candidates. A purge is due when
  // the slots have cost as much since the last one, so that the total is at most twice the optimum (the
  // ski-rental rule).
  const bool purge_is_due =
      neighbors_.active() && neighbors_.retired_count() > 0 &&
      decide(Switch::purged_lists, retired_cost_ >= static_cast<double>(neighbors_.candidate_count()));
  if (!changed_ && !purge_is_due) {
    return;
  }
  changed_ = false;
  update_filters();
  if (left_) {
    left_ = false;
    tidy(active_, Place::active);
    tidy(recent_, Place::recent);
    tidy(added_, Place::recent);
    std::erase_if(leavers_, [this](const Leaver& one) { return places_[one.index] != Place::active; });
    awaiting_purge_changed_ = awaiting_purge_changed_ || !awaiting_purge_.empty();
    std::erase_if(awaiting_purge_, [this](BoxIndex index) {
      return places_[index] != Place::recent && places_[index] != Place::fixed;
    });
  }
  if (purge_is_due) {
    count_update(neighbors_.purge());
    retired_cost_ = 0.0;
    added_.insert(added_.end(), awaiting_purge_.begin(), awaiting_purge_.end());
    std::sort(added_.begin(), added_.end());
    added_.erase(std::unique(added_.begin(), added_.end()), added_.end());
    awaiting_purge_.clear();
    awaiting_purge_changed_ = true;
  }
  update_static_rows();
  update_neighbor_lists();
  leavers_.clear();
  if (active_changed_) {
    build(active_rows_, active_);
    active_changed_ = false;
    small_size_ = active_rows_.small_size() > 0.0F ? active_rows_.small_size() : small_size_;
  }
  statistics_.cells = 0;
  statistics_.occupied_cells = 0;
  statistics_.entries = store().size();
  for (const RowIndex* rows : std::array<const RowIndex*, 4>{
           &static_rows_, &recent_rows_, &active_rows_, neighbors_.active() ? &neighbors_.rows() : nullptr}) {
    if (rows != nullptr) {
      statistics_.cells += rows->rows();
      statistics_.occupied_cells += rows->occupied_rows();
    }
  }
}

// Few new static boxes get rows of their own, so that the others need not be sorted again.
void HierarchicalGridTechnique::update_static_rows() {
  const std::size_t changes = recent_.size() + outdated_;
  const bool none_left = outdated_ > 0 && outdated_ == static_rows_.size();
  const bool are_many = changes > 32 && 8 * changes > static_rows_.size();
  if (static_changed_ || none_left || decide(Switch::static_rows, are_many)) {
    static_changed_ = false;
    names_.clear();
    for (std::size_t i = 0; i < store().slot_count(); ++i) {
      if (places_[i] == Place::fixed || places_[i] == Place::recent) {
        places_[i] = Place::fixed;
        names_.push_back(static_cast<BoxIndex>(i));
      }
    }
    build(static_rows_, names_);
    static_rows_.release_sweep();
    outdated_ = 0;
    recent_changed_ = true;
    // Lists of this length are rare: freeing their memory is worth the cost of allocating it again.
    for (auto* emptied : {&recent_, &names_}) {
      emptied->clear();
      emptied->shrink_to_fit();
    }
  }
  if (recent_changed_) {
    build(recent_rows_, recent_);
    recent_changed_ = false;
  }
  if (neighbors_.active() && !added_.empty()) {
    insert_static();
  }
  const bool many = added_.size() > 1024;
  added_.clear();
  if (many) {
    added_.shrink_to_fit();
    names_.clear();
    names_.shrink_to_fit();
  }
}

// Adds static boxes to the neighbor lists after these were built. Boxes in retired slots cannot have
// candidates: they wait for the next purge.
void HierarchicalGridTechnique::insert_static() {
  names_.clear();
  const std::size_t waiting = awaiting_purge_.size();
  for (const BoxIndex index : added_) {
    (neighbors_.is_retired(index) ? awaiting_purge_ : names_).push_back(index);
  }
  if (awaiting_purge_.size() > waiting) {
    awaiting_purge_changed_ = true;
    std::sort(awaiting_purge_.begin(), awaiting_purge_.end());
    awaiting_purge_.erase(std::unique(awaiting_purge_.begin(), awaiting_purge_.end()), awaiting_purge_.end());
  }
  if (names_.empty()) {
    return;
  }
  RowIndex rows;
  build(rows, names_);
  raw_.clear();
  count_update(find_pairs_between(neighbors_.rows(), rows, raw_, workers()));
  for (const BoxIndex index : names_) {
    neighbors_.set_grown(index, store().box(index));
  }
  // A box that left its grown box still has it, so its pairs must be candidates as well.
  for (const Pair pair : raw_.pairs()) {
    if (is_static(store().type(pair.a)) != is_static(store().type(pair.b)) &&
        overlaps(neighbors_.grown(pair.a), neighbors_.grown(pair.b))) {
      neighbors_.candidates().push_back(pair);
    }
  }
  if (neighbors_.candidate_count() > 2 * max_candidates * movers_) {
    disable_neighbor_lists();
  }
}

void HierarchicalGridTechnique::collect_pairs(Place place, PairBuffer& pairs) {
  const auto boxes = store().boxes();
  const bool dated = place == Place::neighborhood || (place == Place::fixed && outdated_ > 0);
  for (const Pair pair : raw_.pairs()) {
    const bool current = !dated || (places_[pair.a] == place) != (places_[pair.b] == place);
    const bool listed = neighbors_.active() && overlaps(neighbors_.grown(pair.a), neighbors_.grown(pair.b));
    if (current && !listed && overlaps(boxes[pair.a], boxes[pair.b])) {
      pairs.push_back(pair);
    }
  }
  raw_.clear();
}

void HierarchicalGridTechnique::collect_pairs(PairBuffer& pairs) {
  raw_.clear();
  const auto visit = [&](RowIndex& rows, RowIndex& others, Place place, bool directly) {
    count(find_pairs_between(rows, others, directly ? pairs : raw_, workers()));
    collect_pairs(place, pairs);
  };
  if (neighbors_.active()) {
    if (wants_sorted() && !candidates_are_sorted_) {
      sort(neighbors_.candidates().pairs());
      candidates_are_sorted_ = true;
    }
    constexpr double price_of_waiting = 10.0;
    retired_cost_ += static_cast<double>(neighbors_.retired_count()) +
                     price_of_waiting * static_cast<double>(awaiting_purge_.size());
    count(neighbors_.append_touching(boxes_to_mask(), pairs, workers()));
    // Static boxes in retired slots against boxes with neighbor lists; active boxes find them among the other
    // static boxes.
    if (!awaiting_purge_.empty()) {
      if (awaiting_purge_changed_) {
        build(waiting_rows_, awaiting_purge_);
        awaiting_purge_changed_ = false;
      }
      visit(neighbors_.rows(), waiting_rows_, Place::neighborhood, false);
    }
  }
  if (active_.empty()) {
    return;
  }
  // Pairs are written to the result at once, unless some have to be dropped.
  const bool sift = neighbors_.active();
  count(active_rows_.find_pairs(sift ? raw_ : pairs, workers()));
  collect_pairs(Place::active, pairs);
  visit(static_rows_, active_rows_, Place::fixed, !sift && outdated_ == 0);
  visit(recent_rows_, active_rows_, Place::recent, !sift);
  if (sift) {
    visit(neighbors_.rows(), active_rows_, Place::neighborhood, false);
  }
}

// Builds rows of all boxes as they are now: those of the neighbor lists hold grown boxes.
void HierarchicalGridTechnique::visit_cells(CellVisitor visit) const {
  std::array<std::vector<BoxIndex>, 2> names;  // static, moving
  store().for_each([&](BoxIndex index) { names[is_static(store().type(index)) ? 0 : 1].push_back(index); });
  for (const auto& some : names) {
    if (!some.empty()) {
      RowIndex rows(options_.row_height);
      Workers workers;
      rows.build({store().boxes(), some}, workers);
      rows.visit_cells(visit);
    }
  }
}

std::size_t HierarchicalGridTechnique::bytes() const {
  return bytes_of(places_, recent_, added_, awaiting_purge_, active_, members_, names_, sample_, sampled_,
                  moved_, leavers_, filter_bits_) +
         tree_.bytes() + static_rows_.bytes() + recent_rows_.bytes() + active_rows_.bytes() +
         waiting_rows_.bytes() + requested_rows_.bytes() + neighbors_.bytes();
}

std::string HierarchicalGridTechnique::tuning() const {
  const auto rows_text = [this](const RowIndex& rows) -> std::string {
    if (rows.finest_row_height() == 0.0F) {
      return "one row, where few are tested all against all";
    }
    if (!options_.row_height && rows.occupied_rows() == rows.levels()) {
      return rows.is_transposed() ? "one row along y" : "one row along x";
    }
    std::string text =
        rows.levels() == 1 ? "rows " : std::to_string(rows.levels()) + " levels of rows, the finest ";
    text += number_text(rows.finest_row_height(), 3) + (rows.is_transposed() ? " wide" : " high");
    if (options_.row_height) {
      return text + ", as given";
    }
    return text + (rows.is_nonuniform() ? ", closer together where boxes are denser"
                                        : ", so that each has about four others of its level in reach");
  };
  if (store().size() == 0) {
    return "there are no boxes";
  }
  std::string text;
  if (neighbors_.active()) {
    text = std::to_string(movers_ - std::min(movers_, active_.size())) +
           " boxes rest or move evenly and have " + std::to_string(neighbors_.candidate_count()) +
           " pairs in their neighbor lists, from " + rows_text(neighbors_.rows());
  }
  if (!active_.empty()) {
    text += (text.empty() ? "" : "; ") + std::to_string(active_.size()) +
            " moving boxes are re-inserted in each frame, into " + rows_text(active_rows_);
  }
  if (static_rows_.size() + recent_.size() > 0) {
    text += (text.empty() ? "" : "; ") + std::to_string(store().size() - movers_) + " static boxes are in " +
            rows_text(static_rows_.size() > 0 ? static_rows_ : recent_rows_);
  }
  return text;
}

}  // namespace broadside::inline v0_2::detail

namespace broadside::inline v0_2 {

HierarchicalGrid::HierarchicalGrid() : BroadPhase(technique().value()) {}

Result<std::unique_ptr<HierarchicalGrid>> HierarchicalGrid::create(const HierarchicalGridOptions& options) {
  return detail::create_with<HierarchicalGrid>(technique(options));
}

Result<std::unique_ptr<Technique>> HierarchicalGrid::technique(const HierarchicalGridOptions& options) {
  if (options.row_height && !detail::is_size(*options.row_height)) {
    return Error{ErrorCode::invalid_argument,
                 "row height of the hierarchical grid: " + detail::number_text(*options.row_height) +
                     "; must be positive and finite"};
  }
  return std::unique_ptr<Technique>(std::make_unique<detail::HierarchicalGridTechnique>(options));
}

}  // namespace broadside::inline v0_2
