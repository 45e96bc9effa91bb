#include "broadside/broad_phase/broad_phase.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/check_threads.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "call.hpp"
#include "convert.hpp"

using broadside::Aabb;
using broadside::BodyType;
using broadside::BoxIndex;
using broadside::BoxKind;
using broadside::BroadPhase;
using broadside::Error;
using broadside::Result;
using broadside::TechniqueOptions;
using broadside::ThreadPool;
using broadside::detail::as_box;
using broadside::detail::as_boxes;
using broadside::detail::as_enum;
using broadside::detail::as_filter;
using broadside::detail::check_size;
using broadside::detail::find_null;
using broadside::detail::give;
using broadside::detail::in_c;
using broadside::detail::status_of;

struct bs_broad_phase {
  std::optional<ThreadPool> threads;  // outlives its user
  std::unique_ptr<BroadPhase> boxes;
  std::vector<BoxIndex> hits;
};

namespace {

BoxKind kind_of(const bs_box_kind& kind) {
  return {.type = as_enum<BodyType>(kind.type), .filter = as_filter(kind.filter)};
}

TechniqueOptions technique_options_of(const bs_broad_phase_options& options) {
  TechniqueOptions result{.neighbor_lists = options.neighbor_lists};
  if (options.cell_width != 0.0F || options.cell_height != 0.0F) {
    result.cell_size = {options.cell_width, options.cell_height};
  }
  if (options.bounds != nullptr) {
    result.bounds = as_box(*options.bounds);
  }
  if (options.row_height != 0.0F) {
    result.row_height = options.row_height;
  }
  return result;
}

Result<std::unique_ptr<bs_broad_phase>> create(const bs_broad_phase_options& options) {
  constexpr const char* function = "bs_broad_phase_create";
  if (Error error = check_size(function, options.size, sizeof(bs_broad_phase_options))) {
    return error;
  }
  if (Error error = broadside::detail::check_threads(options.threads, function)) {
    return error;
  }
  const auto* technique = &broadside::default_technique();
  if (options.technique != nullptr) {
    const auto found = broadside::find_technique(options.technique);
    if (!found.has_value()) {
      return found.error();
    }
    technique = *found;
  }
  auto boxes = technique->create(technique_options_of(options));
  if (!boxes.has_value()) {
    return boxes.error();
  }
  auto made = std::make_unique<bs_broad_phase>();
  made->boxes = std::move(*boxes);
  made->boxes->keep_sorted(options.sorted);
  if (options.threads != 1) {
    made->threads.emplace(options.threads);
    if (Error error = made->boxes->use_threads(&*made->threads).error()) {
      return error;
    }
  }
  return made;
}

}  // namespace

bs_box_kind bs_box_kind_default(void) {
  const BoxKind kind;
  return {BS_DYNAMIC_BODY, in_c(kind.filter)};
}

bs_broad_phase_options bs_broad_phase_options_default(void) {
  return {.size = sizeof(bs_broad_phase_options),
          .technique = nullptr,
          .bounds = nullptr,
          .cell_width = 0.0F,
          .cell_height = 0.0F,
          .row_height = 0.0F,
          .threads = 1,
          .neighbor_lists = true,
          .sorted = false};
}

bs_status bs_broad_phase_create(const bs_broad_phase_options* options, bs_broad_phase** broad_phase) {
  return status_of([&]() -> Error {
    if (Error error = find_null("bs_broad_phase_create", {{broad_phase, "broad_phase"}})) {
      return error;
    }
    auto made = create(options == nullptr ? bs_broad_phase_options_default() : *options);
    if (made.has_value()) {
      *broad_phase = made->release();
    }
    return made.error();
  });
}

void bs_broad_phase_destroy(bs_broad_phase* broad_phase) {
  delete broad_phase;
}

bs_status bs_broad_phase_add(bs_broad_phase* broad_phase, const bs_aabb* boxes, const bs_box_kind* kinds,
                             size_t count, uint32_t* indices) {
  return status_of([&]() -> Error {
    if (Error error =
            find_null("bs_broad_phase_add",
                      {{broad_phase, "broad_phase"}, {boxes, "boxes", count}, {indices, "indices", count}})) {
      return error;
    }
    std::vector<BoxKind> all;
    if (kinds != nullptr) {
      all.resize(count);
      std::transform(kinds, kinds + count, all.begin(), kind_of);
    }
    const auto added = kinds == nullptr ? broad_phase->boxes->add(as_boxes(boxes, count))
                                        : broad_phase->boxes->add(as_boxes(boxes, count), all);
    if (added.has_value()) {
      std::copy(added->begin(), added->end(), indices);
    }
    return added.error();
  });
}

