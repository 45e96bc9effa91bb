#include "world/compound_contacts.hpp"

#include <algorithm>

#include "base/reserve.hpp"
#include "world/measures.hpp"

namespace broadside::inline v0_2 {

void CompoundContacts::merge(std::span<const Contact> of_shapes) {
  order_.clear();
  for (const Contact& contact : of_shapes) {
    order_.emplace_back(bodies_.owners(contact.pair), static_cast<std::uint32_t>(order_.size()));
  }
  std::sort(order_.begin(), order_.end());
  merged_.clear();
  for (const auto& [pair, at] : order_) {
    const Contact& contact = of_shapes[at];
    const Manifold manifold =
        bodies_.owner(contact.pair.a) == pair.a ? contact.manifold : swapped(contact.manifold);
    if (merged_.empty() || merged_.back().pair != pair) {
      merged_.push_back({pair, manifold});
    } else if (deepest(manifold) < deepest(merged_.back().manifold)) {
      merged_.back().manifold = manifold;
    }
  }
}

std::size_t CompoundContacts::bytes() const {
  return detail::bytes_of(of_last_step_, merged_, order_) + log_.bytes();
}

}  // namespace broadside::inline v0_2
