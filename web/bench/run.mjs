// One run: each contender takes turns with `findPairs` and `BroadPhase`, frame by frame on the same boxes, so that a
// busy machine hits all; ratios are of lower quartiles within that run. Writing the boxes where a contender wants them
// is not timed.
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

const chosen = (list, names) => (names === undefined ? list : list.filter((name) => names.split(',').includes(name)));
const budget = 2000; // ms that a contender may take on a workload, once it was seen five times

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

/** Runs a contender against the references on a workload, and compares the pairs of the last frame. */
function race(name, workload, make) {
  const contender = make(workload);
  const makeReferences = workload.statics > 0 ? [ours.broadPhase] : [ours.findPairsOnce, ours.broadPhase];
  const references = makeReferences.map((makeOne) => makeOne(workload));
  const times = [[], ...references.map(() => [])];
  let spent = 0;
  const frames = Number(options.frames);
  const warm = Math.min(10, frames);
  for (let frame = 0; frame < frames + warm && (frame < 5 || spent < budget); ++frame) {
    workload.advance();
    const now = [contender, ...references].map((one) => timed(one, workload.boxes));
    spent += now[0];
    if (frame >= warm || (frame > 1 && spent > budget / 4)) {
      now.forEach((time, i) => times[i].push(time));
    }
  }
  const truth = new Set(workload.truth());
  const wrong = difference(contender.pairs(), truth, workload.n);
  const [ms, ...theirs] = times.map(quartile);
  [contender, ...references].forEach((one) => one.end?.());
  const [toBroadPhase, toFindPairs] = theirs.map((reference) => ms / reference).reverse();
  return { name, ms, toFindPairs, toBroadPhase, frames: times[0].length, pairs: truth.size, wrong, note: contender.note };
}

const results = [];
for (const on of chosen(Object.keys(workloads), options.on)) {
  const scene = workloads[on]();
  const pairs = scene.truth().length;
  if (scene.n <= 10_000 && scene.bruteForceCount() !== pairs) {
    throw new Error(`the sweep finds ${pairs} pairs in ${on}, brute force ${scene.bruteForceCount()}`);
  }
  console.log(`\n${on}: ${scene.n} boxes, ${scene.statics} of them static, ${pairs} pairs`);
  console.log('  contender                      ms  x findPairs  x BroadPhase   pairs');
  for (const [name, { make, most, moving, does }] of Object.entries(all)) {
    if (!chosen([name], options.only).length || scene.n > (most ?? Infinity) || (moving && scene.statics > 0)) {
      continue;
    }
    globalThis.gc?.();
    const result = { workload: on, ...race(name, workloads[on](), make) };
    results.push(result);
    const { ms, toFindPairs, toBroadPhase, wrong, note } = result;
    const [time, first, second] = [ms, toFindPairs, toBroadPhase].map((x) => x?.toPrecision(3) ?? '');
    const remarks = [wrong || 'exact', does, note].filter(Boolean).join('; ');
    console.log(`  ${name.padEnd(24)} ${time.padStart(9)} ${first.padStart(12)} ${second.padStart(13)}   ${remarks}`);
  }
}
if (options.json !== undefined) {
  const machine = { cpu: cpus()[0].model, node: process.version, date: new Date().toISOString() };
  writeFileSync(options.json, `${JSON.stringify({ machine, results }, undefined, 2)}\n`);
}
