#include "allocation_watch.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t allocations = 0;
thread_local std::size_t largest_allocation = 0;
thread_local bool is_limited = false;
thread_local std::size_t allowed_allocations = 0;
thread_local bool limit_struck = false;

#ifdef _WIN32  // it has no aligned_alloc, and aligned memory has a function of its own that frees it
void* allocate_aligned(std::size_t size, std::size_t alignment) {
  return _aligned_malloc(size, alignment);
}
void free_aligned(void* memory) {
  _aligned_free(memory);
}
#else
void* allocate_aligned(std::size_t size, std::size_t alignment) {
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
void free_aligned(void* memory) {
  std::free(memory);
}
#endif

// Shared by all threads.
std::atomic<std::size_t> all_bytes = 0;
std::atomic<bool> all_are_limited = false;
std::atomic<bool> fails_once = false;
std::atomic<bool> any_failed = false;
std::atomic<std::int64_t> left_for_all = 0;

bool may_all_allocate(std::size_t size) {
  all_bytes.fetch_add(size, std::memory_order_relaxed);
  if (!all_are_limited.load(std::memory_order_relaxed)) {
    return true;
  }
  const std::int64_t left = left_for_all.fetch_sub(1);
  if (left > 0 || (left < 0 && fails_once)) {
    return true;
  }
  any_failed = true;
  return false;
}

bool may_allocate(std::size_t size) {
  ++allocations;
  largest_allocation = std::max(largest_allocation, size);
  if (!may_all_allocate(size)) {
    return false;
  }
  if (is_limited && allowed_allocations == 0) {
    limit_struck = true;
    return false;
  }
  allowed_allocations -= is_limited ? 1U : 0U;
  return true;
}

}  // namespace

// The array forms of the standard library call these; over-aligned types use those with an alignment. The
// nothrow forms are replaced too: those of AddressSanitizer would not match `operator delete` below.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return may_allocate(size) ? std::malloc(size == 0 ? 1 : size) : nullptr;
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t& /*tag*/) noexcept {
  return may_allocate(size)
             ? allocate_aligned(std::max(size, std::size_t{1}), static_cast<std::size_t>(alignment))
             : nullptr;
}
void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) {
    return memory;
  }
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  if (void* memory = operator new(size, alignment, std::nothrow)) {
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
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  free_aligned(memory);
}
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  free_aligned(memory);
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

MemoryWatch::MemoryWatch() : bytes_at_start_(all_bytes) {}

std::size_t MemoryWatch::bytes() const {
  return all_bytes - bytes_at_start_;
}

SharedAllocationLimit::SharedAllocationLimit(std::size_t allowed, Failing failing) {
  left_for_all = static_cast<std::int64_t>(allowed);
  fails_once = failing == Failing::once;
  any_failed = false;
  all_are_limited = true;
}

SharedAllocationLimit::~SharedAllocationLimit() {
  all_are_limited = false;
}

bool SharedAllocationLimit::struck() const {
  return any_failed;
}

}  // namespace broadside::test
