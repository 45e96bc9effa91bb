#include "broadside/c/allocator.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

// A library of its own, because these functions replace those of the whole program.

namespace {

constinit std::atomic<std::size_t> default_blocks = 0;

void* allocate_default(std::size_t bytes, std::size_t alignment, void* /*context*/) {
#if defined(_WIN32)
  void* memory = _aligned_malloc(bytes, alignment);
#else
  const bool is_usual = alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;
  void* memory = is_usual ? std::malloc(bytes)
                          : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
#endif
  default_blocks.fetch_add(memory != nullptr ? 1U : 0U, std::memory_order_relaxed);
  return memory;
}

void release_default(void* memory, void* /*context*/) {
  default_blocks.fetch_sub(1, std::memory_order_relaxed);
#if defined(_WIN32)
  _aligned_free(memory);
#else
  std::free(memory);
#endif
}

// Initialized before any code runs: shared libraries allocate memory while they are loaded, and free it.
constinit bs_allocator allocator{allocate_default, release_default, nullptr};

void* allocate_or_null(std::size_t bytes, std::size_t alignment) noexcept {
  return allocator.allocate(std::max<std::size_t>(bytes, 1), alignment, allocator.context);
}

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (void* memory = allocate_or_null(bytes, alignment)) {
    return memory;
  }
#if defined(__cpp_exceptions)
  throw std::bad_alloc();
#else
  std::abort();
#endif
}

void release(void* memory) noexcept {
  if (memory != nullptr) {
    allocator.release(memory, allocator.context);
  }
}

}  // namespace

bs_status bs_set_allocator(const bs_allocator* chosen) {
  if (chosen == nullptr || chosen->allocate == nullptr || chosen->release == nullptr) {
    return BS_INVALID_ARGUMENT;
  }
  if (allocator.allocate != allocate_default || default_blocks.load(std::memory_order_relaxed) != 0) {
    return BS_LOCKED;
  }
  allocator = *chosen;
  return BS_OK;
}

// The forms for arrays, and the other forms of `delete`, call these.
void* operator new(std::size_t bytes) {
  return allocate(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  return allocate_or_null(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t& /*tag*/) noexcept {
  return allocate_or_null(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  release(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  release(memory);
}
