#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>

#include "broadside/base/pair.hpp"
#include "broadside/broad_phase/detail/try_alloc.hpp"

namespace broadside::detail {

/// Counts the pairs that several buffers find together, so that they stop to keep them beyond a limit.
class PairLimit {
 public:
  explicit PairLimit(std::size_t max_pairs) : max_pairs_(max_pairs) {}

  /// Counts so many more; tells whether all are still within the limit.
  bool count(std::size_t pairs) {
    return found_.fetch_add(pairs, std::memory_order_relaxed) + pairs <= max_pairs_;
  }
  [[nodiscard]] bool is_exceeded() const { return found() > max_pairs_; }
  [[nodiscard]] std::size_t found() const { return found_.load(std::memory_order_relaxed); }

 private:
  std::size_t max_pairs_;
  std::atomic<std::size_t> found_ = 0;
};

/// Pairs in memory that is never cleared: kernels write whole vectors of them past the end and advance by the
/// hits.
///
/// With a limit, a buffer that is full counts its pairs before it grows, and forgets them where they are too
/// many, as nobody will want them then: the memory of all buffers with one limit stays in proportion to it.
class PairBuffer {
 public:
  PairBuffer() = default;
  PairBuffer(const PairBuffer&) = delete;
  PairBuffer& operator=(const PairBuffer&) = delete;
  PairBuffer(PairBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)),
        limit_(std::exchange(other.limit_, nullptr)),
        counted_(std::exchange(other.counted_, 0)) {}
  PairBuffer& operator=(PairBuffer&&) = delete;
  ~PairBuffer() { std::free(data_); }

  void clear() {
    size_ = 0;
    counted_ = 0;
  }
  /// Sets the limit, which others may share; null for none. @pre empty
  void set_limit(PairLimit* limit) { limit_ = limit; }
  [[nodiscard]] PairLimit* limit() const { return limit_; }
  /// Counts the pairs that the limit has not yet, and forgets them all where they are too many.
  void count() {
    if (limit_ != nullptr && !limit_->count(size_ - counted_)) {
      size_ = 0;
    }
    counted_ = size_;
  }
  /// Keeps the first `size` pairs. @pre there are as many, and there is no limit
  void shrink(std::size_t size) { size_ = size; }
  void push_back(Pair pair) {
    *tail(1) = pair;
    ++size_;
  }

  /// Returns where the next pair goes, with capacity for `more` pairs. Valid until the next call.
  Pair* tail(std::size_t more) {
    if (size_ + more > capacity_) {
      reserve(more);
    }
    return data_ + size_;
  }
  /// Says that `count` pairs were written at `tail`.
  void advance(std::size_t count) { size_ += count; }
  /// The same for pairs that the limit has counted in other buffers.
  void advance_counted(std::size_t count) {
    size_ += count;
    counted_ += count;
  }

  [[nodiscard]] std::span<Pair> pairs() { return {data_, size_}; }
  [[nodiscard]] std::span<const Pair> pairs() const { return {data_, size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return capacity_ * sizeof(Pair); }

 private:
  [[gnu::noinline]] void reserve(std::size_t more) {
    count();
    if (size_ + more > capacity_) {
      grow(size_ + more);
    }
  }

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
  PairLimit* limit_ = nullptr;
  std::size_t counted_ = 0;  ///< of the pairs kept, those that the limit has counted
};

}  // namespace broadside::detail
