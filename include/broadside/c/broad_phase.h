#ifndef BROADSIDE_C_BROAD_PHASE_H
#define BROADSIDE_C_BROAD_PHASE_H

// The part of broadside/broadside.h for boxes: pairs of arrays, and sets that are kept from frame to frame.

#include "broadside/base/export.h"
#include "broadside/c/base.h"

// NOLINTBEGIN(readability-identifier-naming): as in C

#ifdef __cplusplus
extern "C" {
#endif

// Pairs of arrays of boxes.

/// Finds pairs, in memory that it keeps for the next call.
typedef struct bs_pair_finder bs_pair_finder;

typedef struct bs_pairs_options {
  size_t size;       ///< sizeof(bs_pairs_options)
  size_t max_pairs;  ///< more are an error
  size_t threads;    ///< at most 1,024; 0 for as many as the machine has
  const uint8_t*
      is_static;  ///< [boxes] not 0 for boxes that never move, whose pairs are left out; null if none
  bool sorted;    ///< by (a, b); otherwise the order is fixed by the boxes, but arbitrary
} bs_pairs_options;

/// Returns: no limit, one thread, no static boxes, not sorted.
BROADSIDE_API bs_pairs_options bs_pairs_options_default(void);

BROADSIDE_API bs_status bs_pair_finder_create(bs_pair_finder** finder);
BROADSIDE_API void bs_pair_finder_destroy(bs_pair_finder* finder);

/// Finds all pairs of boxes [count] that overlap: each once, a < b, as positions in the array.
///
/// @param options null for the default
/// @param pairs receives an array [pair_count]
BROADSIDE_API bs_status bs_find_pairs(bs_pair_finder* finder, const bs_aabb* boxes, size_t count,
                                      const bs_pairs_options* options, const bs_pair** pairs,
                                      size_t* pair_count);

/// Finds all overlapping pairs of one box of `left`, a, and one of `right`, b: each once.
///
/// @param options null for the default; `is_static` must be null
/// @param pairs receives an array [pair_count]
BROADSIDE_API bs_status bs_find_pairs_between(bs_pair_finder* finder, const bs_aabb* left, size_t left_count,
                                              const bs_aabb* right, size_t right_count,
                                              const bs_pairs_options* options, const bs_pair** pairs,
                                              size_t* pair_count);

// A set of boxes that is kept from frame to frame.

typedef struct bs_broad_phase bs_broad_phase;

typedef struct bs_box_kind {
  bs_body_type type;
  bs_filter filter;
} bs_box_kind;

/// Returns: dynamic, on layer 1, all pairs.
BROADSIDE_API bs_box_kind bs_box_kind_default(void);

typedef struct bs_broad_phase_options {
  size_t size;            ///< sizeof(bs_broad_phase_options)
  const char* technique;  ///< such as "hash-grid"; null for the default, which needs no tuning
  const bs_aabb*
      bounds;           ///< of the cells of a "uniform-grid", which needs them with a cell size; null if none
  float cell_width;     ///< of a "uniform-grid" or "hash-grid"; 0 for one that it chooses (unit: length)
  float cell_height;    ///< 0 together with the width (unit: length)
  float row_height;     ///< of the finest rows of a "hierarchical-grid"; 0 for one that it chooses
  size_t threads;       ///< at most 1,024; 0 for as many as the machine has
  bool neighbor_lists;  ///< whether a "hierarchical-grid" may keep neighbor lists
  bool sorted;          ///< whether pairs are sorted by (a, b)
} bs_broad_phase_options;

/// Returns: the default technique, which chooses by itself, neighbor lists, one thread, not sorted.
BROADSIDE_API bs_broad_phase_options bs_broad_phase_options_default(void);

/// @param options null for the default
BROADSIDE_API bs_status bs_broad_phase_create(const bs_broad_phase_options* options,
                                              bs_broad_phase** broad_phase);
BROADSIDE_API void bs_broad_phase_destroy(bs_broad_phase* broad_phase);

/// Adds boxes [count], all or none.
///
/// @param kinds [count] or null: then all are of the default kind
/// @param indices [count] receives the names of the boxes; those of removed boxes are used again
BROADSIDE_API bs_status bs_broad_phase_add(bs_broad_phase* broad_phase, const bs_aabb* boxes,
                                           const bs_box_kind* kinds, size_t count, uint32_t* indices);

/// Moves the boxes named by `indices` [count] to `boxes` [count], all or none. No index may occur twice.
BROADSIDE_API bs_status bs_broad_phase_move(bs_broad_phase* broad_phase, const uint32_t* indices,
                                            const bs_aabb* boxes, size_t count);

/// Removes the boxes named by `indices` [count], all or none. No index may occur twice.
BROADSIDE_API bs_status bs_broad_phase_remove(bs_broad_phase* broad_phase, const uint32_t* indices,
                                              size_t count);

/// Changes the type and filter of a box.
BROADSIDE_API bs_status bs_broad_phase_set_kind(bs_broad_phase* broad_phase, uint32_t index,
                                                bs_box_kind kind);

/// Finds all overlapping pairs that the kinds allow: each once, a < b.
///
/// @param pairs receives an array [pair_count]
BROADSIDE_API bs_status bs_broad_phase_find_pairs(bs_broad_phase* broad_phase, const bs_pair** pairs,
                                                  size_t* pair_count);

/// Finds those of these pairs in which one of `indices` [count] takes part. No index may occur twice.
///
/// @param pairs receives an array [pair_count]
BROADSIDE_API bs_status bs_broad_phase_find_pairs_of(bs_broad_phase* broad_phase, const uint32_t* indices,
                                                     size_t count, const bs_pair** pairs, size_t* pair_count);

/// Finds all boxes that overlap an area.
///
/// @param hits receives an array [hit_count] of indices, ascending
BROADSIDE_API bs_status bs_broad_phase_query_area(bs_broad_phase* broad_phase, bs_aabb area,
                                                  const uint32_t** hits, size_t* hit_count);

/// Returns a box by its index.
BROADSIDE_API bs_status bs_broad_phase_box(const bs_broad_phase* broad_phase, uint32_t index, bs_aabb* box);

/// Returns the number of boxes.
BROADSIDE_API bs_status bs_broad_phase_count(const bs_broad_phase* broad_phase, size_t* count);

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming)

#endif
