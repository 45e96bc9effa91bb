// A program in C that gives broadside its memory: all of it, and all of it comes back, except for the state
// of worlds that were moved from, which is made once.

#include <broadside/broadside.h>
#include <broadside/c/allocator.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct arena {
  size_t blocks;
  size_t allocations;
  size_t refused_from; /* the allocation from which on there is no memory */
} arena;

static int failures = 0;

#define EXPECT(condition)                                         \
  do {                                                            \
    if (!(condition)) {                                           \
      fprintf(stderr, "%d: %s is false\n", __LINE__, #condition); \
      ++failures;                                                 \
    }                                                             \
  } while (0)

/* Before each block stand the block that malloc returned and the arena. */
static void* allocate(size_t bytes, size_t alignment, void* context) {
  EXPECT(bytes > 0);
  EXPECT(alignment > 0 && (alignment & (alignment - 1)) == 0);
  arena* from = (arena*)context;
  if (from->allocations >= from->refused_from) {
    return NULL;
  }
  const size_t before = 2 * sizeof(void*);
  char* block = (char*)malloc(bytes + before + alignment);
  if (block == NULL) {
    return NULL;
  }
  const uintptr_t begin = ((uintptr_t)block + before + alignment - 1) & ~(uintptr_t)(alignment - 1);
  ((void**)begin)[-1] = block;
  ((void**)begin)[-2] = from;
  ++from->blocks;
  ++from->allocations;
  return (void*)begin;
}

static void release(void* memory, void* context) {
  EXPECT(memory != NULL);
  EXPECT(((void**)memory)[-2] == context);
  free(((void**)memory)[-1]);
  --((arena*)context)->blocks;
}

static bs_status find_pairs(void) {
  static bs_aabb boxes[2000];
  for (int i = 0; i < 2000; ++i) {
    const float x = (float)(i % 50);
    const float y = (float)(i / 50);
    const bs_aabb box = {x, y, x + 1, y + 1};
    boxes[i] = box;
  }
  bs_pair_finder* finder = NULL;
  bs_status status = bs_pair_finder_create(&finder);
  if (status == BS_OK) {
    const bs_pair* pairs = NULL;
    size_t count = 0;
    status = bs_find_pairs(finder, boxes, 2000, NULL, &pairs, &count);
    EXPECT(status != BS_OK || count == 49 * 40 + 50 * 39 + 2 * 49 * 39);
  }
  bs_pair_finder_destroy(finder);
  return status;
}

static bs_status run_world(void) {
  bs_world* world = NULL;
  bs_status status = bs_world_create(NULL, &world);
  const bs_shape ball = bs_circle(1);
  for (int i = 0; i < 100 && status == BS_OK; ++i) {
    bs_body_def body = bs_body_def_default();
    body.shapes = &ball;
    body.shape_count = 1;
    body.transform = bs_transform_at((float)i, 0);
    bs_body_id id;
    status = bs_world_add(world, &body, 1, &id);
  }
  for (int i = 0; i < 3 && status == BS_OK; ++i) {
    status = bs_world_step(world, 1.0F / 60);
  }
  bs_world_destroy(world);
  return status;
}

int main(void) {
  arena memory = {0, 0, SIZE_MAX};
  const bs_allocator chosen = {allocate, release, &memory};
  bs_allocator without = chosen;

  EXPECT(bs_set_allocator(NULL) == BS_INVALID_ARGUMENT);
  without.allocate = NULL;
  EXPECT(bs_set_allocator(&without) == BS_INVALID_ARGUMENT);
  without = chosen;
  without.release = NULL;
  EXPECT(bs_set_allocator(&without) == BS_INVALID_ARGUMENT);
  EXPECT(bs_set_allocator(&chosen) == BS_OK);

  EXPECT(find_pairs() == BS_OK);
  EXPECT(memory.blocks == 0);
  EXPECT(run_world() == BS_OK);
  EXPECT(memory.allocations > 100);
  const size_t kept = memory.blocks;
  EXPECT(kept < 64);
  EXPECT(bs_set_allocator(&chosen) == BS_LOCKED);

  for (size_t more = 0; more < 20; ++more) {
    memory.refused_from = memory.allocations + more;
    const bs_status status = find_pairs();
    EXPECT(status == BS_OUT_OF_MEMORY || (status == BS_OK && more > 0));
    EXPECT(run_world() == BS_OUT_OF_MEMORY);
    EXPECT(memory.blocks == kept);
  }
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
