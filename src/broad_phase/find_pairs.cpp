#include "broadside/broad_phase/find_pairs.hpp"

#include <optional>
#include <string>
#include <utility>

#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/pair_buffer.hpp"
#include "row_index.hpp"

namespace broadside {

namespace {

/// Returns the number of threads of `options.tasks`.
Result<std::size_t> check(const FindPairsOptions& options) {
  if (options.threads > ThreadPool::max_threads) {
    return Error{ErrorCode::invalid_argument,
                 "find_pairs: " + std::to_string(options.threads) + " threads; there can be 1 to " +
                     std::to_string(ThreadPool::max_threads) + ", or 0 for as many as the machine has"};
  }
  return threads_of(options.tasks, "find_pairs");
}

/// Builds an index and lets `find` write pairs into a buffer; returns them, sorted if wanted, or an error if
/// they are more than the limit.
/// @param threads of `options.tasks`
template <typename Find>
Result<std::vector<Pair>> collect(const FindPairsOptions& options, std::size_t threads,
                                  std::span<const Aabb> indexed, const Find& find) {
  std::optional<ThreadPool> pool;
  detail::PairWorkers workers;
  if (options.tasks == nullptr && options.threads != 1) {
    pool.emplace(options.threads);
    workers.use(&*pool, pool->threads());
  } else {
    workers.use(options.tasks, threads);
  }
  detail::RowIndex index;
  index.build({indexed}, workers);
  detail::PairLimit limit(options.max_pairs);
  PairBuffer found;
  found.set_limit(&limit);
  find(index, found, workers);
  found.count();
  if (limit.is_exceeded()) {
    return Error{ErrorCode::too_many_pairs, "find_pairs: there are " + std::to_string(limit.found()) +
                                                " pairs, more than the limit of " +
                                                std::to_string(options.max_pairs)};
  }
  const auto pairs = found.pairs();
  if (options.sorted) {
    sort_pairs(pairs);
  }
  return std::vector<Pair>(pairs.begin(), pairs.end());
}

}  // namespace

Result<std::vector<Pair>> find_pairs(std::span<const Aabb> boxes, const FindPairsOptions& options) {
  const auto checked = check(options);
  if (!checked.has_value()) {
    return checked.error();
  }
  if (Error error = validate(boxes).error()) {
    return error;
  }
  return collect(options, checked.value(), boxes,
                 [](auto& index, PairBuffer& pairs, auto& workers) { index.find_pairs(pairs, workers); });
}

Result<std::vector<Pair>> find_pairs(std::span<const Aabb> left, std::span<const Aabb> right,
                                     const FindPairsOptions& options) {
  const auto checked = check(options);
  if (!checked.has_value()) {
    return checked.error();
  }
  for (const auto& [boxes, side] : {std::pair{left, "left"}, std::pair{right, "right"}}) {
    if (Error error = validate(boxes).error()) {
      return Error{error.code, std::string(side) + " " + error.message};
    }
  }
  // The boxes of the smaller set search the rows of the larger.
  const bool few_left = left.size() < right.size();
  return collect(options, checked.value(), few_left ? right : left,
                 [&](auto& index, PairBuffer& pairs, auto& workers) {
                   index.find_pairs_with(few_left ? left : right, pairs, workers);
                   if (!few_left) {
                     for (Pair& pair : pairs.pairs()) {
                       std::swap(pair.a, pair.b);
                     }
                   }
                 });
}

}  // namespace broadside
