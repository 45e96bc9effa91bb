#include "allocation_watch.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t allocations = 0;
thread_local std::size_t largest_allocation = 0;
thread_local bool is_limited = false;
thread_local std::size_t allowed_allocations = 0;
thread_local bool limit_struck = false;

bool may_allocate() {
  if (is_limited && allowed_allocations == 0) {
    limit_struck = true;
    return false;
  }
  allowed_allocations -= is_limited ? 1U : 0U;
  return true;
}

}  // namespace

// The array forms of the standard library end up here too. AddressSanitizer brings a nothrow form of its own,
// which would not fit to what deletes here.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  ++allocations;
  largest_allocation = std::max(largest_allocation, size);
  return may_allocate() ? std::malloc(size == 0 ? 1 : size) : nullptr;
}
void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) {
    return memory;
  }
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

namespace broadside::test {

AllocationWatch::AllocationWatch() : count_at_start_(allocations) {
  largest_allocation = 0;
}

std::size_t AllocationWatch::count() const {
  return allocations - count_at_start_;
}

std::size_t AllocationWatch::largest() const {
  return largest_allocation;
}

AllocationLimit::AllocationLimit(std::size_t allowed) {
  allowed_allocations = allowed;
  limit_struck = false;
  is_limited = true;
}

AllocationLimit::~AllocationLimit() {
  is_limited = false;
}

bool AllocationLimit::struck() const {
  return limit_struck;
}

}  // namespace broadside::test
