import { beforeAll, describe, expect, it } from 'vitest';
import { box, BoxArray, BroadPhase, findPairs, ready, techniqueNames, World, type TechniqueName, type TechniqueOptions } from '../dist/index.js';
import { errorOf } from './error_of.js';
import { random } from './random.js';

beforeAll(() => ready);

/** Brute force: compares every box with every other. */
function bruteForce(boxes: Float32Array): string[] {
  const pairs: string[] = [];
  for (let i = 0; i < boxes.length; i += 4) {
    for (let j = i + 4; j < boxes.length; j += 4) {
      const b = (k: number) => boxes[k] as number;
      if (b(i) <= b(j + 2) && b(j) <= b(i + 2) && b(i + 1) <= b(j + 3) && b(j + 1) <= b(i + 3)) {
        pairs.push(`${i / 4} ${j / 4}`);
      }
    }
  }
  return pairs;
}

function asText(pairs: Uint32Array): string[] {
  const texts: string[] = [];
  for (let i = 0; i < pairs.length; i += 2) {
    texts.push(`${pairs[i]} ${pairs[i + 1]}`);
  }
  return texts;
}

function someBoxes(n: number, seed: number): Float32Array {
  const next = random(seed);
  const boxes = new Float32Array(4 * n);
  for (let i = 0; i < 4 * n; i += 4) {
    // Integers, so that many boxes share only an edge or a corner.
    const [x, y, width, height] = [40, 40, 6, 6].map((most) => Math.floor(next() * most)) as number[];
    boxes.set([x!, y!, x! + width!, y! + height!], i);
  }
  return boxes;
}

describe('findPairs', () => {
  it('finds what brute force finds, touching ones included', () => {
    for (let seed = 1; seed <= 20; ++seed) {
      const boxes = someBoxes(150, seed);
      expect(asText(findPairs(boxes, { sorted: true }))).toEqual(bruteForce(boxes));
    }
  });

  it('reads boxes where they are', () => {
    const boxes = new BoxArray(150);
    boxes.view.set(someBoxes(150, 5));
    expect(asText(findPairs(boxes, { sorted: true }))).toEqual(bruteForce(boxes.view));
    boxes.release();
    expect(errorOf(() => findPairs(boxes)).code).toBe('stale_id');
  });

  it('keeps what a BoxArray shows when memory grows', () => {
    const boxes = new BoxArray(2);
    boxes.view.set([0, 0, 1, 1, 1, 1, 2, 2]);
    const before = boxes.view;
    new BoxArray(4_000_000).release(); // 64 MB: memory must grow
    expect(before.length).toBe(0);
    expect(Array.from(boxes.view)).toEqual([0, 0, 1, 1, 1, 1, 2, 2]);
    expect(asText(findPairs(boxes))).toEqual(['0 1']);
  });

  it('reads a view of a BoxArray where it is, too', () => {
    const boxes = new BoxArray(300_000);
    boxes.view.fill(5, 0, 8);
    expect(findPairs(boxes.view.subarray(0, 8)).length).toBe(2);
    const rows = Float32Array.from({ length: boxes.view.length }, (_, i) => 3 * Math.floor(i / 4));
    boxes.view.set(rows);
    expect(findPairs(boxes.view).length).toBe(0);
    boxes.release();
  });

  it('says which box is wrong, and how', () => {
    const inverted = errorOf(() => findPairs(new Float32Array([0, 0, 1, 1, 3, 1, 2.1, 2])));
    expect(inverted.code).toBe('inverted_box');
    expect(inverted.message).toBe('box 1: min_x 3 is greater than max_x 2.1; min must not exceed max');
    expect(errorOf(() => findPairs(new Float32Array([0, NaN, 1, 1]))).code).toBe('not_finite');
    expect(errorOf(() => findPairs(new Float32Array(7))).message).toContain('7');
    const many = errorOf(() => findPairs(new Float32Array(40), { maxPairs: 44 }));
    expect(many.code).toBe('too_many_pairs');
    expect(many.message).toContain('45');
    expect(findPairs(new Float32Array(40), { maxPairs: 45 }).length).toBe(90);
  });

  it('takes no boxes for no pairs', () => {
    expect(findPairs(new Float32Array(0)).length).toBe(0);
  });
});

