#ifndef BROADSIDE_C_WORLD_H
#define BROADSIDE_C_WORLD_H

// The part of broadside/broadside.h for worlds: bodies that move and touch, with the contacts that begin,
// stay and end in each step.
//
// Callbacks may call any function for their world, `bs_world_destroy` included: it takes effect when the call
// that runs the callback returns. What a call refuses, such as a step from within a listener, gets
// `BS_LOCKED`.

#include "broadside/base/export.h"
#include "broadside/c/shape.h"

// NOLINTBEGIN(readability-identifier-naming): as in C

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bs_world bs_world;

/// Identifies a body. The id of a removed body is never given to another one.
typedef struct bs_body_id {
  uint32_t index;
  uint32_t generation;  ///< 0 for no body
  uint32_t world;       ///< number of the world that it belongs to
} bs_body_id;

/// What a step does to bodies that touch.
typedef enum bs_response BS_ENUM_OF_INT {
  BS_NO_RESPONSE = 0,  ///< nothing: contacts are only reported
  BS_BOUNCE = 1        ///< they are separated and bounce off each other by their masses, except sensors
} bs_response;

/// Whether a step finds contacts before or after it moves bodies.
typedef enum bs_step_order BS_ENUM_OF_INT {
  BS_USUAL_ORDER = 0,  ///< `BS_MOTION_FIRST` with `BS_BOUNCE`, else `BS_DETECT_FIRST`
  BS_DETECT_FIRST = 1,
  BS_MOTION_FIRST = 2
} bs_step_order;

typedef struct bs_world_options {
  size_t size;          ///< sizeof(bs_world_options)
  bool only_listeners;  ///< test only pairs that a listener waits for, and pairs with a sensor
  bs_response response;
  bs_step_order order;
  float restitution;  ///< in [0, 1]: 1 keeps the speed of impact, 0 does not bounce
  bs_vec2 gravity;    ///< of dynamic bodies (unit: length per second squared)
  float end_margin;   ///< a contact ends when the gap exceeds this; 0 or more (unit: length)
  size_t threads;     ///< at most 1,024; 0 for as many as the machine has
} bs_world_options;

/// Returns: all pairs, no response, restitution 1, no gravity, one thread.
BROADSIDE_API bs_world_options bs_world_options_default(void);

/// @param options null for the default
BROADSIDE_API bs_status bs_world_create(const bs_world_options* options, bs_world** world);
BROADSIDE_API void bs_world_destroy(bs_world* world);

// Bodies.

/// Describes a body to add.
typedef struct bs_body_def {
  size_t size;             ///< sizeof(bs_body_def)
  const bs_shape* shapes;  ///< [shape_count]
  size_t shape_count;      ///< 1 or more
  bs_body_type type;
  bs_transform transform;
  bs_vec2 velocity;      ///< (unit: length per second)
  bs_vec2 acceleration;  ///< its own, added to gravity (unit: length per second squared)
  const char* tag;       ///< name by which listeners select bodies; null for none
  bs_filter filter;
  bool sensor;         ///< its contacts are reported, but nothing bounces off it
  bool bullet;         ///< swept along its motion, so that it does not tunnel through other bodies
  bool enabled;        ///< a disabled body touches nothing, and no query finds it
  float mass;          ///< above 0; 0 for the area of its shapes, or 1 if that is 0
  uint64_t user_data;  ///< for the caller
} bs_body_def;

/// Returns: no shape yet, dynamic, at the origin, at rest, on layer 1, touches all, enabled.
BROADSIDE_API bs_body_def bs_body_def_default(void);

/// Adds bodies [count], all or none.
///
/// @param ids [count] receives their ids
BROADSIDE_API bs_status bs_world_add(bs_world* world, const bs_body_def* bodies, size_t count,
                                     bs_body_id* ids);
/// Removes bodies [count], all or none. No body may be named twice.
BROADSIDE_API bs_status bs_world_remove(bs_world* world, const bs_body_id* ids, size_t count);
/// Tells whether an id names a body of this world.
BROADSIDE_API bs_status bs_world_contains(const bs_world* world, bs_body_id id, bool* contains);
/// Returns the ids of all bodies, ascending.
BROADSIDE_API bs_status bs_world_bodies(bs_world* world, const bs_body_id** ids, size_t* count);

