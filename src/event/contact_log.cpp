#include "event/contact_log.hpp"

#include <algorithm>

#include "base/reserve.hpp"

namespace broadside::inline v0_2 {

void ContactLog::copy(const ContactLog& other) {
  contacts_ = other.contacts_;
  history_ = other.history_;
  invalidate_views();
}

void ContactLog::prepare(std::span<const Contact> contacts, std::span<const Pair> pairs,
                         std::span<const std::uint8_t> reassigned) {
  if (contacts_.is_patched()) {  // then the history is that of an older step: set it to the last one
    pairs_.clear();
    for_each([this](const Contact& contact) { pairs_.push_back(contact.pair); });
    history_.clear();
    history_.advance(pairs_);
  }
  is_partial_ = false;
  given_ = contacts;
  history_.prepare(pairs, reassigned);
}

void ContactLog::prepare(std::span<const Contact> contacts, const ContactScope& scope,
                         std::span<const std::uint8_t> reassigned) {
  is_partial_ = true;
  contacts_.prepare(contacts, scope, reassigned);
}

void ContactLog::commit() {
  if (is_partial_) {
    contacts_.commit();
  } else {
    history_.commit();
    contacts_.replace(given_);
  }
  invalidate_views();
}

void ContactLog::advance_unchanged() {
  if (!contacts_.is_patched()) {
    history_.advance_unchanged();
    return;
  }
  if (!contacts_.begun().empty()) {
    order_is_made_.store(false, std::memory_order_relaxed);
  }
  contacts_.advance_unchanged();
}

void ContactLog::restore(std::span<const Contact> contacts, std::span<const Pair> stayed) {
  contacts_.replace(contacts);
  pairs_.clear();
  for_each([this](const Contact& contact) { pairs_.push_back(contact.pair); });
  history_.clear();
  history_.advance(stayed);
  history_.advance(pairs_);
  invalidate_views();
}

/// Marks all sorted views as outdated; they are rebuilt on demand.
void ContactLog::invalidate_views() {
  order_is_made_.store(false, std::memory_order_relaxed);
  in_order_is_made_.store(false, std::memory_order_relaxed);
  adjacency_is_made_.store(false, std::memory_order_relaxed);
}

void ContactLog::make_order() const {
  if (contacts_.is_patched()) {
    update_.ensure(order_is_made_, [this] { contacts_.make_order(); });
  }
}

ContactLog::At ContactLog::nth(std::size_t n) const {
  make_order();
  return contacts_.nth(n);
}

std::span<const Contact> ContactLog::in_order() const {
  if (!contacts_.is_patched()) {
    return contacts_.entries();
  }
  make_order();
  update_.ensure(in_order_is_made_, [this] {
    in_order_.clear();
    for (const At at : contacts_.order()) {
      in_order_.push_back(contacts_[at]);
    }
  });
  return in_order_;
}

const Contact* ContactLog::find(Pair pair) const {
  make_order();
  const auto all = contacts_.entries();
  if (!contacts_.is_patched()) {
    const auto at = std::lower_bound(all.begin(), all.end(), pair,
                                     [](const Contact& one, Pair other) { return one.pair < other; });
    return at != all.end() && at->pair == pair ? &*at : nullptr;
  }
  const auto order = contacts_.order();
  const auto at = std::lower_bound(order.begin(), order.end(), pair,
                                   [all](At one, Pair other) { return all[one].pair < other; });
  return at != order.end() && all[*at].pair == pair ? &all[*at] : nullptr;
}

std::span<const ContactLog::At> ContactLog::of(BoxIndex box) const {
  make_order();
  update_.ensure(adjacency_is_made_, [this] {
    adjacency_.make([this](auto take) {
      for (std::size_t n = 0; n < contacts_.size(); ++n) {
        take(contacts_[contacts_.nth(n)].pair, contacts_.nth(n));
      }
    });
  });
  return adjacency_.of(box);
}

std::span<const ContactLog::At> ContactLog::stayed() const {
  make_order();
  return contacts_.is_patched() ? contacts_.stayed() : history_.stayed();
}

bool ContactLog::has_begun(At at) const {
  return contacts_.is_patched() ? contacts_.has_begun(at)
                                : std::binary_search(history_.begun().begin(), history_.begun().end(), at);
}

std::size_t ContactLog::bytes() const {
  const auto locked = update_.lock();
  return contacts_.bytes() + history_.bytes() + adjacency_.bytes() + detail::bytes_of(pairs_, in_order_);
}

}  // namespace broadside::inline v0_2
