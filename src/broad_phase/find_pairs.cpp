#include "broadside/broad_phase/find_pairs.hpp"

#include <string>
#include <utility>

#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/detail/pair_buffer.hpp"
#include "broadside/broad_phase/detail/row_index.hpp"

namespace broadside {

namespace {

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
  if (auto valid = validate(boxes); !valid) {
    return valid.error();
  }
  detail::Workers workers;
  detail::RowIndex index;
  index.build({boxes}, workers);
  detail::PairBuffer pairs;
  index.find_pairs(pairs, workers);
  return finish(pairs, options);
}

Result<std::vector<Pair>> find_pairs(std::span<const Aabb> left, std::span<const Aabb> right,
                                     const FindPairsOptions& options) {
  for (const auto& [boxes, side] : {std::pair{left, "left"}, std::pair{right, "right"}}) {
    if (auto valid = validate(boxes); !valid) {
      return Error{valid.error().code, std::string(side) + " " + valid.error().message};
    }
  }
  detail::Workers workers;
  detail::RowIndex index;
  index.build({right}, workers);
  detail::PairBuffer pairs;
  index.find_pairs_with(left, pairs, workers);
  return finish(pairs, options);
}

}  // namespace broadside
