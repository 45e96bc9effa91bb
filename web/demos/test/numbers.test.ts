// Recounts the numbers that the pages show. The scenes are those of the pages, made again here with the same seed and
// the same size; each is advanced by as many single steps ("." on the keyboard) as the page, and counted by brute force.
import { ready, World, type Aabb, type Point } from 'broadside';
import { beforeAll, describe, expect, it } from 'vitest';
import { Game as Chapter10 } from '../chapter10/game';
import { PlainCircles } from '../circles/plain';
import { boundsOf } from '../cliff/measure';
import { boxesOf, makeScene, moved, sceneNames, sceneTitle } from '../cliff/scenes';
import { Story, memory } from '../events/story';
import { Game } from '../pinball/game';
import { Robot } from '../pinball/robot';
import { questionNames, questions } from '../query-lab/questions';
import { fill } from '../query-lab/scene';
import { Crowd } from '../shared/crowd';
import { techniques } from '../shared/techniques';
import { Rings } from '../spatial-grid/rings';
import { visit, type Visit } from './visit';

beforeAll(() => ready);

const stepSeconds = 1 / 60;

/** The size of the stage, and that of its canvas. */
interface Size {
  readonly width: number;
  readonly height: number;
  readonly pixels: { readonly width: number; readonly height: number };
}

/** Waits until all numbers are those of the present state: some pages write them in every 15th frame. */
async function settle(page: Visit): Promise<void> {
  await page.page.evaluate(
    () =>
      new Promise<void>((done) => {
        let frames = 16;
        const next = () => (--frames > 0 ? requestAnimationFrame(next) : done());
        next();
      }),
  );
}

/** Makes single steps. */
async function advance(page: Visit, steps: number): Promise<void> {
  for (let i = 0; i < steps; ++i) {
    await page.page.keyboard.press('.');
  }
  await settle(page);
}

function sizeOf(page: Visit): Promise<Size> {
  return page.page.evaluate(() => {
    const stage = document.querySelector('.stage')!;
    const { width, height } = stage.querySelector('canvas')!;
    return { width: stage.clientWidth, height: stage.clientHeight, pixels: { width, height } };
  });
}

const text = (page: Visit, name: string) => page.page.textContent(`[data-readout="${name}"]`);

/** Checks times: their values are the machine's. */
async function expectTimes(page: Visit, ...names: string[]): Promise<void> {
  for (const name of names) {
    expect(await page.number(name), name).toBeGreaterThanOrEqual(0);
    expect(await page.number(name), name).toBeLessThan(Infinity);
  }
}

/** A number that rounding may change by as many as touch or are apart by less than a rounding error. */
interface Count {
  sure: number;
  possible: number;
}

function expectCount(shown: number, { sure, possible }: Count): void {
  expect(shown).toBeGreaterThanOrEqual(sure);
  expect(shown).toBeLessThanOrEqual(possible);
}

const pairsOf = (n: number) => (n * (n - 1)) / 2;

/** Circles: positions [n][2] and radii [n]. */
interface Circles {
  readonly positions: ArrayLike<number>;
  readonly radii: ArrayLike<number>;
}

/** Counts the gaps of at most 0, up to a rounding error. */
function countGaps(gaps: readonly number[], error = 1e-3): Count {
  return { sure: gaps.filter((gap) => gap < -error).length, possible: gaps.filter((gap) => gap < error).length };
}

/** Counts the pairs with a gap of at most 0; a gap is a distance minus the sum of the radii. */
function countPairs(n: number, gapOf: (i: number, j: number) => number): Count {
  const gaps: number[] = [];
  for (let i = 0; i < n; ++i) {
    for (let j = i + 1; j < n; ++j) {
      gaps.push(gapOf(i, j));
    }
  }
  return countGaps(gaps);
}

function circlePairs({ positions: at, radii }: Circles): Count {
  return countPairs(radii.length, (i, j) => {
    const distance = Math.hypot(at[2 * i]! - at[2 * j]!, at[2 * i + 1]! - at[2 * j + 1]!);
    return distance - radii[i]! - radii[j]!;
  });
}

