#include "broadside/broad_phase/find_pairs.hpp"

#include <limits>

#include "call.hpp"
#include "convert.hpp"

using broadside::Error;
using broadside::FindPairsOptions;
using broadside::Pair;
using broadside::Result;
using broadside::detail::as_boxes;
using broadside::detail::check_size;
using broadside::detail::find_null;
using broadside::detail::give;
using broadside::detail::status_of;

struct bs_pair_finder {
  broadside::PairFinder finder;
};

namespace {

Error check_options(const char* function, const bs_pairs_options* options) {
  return options == nullptr ? Error{} : check_size(function, options->size, sizeof(bs_pairs_options));
}

/// @param count number of boxes, to which `is_static` belongs
FindPairsOptions options_of(const bs_pairs_options* options, std::size_t count) {
  if (options == nullptr) {
    return {};
  }
  const std::size_t flags = options->is_static == nullptr ? 0 : count;
  return {.sorted = options->sorted,
          .max_pairs = options->max_pairs,
          .threads = options->threads,
          .is_static = {options->is_static, flags}};
}

Error give_if_found(const Result<std::span<const Pair>>& found, const bs_pair** pairs, size_t* pair_count) {
  if (found.has_value()) {
    give(*found, pairs, pair_count);
  }
  return found.error();
}

}  // namespace

bs_pairs_options bs_pairs_options_default(void) {
  return {.size = sizeof(bs_pairs_options),
          .max_pairs = std::numeric_limits<size_t>::max(),
          .threads = 1,
          .is_static = nullptr,
          .sorted = false};
}

bs_status bs_pair_finder_create(bs_pair_finder** finder) {
  return status_of([&] {
    Error error = find_null("bs_pair_finder_create", {{finder, "finder"}});
    if (!error) {
      *finder = new bs_pair_finder;
    }
    return error;
  });
}

void bs_pair_finder_destroy(bs_pair_finder* finder) {
  delete finder;
}

bs_status bs_find_pairs(bs_pair_finder* finder, const bs_aabb* boxes, size_t count,
                        const bs_pairs_options* options, const bs_pair** pairs, size_t* pair_count) {
  constexpr const char* function = "bs_find_pairs";
  return status_of([&] {
    Error error = find_null(
        function,
        {{finder, "finder"}, {boxes, "boxes", count}, {pairs, "pairs"}, {pair_count, "pair_count"}});
    error = error ? error : check_options(function, options);
    return error
               ? error
               : give_if_found(finder->finder.find_pairs(as_boxes(boxes, count), options_of(options, count)),
                               pairs, pair_count);
  });
}

bs_status bs_find_pairs_between(bs_pair_finder* finder, const bs_aabb* left, size_t left_count,
                                const bs_aabb* right, size_t right_count, const bs_pairs_options* options,
                                const bs_pair** pairs, size_t* pair_count) {
  constexpr const char* function = "bs_find_pairs_between";
  return status_of([&] {
    Error error = find_null(function, {{finder, "finder"},
                                       {left, "left", left_count},
                                       {right, "right", right_count},
                                       {pairs, "pairs"},
                                       {pair_count, "pair_count"}});
    error = error ? error : check_options(function, options);
    if (!error && options != nullptr && options->is_static != nullptr) {
      error = {broadside::ErrorCode::invalid_argument,
               std::string(function) + ": is_static is for one set of boxes, and here are two"};
    }
    return error ? error
                 : give_if_found(
                       finder->finder.find_pairs(as_boxes(left, left_count), as_boxes(right, right_count),
                                                 options_of(options, 0)),
                       pairs, pair_count);
  });
}