/// Moves bodies [count], all or none. Their velocities stay; a bullet is swept to its new place. No body may
/// be named twice.
BROADSIDE_API bs_status bs_world_move(bs_world* world, const bs_body_id* ids, const bs_transform* transforms,
                                      size_t count);
/// Does the same with positions [count]; the rotations stay.
BROADSIDE_API bs_status bs_world_move_to(bs_world* world, const bs_body_id* ids, const bs_vec2* positions,
                                         size_t count);
/// Moves a body without sweeping it.
BROADSIDE_API bs_status bs_world_teleport(bs_world* world, bs_body_id id, bs_transform transform);
/// Moves a body by `motion`, and increases its velocity to match.
BROADSIDE_API bs_status bs_world_push(bs_world* world, bs_body_id id, bs_vec2 motion);
BROADSIDE_API bs_status bs_world_set_velocity(bs_world* world, bs_body_id id, bs_vec2 velocity);
BROADSIDE_API bs_status bs_world_set_acceleration(bs_world* world, bs_body_id id, bs_vec2 acceleration);
/// Replaces the first shape of a body.
BROADSIDE_API bs_status bs_world_set_shape(bs_world* world, bs_body_id id, const bs_shape* shape);
BROADSIDE_API bs_status bs_world_set_filter(bs_world* world, bs_body_id id, bs_filter filter);
/// @param tag null for none
BROADSIDE_API bs_status bs_world_set_tag(bs_world* world, bs_body_id id, const char* tag);
BROADSIDE_API bs_status bs_world_set_enabled(bs_world* world, bs_body_id id, bool enabled);
BROADSIDE_API bs_status bs_world_set_sensor(bs_world* world, bs_body_id id, bool sensor);
BROADSIDE_API bs_status bs_world_set_bullet(bs_world* world, bs_body_id id, bool bullet);
BROADSIDE_API bs_status bs_world_set_user_data(bs_world* world, bs_body_id id, uint64_t user_data);
/// Ignores a pair of bodies, or stops ignoring it. An ignored pair never touches.
BROADSIDE_API bs_status bs_world_set_ignored(bs_world* world, bs_body_id a, bs_body_id b, bool ignored);

/// What is known of a body.
typedef struct bs_body {
  bs_body_type type;
  bs_transform transform;
  bs_vec2 velocity;
  bs_vec2 acceleration;
  bs_aabb bounds;  ///< the smallest box around its shapes
  bs_filter filter;
  float mass;
  bool sensor;
  bool bullet;
  bool enabled;
  uint64_t user_data;
} bs_body;

BROADSIDE_API bs_status bs_world_body(const bs_world* world, bs_body_id id, bs_body* body);
/// Writes the positions of bodies [count] to `positions` [count], all or none.
BROADSIDE_API bs_status bs_world_positions(const bs_world* world, const bs_body_id* ids, size_t count,
                                           bs_vec2* positions);
/// Does the same with positions and rotations.
BROADSIDE_API bs_status bs_world_transforms(const bs_world* world, const bs_body_id* ids, size_t count,
                                            bs_transform* transforms);
/// Does the same with velocities (unit: length per second).
BROADSIDE_API bs_status bs_world_velocities(const bs_world* world, const bs_body_id* ids, size_t count,
                                            bs_vec2* velocities);
/// Returns the tag of a body, empty if it has none.
BROADSIDE_API bs_status bs_world_tag(bs_world* world, bs_body_id id, const char** tag);
/// Returns the shapes of a body, with what they refer to.
BROADSIDE_API bs_status bs_world_shapes(bs_world* world, bs_body_id id, const bs_shape** shapes,
                                        size_t* count);

// Contacts and listeners.

/// Two bodies that touch.
typedef struct bs_contact {
  bs_body_id a;
  bs_body_id b;
  bs_manifold manifold;  ///< normal from a to b
  float fraction;  ///< time of impact as a fraction of the step: 1, unless found on the path of a swept body
  bool begun;      ///< whether they did not touch in the previous step
  float approach_speed;  ///< along the normal; negative if they separated (unit: length per second)
} bs_contact;