/** Pairs of boxes around the circles. */
function boxPairs({ positions: at, radii }: Circles): Count {
  return countPairs(radii.length, (i, j) => {
    const [x, y] = [at[2 * i]! - at[2 * j]!, at[2 * i + 1]! - at[2 * j + 1]!];
    return Math.max(Math.abs(x), Math.abs(y)) - radii[i]! - radii[j]!;
  });
}

/** The gaps between circles and the four walls around an area. */
function wallGaps({ positions: at, radii }: Circles, width: number, height: number): number[] {
  return Array.from(radii).flatMap((r, i) => {
    const [x, y] = [at[2 * i]!, at[2 * i + 1]!];
    return [x - r, y - r, width - x - r, height - y - r];
  });
}

/** The gaps between the balls of the events, and between them and everything else. */
function gapsOf({ named, zone, area: { max } }: Story): number[] {
  const balls = named.filter(({ kind }) => kind === 'ball');
  return balls.flatMap((ball, i) => {
    const at = ball.body.position;
    const others = named.filter((other) => !balls.slice(0, i + 1).includes(other));
    const gaps = others.map(({ kind, radius, body }) => {
      const { x, y } = body.position;
      const outside = {
        x: Math.max(0, zone.min.x - at.x, at.x - zone.max.x),
        y: Math.max(0, zone.min.y - at.y, at.y - zone.max.y),
      };
      const distance = kind === 'zone' ? Math.hypot(outside.x, outside.y) : Math.hypot(at.x - x, at.y - y);
      return distance - radius - ball.radius;
    });
    return [...gaps, ...wallGaps({ positions: [at.x, at.y], radii: [ball.radius] }, max.x, max.y)];
  });
}

const sum = (a: Count, b: Count): Count => ({ sure: a.sure + b.sure, possible: a.possible + b.possible });

/** Counts the pairs of boxes [n][4] that share a cell, and the cells that are in use. */
function gridOf(boxes: ArrayLike<number>, cell: number, { min, max }: Aabb): { pairs: number; occupied: number; all: number } {
  // A box that ends at a line between cells touches the next one, also at the end of the area.
  const columns = Math.floor((max.x - min.x) / cell) + 1;
  const rows = Math.floor((max.y - min.y) / cell) + 1;
  const clamp = (at: number, most: number) => Math.min(most - 1, Math.max(0, Math.floor(at / cell)));
  const cells = new Map<number, number[]>();
  for (let i = 0; i < boxes.length / 4; ++i) {
    const [left, low, right, high] = [0, 1, 2, 3].map((k) => boxes[4 * i + k]! - (k % 2 === 0 ? min.x : min.y));
    for (let row = clamp(low!, rows); row <= clamp(high!, rows); ++row) {
      for (let column = clamp(left!, columns); column <= clamp(right!, columns); ++column) {
        const key = row * columns + column;
        cells.set(key, [...(cells.get(key) ?? []), i]);
      }
    }
  }
  const pairs = new Set<number>();
  for (const inside of cells.values()) {
    inside.forEach((i, k) => inside.slice(k + 1).forEach((j) => pairs.add(i * 65536 + j)));
  }
  return { pairs: pairs.size, occupied: cells.size, all: columns * rows };
}

/** Pairs of boxes [n][4] that touch. */
function touchingBoxes(boxes: ArrayLike<number>): [number, number][] {
  const pairs: [number, number][] = [];
  const at = (i: number, k: number) => boxes[4 * i + k]!;
  for (let i = 0; i < boxes.length / 4; ++i) {
    for (let j = i + 1; j < boxes.length / 4; ++j) {
      if (at(i, 0) <= at(j, 2) && at(j, 0) <= at(i, 2) && at(i, 1) <= at(j, 3) && at(j, 1) <= at(i, 3)) {
        pairs.push([i, j]);
      }
    }
  }
  return pairs;
}

/** The area of a page whose units are pixels, at least so many wide. */
function areaOf({ width, height }: Size, least: number): Aabb {
  const scale = Math.max(1, least / width);
  return { min: { x: 0, y: 0 }, max: { x: Math.round(width * scale), y: Math.round(height * scale) } };
}

