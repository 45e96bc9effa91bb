#include "broadside/broad_phase/find_pairs.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/pair_buffer.hpp"
#include "row_index.hpp"

namespace broadside {

namespace {

/// Boxes of the caller, and how a message about them begins.
using Side = std::pair<std::span<const Aabb>, const char*>;

/// Checks the options and the boxes, builds an index and lets `find` write pairs into a buffer; returns them,
/// sorted if wanted, or an error if they are more than the limit.
template <typename Find>
Result<std::vector<Pair>> collect(const FindPairsOptions& options, std::initializer_list<Side> sides,
                                  std::span<const Aabb> indexed, const Find& find) {
  if (options.threads > ThreadPool::max_threads) {
    return Error{ErrorCode::invalid_argument,
                 "find_pairs: " + std::to_string(options.threads) + " threads; there can be 1 to " +
                     std::to_string(ThreadPool::max_threads) + ", or 0 for as many as the machine has"};
  }
  const auto threads = threads_of(options.tasks, "find_pairs");
  if (!threads.has_value()) {
    return threads.error();
  }
  for (const auto& [boxes, side] : sides) {
    if (Error error = validate(boxes).error()) {
      return Error{error.code, side + error.message};
    }
  }
  std::optional<ThreadPool> pool;
  detail::PairWorkers workers;
  if (options.tasks == nullptr && options.threads != 1) {
    pool.emplace(options.threads);
    workers.use(&*pool, pool->threads());
  } else {
    workers.use(options.tasks, threads.value());
  }
  detail::RowIndex index;
  index.build({indexed}, workers);
  detail::PairLimit limit(options.max_pairs);
  PairBuffer found;
  limit.apply_to(found);
  find(index, found, workers);
  detail::PairLimit::count_rest(found);
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
  return collect(options, {{boxes, ""}}, boxes,
                 [](auto& index, PairBuffer& pairs, auto& workers) { index.find_pairs(pairs, workers); });
}

Result<std::vector<Pair>> find_pairs(std::span<const Aabb> left, std::span<const Aabb> right,
                                     const FindPairsOptions& options) {
  // The boxes of the smaller set search the rows of the larger, in sorted order, which keeps these in the
  // cache.
  const bool few_left = left.size() < right.size();
  return collect(options, {{left, "left "}, {right, "right "}}, few_left ? right : left,
                 [&](auto& index, PairBuffer& pairs, auto& workers) {
                   detail::RowIndex queries;
                   queries.build({few_left ? left : right}, workers);
                   index.find_pairs_with(queries, pairs, workers);
                   if (!few_left) {
                     for (Pair& pair : pairs.pairs()) {
                       std::swap(pair.a, pair.b);
                     }
                   }
                 });
}

}  // namespace broadside
