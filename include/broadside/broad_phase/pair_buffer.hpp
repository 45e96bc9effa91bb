#pragma once

#include <cstddef>
#include <new>
#include <span>
#include <utility>

#include "broadside/base/export.h"
#include "broadside/base/pair.hpp"

namespace broadside::inline v0_2 {

namespace detail {
class PairLimit;
class PairWorkers;
}  // namespace detail

/// A growing array of pairs in uninitialized memory: kernels write whole vectors past the end and advance by
/// the number of hits.
///
/// With a limit, a full buffer counts its pairs before it grows, and drops them if the limit is exceeded,
/// since they will not be returned then: the memory of all buffers with one limit is proportional to it.
class BROADSIDE_API PairBuffer {
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
  ~PairBuffer() { ::operator delete(static_cast<void*>(data_)); }

  /// Appends a pair.
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
  /// Allocates memory for this many pairs, and writes to it, so that the system provides it now.
  void provide(std::size_t pairs);

  /// Adds `count` pairs that were written at `tail`.
  void advance(std::size_t count) { size_ += count; }

  void clear() {
    size_ = 0;
    counted_ = 0;
  }
  /// Keeps the first `size` pairs.
  /// @pre there are at least `size` pairs, and there is no limit
  void shrink(std::size_t size) { size_ = size; }

  [[nodiscard]] std::span<Pair> pairs() { return {data_, size_}; }
  [[nodiscard]] std::span<const Pair> pairs() const { return {data_, size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return capacity_ * sizeof(Pair); }

 private:
  friend class detail::PairLimit;
  friend class detail::PairWorkers;

  /// The same as `advance` for pairs that other buffers have added to the limit.
  void advance_counted(std::size_t count) {
    size_ += count;
    counted_ += count;
  }
  /// Adds the pairs that are not counted yet to the limit, and drops all pairs if it is exceeded.
  void count();
  void reserve(std::size_t more);
  void grow_to(std::size_t capacity);

  Pair* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  detail::PairLimit* limit_ = nullptr;  ///< which other buffers may share; null for none
  std::size_t counted_ = 0;             ///< pairs of this buffer that the limit has counted
};

}  // namespace broadside::inline v0_2
