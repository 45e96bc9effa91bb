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

}  // namespace broadside::test
