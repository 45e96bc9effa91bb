// One run: each contender takes turns with `findPairs`, frame by frame on the same boxes, so that a busy machine hits
// both; ratios are of lower quartiles within that run. Writing the boxes where a contender wants them is not timed.
//   npm run bench -w bench -- [--only=name,name] [--on=U10k,pinball] [--frames=60] [--json=file]
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { ready } from 'broadside';
import { BroadsideBroadphase } from 'broadside/p2';
import * as documents from './documents.mjs';
import { typedGrid } from './grid.mjs';
import * as libraries from './libraries.mjs';
import * as ours from './ours.mjs';
import { workloads } from './workloads.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    on: { type: 'string' },
    frames: { type: 'string', default: '60' },
    json: { type: 'string' },
  },
});

await Promise.all([ready, libraries.ready]);

const all = {
  'broadside findPairs': { make: ours.findPairsOnce, moving: true },
  'broadside BroadPhase': { make: ours.broadPhase },
  'broadside World step': { make: ours.world, does: 'shapes, contacts, events too' },
  'typed grid': { make: typedGrid },
  'p2 sweep (SAP)': { make: libraries.p2Sweep },
  'p2 with broadside/p2': { make: libraries.p2With(() => new BroadsideBroadphase()) },
  'matter-js, no shapes': { make: libraries.matterDetector },
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

const chosen = (list, names) => (names === undefined ? list : list.filter((name) => names.split(',').includes(name)));
const budget = 4000; // ms that a contender may take on a workload, once it was seen twice

/** A quarter of the times is shorter: on a machine that others use too, the median is theirs as much as ours. */
function quartile(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 2];
}

function timed(contender, boxes) {
  contender.write(boxes);
  const start = performance.now();
  contender.find();
  return performance.now() - start;
}

/** Says how the pairs found differ from the true ones; nothing if they do not. */
function difference(pairs, truth, n) {
  const keys = new Float64Array(pairs.length / 2);
  for (let i = 0; i < keys.length; ++i) {
    keys[i] = Math.min(pairs[2 * i], pairs[2 * i + 1]) * n + Math.max(pairs[2 * i], pairs[2 * i + 1]);
  }
  const found = new Set(keys);
  const extra = [...found].filter((key) => !truth.has(key)).length;
  const missing = truth.size - (found.size - extra);
  const said = { twice: keys.length - found.size, missing, extra };
  return Object.entries(said)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}

/** Runs a contender against the reference on a workload, and compares the pairs of the last frame. */
function race(name, workload, make) {
  const contender = make(workload);
  const reference = (workload.statics > 0 ? ours.broadPhase : ours.findPairsOnce)(workload);
  const [times, references] = [[], []];
  let spent = 0;
  const frames = Number(options.frames);
  const warm = Math.min(10, frames);
  for (let frame = 0; frame < frames + warm && (frame < 2 || spent < budget); ++frame) {
    workload.advance();
    const [ours, theirs] = [timed(reference, workload.boxes), timed(contender, workload.boxes)];
    spent += theirs;
    if (frame >= warm || spent > budget / 2) {
      references.push(ours);
      times.push(theirs);
    }
  }
  const truth = new Set(workload.truth());
  const wrong = difference(contender.pairs(), truth, workload.n);
  const [ms, referenceMs] = [quartile(times), quartile(references)];
  contender.end?.();
  reference.end?.();
  const result = { name, ms, ratio: ms / referenceMs, frames: times.length, pairs: truth.size, wrong };
  return contender.note === undefined ? result : { ...result, note: contender.note };
}

const results = [];
for (const on of chosen(Object.keys(workloads), options.on)) {
  const first = workloads[on]();
  const pairs = first.truth().length;
  if (first.n <= 10_000 && first.bruteForceCount() !== pairs) {
    throw new Error(`the sweep finds ${pairs} pairs in ${on}, brute force ${first.bruteForceCount()}`);
  }
  console.log(`\n${on}: ${first.n} boxes, ${first.statics} of them static, ${pairs} pairs`);
  console.log('  contender                      ms      x ours   pairs');
  for (const [name, { make, most, moving, does }] of Object.entries(all)) {
    if (!chosen([name], options.only).length || first.n > (most ?? Infinity) || (moving && first.statics > 0)) {
      continue;
    }
    globalThis.gc?.();
    const result = { workload: on, ...race(name, workloads[on](), make) };
    results.push(result);
    const { ms, ratio, wrong, note } = result;
    const remarks = [wrong || 'exact', does, note].filter(Boolean).join('; ');
    console.log(`  ${name.padEnd(24)} ${ms.toPrecision(3).padStart(9)} ${ratio.toPrecision(3).padStart(9)}   ${remarks}`);
  }
}
if (options.json !== undefined) {
  const machine = { cpu: cpus()[0].model, node: process.version, date: new Date().toISOString() };
  writeFileSync(options.json, `${JSON.stringify({ machine, results }, undefined, 2)}\n`);
}
