#ifndef BROADSIDE_C_BASE_H
#define BROADSIDE_C_BASE_H

// The part of broadside/broadside.h that the others use: status, errors, and plain types.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "broadside/base/export.h"
#include "broadside/base/version.h"

#ifdef __cplusplus
#define BS_ENUM_OF_INT : int  // as in C, where a value may be none of those that are listed
#else
#define BS_ENUM_OF_INT
#endif

// NOLINTBEGIN(readability-identifier-naming): as in C

#ifdef __cplusplus
extern "C" {
#endif

/// What became of a call.
typedef enum bs_status BS_ENUM_OF_INT {
  BS_OK = 0,
  BS_INVALID_ARGUMENT,  ///< an argument that has no meaning here
  BS_NOT_FINITE,        ///< a NaN or an infinity
  BS_INVERTED_BOX,      ///< a box with min > max
  BS_STALE_ID,          ///< the id of a box, body or listener that was removed or never existed
  BS_WRONG_WORLD,       ///< the id of a body of another world
  BS_LOCKED,            ///< a change from within the predicate, or a step from within a listener
  BS_TOO_MANY_PAIRS,    ///< more pairs than the limit
  BS_TOO_LARGE,         ///< would need more memory than the documented bound
  BS_PARSE,             ///< bytes that are damaged or not what they should be
  BS_VERSION_MISMATCH,  ///< bytes of another version of the library
  BS_OUT_OF_MEMORY,
  BS_OTHER_ERROR  ///< see the sentence
} bs_status;

/// Returns the name of a status, such as "not_finite".
BROADSIDE_API const char* bs_status_name(bs_status status);

/// Returns why the last call of this thread that failed did so; empty if none has failed. Valid until the
/// next call of this thread that fails.
BROADSIDE_API const char* bs_last_error(void);

/// Returns the version of the library, such as "0.2.0".
BROADSIDE_API const char* bs_version(void);

/// A box with edges parallel to the axes, closed: boxes that only touch overlap. Finite, with min <= max.
typedef struct bs_aabb {
  float min_x;
  float min_y;
  float max_x;
  float max_y;
} bs_aabb;

/// Two boxes that overlap.
typedef struct bs_pair {
  uint32_t a;
  uint32_t b;
} bs_pair;

/// A point, or a displacement (unit: length).
typedef struct bs_vec2 {
  float x;
  float y;
} bs_vec2;

/// A rotation by its cosine and sine, so that quarter turns are exact. The sum of the squares is within 0.01
/// of 1.
typedef struct bs_rotation {
  float cos;
  float sin;
} bs_rotation;

/// Returns the rotation by an angle (unit: radian, counter-clockwise where y points up): the same bits on
/// every machine.
BROADSIDE_API bs_rotation bs_rotation_by(float angle);

/// Where a shape is: rotated about its own origin, then moved.
typedef struct bs_transform {
  bs_vec2 position;
  bs_rotation rotation;
} bs_transform;

/// Returns a position without rotation.
BROADSIDE_API bs_transform bs_transform_at(float x, float y);

/// How a box moves. Two boxes make a pair only if one of them is dynamic.
typedef enum bs_body_type BS_ENUM_OF_INT {
  BS_STATIC_BODY = 0,     ///< never moves by itself: walls, ground
  BS_KINEMATIC_BODY = 1,  ///< moved by the game: lifts, flippers
  BS_DYNAMIC_BODY = 2     ///< balls, players
} bs_body_type;

/// Which boxes may make a pair.
typedef struct bs_filter {
  uint64_t layer;  ///< the layers that the box is on
  uint64_t mask;   ///< the layers that it may touch; both sides must agree
  uint64_t wants;  ///< the layers it wants reported; one side is enough
  int32_t group;   ///< if equal and not 0 on both sides: above 0 ignores `mask`, below 0 never touch
} bs_filter;

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming)

#endif
