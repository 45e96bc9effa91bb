// The C interface from C: what its comments say of errors, null pointers and sizes.

#include <broadside/broadside.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%d: %s is false; last error: %s\n", __LINE__, #condition, bs_last_error()); \
      ++failures;                                                                                  \
    }                                                                                              \
  } while (0)

static void test_versions(void) {
  char expected[32];
  snprintf(expected, sizeof(expected), "%d.%d.%d", BROADSIDE_VERSION_MAJOR, BROADSIDE_VERSION_MINOR,
           BROADSIDE_VERSION_PATCH);
  EXPECT(strcmp(bs_version(), expected) == 0);
  EXPECT(strcmp(bs_status_name(BS_OK), "ok") == 0);
  EXPECT(strcmp(bs_status_name((bs_status)99), "unknown") == 0);
}

static void test_pairs(void) {
  bs_aabb boxes[] = {{0, 0, 1, 1}, {1, 1, 2, 2}, {5, 5, 6, 6}};
  const uint8_t is_static[] = {1, 1, 0};
  bs_pair_finder* finder = NULL;
  const bs_pair* pairs = NULL;
  size_t count = 77;
  bs_pairs_options options = bs_pairs_options_default();
  EXPECT(bs_pair_finder_create(NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_pair_finder_create(&finder) == BS_OK);
  EXPECT(bs_find_pairs(finder, boxes, 3, NULL, &pairs, &count) == BS_OK);
  EXPECT(count == 1 && pairs[0].a == 0 && pairs[0].b == 1);
  EXPECT(bs_find_pairs(finder, NULL, 0, &options, &pairs, &count) == BS_OK && count == 0);
  options.is_static = is_static;
  EXPECT(bs_find_pairs(finder, boxes, 3, &options, &pairs, &count) == BS_OK && count == 0);
  EXPECT(bs_find_pairs_between(finder, boxes, 3, boxes, 3, &options, &pairs, &count) == BS_INVALID_ARGUMENT);
  options.is_static = NULL;
  EXPECT(bs_find_pairs_between(finder, boxes, 3, boxes, 3, &options, &pairs, &count) == BS_OK && count == 5);

  count = 77;
  options.max_pairs = 0;
  EXPECT(bs_find_pairs(finder, boxes, 3, &options, &pairs, &count) == BS_TOO_MANY_PAIRS && count == 77);
  EXPECT(strstr(bs_last_error(), "limit of 0") != NULL);
  options = bs_pairs_options_default();
  options.threads = 5000;
  EXPECT(bs_find_pairs(finder, boxes, 3, &options, &pairs, &count) == BS_INVALID_ARGUMENT);
  options = bs_pairs_options_default();
  options.size += 8;
  EXPECT(bs_find_pairs(finder, boxes, 3, &options, &pairs, &count) == BS_INVALID_ARGUMENT);
  EXPECT(bs_find_pairs_between(finder, boxes, 3, boxes, 3, &options, &pairs, &count) == BS_INVALID_ARGUMENT);
  EXPECT(strstr(bs_last_error(), "size") != NULL);
  EXPECT(bs_find_pairs(NULL, boxes, 3, NULL, &pairs, &count) == BS_INVALID_ARGUMENT);
  EXPECT(bs_find_pairs(finder, NULL, 3, NULL, &pairs, &count) == BS_INVALID_ARGUMENT);
  EXPECT(strcmp(bs_last_error(), "bs_find_pairs: boxes is null") == 0);
  EXPECT(bs_find_pairs(finder, boxes, 3, NULL, NULL, &count) == BS_INVALID_ARGUMENT);
  EXPECT(bs_find_pairs(finder, boxes, 3, NULL, &pairs, NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_find_pairs_between(finder, NULL, 1, boxes, 3, NULL, &pairs, &count) == BS_INVALID_ARGUMENT);
  EXPECT(bs_find_pairs_between(finder, boxes, 3, NULL, 1, NULL, &pairs, &count) == BS_INVALID_ARGUMENT);
  boxes[2].max_y = NAN;
  EXPECT(bs_find_pairs(finder, boxes, 3, NULL, &pairs, &count) == BS_NOT_FINITE);
  EXPECT(strstr(bs_last_error(), "box 2") != NULL);
  boxes[2].max_y = 4;
  EXPECT(bs_find_pairs(finder, boxes, 3, NULL, &pairs, &count) == BS_INVERTED_BOX && count == 77);
  bs_pair_finder_destroy(finder);
  bs_pair_finder_destroy(NULL);
}

static void test_wrong_options_of_broad_phases(void) {
  bs_broad_phase* broad_phase = NULL;
  const bs_aabb bounds = {0, 0, 100, 100};
  bs_broad_phase_options options = bs_broad_phase_options_default();
  EXPECT(bs_broad_phase_create(NULL, NULL) == BS_INVALID_ARGUMENT);
  options.size = 1;
  EXPECT(bs_broad_phase_create(&options, &broad_phase) == BS_INVALID_ARGUMENT);
  options = bs_broad_phase_options_default();
  options.technique = "unheard-of";
  EXPECT(bs_broad_phase_create(&options, &broad_phase) == BS_INVALID_ARGUMENT);
  EXPECT(strstr(bs_last_error(), "hash-grid") != NULL);
  options.technique = "uniform-grid";
  options.cell_width = 10;
  EXPECT(bs_broad_phase_create(&options, &broad_phase) == BS_INVALID_ARGUMENT);  // no height, no bounds
  options.cell_height = 10;
  options.bounds = &bounds;
  options.threads = 1025;
  EXPECT(bs_broad_phase_create(&options, &broad_phase) == BS_INVALID_ARGUMENT);
  EXPECT(broad_phase == NULL);
  options.threads = 2;
  EXPECT(bs_broad_phase_create(&options, &broad_phase) == BS_OK);
  bs_broad_phase_destroy(broad_phase);
  bs_broad_phase_destroy(NULL);
}

static void test_broad_phase(void) {
  bs_broad_phase* broad_phase = NULL;
  const bs_aabb boxes[] = {{0, 0, 1, 1}, {1, 1, 2, 2}, {5, 5, 6, 6}};
  bs_box_kind kinds[] = {bs_box_kind_default(), bs_box_kind_default(), bs_box_kind_default()};
  uint32_t indices[3] = {99, 99, 99};
  const bs_pair* pairs = NULL;
  const uint32_t* hits = NULL;
  size_t count = 0;
  bs_aabb box = {0, 0, 0, 0};
  EXPECT(bs_broad_phase_create(NULL, &broad_phase) == BS_OK);
  kinds[1].type = (bs_body_type)256;
  EXPECT(bs_broad_phase_add(broad_phase, boxes, kinds, 3, indices) == BS_INVALID_ARGUMENT &&
         indices[0] == 99);
  kinds[1].type = BS_STATIC_BODY;
  EXPECT(bs_broad_phase_add(broad_phase, boxes, kinds, 3, indices) == BS_OK);
  EXPECT(bs_broad_phase_add(broad_phase, NULL, NULL, 0, NULL) == BS_OK);
  EXPECT(bs_broad_phase_count(broad_phase, &count) == BS_OK && count == 3);
  EXPECT(bs_broad_phase_find_pairs(broad_phase, &pairs, &count) == BS_OK && count == 1);
  kinds[0].type = BS_STATIC_BODY;
  EXPECT(bs_broad_phase_set_kind(broad_phase, indices[0], kinds[0]) == BS_OK);
  EXPECT(bs_broad_phase_find_pairs(broad_phase, &pairs, &count) == BS_OK && count == 0);
  EXPECT(bs_broad_phase_move(broad_phase, &indices[2], boxes, 1) == BS_OK);
  EXPECT(bs_broad_phase_find_pairs_of(broad_phase, &indices[2], 1, &pairs, &count) == BS_OK && count == 2);
  EXPECT(bs_broad_phase_query_area(broad_phase, boxes[1], &hits, &count) == BS_OK && count == 3);
  EXPECT(hits[0] == 0 && hits[1] == 1 && hits[2] == 2);
  EXPECT(bs_broad_phase_query_area(broad_phase, boxes[2], &hits, &count) == BS_OK && count == 0);
  EXPECT(bs_broad_phase_box(broad_phase, indices[2], &box) == BS_OK && box.max_x == 1);
  EXPECT(bs_broad_phase_remove(broad_phase, indices, 2) == BS_OK);
  EXPECT(bs_broad_phase_box(broad_phase, indices[0], &box) == BS_STALE_ID);
  EXPECT(bs_broad_phase_remove(broad_phase, indices, 3) == BS_STALE_ID);
  EXPECT(bs_broad_phase_count(broad_phase, &count) == BS_OK && count == 1);

  EXPECT(bs_broad_phase_add(NULL, boxes, NULL, 3, indices) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_add(broad_phase, NULL, NULL, 3, indices) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_add(broad_phase, boxes, NULL, 3, NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_move(NULL, indices, boxes, 1) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_move(broad_phase, NULL, boxes, 1) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_move(broad_phase, indices, NULL, 1) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_remove(NULL, indices, 1) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_remove(broad_phase, NULL, 1) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_set_kind(NULL, 0, kinds[0]) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_find_pairs(NULL, &pairs, &count) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_find_pairs(broad_phase, NULL, &count) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_find_pairs(broad_phase, &pairs, NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_find_pairs_of(NULL, indices, 1, &pairs, &count) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_find_pairs_of(broad_phase, NULL, 1, &pairs, &count) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_find_pairs_of(broad_phase, indices, 1, NULL, &count) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_find_pairs_of(broad_phase, indices, 1, &pairs, NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_query_area(NULL, boxes[0], &hits, &count) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_query_area(broad_phase, boxes[0], NULL, &count) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_query_area(broad_phase, boxes[0], &hits, NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_box(NULL, 0, &box) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_box(broad_phase, 0, NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_count(NULL, &count) == BS_INVALID_ARGUMENT);
  EXPECT(bs_broad_phase_count(broad_phase, NULL) == BS_INVALID_ARGUMENT);
  bs_broad_phase_destroy(broad_phase);
}

int main(void) {
  test_versions();
  test_pairs();
  test_wrong_options_of_broad_phases();
  test_broad_phase();
  return failures == 0 ? 0 : 1;
}
