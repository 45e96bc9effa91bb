#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>

#include "broadside/base/pair.hpp"
#include "broadside/broad_phase/detail/attempt.hpp"

namespace broadside::detail {

/// Pairs in memory that is never cleared: kernels write whole vectors of them past the end and advance by the
/// hits.
class PairBuffer {
 public:
  PairBuffer() = default;
  PairBuffer(const PairBuffer&) = delete;
  PairBuffer& operator=(const PairBuffer&) = delete;
  PairBuffer(PairBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  PairBuffer& operator=(PairBuffer&&) = delete;
  ~PairBuffer() { std::free(data_); }

  void clear() { size_ = 0; }
  /// Keeps the first `size` pairs. @pre there are as many
  void shrink(std::size_t size) { size_ = size; }
  void push_back(Pair pair) {
    *tail(1) = pair;
    ++size_;
  }

  /// Returns where the next pair goes, with room for `room` more. Valid until the next call.
  Pair* tail(std::size_t room) {
    if (size_ + room > capacity_) {
      grow(size_ + room);
    }
    return data_ + size_;
  }
  /// Says that `count` pairs were written at `tail`.
  void advance(std::size_t count) { size_ += count; }

  [[nodiscard]] std::span<Pair> pairs() { return {data_, size_}; }
  [[nodiscard]] std::span<const Pair> pairs() const { return {data_, size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return capacity_ * sizeof(Pair); }

 private:
  void grow(std::size_t needed) {
    const std::size_t capacity = needed + needed / 2 + 1024;
    void* grown = std::realloc(static_cast<void*>(data_), capacity * sizeof(Pair));
    if (grown == nullptr) {
      out_of_memory();
    }
    data_ = static_cast<Pair*>(grown);
    capacity_ = capacity;
  }

  Pair* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace broadside::detail