/// Why a contact ended.
typedef enum bs_end_cause BS_ENUM_OF_INT {
  BS_PARTED = 0,    ///< one of the bodies moved, or changed its shape
  BS_REMOVED = 1,   ///< one of the bodies was removed; its id is stale
  BS_DISABLED = 2,  ///< one of the bodies was disabled
  BS_FILTERED = 3   ///< a filter, a tag, an ignored pair, the predicate or their types keep them apart
} bs_end_cause;

/// Two bodies that touched in the previous step and no longer do.
typedef struct bs_contact_end {
  bs_body_id a;
  bs_body_id b;
  bs_end_cause cause;
} bs_contact_end;

typedef void bs_contact_listener(void* user, const bs_contact* contact);
typedef void bs_end_listener(void* user, const bs_contact_end* end);

typedef enum bs_event BS_ENUM_OF_INT {
  BS_ON_CONTACT = 0,  ///< each step in which two bodies touch
  BS_ON_STAY = 1,     ///< each step in which they touch and touched in the step before
  BS_ON_BEGIN = 2     ///< the step in which they begin to touch
} bs_event;

/// Calls `listener` for bodies with these tags; "*" matches every body. The first body of the contact has
/// `tag_a`.
///
/// @param user is passed to the listener
/// @param listener_id receives a number that no other listener has; may be null
BROADSIDE_API bs_status bs_world_listen(bs_world* world, bs_event event, const char* tag_a, const char* tag_b,
                                        bs_contact_listener* listener, void* user, uint32_t* listener_id);
/// Calls `listener` when bodies with these tags stop touching; b may have been removed, a exists.
BROADSIDE_API bs_status bs_world_listen_for_ends(bs_world* world, const char* tag_a, const char* tag_b,
                                                 bs_end_listener* listener, void* user,
                                                 uint32_t* listener_id);
BROADSIDE_API bs_status bs_world_remove_listener(bs_world* world, uint32_t listener_id);

/// Tells whether two bodies may touch.
typedef bool bs_predicate(void* user, bs_body_id a, bs_body_id b);

/// Sets a predicate for pairs whose boxes touch and that nothing else keeps apart. It must not change the
/// world.
///
/// @param predicate null removes it
BROADSIDE_API bs_status bs_world_set_predicate(bs_world* world, bs_predicate* predicate, void* user);

// The step.

/// Advances the world by `seconds`, 0 or more: detect, dispatch, respond, integrate; with `BS_MOTION_FIRST`,
/// integrate comes first.
///
/// If memory runs out after contacts were found, the step is done nevertheless, without the stage that needed
/// it.
BROADSIDE_API bs_status bs_world_step(bs_world* world, float seconds);
// Its stages, for callers that run code between them.
BROADSIDE_API bs_status bs_world_detect(bs_world* world);
BROADSIDE_API bs_status bs_world_dispatch(bs_world* world);
BROADSIDE_API bs_status bs_world_respond(bs_world* world);
BROADSIDE_API bs_status bs_world_integrate(bs_world* world, float seconds);
/// Disables the response to the contact of two bodies in this step; for use by listeners.
BROADSIDE_API bs_status bs_world_skip_response(bs_world* world, bs_body_id a, bs_body_id b);
BROADSIDE_API bs_status bs_world_set_gravity(bs_world* world, bs_vec2 gravity);

/// Which contacts of the last step.
typedef enum bs_contacts BS_ENUM_OF_INT {
  BS_ALL_CONTACTS = 0,
  BS_BEGUN_CONTACTS = 1,  ///< of bodies that did not touch in the step before
  BS_STAYED_CONTACTS = 2  ///< of bodies that touched in the step before as well
} bs_contacts;

/// Returns contacts of the last step, ascending by (a, b).
BROADSIDE_API bs_status bs_world_contacts(bs_world* world, bs_contacts which, const bs_contact** contacts,
                                          size_t* count);
/// Returns the contacts that ended in the last step, ascending by (a, b).
BROADSIDE_API bs_status bs_world_ended(bs_world* world, const bs_contact_end** ends, size_t* count);
/// Returns the contacts of a body in the last step, ascending by the other body. The body is `a` of each.
BROADSIDE_API bs_status bs_world_contacts_of(bs_world* world, bs_body_id id, const bs_contact** contacts,
                                             size_t* count);
