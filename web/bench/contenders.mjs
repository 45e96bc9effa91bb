// The contenders: `load` imports a contender's library and returns a function that makes one for a workload. A contender
// copies the boxes of a frame (`write`, not timed), finds their pairs (`find`, timed), and returns them (`pairs`, as
// numbers a, b, a, b, ...). `readAll` reads the position of each body, if it has bodies. `end` frees its memory.

const ours = (name) => async () => (await import('./contenders/broadside.mjs'))[name];
const document = (name) => async () => (await import('./contenders/documents.mjs'))[name];
const grid = (name) => async () => (await import('./contenders/grids.mjs'))[name];

/** The references of the comparison; the first one only without static boxes, which it does not support. */
export const references = { findPairs: ours('findPairsOnce'), BroadPhase: ours('broadPhase') };

/**
 * `most`: maximum number of boxes; `moving`: only without static boxes; `does`: what it does in addition or omits;
 * `late`: it finds the pairs of the frame before; `differs`: its pairs are not the true ones; `plain`: code of this
 * benchmark, which loads nothing; `profileOnly`: only for start-up, memory and reading.
 */
export const contenders = {
  'broadside findPairs': { load: ours('findPairsOnce'), moving: true },
  'broadside/inline findPairs': {
    load: async () => (await import('./contenders/broadside_inline.mjs')).findPairsInline,
    moving: true,
    profileOnly: true,
  },
  'broadside BroadPhase': { load: ours('broadPhase') },
  'broadside World step': { load: ours('world'), does: 'shapes, contacts, events too' },
  'broadside BodyList': { load: ours('worldInBulk'), profileOnly: true },
  'typed grid': { load: grid('typedGrid'), plain: true },
  'one-cell grid': { load: grid('oneCellGrid'), plain: true },
  'p2 sweep (SAP)': { load: async () => (await import('./contenders/p2.mjs')).sweep },
  'p2 with broadside/p2': { load: async () => (await import('./contenders/p2_with_broadside.mjs')).withBroadside },
  'p2 with broadside/p2 and refresh': { load: async () => (await import('./contenders/p2_with_broadside.mjs')).withRefresh },
  'matter-js detector': {
    load: async () => (await import('./contenders/matter.mjs')).detector,
    does: 'shapes left out',
  },
  'matter-js with broadside/matter': {
    load: async () => (await import('./contenders/matter_with_broadside.mjs')).withBroadside,
    does: 'shapes left out',
  },
  'planck tree': { load: async () => (await import('./contenders/planck.mjs')).tree },
  'planck updatePairs': {
    load: async () => (await import('./contenders/planck.mjs')).updatePairs,
    does: 'only new pairs, of fat boxes',
    differs: true,
  },
  'rapier2d step': {
    load: async () => (await import('./contenders/rapier.mjs')).step,
    does: 'shapes too',
    late: true,
  },
  'rapier2d SIMD step': {
    load: async () => (await import('./contenders/rapier_simd.mjs')).step,
    does: 'shapes too',
    late: true,
  },
  rbush: { load: async () => (await import('./contenders/rbush.mjs')).search },
  flatbush: { load: async () => (await import('./contenders/flatbush.mjs')).search },
  kdbush: { load: async () => (await import('./contenders/kdbush.mjs')).range },
  'box-intersect': { load: async () => (await import('./contenders/box_intersect.mjs')).intersect },
  check2d: { load: async () => (await import('./contenders/check2d.mjs')).potentials },
  'detect-collisions': {
    load: async () => (await import('./contenders/detect_collisions.mjs')).checkAll,
    does: 'shapes too',
  },
  '000 cells by name': { load: document('cellsByName'), plain: true },
  '002 each against each': { load: document('eachAgainstEach'), most: 10_000, plain: true },
  '002 arrays of arrays': { load: document('arraysOfArrays'), plain: true },
  '003 hash of sets': { load: document('hashOfSets'), plain: true },
  '004 grid over window': { load: document('gridOverWindow'), plain: true, differs: true },
};
