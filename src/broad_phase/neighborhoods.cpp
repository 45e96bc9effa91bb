// The part of `HierarchicalGridTechnique` that decides which boxes have neighbor lists, and when these are
// rebuilt.

#include <algorithm>

#include "base/switches.hpp"
#include "hierarchical_grid_technique.hpp"
#include "sample.hpp"

namespace broadside::inline v0_2::detail {

namespace {

/// Returns the box, moved.
Aabb shifted(const Aabb& box, Vec2 by) {
  return {box.min + by, box.max + by};
}

}  // namespace

// Neighbor lists are built when most boxes would keep theirs for some frames. They are rebuilt when the boxes
// that left theirs have cost as much as a rebuild (the ski-rental rule).
void HierarchicalGridTechnique::update_neighbor_lists() {
  // Per box, to build the lists, and to keep them for a frame (unit: inserting a box).
  constexpr double price_of_making = 1.5;
  constexpr double price_of_keeping = 0.25;
  constexpr std::size_t few = 256;  // samples, for each frame
  constexpr std::size_t many = 4096;
  if (!neighbors_.active()) {
    if (!options_.neighbor_lists || !active_changed_ || active_.empty()) {
      return;
    }
    const bool is_pausing = pause_ > 0;
    pause_ -= is_pausing ? 1U : 0U;
    // Lists that do not pay off cost as much as several frames, so a larger sample has to confirm the small
    // one.
    const bool pays_off = !is_pausing && stable_share(few) >= min_stable && stable_share(many) >= min_stable;
    if (decide(Switch::neighbor_lists, pays_off)) {
      build_neighbor_lists();
    }
    return;
  }
  ++age_;
  if (!rebuild_lists_ && (!active_changed_ || active_.empty())) {
    return;
  }
  const auto all = static_cast<double>(movers_);
  if (!rebuild_lists_) {
    const auto active = static_cast<double>(active_.size());
    const double stable = stable_share(few) * active;
    spent_ += stable * cost_of_active;
    active_cost_ += active * cost_of_active;
    if (!decide(Switch::neighbor_lists, active - stable <= (1.0 - min_stable) * all)) {
      disable_neighbor_lists();
    }
    return;
  }
  tidy(members_, Place::neighborhood);
  tidy(active_, Place::active);
  const auto stable = static_cast<double>(members_.size());
  const double frames = age_;
  const bool paid = (price_of_making + price_of_keeping * frames) * all + active_cost_ <= frames * all;
  failures_ = paid ? 0 : failures_ + 1;
  if (decide(Switch::neighbor_lists, stable >= min_stable * all && failures_ <= 1)) {
    build_neighbor_lists();
  } else {
    disable_neighbor_lists();
  }
}

void HierarchicalGridTechnique::disable_neighbor_lists() {
  constexpr std::uint32_t max_failures = 5;
  failures_ = std::min(failures_ + 1, max_failures);
  pause_ = std::uint32_t{4} << failures_;
  clear_neighbor_lists();
}

void HierarchicalGridTechnique::add_motion(const Aabb& before, const Aabb& now) {
  const Vec2 motion = now.min - before.min;
  if (is_finite(motion)) {
    sampled_.push_back(motion);
  }
}

// Returns the share of boxes that would keep a neighbor list, in a sample of the active boxes whose position
// one frame ago is known.
double HierarchicalGridTechnique::stable_share(std::size_t samples) {
  const Vec2 drift_before = neighbors_.active() ? neighbors_.drift() - motion_ : Vec2{};
  const auto visit = [&](std::size_t wanted, const auto& each) {
    visit_sample(active_rows_.size(), wanted, [&](std::size_t i) {
      const BoxIndex index = active_rows_.names()[i];
      if (places_[index] == Place::active) {
        each(shifted(active_rows_.box_at(i), drift_before), store().box(index));
      }
    });
    visit_sample(leavers_.size(), wanted,
                 [&](std::size_t i) { each(leavers_[i].before, store().box(leavers_[i].index)); });
  };
  if (!neighbors_.active()) {
    sampled_.clear();
    if (moved_together_) {
      visit(motion_samples, [&](const Aabb& before, const Aabb& now) { add_motion(before, now); });
    }
    motion_ = detail::common_motion(sampled_);
  }
  std::size_t looked_at = 0;
  std::size_t stable = 0;
  Aabb grown;
  visit(samples, [&](const Aabb& before, const Aabb& now) {
    ++looked_at;
    stable += grow_box(shifted(before, motion_), now, small_size_, grown) ? 1U : 0U;
  });
  return looked_at == 0 ? 0.0 : static_cast<double>(stable) / static_cast<double>(looked_at);
}

// Except for the first time, the cost depends on the number of moving boxes, not on that of static ones.
void HierarchicalGridTechnique::build_neighbor_lists() {
  const bool first = !neighbors_.active();
  follow_ = motion_ != Vec2{};
  neighbors_.resize(store().slot_count());
  for (std::size_t i = 0; i < store().slot_count() && first; ++i) {
    const bool fixed = places_[i] == Place::fixed || places_[i] == Place::recent;
    neighbors_.set_grown(static_cast<BoxIndex>(i), fixed ? store().box(static_cast<BoxIndex>(i)) : no_box);
  }
  const auto take_in = [&](BoxIndex index, const Aabb& before) {
    Aabb grown = no_box;
    if (places_[index] == Place::active &&
        grow_box(shifted(before, motion_), store().box(index), small_size_, grown)) {
      places_[index] = Place::neighborhood;
      neighbors_.set_grown(index, grown);
    }
  };
  for (std::size_t i = 0; i < active_rows_.size(); ++i) {
    take_in(active_rows_.names()[i], active_rows_.box_at(i));
  }
  for (const Leaver& leaver : leavers_) {
    take_in(leaver.index, leaver.before);
  }
  // Only one of both lists is long, so they take turns in its memory.
  if (members_.empty()) {
    active_.swap(members_);
  }
  const auto settles = [this](BoxIndex index) { return places_[index] == Place::neighborhood; };
  const auto move_some = [](std::vector<BoxIndex>& from, std::vector<BoxIndex>& to, const auto& leaves) {
    std::erase_if(from, [&](BoxIndex index) {
      if (leaves(index)) {
        to.push_back(index);
      }
      return leaves(index);
    });
  };
  move_some(active_, members_, settles);
  move_some(members_, active_, [&](BoxIndex index) { return !settles(index); });
  for (const BoxIndex index : active_) {
    neighbors_.set_grown(index, no_box);
  }
  // The boxes of the rows are lost, only memory is swapped: most boxes are in one of them, never in both.
  if (neighbors_.rows().bytes() < active_rows_.bytes()) {
    std::swap(neighbors_.rows(), active_rows_);
  }
  neighbors_.build(members_, kind_numbers_, filter_bits_, workers());
  for (const BoxIndex index : awaiting_purge_) {
    neighbors_.set_grown(index, store().box(index));
  }
  awaiting_purge_.clear();
  awaiting_purge_changed_ = true;
  retired_cost_ = 0.0;
  if (is_too_dense()) {
    active_changed_ = true;
    disable_neighbor_lists();
    return;
  }
  count_update(neighbors_.find_candidates(workers()));
  for (const auto& [rows, place] :
       {std::pair{&static_rows_, Place::fixed}, std::pair{&recent_rows_, Place::recent}}) {
    raw_.clear();
    count_update(find_pairs_between(*rows, neighbors_.rows(), raw_, workers()));
    for (const Pair pair : raw_.pairs()) {
      if ((places_[pair.a] == place) != (places_[pair.b] == place)) {
        neighbors_.candidates().push_back(pair);
      }
    }
  }
  candidates_are_sorted_ = false;
  age_ = 0;
  spent_ = 0.0;
  active_cost_ = 0.0;
  rebuild_lists_ = false;
  active_changed_ = true;
  if (neighbors_.candidate_count() > max_candidates * movers_) {
    disable_neighbor_lists();
  }
}

// Candidates are stored, so they must not be many more than hits: thin boxes side by side may have n^2. A
// sample estimates their number before they are stored.
bool HierarchicalGridTechnique::is_too_dense() {
  constexpr std::size_t few = 512;  // have too few candidates to matter
  constexpr std::size_t samples = 64;
  RowIndex& rows = neighbors_.rows();
  if (rows.size() <= few) {
    return false;
  }
  sample_.clear();
  visit_sample(rows.size(), samples, [&](std::size_t i) { sample_.push_back(rows.box_at(i)); });
  requested_rows_.build({sample_}, workers());
  const auto count = [&](RowIndex& others) {
    raw_.clear();
    count_update(others.find_pairs_with(requested_rows_, raw_, workers()));
    std::size_t near = 0;
    std::size_t of_one = 0;
    BoxIndex last = 0;
    for (const Pair pair : raw_.pairs()) {
      of_one = pair.a == last ? of_one + 1 : 1;
      last = pair.a;
      near += of_one <= 16 * max_candidates ? 1U : 0U;  // limits the weight of a few giants
    }
    return near;
  };
  const std::size_t near = count(rows) / 2 + count(static_rows_) + count(recent_rows_);
  return near > max_candidates * sample_.size();  // moving pairs are seen twice
}

void HierarchicalGridTechnique::clear_neighbor_lists() {
  rebuild_lists_ = false;
  if (!neighbors_.active()) {
    return;
  }
  neighbors_.clear();
  awaiting_purge_.clear();
  awaiting_purge_changed_ = true;
  if (neighbors_.rows().bytes() > active_rows_.bytes()) {
    std::swap(neighbors_.rows(), active_rows_);
    active_rows_.force_measure();
  }
  members_.insert(members_.begin(), active_.begin(), active_.end());
  active_.clear();
  active_.swap(members_);
  for (const BoxIndex index : active_) {
    places_[index] = places_[index] == Place::neighborhood ? Place::active : places_[index];
  }
  tidy(active_, Place::active);
  active_changed_ = true;
}

// Too many boxes have left, so the neighbor lists will be rebuilt. Boxes are grown now, while their old and
// their new positions are known.
void HierarchicalGridTechnique::regrow(const Moves& moves) {
  const auto indices = moves.indices;
  const auto boxes = moves.boxes;
  motion_ = common_motion(moves);
  rebuild_lists_ = true;
  neighbors_.set_drift({});
  // Several threads grow boxes; those that change their place are put into its list afterwards, in order.
  const std::size_t chunks = workers().chunks(indices.size(), min_boxes_per_task);
  changed_places_.resize(std::max(changed_places_.size(), chunks));
  for (auto& changed : changed_places_) {
    changed.clear();
  }
  workers().for_chunks(indices.size(), chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const BoxIndex index = indices[i];
      const Place before = places_[index];
      const bool is_mover = before == Place::neighborhood || before == Place::active;
      if (is_mover) {
        Aabb grown = no_box;
        const bool stable = grow_box(shifted(store().box(index), motion_), boxes[i], small_size_, grown);
        neighbors_.set_grown(index, grown);
        places_[index] = stable ? Place::neighborhood : Place::active;
      }
      if (is_mover ? places_[index] != before : boxes[i] != store().box(index)) {
        changed_places_[chunk].push_back(index);
      }
    }
  });
  for (const auto& changed : changed_places_) {
    for (const BoxIndex index : changed) {
      if (places_[index] == Place::neighborhood || places_[index] == Place::active) {
        append(places_[index] == Place::neighborhood ? members_ : active_, index);
      } else {
        forget(index);
        enter(index);
      }
    }
  }
}

}  // namespace broadside::inline v0_2::detail
