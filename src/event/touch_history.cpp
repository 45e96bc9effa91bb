#include "broadside/event/touch_history.hpp"

#include <numeric>

#include "base/make_room.hpp"

namespace broadside {

namespace {

/// In the order of pairs, and compared at once.
std::uint64_t key(Pair pair) {
  return (std::uint64_t{pair.a} << 32U) | pair.b;
}

}  // namespace

// Both lists are sorted, so one walk along both finds what is in one, in the other, or in both:
//
//     before  (0,2)        (1,5) (3,4)
//     now     (0,2) (0,7)        (3,4)
//             stays begins ends  stays
void TouchHistory::advance(std::span<const Pair> touching, std::span<const std::uint8_t> renewed) {
  // Room first, then what cannot fail.
  before_.assign(touching.begin(), touching.end());
  if (begun_.size() < touching.size()) {
    begun_.resize(touching.size() + touching.size() / 8);
  }
  if (stayed_.size() < begun_.size()) {
    stayed_.resize(begun_.size());
  }
  detail::make_room(ended_, now_.size());
  before_.swap(now_);
  ended_.clear();
  begun_count_ = 0;
  stayed_count_ = 0;
  const auto is_renewed = [renewed](Pair pair) {
    return !renewed.empty() && ((renewed[pair.a] | renewed[pair.b]) & 1U) != 0;
  };
  std::size_t i = 0;
  std::size_t old = 0;
  while (i < now_.size() && old < before_.size()) {
    const std::uint64_t now = key(now_[i]);
    const std::uint64_t before = key(before_[old]);
    if (now == before && !is_renewed(now_[i])) {
      stayed_[stayed_count_++] = static_cast<std::uint32_t>(i++);
      ++old;
      continue;
    }
    if (before <= now) {
      ended_.push_back(before_[old++]);
    }
    if (now <= before) {
      begun_[begun_count_++] = static_cast<std::uint32_t>(i++);
    }
  }
  for (; i < now_.size(); ++i) {
    begun_[begun_count_++] = static_cast<std::uint32_t>(i);
  }
  ended_.insert(ended_.end(), before_.begin() + static_cast<std::ptrdiff_t>(old), before_.end());
}

void TouchHistory::advance_unchanged() {
  ended_.clear();
  if (begun_count_ > 0) {
    begun_count_ = 0;
    stayed_count_ = now_.size();
    std::iota(stayed_.begin(), stayed_.begin() + static_cast<std::ptrdiff_t>(stayed_count_), 0U);
  }
}

void TouchHistory::clear() {
  now_.clear();
  ended_.clear();
  begun_count_ = 0;
  stayed_count_ = 0;
}

}  // namespace broadside
