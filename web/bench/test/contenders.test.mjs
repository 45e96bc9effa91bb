import { describe, expect, it } from 'vitest';
import { contenders } from '../contenders.mjs';
import { difference } from '../race.mjs';
import { tables } from '../tables.mjs';
import { kinds, workloads } from '../workloads.mjs';

/** Draws whole numbers from least to most. */
function drawing(seed) {
  let state = seed;
  return (least, most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return least + Math.floor((state / 2 ** 32) * (most - least + 1));
  };
}

describe('a contender', () => {
  it.each(Object.keys(contenders))('finds the pairs that brute force finds, or says that it differs: %s', async (name) => {
    const make = await contenders[name].load();
    const draw = drawing(1);
    let differences = 0;
    for (let round = 0; round < 30; ++round) {
      const kind = Object.keys(kinds)[round % Object.keys(kinds).length];
      const motion = ['jitter', 'glide'][draw(0, 1)];
      const workload = kinds[kind](draw(2, 300), { motion, seed: draw(1, 1e9) });
      if (contenders[name].moving && workload.statics > 0) {
        continue;
      }
      const one = make(workload);
      let before;
      for (let frame = draw(1, 8); frame > 0; --frame) {
        before = workload.boxes.slice();
        workload.advance();
        one.write(workload.boxes);
        one.find();
      }
      expect(workload.truth().length).toBe(workload.bruteForceCount());
      const truth = workload.truth(contenders[name].late ? before : workload.boxes);
      differences += difference(one.pairs(), new Set(truth), workload.n) === '' ? 0 : 1;
      one.end?.();
    }
    expect(differences > 0).toBe(contenders[name].differs ?? false);
  });

  it.each(Object.keys(contenders))('reads the positions of its bodies, if it has any: %s', async (name) => {
    const workload = kinds.uniform(50, { motion: 'jitter', seed: 7 });
    const one = (await contenders[name].load())(workload);
    if (one.readAll !== undefined) {
      const corners = workload.boxes.reduce((sum, x, i) => sum + (i % 4 < 2 ? x : 0), 0);
      // The position is the center, or the lower left corner.
      expect([corners, corners + 50 * 10]).toContain(one.readAll());
    }
    one.end?.();
  });
});

it('moves each box by at most 1 along an axis, keeps its size, and keeps it near its world', () => {
  for (const make of Object.values(kinds)) {
    for (const motion of ['jitter', 'glide']) {
      const workload = make(40, { motion, seed: 5 });
      const { boxes, statics } = workload;
      const isRight = (before) => (x, i) => {
        const reach = i % 2 === 0 ? workload.width : workload.height;
        const isSmall = Math.abs(x - before[i]) <= (i >> 2 < statics ? 0 : 1);
        return isSmall && (i % 4 > 1 || (boxes[i + 2] - x === before[i + 2] - before[i] && x >= -1 && x <= reach + 1));
      };
      for (let frame = 0; frame < 2000; ++frame) {
        const before = boxes.slice();
        workload.advance();
        expect(boxes.every(isRight(before))).toBe(true);
      }
    }
  }
});

it('writes each number into its table', () => {
  const places = { node: 'Node 1', chromium: 'Chromium 2' };
  const draw = drawing(3);
  const results = [];
  const profiles = [];
  for (const name of Object.keys(contenders)) {
    for (const place of Object.keys(places)) {
      profiles.push({ in: place, name, startUp: draw(100, 999), memory: 1e6 * draw(100, 999), read: draw(100, 999) });
      for (const workload of Object.keys(workloads)) {
        const ratios = { findPairs: draw(100, 999), BroadPhase: draw(100, 999) };
        results.push({ in: place, workload, name, ms: draw(100, 999), worst: draw(100, 999), ratios });
      }
    }
  }
  results[0].wrong = '3 missing';
  const text = tables({ results, profiles }, places);
  for (const { ms, worst, ratios } of results) {
    for (const number of [ms, worst, ratios.findPairs, ratios.BroadPhase]) {
      expect(text).toContain(String(number));
    }
  }
  for (const { startUp, memory, read } of profiles) {
    for (const number of [startUp, memory / 1e6, read]) {
      expect(text).toContain(String(number));
    }
  }
  expect(text).toContain(`${results[0].name}: in 1 of its races, such as 3 missing`);
  expect(text.split('\n').filter((line) => line.startsWith('| broadside BroadPhase |')).length).toBe(5);
});
