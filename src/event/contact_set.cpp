#include "event/contact_set.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/reserve.hpp"

namespace broadside {

void ContactSet::replace(std::span<const Contact> contacts) {
  is_patched_ = false;
  given_ = contacts;
  size_ = contacts.size();
}

// All contacts of changed boxes are candidates to end; those that are found again stay, the others end:
//
//     candidates     (0,2) (0,7) (1,5)
//     found          (0,2)       (1,5) (1,9)
//                    stays ends  stays begins
void ContactSet::prepare(std::span<const Contact> contacts, const ContactScope& scope,
                         std::span<const std::uint8_t> renewed) {
  if (!is_patched_) {
    own_.assign(given_.begin(), given_.end());
    start_anew();
    make_adjacency(own_, adjacency_);
  }
  closes_ranks_ = is_patched_ && is_worn();
  if (closes_ranks_) {
    make_order();
    room_.clear();
    for (const At at : order_) {
      room_.push_back(own_[at]);
    }
    make_adjacency(room_, room_adjacency_);
    detail::reserve(room_, room_.size() + contacts.size());
  }
  const Base before = base();
  for (const At at : asked_) {
    is_asked_[at] = 0;
  }
  asked_.clear();
  is_asked_.resize(std::max(is_asked_.size(), before.entries.size()));
  for (const BoxIndex box : scope.boxes) {
    for (const At at : before.adjacency.of(box)) {
      ask(at);
    }
  }
  for (const Late& one : before.late) {
    if ((scope.is_in[one.pair.a] | scope.is_in[one.pair.b]) != 0) {
      ask(one.at);
    }
  }
  patches_.clear();
  ending_.clear();
  std::size_t begins = 0;
  for (const Contact& contact : contacts) {
    const Pair pair = contact.pair;
    const At known = find(before, pair, scope.is_in[pair.a] != 0);
    const bool touched = known != none && is_asked_[known] != 0;
    const bool stays = touched && ((renewed[pair.a] | renewed[pair.b]) & 1U) == 0;
    if (touched) {
      is_asked_[known] = 0;
      if (!stays) {
        ending_.push_back(pair);
      }
    }
    begins += stays ? 0U : 1U;
    patches_.push_back({&contact, known, stays ? Life::stays : Life::begun});
  }
  for (const At at : asked_) {
    if (is_asked_[at] != 0) {
      ending_.push_back(before.entries[at].pair);
    }
  }
  std::sort(ending_.begin(), ending_.end());
  const std::size_t all = own_.size() + contacts.size();
  detail::reserve(own_, all);
  detail::reserve(life_, all);
  detail::reserve(order_, all);
  detail::reserve(stayed_, all);
  detail::reserve(begun_, begins);
  detail::reserve(latest_, begins);
  detail::reserve(late_, late_.size() + begins);
}

/// Tells whether so many entries are gone or were added late that sorting all again pays off.
bool ContactSet::is_worn() const {
  const std::size_t gone = own_.size() - size_;
  const std::size_t late = own_.size() - sorted_;
  return gone + late > 64 + sorted_ / 8;
}

/// Resets the state of the entries, which are sorted: all of them touched in the last step.
void ContactSet::start_anew() {
  life_.assign(own_.size(), Life::stays);
  sorted_ = own_.size();
  late_.clear();
  begun_.clear();
}

void ContactSet::make_adjacency(std::span<const Contact> contacts, Adjacency& adjacency) {
  adjacency.make([contacts](auto take) {
    for (At at = 0; at < contacts.size(); ++at) {
      take(contacts[at].pair, at);
    }
  });
}

ContactSet::Base ContactSet::base() const {
  return closes_ranks_ ? Base{room_, room_adjacency_, {}} : Base{own_, adjacency_, late_};
}

/// Returns the index of a pair, or `none`.
/// @param by_a whether box a changed; if not, b did
ContactSet::At ContactSet::find(const Base& base, Pair pair, bool by_a) {
  const auto some = base.adjacency.of(by_a ? pair.a : pair.b);
  const auto known = std::lower_bound(some.begin(), some.end(), pair,
                                      [&base](At at, Pair wanted) { return base.entries[at].pair < wanted; });
  if (known != some.end() && base.entries[*known].pair == pair) {
    return *known;
  }
  const auto late = std::lower_bound(base.late.begin(), base.late.end(), pair,
                                     [](const Late& one, Pair wanted) { return one.pair < wanted; });
  return late != base.late.end() && late->pair == pair ? late->at : none;
}

/// Makes an entry a candidate to end, if it touches.
void ContactSet::ask(At at) {
  if (is_asked_[at] == 0 && (closes_ranks_ || life_[at] != Life::gone)) {
    asked_.push_back(at);
    is_asked_[at] = 1;
  }
}

void ContactSet::commit() {
  is_patched_ = true;
  if (closes_ranks_) {
    own_.swap(room_);
    std::swap(adjacency_, room_adjacency_);
    start_anew();
    closes_ranks_ = false;
  }
  advance_unchanged();
  latest_.clear();
  for (const Patch& patch : patches_) {
    At at = patch.at;
    if (at == none) {
      at = static_cast<At>(own_.size());
      own_.push_back(*patch.contact);
      life_.push_back(patch.life);
      latest_.push_back({patch.contact->pair, at});
    }
    own_[at].manifold = patch.contact->manifold;
    life_[at] = patch.life;
    if (patch.life == Life::begun) {
      begun_.push_back(at);
    }
  }
  for (const At at : asked_) {
    if (is_asked_[at] != 0) {
      life_[at] = Life::gone;
    }
  }
  size_ = size_ + begun_.size() - ending_.size();
  take_latest();
}

/// Merges the entries of this step into the late ones, from the end: each moves only once, most in blocks.
void ContactSet::take_latest() {
  auto end = static_cast<std::ptrdiff_t>(late_.size());
  late_.resize(late_.size() + latest_.size());
  auto to = late_.end();
  for (auto one = latest_.rbegin(); one != latest_.rend(); ++one) {
    const auto after = std::upper_bound(late_.begin(), late_.begin() + end, one->pair,
                                        [](Pair pair, const Late& late) { return pair < late.pair; });
    to = std::move_backward(after, late_.begin() + end, to);
    *--to = *one;
    end = after - late_.begin();
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
  const auto take = [this](At at) {
    if (life_[at] != Life::gone) {
      order_.push_back(at);
    }
  };
  auto late = late_.begin();
  for (At at = 0; at < sorted_; ++at) {
    for (; late != late_.end() && late->pair < own_[at].pair; ++late) {
      take(late->at);
    }
    take(at);
  }
  for (; late != late_.end(); ++late) {
    take(late->at);
  }
  std::copy_if(order_.begin(), order_.end(), std::back_inserter(stayed_),
               [this](At at) { return life_[at] == Life::stays; });
}

std::size_t ContactSet::bytes() const {
  const auto of = [](const auto&... arrays) { return ((arrays.capacity() * sizeof(arrays[0])) + ...); };
  return adjacency_.bytes() + room_adjacency_.bytes() +
         of(own_, life_, begun_, order_, stayed_, late_, latest_, room_, asked_, is_asked_, patches_,
            ending_);
}

}  // namespace broadside
