#pragma once

#include <cstddef>

namespace broadside::test {

/// Counts the allocations of this thread by `new` since its construction.
class AllocationWatch {
 public:
  AllocationWatch();

  [[nodiscard]] std::size_t count() const;

  /// Returns the size of the largest single allocation (unit: byte). Only for one watch at a time.
  [[nodiscard]] std::size_t largest() const;

 private:
  std::size_t count_at_start_;
};

/// Sums up the bytes that all threads request by `new` since its construction: an upper bound of what they
/// hold at any moment.
class MemoryWatch {
 public:
  MemoryWatch();

  [[nodiscard]] std::size_t bytes() const;

 private:
  std::size_t bytes_at_start_;
};

/// During its lifetime, lets this thread allocate this many times by `new`; further allocations fail.
class AllocationLimit {
 public:
  explicit AllocationLimit(std::size_t allowed);
  ~AllocationLimit();
  AllocationLimit(const AllocationLimit&) = delete;
  AllocationLimit& operator=(const AllocationLimit&) = delete;

  /// Tells whether an allocation failed.
  [[nodiscard]] bool struck() const;
};

/// Which allocations fail.
enum class Failing { once, from_there_on };

/// During its lifetime, lets all threads together allocate this many times by `new`; then the next allocation
/// fails, or all further ones. One at a time.
class SharedAllocationLimit {
 public:
  SharedAllocationLimit(std::size_t allowed, Failing failing);
  ~SharedAllocationLimit();
  SharedAllocationLimit(const SharedAllocationLimit&) = delete;
  SharedAllocationLimit& operator=(const SharedAllocationLimit&) = delete;

  /// Tells whether an allocation failed.
  [[nodiscard]] bool struck() const;
};

}  // namespace broadside::test
