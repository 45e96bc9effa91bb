import { contenders, references } from './contenders.mjs';
import { workloads } from './workloads.mjs';

const budget = 2000; // ms that a contender may take on a workload, once it was seen five times
const least = 20; // ms that it is to take at least, lest the clock be seen instead
const warmUp = 10; // frames

const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;

/**
 * Means, as some of the contenders, ours too, have much to do in one frame and little in the next. Frames in which
 * somebody else had the processor are left out: they take more than any contender's busiest.
 */
function frameTime(times) {
  const step = 0.005; // ms; that of a browser's clock
  const usual = times.toSorted((a, b) => a - b)[times.length >> 1];
  return mean(times.filter((time) => time <= 20 * Math.max(usual, step)));
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

/**
 * Runs a contender against the references on a workload, frame by frame in turns on the same boxes, so that a busy
 * machine hits all; and compares the pairs of the last frame with the true ones.
 *
 * @returns `ms` a frame, as many times as much as each reference took (`ratios`), and what is `wrong`
 */
export function race(on, name, frames) {
  globalThis.gc?.();
  const workload = workloads[on]();
  const contender = contenders[name].make(workload);
  const used = Object.entries(references).filter(([reference]) => reference !== 'findPairs' || workload.statics === 0);
  // The contender is the last: what our own ones found is shown until the next of them is asked.
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
