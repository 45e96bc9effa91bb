#ifndef BROADSIDE_BROADSIDE_H
#define BROADSIDE_BROADSIDE_H

// broadside for C (C11) and for languages that call C: which of many boxes overlap?
//
//     c/broad_phase.h  pairs of boxes
//     c/shape.h        shapes: whether, where and when two touch
//     c/world.h        bodies that move: contacts that begin and end, queries, snapshots
//     c/allocator.h    where the memory comes from: not included here, as it needs a library of its own
//
// - A function that can fail returns a `bs_status`. Unless that is `BS_OK`, nothing has changed, and
//   `bs_last_error` gives the reason in a sentence.
// - A handle is made by `..._create` and freed by `..._destroy`, which accepts null. Other functions refuse
//   null pointers (`BS_INVALID_ARGUMENT`), except for arrays of length 0 and where null is said to have a
//   meaning.
// - The first member of an options struct is its size, which is refused if it is wrong. Get one from its
//   `..._default` function, and change what you need.
// - Arrays that a function returns belong to the handle, and are valid until the next call with it.
// - A handle may be used by one thread at a time, different handles by several at once.
// - No exception leaves a function. If memory runs out, the status is `BS_OUT_OF_MEMORY`.

#include "broadside/c/base.h"
#include "broadside/c/broad_phase.h"
#include "broadside/c/shape.h"
#include "broadside/c/world.h"

#endif
