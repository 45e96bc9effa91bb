// Which of these boxes touch? In C: the pairs of an array, and a broad phase that is kept from frame to
// frame.

#include <broadside/broadside.h>
#include <stdio.h>

static int failed(bs_status status) {
  if (status != BS_OK) {
    fprintf(stderr, "%s\n", bs_last_error());
  }
  return status != BS_OK;
}

int main(void) {
  const bs_aabb boxes[] = {{0, 0, 10, 10}, {10, 5, 20, 15}, {40, 40, 50, 50}, {-3, -3, 1, 1}};
  bs_pair_finder* finder = NULL;
  const bs_pair* pairs = NULL;
  size_t count = 0;
  if (failed(bs_pair_finder_create(&finder)) ||
      failed(bs_find_pairs(finder, boxes, 4, NULL, &pairs, &count))) {
    return 1;
  }
  for (size_t i = 0; i < count; ++i) {
    printf("%u touches %u\n", (unsigned)pairs[i].a, (unsigned)pairs[i].b);
  }
  bs_pair_finder_destroy(finder);

  bs_broad_phase* grid = NULL;
  const bs_aabb placed[] = {{0, 0, 100, 1}, {50, 9, 52, 11}};
  bs_box_kind kinds[] = {bs_box_kind_default(), bs_box_kind_default()};
  kinds[0].type = BS_STATIC_BODY;
  uint32_t indices[2];
  if (failed(bs_broad_phase_create(NULL, &grid)) ||
      failed(bs_broad_phase_add(grid, placed, kinds, 2, indices))) {
    return 1;
  }
  for (int frame = 0; frame < 10; ++frame) {
    const float y = 9.0F - (float)frame;
    const bs_aabb ball = {50, y, 52, y + 2};
    if (failed(bs_broad_phase_move(grid, &indices[1], &ball, 1)) ||
        failed(bs_broad_phase_find_pairs(grid, &pairs, &count))) {
      return 1;
    }
    for (size_t i = 0; i < count; ++i) {
      printf("frame %d: %u touches %u\n", frame, (unsigned)pairs[i].a, (unsigned)pairs[i].b);
    }
  }
  bs_broad_phase_destroy(grid);
  return 0;
}