/// Tells whether two bodies touched in the last step.
BROADSIDE_API bs_status bs_world_touching(const bs_world* world, bs_body_id a, bs_body_id b, bool* touching);
/// Returns the bodies, ascending, that would be tested against a body at present.
BROADSIDE_API bs_status bs_world_candidates(bs_world* world, bs_body_id id, const bs_body_id** ids,
                                            size_t* count);
/// Explains in a sentence why two bodies touch or do not at present.
BROADSIDE_API bs_status bs_world_why(bs_world* world, bs_body_id a, bs_body_id b, const char** sentence);

// Queries. They see the latest changes, also before the first step. A body with several shapes is found once.

/// Selects the bodies that a query finds.
typedef struct bs_query_filter {
  size_t size;       ///< sizeof(bs_query_filter)
  bs_filter filter;  ///< of the query, as if it were a body; `wants` is ignored
  bool static_bodies;
  bool kinematic_bodies;
  bool dynamic_bodies;
  bool sensors;
  bs_body_id except;  ///< a body to leave out, such as the one that casts the ray
} bs_query_filter;

/// Returns: all bodies that are enabled.
BROADSIDE_API bs_query_filter bs_query_filter_default(void);

/// A body that is hit.
typedef struct bs_body_hit {
  bs_hit hit;
  bs_body_id body;
} bs_body_hit;

/// A body near a point.
typedef struct bs_nearest {
  bs_body_id body;
  float distance;  ///< from the point; 0 if the body contains it (unit: length)
  bs_vec2 point;   ///< closest point of the body (world)
} bs_nearest;

// In all of them, a null filter stands for the default.

/// Finds the bodies that touch an area, ascending.
BROADSIDE_API bs_status bs_world_query_area(bs_world* world, bs_aabb area, const bs_query_filter* filter,
                                            const bs_body_id** ids, size_t* count);
/// Finds the bodies that contain a point, ascending.
BROADSIDE_API bs_status bs_world_query_point(bs_world* world, bs_vec2 point, const bs_query_filter* filter,
                                             const bs_body_id** ids, size_t* count);
/// Finds the bodies that touch a shape, ascending.
BROADSIDE_API bs_status bs_world_query_shape(bs_world* world, const bs_shape* shape, bs_transform at,
                                             const bs_query_filter* filter, const bs_body_id** ids,
                                             size_t* count);
/// Finds the first body on a ray from `start` to `start + motion`.
///
/// @param found receives whether there is one; `hit` is only written then
BROADSIDE_API bs_status bs_world_cast_ray(bs_world* world, bs_vec2 start, bs_vec2 motion,
                                          const bs_query_filter* filter, bool* found, bs_body_hit* hit);
/// Finds all bodies on a ray, by (fraction, body).
BROADSIDE_API bs_status bs_world_cast_ray_all(bs_world* world, bs_vec2 start, bs_vec2 motion,
                                              const bs_query_filter* filter, const bs_body_hit** hits,
                                              size_t* count);
/// Finds the first body that a moving shape hits.
BROADSIDE_API bs_status bs_world_cast_shape(bs_world* world, const bs_shape* shape, bs_transform at,
                                            bs_vec2 motion, const bs_query_filter* filter, bool* found,
                                            bs_body_hit* hit);
/// Finds all bodies that a moving shape hits if none stops it, by (fraction, body).
BROADSIDE_API bs_status bs_world_cast_shape_all(bs_world* world, const bs_shape* shape, bs_transform at,
                                                bs_vec2 motion, const bs_query_filter* filter,
                                                const bs_body_hit** hits, size_t* count);
/// Finds up to `wanted` bodies nearest to a point, within `max_distance`, by (distance, body).
BROADSIDE_API bs_status bs_world_nearest(bs_world* world, bs_vec2 point, size_t wanted, float max_distance,
                                         const bs_query_filter* filter, const bs_nearest** nearest,
                                         size_t* count);

// Motion of players.

/// How a moving body responds to an obstacle.
typedef enum bs_slide_response BS_ENUM_OF_INT {
  BS_SLIDE = 0,         ///< slides along the surface, as a player along a wall
  BS_SLIDE_BOUNCE = 1,  ///< bounces off, as a ball
  BS_SLIDE_CROSS = 2,   ///< passes through; the hit is still reported, as for a coin
  BS_SLIDE_TOUCH = 3    ///< stops there, as an arrow
} bs_slide_response;

