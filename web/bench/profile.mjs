import { contenders } from './contenders.mjs';
import { kinds } from './workloads.mjs';

const now = () => performance.now();
const options = { motion: 'jitter', seed: 12345 };

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}

/** Returns the time to read the position of one body, in ns: the median of some rounds over all bodies. */
function timeOfReading(one, n) {
  const times = [];
  let sum = 0;
  for (let round = 0; round < 40; ++round) {
    const start = now();
    sum += one.readAll();
    times.push(now() - start);
  }
  if (!Number.isFinite(sum)) {
    throw new Error('a position is not a number');
  }
  return (median(times.slice(10)) * 1e6) / n;
}

/**
 * Measures a contender in a process or page in which nothing of it was loaded yet.
 *
 * @returns the time from the import of its library to the pairs of 100 boxes, in ms
 */
export async function startUp(name) {
  const workload = kinds.uniform(100, options);
  const start = now();
  const one = (await contenders[name].load())(workload);
  one.write(workload.boxes);
  one.find();
  one.pairs();
  return now() - start;
}

/**
 * Measures a contender in a process or page in which nothing of it was loaded yet.
 *
 * @param memory returns the process's memory in bytes, if that is known
 * @returns `memory`: bytes that the process takes at most, more than before, for 20 frames of 10,000 boxes; `read`: ns to
 * read the position of one body, if it has bodies
 */
export async function costs(name, memory) {
  const workload = kinds.uniform(10_000, options);
  const before = memory?.();
  const one = (await contenders[name].load())(workload);
  let most = 0;
  for (let frame = 0; frame < 20; ++frame) {
    workload.advance();
    one.write(workload.boxes);
    one.find();
    most = Math.max(most, memory?.() ?? 0);
  }
  return {
    memory: before === undefined ? undefined : most - before,
    read: one.readAll === undefined ? undefined : timeOfReading(one, workload.n),
  };
}
