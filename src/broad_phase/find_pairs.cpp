#include "broadside/broad_phase/find_pairs.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "base/check_threads.hpp"
#include "broadside/base/pair_sorter.hpp"
#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/pair_buffer.hpp"
#include "moves.hpp"
#include "row_index.hpp"

namespace broadside::inline v0_2 {

namespace {

/// Boxes of the caller, and how a message about them begins.
using Side = std::pair<std::span<const Aabb>, const char*>;

Error check_flags(std::span<const std::uint8_t> is_static, std::initializer_list<Side> sides) {
  const std::size_t boxes = sides.begin()->first.size();
  if (is_static.empty() || (sides.size() == 1 && is_static.size() == boxes)) {
    return {};
  }
  return {ErrorCode::invalid_argument,
          "find_pairs: is_static has " + std::to_string(is_static.size()) + " values" +
              (sides.size() > 1 ? "; it is for one set of boxes, and here are two"
                                : " for " + std::to_string(boxes) + " boxes")};
}

Result<std::vector<Pair>> copy_of(const Result<std::span<const Pair>>& found) {
  return found.has_value() ? Result(std::vector<Pair>(found->begin(), found->end()))
                           : Result<std::vector<Pair>>(found.error());
}

}  // namespace

struct PairFinder::Memory {
  detail::RowIndex index;
  detail::RowIndex queries;
  detail::PairWorkers workers;
  PairBuffer found;
  PairSorter sorter;
  std::vector<BoxIndex> moving;
  std::vector<BoxIndex> fixed;

  /// Checks the options and the boxes, and lets `find` write pairs to `found`; returns them, sorted if
  /// wanted, or an error if they are more than the limit.
  template <typename Find>
  Result<std::span<const Pair>> collect(const FindPairsOptions& options, std::initializer_list<Side> sides,
                                        const Find& find) {
    const auto threads = threads_of(options.tasks, "find_pairs");
    if (!threads.has_value()) {
      return threads.error();
    }
    if (Error error = detail::check_threads(options.threads, "find_pairs")) {
      return error;
    }
    if (Error error = check_flags(options.is_static, sides)) {
      return error;
    }
    std::optional<ThreadPool> pool;
    if (options.tasks == nullptr && options.threads != 1) {
      pool.emplace(options.threads);
      workers.use(&*pool, pool->threads());
    } else {
      workers.use(options.tasks, threads.value());
    }
    for (const auto& [boxes, side] : sides) {
      if (!detail::are_valid(boxes, workers)) {
        const Error error = validate(boxes).error();
        return Error{error.code, side + error.message};
      }
    }
    detail::PairLimit limit(options.max_pairs);
    found.clear();
    limit.apply_to(found);
    find();
    detail::PairLimit::count_rest(found);
    if (limit.is_exceeded()) {
      return Error{ErrorCode::too_many_pairs, "find_pairs: there are " + std::to_string(limit.found()) +
                                                  " pairs, more than the limit of " +
                                                  std::to_string(options.max_pairs)};
    }
    if (options.sorted) {
      sorter.sort(found.pairs());
    }
    return std::span<const Pair>(found.pairs());
  }

  // Rows that an earlier call measured would be as good, but might give another order.
  void build(detail::RowIndex& rows, const detail::BoxSet& set) {
    rows.clear();
    rows.build(set, workers);
  }

  void find_among(std::span<const Aabb> boxes, std::span<const std::uint8_t> is_static) {
    moving.clear();
    fixed.clear();
    for (std::size_t i = 0; i < is_static.size(); ++i) {
      (is_static[i] != 0 ? fixed : moving).push_back(static_cast<BoxIndex>(i));
    }
    if (fixed.empty()) {
      build(index, {boxes});
      index.find_pairs(found, workers);
    } else if (!moving.empty()) {
      build(index, {boxes, moving});
      build(queries, {boxes, fixed});
      index.find_pairs(found, workers);
      find_pairs_between(index, queries, found, workers);
    }
  }

  // The boxes of the smaller set search the rows of the larger, in sorted order, which keeps these in the
  // cache.
  void find_between(std::span<const Aabb> left, std::span<const Aabb> right) {
    const bool few_left = left.size() < right.size();
    build(index, {few_left ? right : left});
    build(queries, {few_left ? left : right});
    index.find_pairs_with(queries, found, workers);
    if (!few_left) {
      for (Pair& pair : found.pairs()) {
        std::swap(pair.a, pair.b);
      }
    }
  }
};

PairFinder::PairFinder() noexcept = default;
PairFinder::PairFinder(PairFinder&& other) noexcept = default;
PairFinder& PairFinder::operator=(PairFinder&& other) noexcept = default;
PairFinder::~PairFinder() = default;

PairFinder::Memory& PairFinder::memory() {
  if (memory_ == nullptr) {
    memory_ = std::make_unique<Memory>();
  }
  return *memory_;
}

Result<std::span<const Pair>> PairFinder::find_pairs(std::span<const Aabb> boxes,
                                                     const FindPairsOptions& options) {
  Memory& memory = this->memory();
  return memory.collect(options, {{boxes, ""}}, [&] { memory.find_among(boxes, options.is_static); });
}

Result<std::span<const Pair>> PairFinder::find_pairs(std::span<const Aabb> left, std::span<const Aabb> right,
                                                     const FindPairsOptions& options) {
  Memory& memory = this->memory();
  return memory.collect(options, {{left, "left "}, {right, "right "}},
                        [&] { memory.find_between(left, right); });
}

Result<std::vector<Pair>> find_pairs(std::span<const Aabb> boxes, const FindPairsOptions& options) {
  return copy_of(PairFinder().find_pairs(boxes, options));
}

Result<std::vector<Pair>> find_pairs(std::span<const Aabb> left, std::span<const Aabb> right,
                                     const FindPairsOptions& options) {
  return copy_of(PairFinder().find_pairs(left, right, options));
}

}  // namespace broadside::inline v0_2