/// A body in the path of another.
typedef struct bs_obstacle {
  bs_body_id body;
  bs_vec2 normal;   ///< outward unit normal of the surface that is hit (world): from the obstacle to the body
  bs_vec2 point;    ///< where they touch (world)
  bs_vec2 motion;   ///< the remaining motion at that point (unit: length)
  float depth;      ///< how far they overlapped before; 0 or more (unit: length)
  bool was_inside;  ///< whether the overlap comes from the body's own motion
} bs_obstacle;

/// An obstacle and the response to it.
typedef struct bs_slide_hit {
  bs_obstacle obstacle;
  bs_slide_response response;
} bs_slide_hit;

typedef bs_slide_response bs_slide_callback(void* user, const bs_obstacle* obstacle);

typedef struct bs_slide_options {
  size_t size;                 ///< sizeof(bs_slide_options)
  bs_slide_callback* respond;  ///< null: the body slides, and crosses sensors
  void* user;                  ///< is passed to `respond`
  size_t max_hits;             ///< obstacles that deflect the motion; the body stops at the last one
  float skin;  ///< gap kept to walls and ceilings; 0 for one that suits the body (unit: length)
  bs_vec2 up;  ///< unit vector; {0, 0} for the opposite of gravity
} bs_slide_options;

/// Returns: slide, at most 8 hits, a skin that suits the body, up as gravity says.
BROADSIDE_API bs_slide_options bs_slide_options_default(void);

typedef struct bs_slide_result {
  bs_vec2 position;          ///< of the body (world)
  bs_vec2 remaining;         ///< the motion that was not carried out (unit: length)
  const bs_slide_hit* hits;  ///< [hit_count] in the order of the impacts
  size_t hit_count;
  bool has_ground;
  bs_obstacle ground;  ///< if `has_ground`
} bs_slide_result;

/// Moves a body by `motion` like a player: along walls and floors, never into them, carried by its ground.
///
/// @param options null for the default
BROADSIDE_API bs_status bs_world_move_and_slide(bs_world* world, bs_body_id id, bs_vec2 motion,
                                                const bs_slide_options* options, bs_slide_result* result);
/// Returns the response to a one-way platform, which is solid from above alone.
///
/// @param up unit vector
BROADSIDE_API bs_slide_response bs_one_way_response(const bs_obstacle* obstacle, bs_vec2 up);

// The broad phase, threads, memory.

/// Changes the technique of the broad phase, such as "hash-grid"; never a result.
BROADSIDE_API bs_status bs_world_set_technique(bs_world* world, const char* technique);
/// Sets the number of threads, at most 1,024; 0 for as many as the machine has. Results do not depend on it.
BROADSIDE_API bs_status bs_world_use_threads(bs_world* world, size_t threads);
/// Returns the bytes held for bodies, contacts and events.
BROADSIDE_API bs_status bs_world_memory(const bs_world* world, size_t* bytes);

// Snapshots and recordings.

/// Returns the whole state as bytes, except the listeners and the predicate.
BROADSIDE_API bs_status bs_world_snapshot(bs_world* world, const uint8_t** bytes, size_t* count);
/// Restores the state of a snapshot: its ids become valid again, and the world continues bit for bit.
/// Listeners and the predicate stay.
BROADSIDE_API bs_status bs_world_restore(bs_world* world, const uint8_t* bytes, size_t count);
/// Computes a hash of the whole state, without the world's number: equal states have equal hashes.
BROADSIDE_API bs_status bs_world_hash(const bs_world* world, uint64_t* hash);
/// Starts to record all changes of the world.
BROADSIDE_API bs_status bs_world_record(bs_world* world);
/// Ends the recording, and returns its bytes.
BROADSIDE_API bs_status bs_world_end_record(bs_world* world, const uint8_t** bytes, size_t* count);
/// Repeats a recording: sets the world to its start state, and makes all changes again. Calls no listeners.
///
/// @param after_step is called after each step, false ends the replay; null for none
/// @param user is passed to `after_step`
BROADSIDE_API bs_status bs_world_replay(bs_world* world, const uint8_t* bytes, size_t count,
                                        bool (*after_step)(void* user), void* user);

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming)

#endif
