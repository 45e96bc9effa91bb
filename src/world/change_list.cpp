#include "world/change_list.hpp"

#include <algorithm>

#include "base/by_key.hpp"
#include "base/reserve.hpp"

namespace broadside::inline v0_2 {

void ChangeList::reserve(std::size_t places) {
  bits_.reserve(places);
  changed_.reserve(places);
  is_unboxed_.reserve(places);
  unboxed_.reserve(places);
}

void ChangeList::reserve_replaced(std::size_t more) {
  detail::reserve(replaced_, replaced_.size() + more);
  replaced_at_.resize(bits_.size());
}

void ChangeList::clear() {
  for (const Place place : changed_) {
    bits_[place] = 0;
  }
  changed_.clear();
  replaced_.clear();
}

std::span<const ChangeList::Place> ChangeList::unboxed_places() {
  if (!std::is_sorted(unboxed_.begin(), unboxed_.end())) {
    std::sort(unboxed_.begin(), unboxed_.end());
  }
  return unboxed_;
}

void ChangeList::clear_unboxed() {
  for (const Place place : unboxed_) {
    is_unboxed_[place] = 0;
  }
  unboxed_.clear();
}

void ChangeList::add_replaced(const Replaced& body) {
  replaced_at_[body.place] = static_cast<std::uint32_t>(replaced_.size());
  replaced_.push_back(body);
}

std::vector<ChangeList::Replaced> ChangeList::replaced_in_order() const {
  std::vector<Replaced> in_order = replaced_;
  std::sort(in_order.begin(), in_order.end(), detail::by_key(&Replaced::place));
  return in_order;
}

// A new place is marked as renewed, too, but replaces no body.
const ChangeList::Replaced* ChangeList::find_in_list(Place place) const {
  const std::uint32_t at = replaced_at_[place];
  return at < replaced_.size() && replaced_[at].place == place ? &replaced_[at] : nullptr;
}

std::size_t ChangeList::bytes() const {
  return detail::bytes_of(bits_, changed_, is_unboxed_, unboxed_, replaced_, replaced_at_);
}

}  // namespace broadside::inline v0_2
