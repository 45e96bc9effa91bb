// The contenders: `make` of a workload returns a contender, which copies the boxes of a frame (not timed), finds their
// pairs (timed), and returns them.
import { ready as packageReady } from 'broadside';
import { BroadsideBroadphase } from 'broadside/p2';
import * as documents from './documents.mjs';
import { oneCellGrid, typedGrid } from './grid.mjs';
import * as libraries from './libraries.mjs';
import * as ours from './ours.mjs';

export const ready = Promise.all([packageReady, libraries.ready]);

/** The references of the comparison; the first one only without static boxes, which it does not support. */
export const references = { findPairs: ours.findPairsOnce, BroadPhase: ours.broadPhase };

/** `most`: maximum number of boxes; `moving`: only without static boxes; `does`: what it does in addition or omits. */
export const contenders = {
  'broadside findPairs': { make: ours.findPairsOnce, moving: true },
  'broadside BroadPhase': { make: ours.broadPhase },
  'broadside World step': { make: ours.world, does: 'shapes, contacts, events too' },
  'typed grid': { make: typedGrid },
  'one-cell grid': { make: oneCellGrid },
  'p2 sweep (SAP)': { make: libraries.p2Sweep },
  'p2 with broadside/p2': { make: libraries.p2With(() => new BroadsideBroadphase()) },
  'matter-js detector': { make: libraries.matterDetector, does: 'shapes left out' },
  'planck tree': { make: libraries.planckTree },
  'planck updatePairs': { make: libraries.planckUpdatePairs, does: 'only new pairs, of fat boxes' },
  'rapier2d step': { make: libraries.rapierStep, does: 'shapes too' },
  rbush: { make: libraries.rbush },
  flatbush: { make: libraries.flatbush },
  'box-intersect': { make: libraries.boxIntersection },
  check2d: { make: libraries.check2d },
  '000 cells by name': { make: documents.cellsByName },
  '002 each against each': { make: documents.eachAgainstEach, most: 10_000 },
  '002 arrays of arrays': { make: documents.arraysOfArrays },
  '003 hash of sets': { make: documents.hashOfSets },
  '004 grid over window': { make: documents.gridOverWindow },
};