const choose = (page: Visit, technique: string, which: 'first' | 'last' = 'first') =>
  page.page.locator('.lil-controller select')[which]().selectOption(technique);

describe('what a page shows while it is paused is what brute force counts', () => {
  const first = [
    ['hierarchical-grid', 1, 0],
    ['sweep-and-prune', 0, 4],
  ] as const;
  it.each(first)('on the first page, with %s', async (technique, bounce, steps) => {
    const page = await visit(`?count=2000&seed=7&paused=1&bounce=${bounce}&technique=${technique}`);
    const { width, height } = await sizeOf(page);
    const placing = { count: 2000, seed: 7, width, height, cover: 0.28, mix: 5, bounce: bounce === 1, technique };
    const crowd = new Crowd(placing);
    let circles = { positions: new Float32Array(0), radii: crowd.radii };
    const step = (seconds: number) =>
      crowd.step(seconds, (name, stage) => {
        if (name === 'detect') {
          circles = { positions: crowd.positions().slice(), radii: crowd.radii }; // before the response
        }
        stage();
      });
    [0, 0, ...Array.from({ length: steps }, () => stepSeconds)].forEach(step);
    await advance(page, steps);
    const expectNumbers = async () => {
      expectCount(await page.number('contacts'), sum(circlePairs(circles), countGaps(wallGaps(circles, width, height))));
      const tests = await page.number('tests');
      expect(tests).toBeGreaterThanOrEqual(boxPairs(circles).sure);
      expect(tests).toBeLessThanOrEqual(pairsOf(2000) + 4 * 2000);
    };
    await expectNumbers();
    expect(await text(page, 'all')).toBe('2 million'); // 1,999,000
    expect(await page.page.textContent('.hero output')).toBe('2,000');
    await expectTimes(page, 'fps', 'frame', 'bytes');
    await choose(page, 'hash-grid');
    circles = { positions: crowd.positions().slice(), radii: crowd.radii };
    await settle(page);
    await expectNumbers();
    await page.leave();
  });

  it('in the race, for each technique', async () => {
    const steps = 3;
    const page = await visit('race/?left=brute-force&count=300&seed=5&paused=1');
    const { pixels } = await sizeOf(page);
    const [wide, high] = [pixels.width / 2, pixels.height];
    const scale = Math.sqrt((wide * high) / 260_000);
    const [width, height] = [wide / scale, high / scale];
    const crowd = new Crowd({
      ...{ count: 300, seed: 5, width, height, cover: 0.2, mix: 6, bounce: false, technique: 'brute-force' },
    });
    [0, 0, ...Array.from({ length: steps }, () => stepSeconds)].forEach((seconds) => crowd.step(seconds));
    await advance(page, steps);
    const circles = { positions: crowd.positions(), radii: crowd.radii };
    for (const technique of techniques) {
      await choose(page, technique);
      await settle(page);
      for (const side of ['left', 'right']) {
        expectCount(await page.number(`${side}-touching`), circlePairs(circles));
        const tests = await page.number(`${side}-tests`);
        const isBrute = side === 'left' && technique === 'brute-force';
        expect(tests).toBeGreaterThanOrEqual(isBrute ? pairsOf(300) + 4 * 300 : boxPairs(circles).sure);
        expect(tests).toBeLessThanOrEqual(pairsOf(300) + 4 * 300);
        expect(await text(page, `${side}-each`)).toBe((tests / 300).toFixed(1));
        await expectTimes(page, `${side}-ms`);
      }
    }
    await page.leave();
  });

  it('on both sides of the page of circles, for both ways in JavaScript', async () => {
    const page = await visit('circles/?count=700&seed=3&paused=1');
    const { pixels } = await sizeOf(page);
    const [width, height] = [pixels.width / 2, pixels.height];
    const { positions, radii } = new PlainCircles({ count: 700, seed: 3, width, height, cover: 0.21, mix: 24, grid: false });
    const circles = circlePairs({ positions, radii });
    expect(circles.sure).toBeGreaterThan(100);
    for (const javascript of ['grid', 'each with each']) {
      await choose(page, javascript === 'grid' ? 'grid' : 'brute force');
      await settle(page);
      expectCount(await page.number('js-contacts'), circles);
      expectCount(await page.number('wasm-contacts'), sum(circles, countGaps(wallGaps({ positions, radii }, width, height))));
      await expectTimes(page, 'js-steps', 'wasm-steps', 'js-ms', 'wasm-ms');
    }
    await page.leave();
  });

  const cellSizes = [
    [14.1, 0],
    [50, 2],
    [1, 0],
  ] as const;
  it.each(cellSizes)('among the squares, with a cell size of %s', async (cell, steps) => {
    const page = await visit(`spatial-grid/?count=200&cell=${cell}&paused=1`);
    const area = areaOf(await sizeOf(page), 640);
    const rings = new Rings(200, area.max.x, area.max.y);
    for (let i = 0; i < steps; ++i) {
      rings.step(stepSeconds, false);
    }
    await advance(page, steps);
    const touching = touchingBoxes(rings.corners());
    const grid = gridOf(rings.corners(), cell, area);
    expect(await page.number('touching')).toBe(new Set(touching.flat()).size);
    expect(await page.number('boxes')).toBe(200);
    expect([await page.number('tests'), await page.number('cells'), await page.number('allcells')]).toEqual([
      grid.pairs,
      grid.occupied,
      grid.all,
    ]);
    await expectTimes(page, 'bytes');
    await choose(page, 'brute-force');
    await settle(page);
    expect(await page.number('tests')).toBe(pairsOf(200));
    expect(await page.number('touching')).toBe(new Set(touching.flat()).size);
    expect([await text(page, 'cells'), await text(page, 'allcells')]).toEqual(['none', 'none']);
    await page.leave();
  });

  it('at the cliff, for each scene', async () => {
    const page = await visit('cliff/?count=800&seed=4&cell=60&paused=1&scene=bullets');
    for (const [i, scene] of [...sceneNames, ...sceneNames].entries()) {
      await page.page.click(`.choices >> text=${sceneTitle(scene)}`);
      await settle(page);
      const made = makeScene(scene, 800, 4);
      const [before, now] = [boxesOf(made), boxesOf(moved(made, i + 2))]; // each choice makes a step
      const pairs = touchingBoxes(now!).length;
      expect(await page.number('pairs')).toBe(pairs);
      expect(await page.number('gridtests')).toBe(gridOf(now!, 60, boundsOf(before!)).pairs);
      expect(await page.number('ourtests')).toBeGreaterThanOrEqual(pairs);
      expect(await page.number('ourtests')).toBeLessThanOrEqual(pairsOf(800));
      await expectTimes(page, 'gridms', 'ourms');
    }
    await page.leave();
  });

  it('in the game of the tutorial', async () => {
    const page = await visit('chapter10/?seed=3&cell=100&paused=1');
    const area = areaOf(await sizeOf(page), 760);
    const game = new Chapter10({ food: 40, poison: 16, seed: 3, cell: 100, area });
    [0, ...Array.from({ length: 6 }, () => stepSeconds)].forEach((seconds) => game.step(seconds, undefined));
    await advance(page, 6);
    const around = ({ x, y }: Point, half: number) => [x - half, y - half, x + half, y + half];
    const player = around(game.at, game.size / 2);
    const morsels = game.morsels.map((one) => around(one, one.kind === 'food' ? 12 : 10 * Math.SQRT2));
    const shared = morsels.map((morsel) => gridOf([...player, ...morsel], 100, area).pairs);
    expect(await page.number('tests')).toBe(shared.reduce((all, one) => all + one));
    expect(await page.number('cells')).toBe(gridOf([player, ...morsels].flat(), 100, area).occupied);
    expect([await page.number('eaten'), await page.number('poisoned')]).toEqual([game.eaten, game.poisoned]);
    await page.leave();
  });

  it('in pinball, whose game is played again with the broad phase that compares all pairs', async () => {
    const page = await visit('pinball/?seed=2&balls=5&shapes=400&paused=1');
    const game = new Game(400, 5, 2);
    const robot = new Robot();
    game.broadPhases.chosen = 'naive';
    const steps = 250; // of which the page makes 120 with the sweep, and 120 with ours
    for (let i = 0; i < steps; ++i) {
      game.step(robot.keys(game));
    }
    await advance(page, steps);
    expect([await page.number('score'), await page.number('lost')]).toEqual([game.score, game.lost]);
    expect(game.score).toBeGreaterThan(0);
    for (const name of ['sweep', 'broadside']) {
      await expectTimes(page, `${name}-ms`, `${name}-share`);
      expect(await page.number(`${name}-share`)).toBeLessThanOrEqual(100);
    }
    expect([await text(page, 'naive-ms'), await text(page, 'naive-share')]).toEqual(['–', '–']);
    await page.leave();
  });

  it('among the events', async () => {
    const page = await visit('events/?seed=13&paused=1');
    const { max } = areaOf(await sizeOf(page), 480);
    const height = 0.56 * max.y;
    const lanes = Math.floor((max.y - height - 24) / 22);
    const story = new Story({ min: { x: 0, y: 0 }, max: { x: max.x, y: height } }, lanes, 13);
    const removed = new Set<unknown>();
    let [begun, ended] = [0, 0];
    const step = (seconds: number) => {
      story.step(seconds);
      begun += story.world.contacts('begun').length;
      ended += story.world.ended().length;
      story.world.ended().filter(({ cause }) => cause === 'removed').forEach(({ b, a }) => removed.add(a.alive ? b : a));
    };
    const steps = 30;
    [...Array.from({ length: 60 * memory }, () => stepSeconds), 0].forEach(step);
    for (let i = 0; i < steps; ++i) {
      step(stepSeconds);
    }
    const counted = [begun, ended, begun - ended]; // each contact begins once, and ends once
    // The response moves bodies apart after the contacts were found, by less than a ball moves in a step.
    const staying = countGaps(gapsOf(story), 2);
    await advance(page, steps);
    const names = ['begun', 'ended', 'staying', 'removed'];
    const shown = await Promise.all(names.map((name) => page.number(name)));
    step(stepSeconds); // which reports the last removals
    expect(removed.size).toBeGreaterThan(0);
    expect(shown).toEqual([...counted, removed.size]);
    expectCount(shown[2]!, staying);
    await page.leave();
  });

  it('for each question at the query lab', async () => {
    const page = await visit('query-lab/?count=150&seed=5&technique=hash-grid&paused=1');
    const area = areaOf(await sizeOf(page), 640);
    const world = new World({ technique: 'hash-grid' });
    fill(world, area, 150, 5);
    world.step(0);
    const [from, to] = [{ x: 200, y: 160 }, { x: 520, y: 420 }];
    const stage = page.page.locator('.stage canvas');
    await stage.click({ position: from });
    await stage.hover({ position: to });
    for (const question of questionNames) {
      await page.page.click(`.choices >> text=${question}`);
      await stage.hover({ position: to });
      await settle(page);
      // Each body alone in a world of its own.
      const found = world.bodies().map((body) => {
        const alone = new World();
        const { cos, sin } = body.rotation;
        alone.add({ shapes: body.shapes, position: body.position, rotation: { cos, sin }, type: body.type });
        return questions[question](alone, from, to).found.length;
      });
      const all = found.reduce((before, one) => before + one);
      expect(await page.number('found'), question).toBe(question === 'cast' ? Math.min(1, all) : question === 'nearest' ? 8 : all);
      await expectTimes(page, 'time');
      const cells = world.queryCells();
      const [visited, of] = (await text(page, 'visited'))!.split(' of ').map(Number);
      expect(of).toBe(cells.length);
      if (question === 'area') {
        expect(visited).toBe(cells.filter(({ min, max }) => min.x <= to.x && max.x >= from.x && min.y <= to.y && max.y >= from.y).length);
      }
    }
    await page.leave();
  });
});
