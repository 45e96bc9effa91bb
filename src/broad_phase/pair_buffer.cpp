#include "broadside/broad_phase/pair_buffer.hpp"

#include <algorithm>

#include "pair_workers.hpp"

namespace broadside::inline v0_2 {

void PairBuffer::count() {
  if (limit_ != nullptr && !limit_->count(size_ - counted_)) {
    size_ = 0;
  }
  counted_ = size_;
}

void PairBuffer::provide(std::size_t pairs) {
  constexpr std::size_t pairs_per_page = 4096 / sizeof(Pair);
  if (pairs <= capacity_) {
    return;
  }
  grow_to(pairs);
  for (std::size_t i = size_; i < pairs; i += pairs_per_page) {
    data_[i] = {};
  }
}

void PairBuffer::reserve(std::size_t more) {
  count();
  const std::size_t needed = size_ + more;
  if (needed > capacity_) {
    grow_to(needed + needed / 2 + 1024);
  }
}

void PairBuffer::grow_to(std::size_t capacity) {
  auto* grown = static_cast<Pair*>(::operator new(capacity * sizeof(Pair)));
  std::copy_n(data_, size_, grown);
  ::operator delete(static_cast<void*>(data_));
  data_ = grown;
  capacity_ = capacity;
}

}  // namespace broadside::inline v0_2
