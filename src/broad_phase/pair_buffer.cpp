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

void PairBuffer::reserve(std::size_t more) {
  count();
  const std::size_t needed = size_ + more;
  if (needed <= capacity_) {
    return;
  }
  const std::size_t capacity = needed + needed / 2 + 1024;
  void* grown = std::realloc(static_cast<void*>(data_), capacity * sizeof(Pair));
  if (grown == nullptr) {
    detail::out_of_memory();
  }
  data_ = static_cast<Pair*>(grown);
  capacity_ = capacity;
}

}  // namespace broadside
