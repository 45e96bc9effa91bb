// Balls that fall on a floor, in C: a listener for begins, a ray, and a snapshot that takes the world back.

#include <broadside/broadside.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void on_landing(void* user, const bs_contact* contact) {
  ++*(int*)user;
  printf("ball %u lands at x = %g\n", (unsigned)contact->a.index,
         (double)contact->manifold.points[0].position.x);
}

static void check(bs_status status) {
  if (status != BS_OK) {
    fprintf(stderr, "%s\n", bs_last_error());
    exit(1);
  }
}

int main(void) {
  bs_world_options options = bs_world_options_default();
  options.gravity.y = -10;
  bs_world* world = NULL;
  check(bs_world_create(&options, &world));

  const bs_shape ball = bs_circle(1);
  const bs_shape ground = bs_box(100, 2);
  bs_body_def bodies[4];
  bs_body_id ids[4];
  for (int i = 0; i < 4; ++i) {
    bodies[i] = bs_body_def_default();
    bodies[i].shapes = i < 3 ? &ball : &ground;
    bodies[i].shape_count = 1;
    bodies[i].transform = i < 3 ? bs_transform_at(10.0F * (float)i, 5.0F + (float)i) : bs_transform_at(0, -1);
    bodies[i].type = i < 3 ? BS_DYNAMIC_BODY : BS_STATIC_BODY;
    bodies[i].tag = i < 3 ? "ball" : "floor";
  }
  check(bs_world_add(world, bodies, 4, ids));
  int landings = 0;
  check(bs_world_listen(world, BS_ON_BEGIN, "ball", "floor", on_landing, &landings, NULL));

  const uint8_t* bytes = NULL;
  size_t count = 0;
  check(bs_world_snapshot(world, &bytes, &count));
  uint8_t* start = (uint8_t*)malloc(count);
  if (start == NULL) {
    return 1;
  }
  memcpy(start, bytes, count);
  for (int step = 0; step < 120; ++step) {
    check(bs_world_step(world, 1.0F / 60));
  }
  printf("%d landings\n", landings);

  check(bs_world_restore(world, start, count));
  const bs_vec2 from = {10, 50};
  const bs_vec2 down = {0, -100};
  bool found = false;
  bs_body_hit hit;
  check(bs_world_cast_ray(world, from, down, NULL, &found, &hit));
  if (found) {
    printf("back at the start, a ray from above hits ball %u at y = %g\n", (unsigned)hit.body.index,
           (double)hit.hit.point.y);
  }
  free(start);
  bs_world_destroy(world);
  return 0;
}
