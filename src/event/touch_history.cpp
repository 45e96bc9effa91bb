#include "broadside/event/touch_history.hpp"

#include <numeric>

namespace broadside {

// Both lists are sorted, so one walk along both finds what is in one, in the other, or in both:
//
//     before  (0,2)        (1,5) (3,4)
//     now     (0,2) (0,7)        (3,4)
//             stays begins ends  stays
void TouchHistory::advance(std::span<const Pair> touching, std::span<const std::uint8_t> renewed) {
  before_.swap(now_);
  now_.assign(touching.begin(), touching.end());
  if (begun_.size() < now_.size()) {
    begun_.resize(now_.size() + now_.size() / 8);
    stayed_.resize(now_.size() + now_.size() / 8);
  }
  ended_.clear();
  begun_count_ = 0;
  stayed_count_ = 0;
  const auto is_renewed = [renewed](Pair pair) {
    return !renewed.empty() && ((renewed[pair.a] | renewed[pair.b]) & 1U) != 0;
  };
  std::size_t old = 0;
  for (std::size_t i = 0; i < now_.size(); ++i) {
    const Pair pair = now_[i];
    while (old < before_.size() && before_[old] < pair) {
      ended_.push_back(before_[old++]);
    }
    bool stays = old < before_.size() && before_[old] == pair;
    if (stays) {
      ++old;
      if (is_renewed(pair)) {
        ended_.push_back(pair);
        stays = false;
      }
    }
    // Written to both lists; only one of them counts it.
    begun_[begun_count_] = static_cast<std::uint32_t>(i);
    stayed_[stayed_count_] = static_cast<std::uint32_t>(i);
    begun_count_ += stays ? 0U : 1U;
    stayed_count_ += stays ? 1U : 0U;
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