describe('BroadPhase', () => {
  it('finds the same pairs with every technique, after moves and removals', () => {
    for (const technique of techniqueNames()) {
      const boxes = someBoxes(120, 9);
      const phase = new BroadPhase(technique);
      const indices = phase.add(boxes);
      const moved = someBoxes(60, 10);
      phase.move(indices.subarray(0, 60), moved);
      boxes.set(moved);
      const gone = 119;
      phase.remove(indices[gone] as number);
      const sorted = asText(phase.findPairs()).sort();
      const kept = bruteForce(boxes.subarray(0, 4 * gone)).sort();
      expect(sorted, technique).toEqual(kept);
      expect(phase.statistics().hits).toBe(kept.length);
      expect(Array.from(phase.queryArea({ min: { x: -1, y: -1 }, max: { x: 99, y: 99 } }))).toEqual(
        Array.from(indices.subarray(0, gone)),
      );
    }
  });

  it('counts cells and owner checks of a grid', () => {
    const phase = new BroadPhase('hash-grid', { cellSize: 10 });
    phase.add([5, 5, 25, 25, 15, 8, 45, 38]);
    phase.findPairs();
    expect(phase.statistics()).toMatchObject({ tests: 1, hits: 1, ownerChecks: 6, cellsVisited: 9 + 16 });
  });

  it('has a type for the name of each technique', () => {
    const names: Record<TechniqueName, true> = {
      'brute-force': true,
      'uniform-grid': true,
      'hash-grid': true,
      'sweep-and-prune': true,
      quadtree: true,
      'kd-tree': true,
      'dynamic-tree': true,
      'hierarchical-grid': true,
    };
    expect(techniqueNames()).toEqual(Object.keys(names));
  });

  it('takes the height of rows, and does without neighbor lists, for the same pairs', () => {
    const boxes = someBoxes(150, 11);
    const afterFrames = (options: TechniqueOptions) => {
      const phase = new BroadPhase('hierarchical-grid', options);
      const indices = phase.add(boxes);
      for (let frame = 0; frame < 9; ++frame) {
        phase.move(indices, boxes);
        phase.findPairs();
      }
      return { pairs: asText(phase.findPairs()).sort(), ...phase.statistics() };
    };
    const usual = afterFrames({});
    const plain = afterFrames({ neighborLists: false });
    const fine = afterFrames({ neighborLists: false, rowHeight: 2 });
    expect(usual.pairs).toEqual(bruteForce(boxes).sort());
    expect(plain.pairs).toEqual(usual.pairs);
    expect(fine.pairs).toEqual(usual.pairs);
    expect(afterFrames({ neighborLists: true }).bytes).toBe(usual.bytes);
    expect(plain.bytes).toBeLessThan(usual.bytes);
    expect(plain.tests).toBeGreaterThan(usual.tests);
    expect(fine.cells).toBeGreaterThan(plain.cells);
    expect(fine.tests).toBeLessThan(plain.tests);
    for (const rowHeight of [-1, 0, NaN, Infinity, 1e-60]) {
      const error = errorOf(() => new BroadPhase('hierarchical-grid', { rowHeight }));
      expect(error.code).toBe('invalid_argument');
      expect(error.message).toBe(`rowHeight: ${rowHeight}; must be positive and finite`);
    }
  });

  it('takes cells that are squares, or have a width and a height, for the same pairs', () => {
    const next = random(12);
    for (let round = 0; round < 20; ++round) {
      const boxes = new Float32Array(1200);
      for (let i = 0; i < boxes.length; i += 4) {
        const [x, y] = [400 * next(), 400 * next()];
        boxes.set([x, y, x + 9 * next(), y + 9 * next()], i);
      }
      const [width, height] = [4 + 40 * next(), 4 + 40 * next()];
      for (const technique of ['uniform-grid', 'hash-grid'] as const) {
        for (const cellSize of [width, { x: width, y: height }]) {
          const options = { cellSize, bounds: { min: { x: 0, y: 0 }, max: { x: 409, y: 409 } } };
          const phase = new BroadPhase(technique, options);
          phase.add(boxes);
          expect(asText(phase.findPairs()).sort()).toEqual(bruteForce(boxes).sort());
          const world = new World({ technique, techniqueOptions: options });
          for (let i = 0; i < boxes.length; i += 4) {
            const [left, top, right, bottom] = boxes.subarray(i, i + 4) as unknown as [number, number, number, number];
            world.add({ shape: box(right - left, bottom - top), position: { x: (left + right) / 2, y: (top + bottom) / 2 } });
          }
          world.step(0);
          for (const cells of [phase.cells(), world.cells()]) {
            expect(cells.length).toBeGreaterThan(0);
            for (const { min, max } of cells) {
              expect(max.x - min.x).toBeCloseTo(width, 3);
              expect(max.y - min.y).toBeCloseTo(cellSize === width ? width : height, 3);
            }
          }
        }
      }
    }
  });

  it('refuses a cell size without meaning, and names it', () => {
    const given = [0, -1, NaN, Infinity, 1e39, 1e-60, { x: 3, y: 0 }, { x: -2, y: 3 }, { x: 3, y: NaN }, {}, [3, 4]];
    for (const technique of techniqueNames()) {
      const world = new World();
      for (const cellSize of given) {
        for (const use of [
          (options: TechniqueOptions) => new BroadPhase(technique, options),
          (options: TechniqueOptions) => new World({ technique, techniqueOptions: options }),
          (options: TechniqueOptions) => world.setTechnique(technique, options),
        ]) {
          const error = errorOf(() => use({ cellSize: cellSize as number }));
          expect(error.code).toBe('invalid_argument');
          expect(error.message).toMatch(/^cellSize(\.[xy])?: .+; must be positive and finite$/);
        }
      }
    }
  });

  it('leaves out what types and filters do', () => {
    const phase = new BroadPhase();
    const one = new Float32Array([0, 0, 1, 1]);
    const [wall] = phase.add(one, 'static');
    phase.add(one, 'static');
    const [ball] = phase.add(one);
    expect(phase.findPairs().length).toBe(4);
    phase.setFilter(ball!, { layer: 2, mask: ~1 });
    expect(phase.findPairs().length).toBe(0);
    phase.setFilter(wall!, { layer: 1n << 40n });
    expect(asText(phase.findPairs())).toEqual([`${wall} ${ball}`]);
  });

  it('takes boxes of any kind, and a BoxArray of more of them than indices', () => {
    const phase = new BroadPhase();
    const indices = phase.add([0, 0, 1, 1, 5, 5, 6, 6]);
    phase.move(indices, [0, 0, 1, 1, 1, 1, 2, 2]);
    expect(phase.findPairs().length).toBe(2);
    phase.move(indices.subarray(1), new Float64Array([3, 3, 4, 4]));
    expect(phase.findPairs().length).toBe(0);
    const boxes = new BoxArray(3);
    boxes.view.set([0, 0, 1, 1, 0, 0, 1, 1]);
    phase.move(indices, boxes);
    expect(phase.findPairs().length).toBe(2);
    expect(errorOf(() => phase.move(indices, [0, 0, 1, 1])).code).toBe('invalid_argument');
    boxes.release();
    expect(errorOf(() => phase.move(indices, boxes)).code).toBe('stale_id');
  });

  it('refuses what is not there', () => {
    expect(errorOf(() => new BroadPhase('octree' as never)).message).toContain('hierarchical-grid');
    expect(errorOf(() => new BroadPhase().remove(3)).code).toBe('stale_id');
    expect(errorOf(() => new World({ technique: 'octree' as never })).code).toBe('invalid_argument');
  });
});
