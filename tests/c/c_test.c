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

static bs_vec2 vec(float x, float y) {
  const bs_vec2 v = {x, y};
  return v;
}

static bs_aabb area(float min_x, float min_y, float max_x, float max_y) {
  const bs_aabb box = {min_x, min_y, max_x, max_y};
  return box;
}

static void test_shapes(void) {
  const bs_transform here = bs_transform_at(0, 0);
  const bs_transform there = bs_transform_at(1.5F, 0);
  const bs_vec2 corners[] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
  const uint8_t alpha[] = {0, 255, 255, 0};
  bs_mask* mask = NULL;
  EXPECT(bs_mask_create(alpha, 2, 2, 1, vec(0, 0), 128, NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_mask_create(NULL, 2, 2, 1, vec(0, 0), 128, &mask) == BS_INVALID_ARGUMENT);
  EXPECT(bs_mask_create(alpha, 2, 2, -1, vec(0, 0), 128, &mask) == BS_INVALID_ARGUMENT);
  EXPECT(bs_mask_create(alpha, 100000, 100000, 1, vec(0, 0), 128, &mask) == BS_TOO_LARGE);
  EXPECT(bs_mask_create(alpha, 2, 2, 1, vec(0, 0), 128, &mask) == BS_OK && mask != NULL);

  const bs_shape shapes[] = {bs_circle(1),
                             bs_box(2, 2),
                             bs_capsule(vec(-1, 0), vec(1, 0), 0.5F),
                             bs_segment(vec(-1, 0), vec(1, 0)),
                             bs_polygon(corners, 4),
                             bs_shape_of_mask(mask)};
  const size_t count = sizeof(shapes) / sizeof(shapes[0]);
  for (size_t i = 0; i < count; ++i) {
    bs_aabb bounds = {9, 9, -9, -9};
    EXPECT(shapes[i].kind == (bs_shape_kind)i);
    EXPECT(bs_shape_bounds(&shapes[i], here, &bounds) == BS_OK && bounds.min_x <= bounds.max_x);
    for (size_t k = 0; k < count; ++k) {
      bool overlaps = false;
      bs_manifold manifold;
      bs_distance distance;
      bool found = false;
      bs_hit hit;
      EXPECT(bs_overlaps(&shapes[i], here, &shapes[k], here, &overlaps) == BS_OK && overlaps);
      EXPECT(bs_collide(&shapes[i], here, &shapes[k], here, &manifold) == BS_OK && manifold.size > 0);
      EXPECT(bs_shape_distance(&shapes[i], here, &shapes[k], bs_transform_at(50, 0), &distance) == BS_OK);
      EXPECT(distance.distance > 40 && distance.normal.x > 0.9F);
      EXPECT(bs_cast(&shapes[i], bs_transform_at(-20, 0.5F), vec(40, 0), &shapes[k], here, &found, &hit) ==
             BS_OK);
      EXPECT(!found || (hit.fraction > 0 && hit.fraction < 1));
    }
  }
  bool contains = false;
  bool found = true;
  bs_hit hit;
  EXPECT(bs_shape_contains(&shapes[0], there, vec(1.5F, 1), &contains) == BS_OK && contains);
  EXPECT(bs_cast_ray(vec(-5, 0), vec(10, 0), &shapes[0], here, &found, &hit) == BS_OK && found);
  EXPECT(hit.fraction == 0.4F && hit.normal.x == -1);
  EXPECT(bs_cast_ray(vec(-5, 3), vec(10, 0), &shapes[0], here, &found, &hit) == BS_OK && !found);
  const bs_rotation quarter = bs_rotation_by(1.5707964F);
  EXPECT(fabsf(quarter.cos) < 1e-6F && fabsf(quarter.sin - 1) < 1e-6F);

  // Every wrong argument.
  bs_shape wrong = bs_circle(-1);
  bs_transform unplaced = {{NAN, 0}, {1, 0}};
  bs_transform unturned = {{0, 0}, {0, 0}};
  bool overlaps = false;
  bs_manifold manifold;
  bs_distance distance;
  bs_aabb bounds;
  EXPECT(bs_overlaps(&wrong, here, &shapes[0], here, &overlaps) == BS_INVALID_ARGUMENT);
  EXPECT(strstr(bs_last_error(), "bs_overlaps: a") != NULL);
  EXPECT(bs_overlaps(&shapes[0], here, &wrong, here, &overlaps) == BS_INVALID_ARGUMENT);
  wrong = bs_circle(NAN);
  EXPECT(bs_collide(&shapes[0], here, &wrong, here, &manifold) == BS_NOT_FINITE);
  wrong.kind = (bs_shape_kind)77;
  EXPECT(bs_shape_bounds(&wrong, here, &bounds) == BS_INVALID_ARGUMENT);
  EXPECT(strstr(bs_last_error(), "77") != NULL);
  wrong = bs_polygon(NULL, 3);
  EXPECT(bs_shape_bounds(&wrong, here, &bounds) == BS_INVALID_ARGUMENT);
  wrong = bs_polygon(corners, 2);
  EXPECT(bs_shape_bounds(&wrong, here, &bounds) == BS_INVALID_ARGUMENT);
  wrong = bs_shape_of_mask(NULL);
  EXPECT(bs_shape_bounds(&wrong, here, &bounds) == BS_INVALID_ARGUMENT);
  EXPECT(bs_shape_bounds(NULL, here, &bounds) == BS_INVALID_ARGUMENT);
  EXPECT(bs_shape_bounds(&shapes[0], here, NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_shape_bounds(&shapes[0], unplaced, &bounds) == BS_NOT_FINITE);
  EXPECT(bs_shape_bounds(&shapes[0], unturned, &bounds) == BS_INVALID_ARGUMENT);
  EXPECT(bs_overlaps(&shapes[0], unplaced, &shapes[0], here, &overlaps) == BS_NOT_FINITE);
  EXPECT(bs_overlaps(&shapes[0], here, &shapes[0], unturned, &overlaps) == BS_INVALID_ARGUMENT);
  EXPECT(bs_overlaps(&shapes[0], here, &shapes[0], here, NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_collide(&shapes[0], here, &shapes[0], here, NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_shape_distance(&shapes[0], here, &shapes[0], here, NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_shape_distance(NULL, here, &shapes[0], here, &distance) == BS_INVALID_ARGUMENT);
  EXPECT(bs_shape_contains(&shapes[0], here, vec(NAN, 0), &contains) == BS_NOT_FINITE);
  EXPECT(bs_shape_contains(&shapes[0], here, vec(0, 0), NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_cast(&shapes[0], here, vec(NAN, 0), &shapes[0], here, &found, &hit) == BS_NOT_FINITE);
  EXPECT(bs_cast(&shapes[0], here, vec(1, 0), &shapes[0], here, NULL, &hit) == BS_INVALID_ARGUMENT);
  EXPECT(bs_cast_ray(vec(NAN, 0), vec(1, 0), &shapes[0], here, &found, &hit) == BS_NOT_FINITE);
  EXPECT(bs_cast_ray(vec(0, 0), vec(NAN, 0), &shapes[0], here, &found, &hit) == BS_NOT_FINITE);
  EXPECT(bs_cast_ray(vec(0, 0), vec(1, 0), &shapes[0], here, &found, NULL) == BS_INVALID_ARGUMENT);
  bs_mask_destroy(mask);
  bs_mask_destroy(NULL);
}

typedef struct counts {
  bs_world* world;
  int begun;
  int all;
  int ended;
  int asked;
  int steps;
  bool destroys;
  bool allows;
} counts;

static void on_begin(void* user, const bs_contact* contact) {
  counts* of = (counts*)user;
  bs_body body;
  ++of->begun;
  EXPECT(contact->begun && bs_world_body(of->world, contact->a, &body) == BS_OK);
  EXPECT(bs_world_step(of->world, 0) == BS_LOCKED);
  if (of->destroys) {
    bs_world_destroy(of->world);
  }
}

static void on_contact(void* user, const bs_contact* contact) {
  counts* of = (counts*)user;
  of->all += contact->manifold.size > 0 ? 1 : 0;
}

static void on_end(void* user, const bs_contact_end* end) {
  counts* of = (counts*)user;
  of->ended += end->cause == BS_PARTED ? 1 : 0;
}

static bool may_touch(void* user, bs_body_id a, bs_body_id b) {
  counts* of = (counts*)user;
  ++of->asked;
  return of->allows && a.index != b.index;
}

static bs_slide_response slide(void* user, const bs_obstacle* obstacle) {
  ++*(int*)user;
  return obstacle->normal.y > 0.5F ? bs_one_way_response(obstacle, vec(0, 1)) : BS_SLIDE;
}

static bs_slide_response slide_wrongly(void* user, const bs_obstacle* obstacle) {
  (void)user;
  (void)obstacle;
  return (bs_slide_response)99;
}

static bool forbid_third_step(void* user) {
  counts* of = (counts*)user;
  ++of->steps;
  of->allows = of->steps != 2;
  return true;
}

static void test_worlds(void) {
  const bs_shape circle = bs_circle(1);
  const bs_shape floor_shape = bs_box(100, 2);
  bs_world* world = NULL;
  bs_world_options options = bs_world_options_default();
  EXPECT(bs_world_create(NULL, NULL) == BS_INVALID_ARGUMENT);
  options.size = 3;
  EXPECT(bs_world_create(&options, &world) == BS_INVALID_ARGUMENT);
  options = bs_world_options_default();
  options.restitution = 2;
  EXPECT(bs_world_create(&options, &world) == BS_INVALID_ARGUMENT);
  options = bs_world_options_default();
  options.order = (bs_step_order)9;
  EXPECT(bs_world_create(&options, &world) == BS_INVALID_ARGUMENT);
  options = bs_world_options_default();
  options.threads = 2000;
  EXPECT(bs_world_create(&options, &world) == BS_INVALID_ARGUMENT && world == NULL);
  options = bs_world_options_default();
  options.order = BS_DETECT_FIRST;
  options.threads = 2;
  EXPECT(bs_world_create(&options, &world) == BS_OK);

  bs_body_def bodies[3];
  bs_body_id ids[3];
  for (int i = 0; i < 3; ++i) {
    bodies[i] = bs_body_def_default();
    bodies[i].shapes = &circle;
    bodies[i].shape_count = 1;
    bodies[i].transform = bs_transform_at(1.5F * (float)i, 0);
    bodies[i].tag = i == 0 ? "player" : "coin";
    bodies[i].user_data = 40 + (uint64_t)i;
  }
  bodies[2].shape_count = 0;
  EXPECT(bs_world_add(world, bodies, 3, ids) == BS_INVALID_ARGUMENT);
  EXPECT(strstr(bs_last_error(), "body 2") != NULL);
  bodies[2].shape_count = 1;
  bodies[2].size = 1;
  EXPECT(bs_world_add(world, bodies, 3, ids) == BS_INVALID_ARGUMENT);
  bodies[2].size = sizeof(bs_body_def);
  EXPECT(bs_world_add(world, NULL, 3, ids) == BS_INVALID_ARGUMENT);
  EXPECT(bs_world_add(NULL, bodies, 3, ids) == BS_INVALID_ARGUMENT);
  bodies[2].mass = 2;
  EXPECT(bs_world_add(world, bodies, 3, ids) == BS_OK);

  counts of = {world, 0, 0, 0, 0, 0, false, true};
  uint32_t listener = 0;
  EXPECT(bs_world_listen(world, BS_ON_BEGIN, "player", "coin", on_begin, &of, &listener) == BS_OK &&
         listener != 0);
  EXPECT(bs_world_listen(world, BS_ON_CONTACT, "*", "coin", on_contact, &of, NULL) == BS_OK);
  EXPECT(bs_world_listen(world, BS_ON_STAY, "player", "*", on_contact, &of, NULL) == BS_OK);
  EXPECT(bs_world_listen_for_ends(world, "player", "coin", on_end, &of, NULL) == BS_OK);
  EXPECT(bs_world_listen(world, (bs_event)9, "a", "b", on_contact, &of, NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_world_listen(world, BS_ON_STAY, "a", "b", NULL, &of, NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_world_listen(world, BS_ON_STAY, NULL, "b", on_contact, &of, NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_world_set_predicate(world, may_touch, &of) == BS_OK);
  EXPECT(bs_world_step(world, 1) == BS_OK);
  EXPECT(of.begun == 1 && of.all == 3 && of.asked == 2);

  const bs_contact* contacts = NULL;
  const bs_contact_end* ends = NULL;
  size_t count = 0;
  EXPECT(bs_world_contacts(world, BS_ALL_CONTACTS, &contacts, &count) == BS_OK && count == 2);
  EXPECT(contacts[0].a.index == ids[0].index && contacts[0].manifold.normal.x == 1);
  EXPECT(bs_world_contacts(world, BS_BEGUN_CONTACTS, &contacts, &count) == BS_OK && count == 2);
  EXPECT(bs_world_contacts(world, BS_STAYED_CONTACTS, &contacts, &count) == BS_OK && count == 0);
  EXPECT(bs_world_contacts(world, (bs_contacts)5, &contacts, &count) == BS_INVALID_ARGUMENT);
  EXPECT(bs_world_contacts_of(world, ids[1], &contacts, &count) == BS_OK && count == 2);
  bool touching = false;
  EXPECT(bs_world_touching(world, ids[0], ids[1], &touching) == BS_OK && touching);
  EXPECT(bs_world_touching(world, ids[0], ids[2], &touching) == BS_OK && !touching);
  const bs_body_id* found = NULL;
  EXPECT(bs_world_candidates(world, ids[1], &found, &count) == BS_OK && count == 2);
  const char* text = NULL;
  EXPECT(bs_world_why(world, ids[0], ids[1], &text) == BS_OK && strlen(text) > 5);
  EXPECT(bs_world_bodies(world, &found, &count) == BS_OK && count == 3 && found[2].index == ids[2].index);

  // A snapshot before changes, and a recording of them.
  const uint8_t* bytes = NULL;
  uint8_t kept[4096];
  uint64_t before = 0;
  uint64_t after = 0;
  EXPECT(bs_world_snapshot(world, &bytes, &count) == BS_OK && count < sizeof(kept));
  const size_t kept_count = count;
  memcpy(kept, bytes, count);
  EXPECT(bs_world_hash(world, &before) == BS_OK);
  EXPECT(bs_world_record(world) == BS_OK);

  EXPECT(bs_world_step(world, 0.5F) == BS_OK);
  EXPECT(bs_world_ended(world, &ends, &count) == BS_OK && count == 0);  // nothing changed
  const bs_vec2 far_away = {90, 90};
  const bs_transform far_off = {{95, 90}, {0, 1}};
  EXPECT(bs_world_move_to(world, &ids[0], &far_away, 1) == BS_OK);
  EXPECT(bs_world_step(world, 0.5F) == BS_OK && of.ended == 1);
  EXPECT(bs_world_ended(world, &ends, &count) == BS_OK && count == 1 && ends[0].a.index == ids[0].index);
  of.allows = false;
  EXPECT(bs_world_step(world, 0.5F) == BS_OK);
  EXPECT(bs_world_ended(world, &ends, &count) == BS_OK && count == 1 && ends[0].cause == BS_FILTERED);
  of.allows = true;
  EXPECT(bs_world_move(world, &ids[1], &far_off, 1) == BS_OK);
  EXPECT(bs_world_teleport(world, ids[1], far_off) == BS_OK);
  EXPECT(bs_world_set_velocity(world, ids[0], vec(1, 2)) == BS_OK);
  EXPECT(bs_world_set_acceleration(world, ids[0], vec(0, -1)) == BS_OK);
  EXPECT(bs_world_push(world, ids[0], vec(1, 0)) == BS_OK);
  EXPECT(bs_world_set_shape(world, ids[1], &floor_shape) == BS_OK);
  EXPECT(bs_world_set_shape(world, ids[1], NULL) == BS_INVALID_ARGUMENT);
  bs_filter filter = bodies[0].filter;
  filter.group = -3;
  EXPECT(bs_world_set_filter(world, ids[1], filter) == BS_OK);
  EXPECT(bs_world_set_tag(world, ids[1], "floor") == BS_OK && bs_world_set_tag(world, ids[2], NULL) == BS_OK);
  EXPECT(bs_world_set_sensor(world, ids[1], true) == BS_OK);
  EXPECT(bs_world_set_bullet(world, ids[0], true) == BS_OK);
  EXPECT(bs_world_set_enabled(world, ids[2], false) == BS_OK);
  EXPECT(bs_world_set_user_data(world, ids[2], 7) == BS_OK);
  EXPECT(bs_world_set_ignored(world, ids[0], ids[2], true) == BS_OK);
  EXPECT(bs_world_set_gravity(world, vec(0, -10)) == BS_OK);
  bs_body body;
  EXPECT(bs_world_body(world, ids[1], &body) == BS_OK && body.sensor && body.enabled && !body.bullet);
  EXPECT(body.filter.group == -3 && body.transform.rotation.sin == 1 && body.user_data == 41);
  EXPECT(body.bounds.max_y - body.bounds.min_y == 100 && body.type == BS_DYNAMIC_BODY);
  EXPECT(bs_world_body(world, ids[2], &body) == BS_OK && !body.enabled && body.mass == 2);
  EXPECT(bs_world_tag(world, ids[1], &text) == BS_OK && strcmp(text, "floor") == 0);
  bs_vec2 positions[2];
  EXPECT(bs_world_positions(world, ids, 2, positions) == BS_OK && positions[1].x == 95);
  bs_transform transforms[2];
  EXPECT(bs_world_transforms(world, ids, 2, transforms) == BS_OK && transforms[1].position.x == 95);
  EXPECT(transforms[1].rotation.sin == 1 && bs_world_transforms(world, ids, 2, NULL) == BS_INVALID_ARGUMENT);
  bs_vec2 velocities[1];
  EXPECT(bs_world_velocities(world, ids, 1, velocities) == BS_OK && velocities[0].y == 2);
  EXPECT(bs_world_velocities(world, NULL, 0, NULL) == BS_OK);
  EXPECT(bs_world_detect(world) == BS_OK && bs_world_dispatch(world) == BS_OK);
  EXPECT(bs_world_respond(world) == BS_OK && bs_world_integrate(world, 0.1F) == BS_OK);
  EXPECT(bs_world_skip_response(world, ids[0], ids[0]) == BS_INVALID_ARGUMENT);
  EXPECT(bs_world_skip_response(world, ids[0], ids[1]) == BS_OK);
  EXPECT(bs_world_set_technique(world, "hash-grid") == BS_OK);
  EXPECT(bs_world_set_technique(world, "magic") == BS_INVALID_ARGUMENT);
  EXPECT(bs_world_use_threads(world, 1) == BS_OK && bs_world_use_threads(world, 2) == BS_OK);
  EXPECT(bs_world_use_threads(world, 5000) == BS_INVALID_ARGUMENT);
  EXPECT(bs_world_memory(world, &count) == BS_OK && count > 100);

  const uint8_t* recorded = NULL;
  size_t recorded_count = 0;
  EXPECT(bs_world_end_record(world, &recorded, &recorded_count) == BS_OK && recorded_count > 100);
  EXPECT(bs_world_hash(world, &after) == BS_OK && after != before);
  bs_world* again = NULL;
  uint64_t hash = 0;
  EXPECT(bs_world_create(NULL, &again) == BS_OK);
  of.asked = 0;
  EXPECT(bs_world_set_predicate(again, may_touch, &of) == BS_OK);
  EXPECT(bs_world_replay(again, recorded, recorded_count, forbid_third_step, &of) == BS_OK);
  EXPECT(bs_world_hash(again, &hash) == BS_OK && hash == after && of.steps == 4);
  EXPECT(bs_world_replay(again, recorded, recorded_count - 1, NULL, NULL) == BS_PARSE);
  EXPECT(bs_world_remove(again, ids, 1) == BS_OK);  // replayed with the number of the first world
  bs_world_destroy(again);

  EXPECT(bs_world_restore(world, kept, kept_count) == BS_OK);
  EXPECT(bs_world_hash(world, &hash) == BS_OK && hash == before);
  kept[kept_count / 2] ^= 1;
  EXPECT(bs_world_restore(world, kept, kept_count) == BS_PARSE);
  kept[4] ^= 1;
  EXPECT(bs_world_restore(world, kept, kept_count) == BS_VERSION_MISMATCH);

  // Ids of no body and of another world.
  bool contains = true;
  bs_body_id stranger = ids[0];
  stranger.world += 1;
  EXPECT(bs_world_remove(world, ids, 1) == BS_OK);
  EXPECT(bs_world_contains(world, ids[0], &contains) == BS_OK && !contains);
  EXPECT(bs_world_remove(world, ids, 1) == BS_STALE_ID);
  EXPECT(bs_world_body(world, stranger, &body) == BS_WRONG_WORLD);
  EXPECT(strcmp(bs_status_name(BS_WRONG_WORLD), "wrong_world") == 0);
  EXPECT(bs_world_tag(world, ids[0], &text) == BS_STALE_ID);
  EXPECT(bs_world_contacts_of(world, ids[0], &contacts, &count) == BS_STALE_ID);
  EXPECT(bs_world_touching(world, ids[0], ids[1], &touching) == BS_STALE_ID);
  EXPECT(bs_world_candidates(world, ids[0], &found, &count) == BS_STALE_ID);
  EXPECT(bs_world_remove_listener(world, listener) == BS_OK);
  EXPECT(bs_world_remove_listener(world, listener) == BS_STALE_ID);
  EXPECT(bs_world_set_predicate(world, NULL, NULL) == BS_OK);
  bs_world_destroy(world);
  bs_world_destroy(NULL);
}

static void test_queries_of_worlds(void) {
  const bs_shape box = bs_box(2, 2);
  const bs_shape probe = bs_circle(0.5F);
  const bs_vec2 corners[] = {{0, 0}, {2, 0}, {1, 2}};
  const uint8_t alpha[] = {255, 255, 255, 0};
  bs_mask* mask = NULL;
  bs_world* world = NULL;
  EXPECT(bs_world_create(NULL, &world) == BS_OK);
  EXPECT(bs_mask_create(alpha, 2, 2, 1, vec(0, 0), 128, &mask) == BS_OK);
  bs_body_def body = bs_body_def_default();
  bs_body_id ids[4];
  for (int i = 0; i < 4; ++i) {
    body.shapes = &box;
    body.shape_count = 1;
    body.transform = bs_transform_at(5.0F * (float)i, 0);
    body.type = i == 3 ? BS_STATIC_BODY : BS_DYNAMIC_BODY;
    body.filter.layer = i == 1 ? 2 : 1;
    EXPECT(bs_world_add(world, &body, 1, &ids[i]) == BS_OK);
  }
  const bs_body_id* found = NULL;
  const bs_body_hit* hits = NULL;
  const bs_nearest* nearest = NULL;
  size_t count = 0;
  bool is_hit = false;
  bs_body_hit hit;
  bs_query_filter filter = bs_query_filter_default();
  EXPECT(bs_world_query_area(world, area(-1, -1, 11, 1), NULL, &found, &count) == BS_OK && count == 3);
  filter.filter.mask = 2;
  EXPECT(bs_world_query_area(world, area(-1, -1, 11, 1), &filter, &found, &count) == BS_OK && count == 1);
  EXPECT(found[0].index == ids[1].index);
  EXPECT(bs_world_cast_ray(world, vec(-5, 0), vec(30, 0), &filter, &is_hit, &hit) == BS_OK && is_hit);
  EXPECT(hit.body.index == ids[1].index);
  filter = bs_query_filter_default();
  filter.dynamic_bodies = false;
  EXPECT(bs_world_query_shape(world, &box, bs_transform_at(14, 0), &filter, &found, &count) == BS_OK &&
         count == 1);
  filter = bs_query_filter_default();
  filter.except = ids[0];
  EXPECT(bs_world_query_point(world, vec(0, 0), &filter, &found, &count) == BS_OK && count == 0);
  EXPECT(bs_world_query_point(world, vec(0, 0), NULL, &found, &count) == BS_OK && count == 1);
  EXPECT(bs_world_cast_ray_all(world, vec(-5, 0), vec(30, 0), NULL, &hits, &count) == BS_OK && count == 4);
  EXPECT(hits[0].hit.fraction < hits[1].hit.fraction && hits[0].hit.normal.x == -1);
  EXPECT(bs_world_cast_ray(world, vec(-5, 9), vec(30, 0), NULL, &is_hit, &hit) == BS_OK && !is_hit);
  EXPECT(bs_world_cast_shape(world, &probe, bs_transform_at(-5, 1.2F), vec(30, 0), NULL, &is_hit, &hit) ==
         BS_OK);
  EXPECT(is_hit && hit.body.index == ids[0].index);
  EXPECT(bs_world_cast_shape_all(world, &probe, bs_transform_at(-5, 0), vec(30, 0), NULL, &hits, &count) ==
         BS_OK);
  EXPECT(count == 4);
  EXPECT(bs_world_nearest(world, vec(6.5F, 0), 2, 100, NULL, &nearest, &count) == BS_OK && count == 2);
  EXPECT(nearest[0].distance == 0.5F && nearest[0].body.index == ids[1].index);

  filter.size = 1;
  EXPECT(bs_world_query_area(world, area(0, 0, 1, 1), &filter, &found, &count) == BS_INVALID_ARGUMENT);
  EXPECT(bs_world_cast_ray(world, vec(0, 0), vec(1, 0), &filter, &is_hit, &hit) == BS_INVALID_ARGUMENT);
  EXPECT(bs_world_query_area(world, area(2, 0, 1, 1), NULL, &found, &count) == BS_INVERTED_BOX);
  EXPECT(bs_world_query_shape(world, NULL, bs_transform_at(0, 0), NULL, &found, &count) ==
         BS_INVALID_ARGUMENT);
  EXPECT(bs_world_cast_shape(world, NULL, bs_transform_at(0, 0), vec(1, 0), NULL, &is_hit, &hit) ==
         BS_INVALID_ARGUMENT);
  EXPECT(bs_world_cast_shape_all(world, NULL, bs_transform_at(0, 0), vec(1, 0), NULL, &hits, &count) ==
         BS_INVALID_ARGUMENT);
  EXPECT(bs_world_cast_ray_all(world, vec(NAN, 0), vec(1, 0), NULL, &hits, &count) == BS_NOT_FINITE);
  EXPECT(bs_world_nearest(world, vec(0, 0), 1, -1, NULL, &nearest, &count) == BS_INVALID_ARGUMENT);

  // Shapes come back as they were.
  bs_shape shapes[] = {bs_circle(1),
                       bs_box(1, 2),
                       bs_capsule(vec(0, 0), vec(1, 0), 1),
                       bs_segment(vec(0, 0), vec(1, 0)),
                       bs_polygon(corners, 3),
                       bs_shape_of_mask(mask)};
  const bs_shape* same = NULL;
  bs_body_id id;
  bs_body_id nobody = {77, 1, 0};
  body = bs_body_def_default();
  body.shapes = shapes;
  body.shape_count = sizeof(shapes) / sizeof(shapes[0]);
  body.transform = bs_transform_at(50, 50);
  EXPECT(bs_world_add(world, &body, 1, &id) == BS_OK);
  bs_mask_destroy(mask);
  EXPECT(bs_world_shapes(world, id, &same, &count) == BS_OK && count == body.shape_count);
  for (size_t i = 0; i < count; ++i) {
    EXPECT(same[i].kind == shapes[i].kind && same[i].radius == shapes[i].radius);
    EXPECT(same[i].half_size.y == shapes[i].half_size.y && same[i].b.x == shapes[i].b.x);
  }
  EXPECT(same[4].point_count == 3 && same[5].mask != NULL);
  body.shapes = same;
  EXPECT(bs_world_add(world, &body, 1, &id) == BS_OK);
  nobody.world = id.world;
  EXPECT(bs_world_shapes(world, nobody, &same, &count) == BS_STALE_ID);

  // A player on a floor.
  const bs_shape floor_shape = bs_box(40, 2);
  bs_slide_options options = bs_slide_options_default();
  bs_slide_result result;
  int asked = 0;
  bs_body_id player;
  body = bs_body_def_default();
  body.type = BS_STATIC_BODY;
  body.shapes = &floor_shape;
  body.shape_count = 1;
  body.transform = bs_transform_at(0, -51);
  EXPECT(bs_world_add(world, &body, 1, NULL) == BS_INVALID_ARGUMENT);
  EXPECT(bs_world_add(world, &body, 1, &id) == BS_OK);
  body.type = BS_KINEMATIC_BODY;
  body.shapes = &box;
  body.transform = bs_transform_at(0, -45);
  EXPECT(bs_world_add(world, &body, 1, &player) == BS_OK);
  options.up = vec(0, 1);
  options.respond = slide;
  options.user = &asked;
  EXPECT(bs_world_move_and_slide(world, player, vec(3, -10), &options, &result) == BS_OK);
  EXPECT(asked > 0 && result.has_ground && result.ground.body.index == id.index && result.hit_count == 1);
  EXPECT(result.hits[0].response == BS_SLIDE_TOUCH || result.hits[0].response == BS_SLIDE);
  EXPECT(bs_world_move_and_slide(world, player, vec(0, 30), NULL, &result) == BS_OK && !result.has_ground);
  options.respond = slide_wrongly;
  EXPECT(bs_world_move_and_slide(world, player, vec(3, -40), &options, &result) == BS_INVALID_ARGUMENT);
  options.size = 0;
  EXPECT(bs_world_move_and_slide(world, player, vec(3, -10), &options, &result) == BS_INVALID_ARGUMENT);
  EXPECT(bs_world_move_and_slide(world, player, vec(NAN, -10), NULL, &result) == BS_NOT_FINITE);
  bs_world_destroy(world);

  // A listener destroys its world.
  EXPECT(bs_world_create(NULL, &world) == BS_OK);
  counts of = {world, 0, 0, 0, 0, 0, true, true};
  body = bs_body_def_default();
  body.shapes = &box;
  body.shape_count = 1;
  EXPECT(bs_world_add(world, &body, 1, &id) == BS_OK && bs_world_add(world, &body, 1, &id) == BS_OK);
  EXPECT(bs_world_listen(world, BS_ON_BEGIN, "*", "*", on_begin, &of, NULL) == BS_OK);
  EXPECT(bs_world_step(world, 0) == BS_OK && of.begun == 1);
}

int main(void) {
  test_versions();
  test_pairs();
  test_wrong_options_of_broad_phases();
  test_broad_phase();
  test_shapes();
  test_worlds();
  test_queries_of_worlds();
  return failures == 0 ? 0 : 1;
}
