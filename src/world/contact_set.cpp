#include "world/contact_set.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/make_room.hpp"

namespace broadside {

void ContactSet::replace(std::span<const Contact> contacts) {
  is_patched_ = false;
  given_ = contacts;
  size_ = contacts.size();
}

void ContactSet::prepare(std::size_t contacts, std::span<const BoxIndex> changed) {
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
    detail::make_room(room_, room_.size() + contacts);
  }
  most_asked_ = late_.size();
  for (const BoxIndex box : changed) {
    most_asked_ += (closes_ranks_ ? room_adjacency_ : adjacency_).of(box).size();
  }
  const std::size_t all = own_.size() + contacts;
  detail::make_room(own_, all);
  detail::make_room(life_, all);
  detail::make_room(order_, all);
  detail::make_room(stayed_, all);
  detail::make_room(begun_, contacts);
  detail::make_room(latest_, contacts);
  detail::make_room(late_, late_.size() + contacts);
  detail::make_room(asked_, most_asked_);
  detail::make_room(ended_, most_asked_);
}

/// Tells whether so many are gone or came late that sorting all again pays.
bool ContactSet::is_worn() const {
  const std::size_t gone = own_.size() - size_;
  const std::size_t late = own_.size() - sorted_;
  return gone + late > 64 + sorted_ / 8;
}

/// Takes what it has, which is sorted, for what touched in the last step.
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

/// Returns the place of a pair, or `none`.
/// @param by_a whether it is a that changed; b did if not
ContactSet::At ContactSet::find(Pair pair, bool by_a) const {
  const auto some = adjacency_.of(by_a ? pair.a : pair.b);
  const auto known = std::lower_bound(some.begin(), some.end(), pair,
                                      [this](At at, Pair wanted) { return own_[at].pair < wanted; });
  if (known != some.end() && own_[*known].pair == pair) {
    return *known;
  }
  const auto late = std::lower_bound(late_.begin(), late_.end(), pair,
                                     [](const Late& one, Pair wanted) { return one.pair < wanted; });
  return late != late_.end() && late->pair == pair ? late->at : none;
}

void ContactSet::ask(At at) {
  if (life_[at] == Life::stays) {
    life_[at] = Life::asked;
    asked_.push_back(at);
  }
}

void ContactSet::begin(const Contact& contact) {
  const auto at = static_cast<At>(own_.size());
  own_.push_back(contact);
  life_.push_back(Life::begun);
  begun_.push_back(at);
  latest_.push_back({contact.pair, at});
}

// All contacts of changed boxes are in question; those that are found again stay, the others end:
//
//     in question    (0,2) (0,7) (1,5)
//     found          (0,2)       (1,5) (1,9)
//                    stays ends  stays begins
void ContactSet::patch(std::span<const Contact> contacts, std::span<const BoxIndex> changed,
                       std::span<const std::uint8_t> is_changed, std::span<const std::uint8_t> renewed) {
  is_patched_ = true;
  if (closes_ranks_) {
    own_.swap(room_);
    std::swap(adjacency_, room_adjacency_);
    start_anew();
  }
  advance_unchanged();
  asked_.clear();
  latest_.clear();
  for (const BoxIndex box : changed) {
    for (const At at : adjacency_.of(box)) {
      ask(at);
    }
  }
  for (const Late& one : late_) {
    if ((is_changed[one.pair.a] | is_changed[one.pair.b]) != 0) {
      ask(one.at);
    }
  }
  for (const Contact& contact : contacts) {
    const Pair pair = contact.pair;
    const At known = find(pair, is_changed[pair.a] != 0);
    if (known == none) {
      begin(contact);
      continue;
    }
    own_[known].manifold = contact.manifold;
    const bool touched = life_[known] == Life::asked;
    if (touched && ((renewed[pair.a] | renewed[pair.b]) & 1U) == 0) {
      life_[known] = Life::stays;
      continue;
    }
    if (touched) {
      ended_.push_back(pair);
    }
    life_[known] = Life::begun;
    begun_.push_back(known);
  }
  for (const At at : asked_) {
    if (life_[at] == Life::asked) {
      life_[at] = Life::gone;
      ended_.push_back(own_[at].pair);
    }
  }
  std::sort(ended_.begin(), ended_.end());
  size_ = size_ + begun_.size() - ended_.size();
  take_latest();
}

/// Puts those of this step among the late ones, from behind: each moves but once, and most in a block.
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
  ended_.clear();
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
  const std::size_t places = begun_.capacity() + order_.capacity() + stayed_.capacity() + asked_.capacity();
  return places * sizeof(At) + adjacency_.bytes() + room_adjacency_.bytes() +
         (own_.capacity() + room_.capacity()) * sizeof(Contact) + life_.capacity() +
         ended_.capacity() * sizeof(Pair) + (late_.capacity() + latest_.capacity()) * sizeof(Late);
}

}  // namespace broadside
