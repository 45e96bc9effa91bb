#pragma once

#include <cstddef>

namespace broadside::test {

/// Counts what this thread allocates by `new` from its construction on.
class AllocationWatch {
 public:
  AllocationWatch();

  [[nodiscard]] std::size_t count() const;

  /// Returns the size of the largest single allocation (unit: byte). One watch at a time may ask for it.
  [[nodiscard]] std::size_t largest() const;

 private:
  std::size_t count_at_start_;
};

/// Sums up the bytes that all threads ask for, by `new` and `realloc`, from its construction on: an upper
/// bound of what they hold at any moment.
class MemoryWatch {
 public:
  MemoryWatch();

  [[nodiscard]] std::size_t bytes() const;

 private:
  std::size_t bytes_at_start_;
};

/// Lets this thread allocate so many times by `new`; what comes after that fails, as long as it lives.
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

/// Lets all threads together allocate so many times by `new` and `realloc`; then the next one fails, or all
/// do, as long as it lives. One at a time.
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
