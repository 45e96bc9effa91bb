#include "broadside/broad_phase/find_pairs.hpp"

#include <string>

#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/detail/row_index.hpp"

namespace broadside {

namespace {

detail::RowIndex index_of(std::span<const Aabb> boxes) {
  detail::RowIndex index;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    index.add(boxes[i], static_cast<BoxIndex>(i));
  }
  index.build();
  return index;
}

/// Takes pairs up to the limit, and counts on beyond it.
class Sink {
 public:
  explicit Sink(const FindPairsOptions& options) : options_(options) {}

  void take(Pair pair) {
    if (count_++ < options_.max_pairs) {
      pairs_.push_back(pair);
    }
  }

  Result<std::vector<Pair>> finish() {
    if (count_ > options_.max_pairs) {
      return Error{ErrorCode::too_many_pairs, "find_pairs: there are " + std::to_string(count_) +
                                                  " pairs, more than the limit of " +
                                                  std::to_string(options_.max_pairs)};
    }
    if (options_.sorted) {
      sort_pairs(pairs_);
    }
    return std::move(pairs_);
  }

 private:
  FindPairsOptions options_;
  std::vector<Pair> pairs_;
  std::size_t count_ = 0;
};

}  // namespace

Result<std::vector<Pair>> find_pairs(std::span<const Aabb> boxes, const FindPairsOptions& options) {
  if (auto valid = validate(boxes); !valid) {
    return valid.error();
  }
  Sink sink(options);
  index_of(boxes).for_each_pair([&sink](BoxIndex i, BoxIndex j) { sink.take(ordered_pair(i, j)); });
  return sink.finish();
}

Result<std::vector<Pair>> find_pairs(std::span<const Aabb> left, std::span<const Aabb> right,
                                     const FindPairsOptions& options) {
  for (const auto& [boxes, side] : {std::pair{left, "left"}, std::pair{right, "right"}}) {
    if (auto valid = validate(boxes); !valid) {
      return Error{valid.error().code, std::string(side) + " " + valid.error().message};
    }
  }
  Sink sink(options);
  const detail::RowIndex index = index_of(right);
  for (std::size_t i = 0; i < left.size(); ++i) {
    index.for_each_in(left[i], [&sink, i](BoxIndex j) { sink.take({static_cast<BoxIndex>(i), j}); });
  }
  return sink.finish();
}

}  // namespace broadside
