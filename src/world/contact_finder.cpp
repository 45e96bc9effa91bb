#include "world/contact_finder.hpp"

#include <algorithm>

#include "base/reserve.hpp"

namespace broadside::inline v0_2 {

void ContactFinder::use_threads(TaskRunner* runner) {
  for (NarrowPhase& narrow_phase : narrow_phases_) {
    narrow_phase.use_threads(runner).value();
  }
}

void ContactFinder::find(std::span<Pair> pairs, std::span<const Shape> shapes,
                         std::span<const Transform> transforms) {
  // Shapes were validated when they were set, and pairs come from the broad phase.
  found_ = narrow_phases_[next_].find_contacts(pairs, shapes, transforms).value();
  is_as_found_ = true;
}

void ContactFinder::add(std::span<const Contact> contacts) {
  if (contacts.empty()) {
    return;
  }
  with_others_.resize(found_.size() + contacts.size());
  std::merge(found_.begin(), found_.end(), contacts.begin(), contacts.end(), with_others_.begin(),
             [](const Contact& x, const Contact& y) { return x.pair < y.pair; });
  joined_.swap(with_others_);
  found_ = joined_;
  is_as_found_ = false;
}

std::span<const Pair> ContactFinder::pairs_found() {
  return is_as_found_ ? narrow_phases_[next_].touching() : pairs_of(found_);
}

std::span<const Pair> ContactFinder::pairs_of(std::span<const Contact> contacts) {
  pairs_.resize(contacts.size());
  std::transform(contacts.begin(), contacts.end(), pairs_.begin(),
                 [](const Contact& contact) { return contact.pair; });
  return pairs_;
}

void ContactFinder::commit_all() {
  next_ = 1 - next_;
  kept_.swap(joined_);
}

std::size_t ContactFinder::bytes() const {
  return detail::bytes_of(joined_, kept_, with_others_, pairs_) + narrow_phases_[0].bytes() +
         narrow_phases_[1].bytes();
}

}  // namespace broadside::inline v0_2
