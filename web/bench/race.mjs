import { contenders, references } from './contenders.mjs';
import { workloads } from './workloads.mjs';

const rounds = 2;
const budget = 1000; // ms: limit of a contender's time in a round, after at least five frames
const least = 10; // ms: minimum of a contender's time in a round, because of the resolution of the clock
const warmUp = 10; // frames

const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;

function timed(contender, boxes) {
  contender.write(boxes);
  const start = performance.now();
  contender.find();
  return performance.now() - start;
}

/** Describes how the found pairs differ from the true ones; empty if they do not. */
export function difference(pairs, truth, n) {
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

/** Runs the frames of one round: until `isOver(frame, spent)`. Returns the times of each runner, and what is wrong. */
function runRound(makeWorkload, makes, isLate, isOver) {
  globalThis.gc?.();
  const workload = makeWorkload();
  const runners = makes.map((make) => make(workload));
  const times = runners.map(() => []);
  let before;
  for (let frame = 0, spent = 0; !isOver(frame, spent); ++frame) {
    before = workload.boxes.slice();
    workload.advance();
    runners.forEach((one, i) => times[i].push(timed(one, workload.boxes)));
    spent += times.at(-1).at(-1);
  }
  const last = runners.at(-1);
  const wrong = difference(last.pairs(), new Set(workload.truth(isLate ? before : workload.boxes)), workload.n);
  runners.forEach((one) => one.end?.());
  return { times, wrong, note: last.note };
}

/**
 * Runs a contender and the references on a workload, frame by frame in turns on the same boxes, so that a busy machine
 * affects all; and compares the pairs of the last frame with the true ones. Then it does so once more on the same
 * boxes: the time of a frame is the smaller one, without what other processes took.
 *
 * @returns `ms` per frame, the `worst` frame in ms, the `ratios` of the means to those of the references, the number of
 * `frames`, what is `wrong`, and the contender's `note`
 */
export async function race(on, name, frames) {
  const { statics } = workloads[on]();
  const used = Object.keys(references).filter((reference) => reference !== 'findPairs' || statics === 0);
  // The contender runs last: the pairs of our own contenders are valid only until the next call.
  const { load: own, late = false } = contenders[name];
  const loads = [...used.map((reference) => references[reference]), own];
  const makes = await Promise.all(loads.map((load) => load()));
  const first = runRound(workloads[on], makes, late, (frame, spent) => {
    return frame >= 5 && (spent >= budget || (frame >= frames + warmUp && spent >= least));
  });
  const count = first.times[0].length;
  const found = [first];
  while (found.length < rounds) {
    found.push(runRound(workloads[on], makes, late, (frame) => frame === count));
  }
  const skipped = Math.min(warmUp, count - 3);
  const times = first.times.map((all, i) =>
    all.map((_, frame) => Math.min(...found.map((round) => round.times[i][frame]))).slice(skipped),
  );
  const theirs = times.map(mean);
  const ms = theirs.pop();
  const ratios = Object.fromEntries(used.map((reference, i) => [reference, ms / theirs[i]]));
  const worst = times.at(-1).reduce((a, b) => Math.max(a, b), 0);
  return { ms, worst, ratios, frames: count - skipped, wrong: found.map(({ wrong }) => wrong).find(Boolean), note: first.note };
}