bs_status bs_broad_phase_move(bs_broad_phase* broad_phase, const uint32_t* indices, const bs_aabb* boxes,
                              size_t count) {
  return status_of([&]() -> Error {
    if (Error error =
            find_null("bs_broad_phase_move",
                      {{broad_phase, "broad_phase"}, {indices, "indices", count}, {boxes, "boxes", count}})) {
      return error;
    }
    return broad_phase->boxes->move({indices, count}, as_boxes(boxes, count)).error();
  });
}

bs_status bs_broad_phase_remove(bs_broad_phase* broad_phase, const uint32_t* indices, size_t count) {
  return status_of([&]() -> Error {
    if (Error error =
            find_null("bs_broad_phase_remove", {{broad_phase, "broad_phase"}, {indices, "indices", count}})) {
      return error;
    }
    return broad_phase->boxes->remove(std::span(indices, count)).error();
  });
}

bs_status bs_broad_phase_set_kind(bs_broad_phase* broad_phase, uint32_t index, bs_box_kind kind) {
  return status_of([&]() -> Error {
    if (Error error = find_null("bs_broad_phase_set_kind", {{broad_phase, "broad_phase"}})) {
      return error;
    }
    return broad_phase->boxes->set_kind(index, kind_of(kind)).error();
  });
}

bs_status bs_broad_phase_find_pairs(bs_broad_phase* broad_phase, const bs_pair** pairs, size_t* pair_count) {
  return status_of([&]() -> Error {
    if (Error error =
            find_null("bs_broad_phase_find_pairs",
                      {{broad_phase, "broad_phase"}, {pairs, "pairs"}, {pair_count, "pair_count"}})) {
      return error;
    }
    give(broad_phase->boxes->find_pairs(), pairs, pair_count);
    return {};
  });
}

bs_status bs_broad_phase_find_pairs_of(bs_broad_phase* broad_phase, const uint32_t* indices, size_t count,
                                       const bs_pair** pairs, size_t* pair_count) {
  return status_of([&]() -> Error {
    if (Error error = find_null("bs_broad_phase_find_pairs_of", {{broad_phase, "broad_phase"},
                                                                 {indices, "indices", count},
                                                                 {pairs, "pairs"},
                                                                 {pair_count, "pair_count"}})) {
      return error;
    }
    const auto found = broad_phase->boxes->find_pairs_of({indices, count});
    if (found.has_value()) {
      give(*found, pairs, pair_count);
    }
    return found.error();
  });
}

bs_status bs_broad_phase_query_area(bs_broad_phase* broad_phase, bs_aabb area, const uint32_t** hits,
                                    size_t* hit_count) {
  return status_of([&]() -> Error {
    if (Error error = find_null("bs_broad_phase_query_area",
                                {{broad_phase, "broad_phase"}, {hits, "hits"}, {hit_count, "hit_count"}})) {
      return error;
    }
    const auto found = broad_phase->boxes->query_area(as_box(area), broad_phase->hits);
    if (found.has_value()) {
      *hits = broad_phase->hits.data();
      *hit_count = broad_phase->hits.size();
    }
    return found.error();
  });
}

bs_status bs_broad_phase_box(const bs_broad_phase* broad_phase, uint32_t index, bs_aabb* box) {
  return status_of([&]() -> Error {
    if (Error error = find_null("bs_broad_phase_box", {{broad_phase, "broad_phase"}, {box, "box"}})) {
      return error;
    }
    const auto found = broad_phase->boxes->box(index);
    if (found.has_value()) {
      *box = in_c(*found);
    }
    return found.error();
  });
}

bs_status bs_broad_phase_count(const bs_broad_phase* broad_phase, size_t* count) {
  return status_of([&]() -> Error {
    if (Error error = find_null("bs_broad_phase_count", {{broad_phase, "broad_phase"}, {count, "count"}})) {
      return error;
    }
    *count = broad_phase->boxes->size();
    return {};
  });
}
