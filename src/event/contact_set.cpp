#include "event/contact_set.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/reserve.hpp"

namespace broadside::inline v0_2 {

void ContactSet::replace(std::span<const Contact> contacts) {
  is_patched_ = false;
  given_ = contacts;
  size_ = contacts.size();
}

// All contacts of changed boxes are candidates to end. Those that are found again stay, the others end:
//
//     candidates     (0,2) (0,7) (1,5)
//     found          (0,2)       (1,5) (1,9)
//                    stays ends  stays begins
void ContactSet::prepare(std::span<const Contact> contacts, const ContactScope& scope,
                         std::span<const std::uint8_t> reassigned) {
  if (!is_patched_) {
    own_.assign(given_.begin(), given_.end());
    reset_state();
    make_adjacency(own_, adjacency_);
  }
  // If many entries are gone or were appended, it pays off to sort the others again.
  const std::size_t gone = own_.size() - size_;
  const std::size_t appended = own_.size() - sorted_;
  is_compacting_ = is_patched_ && gone + appended > 64 + sorted_ / 8;
  if (is_compacting_) {
    make_order();
    compacted_.clear();
    for (const At at : order_) {
      compacted_.push_back(own_[at]);
    }
    make_adjacency(compacted_, compacted_adjacency_);
    detail::reserve(compacted_, compacted_.size() + contacts.size());
  }
  const Base before = base();
  for (const At at : candidates_) {
    is_candidate_[at] = 0;
  }
  candidates_.clear();
  is_candidate_.resize(std::max(is_candidate_.size(), before.entries.size()));
  for (const BoxIndex box : scope.boxes) {
    for (const At at : before.adjacency.of(box)) {
      add_candidate(at);
    }
  }
  for (const Appended& one : before.appended) {  // they have no adjacency
    if ((scope.is_in[one.pair.a] | scope.is_in[one.pair.b]) != 0) {
      add_candidate(one.at);
    }
  }
  patches_.clear();
  ending_.clear();
  std::size_t begins = 0;
  for (const Contact& contact : contacts) {
    const Pair pair = contact.pair;
    const At known = find(before, pair, scope.is_in[pair.a] != 0);
    const bool touched_before = known != none && is_candidate_[known] != 0;
    const bool stays = touched_before && ((reassigned[pair.a] | reassigned[pair.b]) & 1U) == 0;
    if (touched_before) {
      is_candidate_[known] = 0;
      if (!stays) {
        ending_.push_back(pair);
      }
    }
    begins += stays ? 0U : 1U;
    patches_.push_back({&contact, known, stays ? Life::stays : Life::begun});
  }
  for (const At at : candidates_) {
    if (is_candidate_[at] != 0) {
      ending_.push_back(before.entries[at].pair);
    }
  }
  std::sort(ending_.begin(), ending_.end());
  // For `commit`, which must not allocate, and for `make_order`.
  const std::size_t max_entries = own_.size() + contacts.size();
  detail::reserve_all(max_entries, own_, life_, order_, stayed_);
  detail::reserve_all(begins, begun_, newly_appended_);
  detail::reserve(appended_, appended_.size() + begins);
}

/// Resets the state of the entries after they were sorted: all of them touched in the last step.
void ContactSet::reset_state() {
  life_.assign(own_.size(), Life::stays);
  sorted_ = own_.size();
  appended_.clear();
  begun_.clear();
}

void ContactSet::make_adjacency(std::span<const Contact> contacts, Adjacency& adjacency) {
  adjacency.make([contacts](auto visit) {
    for (At at = 0; at < contacts.size(); ++at) {
      visit(contacts[at].pair, at);
    }
  });
}

ContactSet::Base ContactSet::base() const {
  return is_compacting_ ? Base{compacted_, compacted_adjacency_, {}} : Base{own_, adjacency_, appended_};
}

/// Returns the index of a pair, whether it touches or is gone; `none` if it has no entry.
/// @param by_a search the contacts of a, otherwise those of b. Pass the box that changed: its contacts were
/// just read, so they are in the cache.
ContactSet::At ContactSet::find(const Base& base, Pair pair, bool by_a) {
  const auto of_box = base.adjacency.of(by_a ? pair.a : pair.b);
  const auto known = std::lower_bound(of_box.begin(), of_box.end(), pair,
                                      [&base](At at, Pair wanted) { return base.entries[at].pair < wanted; });
  if (known != of_box.end() && base.entries[*known].pair == pair) {
    return *known;
  }
  const auto appended = std::lower_bound(base.appended.begin(), base.appended.end(), pair,
                                         [](const Appended& one, Pair wanted) { return one.pair < wanted; });
  return appended != base.appended.end() && appended->pair == pair ? appended->at : none;
}

/// Makes an entry a candidate to end, if it touches: of the compacted entries, all do.
void ContactSet::add_candidate(At at) {
  if (is_candidate_[at] == 0 && (is_compacting_ || life_[at] != Life::gone)) {
    candidates_.push_back(at);
    is_candidate_[at] = 1;
  }
}

void ContactSet::commit() {
  is_patched_ = true;
  if (is_compacting_) {
    own_.swap(compacted_);
    std::swap(adjacency_, compacted_adjacency_);
    reset_state();
    is_compacting_ = false;
  }
  advance_unchanged();
  newly_appended_.clear();
  for (const Patch& patch : patches_) {
    At at = patch.at;
    if (at == none) {
      at = static_cast<At>(own_.size());
      own_.push_back(*patch.contact);
      life_.push_back(patch.life);
      newly_appended_.push_back({patch.contact->pair, at});
    }
    own_[at].manifold = patch.contact->manifold;
    life_[at] = patch.life;
    if (patch.life == Life::begun) {
      begun_.push_back(at);
    }
  }
  for (const At at : candidates_) {
    if (is_candidate_[at] != 0) {
      life_[at] = Life::gone;
    }
  }
  size_ = size_ + begun_.size() - ending_.size();
  merge_appended();
}

/// Merges the entries of this step into those appended before, from the end: each of them moves only once.
void ContactSet::merge_appended() {
  auto end = static_cast<std::ptrdiff_t>(appended_.size());
  appended_.resize(appended_.size() + newly_appended_.size());
  auto to = appended_.end();
  for (auto one = newly_appended_.rbegin(); one != newly_appended_.rend(); ++one) {
    const auto after = std::upper_bound(appended_.begin(), appended_.begin() + end, one->pair,
                                        [](Pair pair, const Appended& other) { return pair < other.pair; });
    to = std::move_backward(after, appended_.begin() + end, to);
    *--to = *one;
    end = after - appended_.begin();
  }
}

void ContactSet::advance_unchanged() {
  for (const At at : begun_) {
    life_[at] = Life::stays;
  }
  begun_.clear();
}

void ContactSet::make_order() {
  order_.clear();
  stayed_.clear();
  const auto append = [this](At at) {
    if (life_[at] != Life::gone) {
      order_.push_back(at);
    }
  };
  auto next = appended_.begin();
  for (At at = 0; at < sorted_; ++at) {
    for (; next != appended_.end() && next->pair < own_[at].pair; ++next) {
      append(next->at);
    }
    append(at);
  }
  for (; next != appended_.end(); ++next) {
    append(next->at);
  }
  std::copy_if(order_.begin(), order_.end(), std::back_inserter(stayed_),
               [this](At at) { return life_[at] == Life::stays; });
}

std::size_t ContactSet::bytes() const {
  return adjacency_.bytes() + compacted_adjacency_.bytes() +
         detail::bytes_of(own_, life_, begun_, order_, stayed_, appended_, newly_appended_, compacted_,
                          candidates_, is_candidate_, patches_, ending_);
}

}  // namespace broadside::inline v0_2
