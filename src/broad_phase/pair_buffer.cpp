#include "broadside/broad_phase/pair_buffer.hpp"

#include "base/try_alloc.hpp"
#include "pair_workers.hpp"

namespace broadside {

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
  void* grown = std::realloc(static_cast<void*>(data_), capacity * sizeof(Pair));
  if (grown == nullptr) {
    detail::out_of_memory();
  }
  data_ = static_cast<Pair*>(grown);
  capacity_ = capacity;
}

}  // namespace broadside
