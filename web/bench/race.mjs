import { contenders, references } from './contenders.mjs';
import { workloads } from './workloads.mjs';

const budget = 2000; // ms: limit of a contender's time on a workload, after at least five frames
const least = 20; // ms: minimum of a contender's time, because of the resolution of the clock
const warmUp = 10; // frames

const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;

/**
 * Returns the mean, because some contenders, including ours, have slow frames among fast ones. Frames in which another
 * process had the processor are excluded: they take longer than the slowest frame of any contender.
 */
function frameTime(times) {
  const step = 0.005; // ms: resolution of a browser's clock
  const usual = times.toSorted((a, b) => a - b)[times.length >> 1];
  return mean(times.filter((time) => time <= 20 * Math.max(usual, step)));
}

function timed(contender, boxes) {
  contender.write(boxes);
  const start = performance.now();
  contender.find();
  return performance.now() - start;
}

/** Describes how the found pairs differ from the true ones; empty if they do not. */
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

/**
 * Runs a contender and the references on a workload, frame by frame in turns on the same boxes, so that a busy
 * machine affects all; and compares the pairs of the last frame with the true ones.
 *
 * @returns `ms` per frame, its `ratios` to the times of the references, and what is `wrong`
 */
export function race(on, name, frames) {
  globalThis.gc?.();
  const workload = workloads[on]();
  const contender = contenders[name].make(workload);
  const used = Object.entries(references).filter(([reference]) => reference !== 'findPairs' || workload.statics === 0);
  // The contender runs last: the pairs of our own contenders are valid only until the next call.
  const runners = [...used.map(([, make]) => make(workload)), contender];
  const times = runners.map(() => []);
  let spent = 0;
  for (let frame = 0; frame < 5 || (spent < budget && (frame < frames + warmUp || spent < least)); ++frame) {
    workload.advance();
    const now = runners.map((one) => timed(one, workload.boxes));
    spent += now.at(-1);
    if (frame >= warmUp || (frame > 1 && spent > budget / 4)) {
      now.forEach((time, i) => times[i].push(time));
    }
  }
  const wrong = difference(contender.pairs(), new Set(workload.truth()), workload.n);
  const theirs = times.map(frameTime);
  const ms = theirs.pop();
  runners.forEach((one) => one.end?.());
  const ratios = Object.fromEntries(used.map(([reference], i) => [reference, ms / theirs[i]]));
  return { ms, ratios, frames: times.at(-1).length, wrong, note: contender.note };
}
