#include "broadside/broad_phase/find_pairs.hpp"

#include <optional>
#include <string>
#include <utility>

#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/detail/pair_buffer.hpp"
#include "broadside/broad_phase/detail/row_index.hpp"

namespace broadside {

namespace {

/// The threads of one call.
class Threads {
 public:
  explicit Threads(const FindPairsOptions& options) {
    if (options.tasks == nullptr && options.threads != 1) {
      pool_.emplace(options.threads);
    }
    workers.use(pool_ ? &*pool_ : options.tasks);
  }

 private:
  std::optional<ThreadPool> pool_;

 public:
  detail::Workers workers;
};

Result<std::vector<Pair>> finish(detail::PairBuffer& found, const FindPairsOptions& options) {
  if (found.size() > options.max_pairs) {
    return Error{ErrorCode::too_many_pairs, "find_pairs: there are " + std::to_string(found.size()) +
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
  if (auto valid = validate(boxes); !valid.has_value()) {
    return valid.error();
  }
  Threads threads(options);
  detail::RowIndex index;
  index.build({boxes}, threads.workers);
  detail::PairBuffer pairs;
  index.find_pairs(pairs, threads.workers);
  return finish(pairs, options);
}

Result<std::vector<Pair>> find_pairs(std::span<const Aabb> left, std::span<const Aabb> right,
                                     const FindPairsOptions& options) {
  for (const auto& [boxes, side] : {std::pair{left, "left"}, std::pair{right, "right"}}) {
    if (auto valid = validate(boxes); !valid.has_value()) {
      return Error{valid.error().code, std::string(side) + " " + valid.error().message};
    }
  }
  Threads threads(options);
  detail::RowIndex index;
  // The smaller set looks itself up in the rows of the larger.
  const bool few_left = left.size() < right.size();
  index.build({few_left ? right : left}, threads.workers);
  detail::PairBuffer pairs;
  index.find_pairs_with(few_left ? left : right,
                        few_left ? detail::Naming::asker_first : detail::Naming::asker_last, pairs,
                        threads.workers);
  return finish(pairs, options);
}

}  // namespace broadside
