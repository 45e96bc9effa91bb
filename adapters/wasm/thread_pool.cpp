#include "broadside/base/tasks.hpp"

// For systems without threads, such as WebAssembly in a page: the caller's thread does everything.

namespace broadside::inline v0_2 {

struct ThreadPool::State {};

ThreadPool::ThreadPool(std::size_t /*threads*/) {}

ThreadPool::~ThreadPool() = default;

std::size_t ThreadPool::threads() const {
  return 1;
}

void ThreadPool::run(std::size_t count, TaskRef task) {
  for (std::size_t i = 0; i < count; ++i) {
    task(i);
  }
}

}  // namespace broadside::inline v0_2
