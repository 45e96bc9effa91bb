import { beforeAll, describe, expect, it } from 'vitest';
import { any, box, circle, ready, World, type Body, type Point, type WorldOptions } from '../dist/index.js';
import { errorOf } from './error_of.js';
import { random } from './random.js';

beforeAll(() => ready);

/** Returns a function that draws floats between two numbers. */
function drawing(seed: number): (low: number, high: number) => number {
  const next = random(seed);
  return (low, high) => Math.fround(low + next() * (high - low));
}

const notFinite = [NaN, Infinity, -Infinity, 1e39];

describe('acceleration', () => {
  it('moves bodies by the formulas, with gravity, for any steps', () => {
    const draw = drawing(1);
    const point = (size: number): Point => ({ x: draw(-size, size), y: draw(-size, size) });
    for (let round = 0; round < 200; ++round) {
      const gravity = point(50);
      const world = new World({ gravity, order: round % 2 === 0 ? 'detect first' : 'motion first' });
      const start = { position: point(100), velocity: point(20), acceleration: point(50) };
      const body = world.add({ shape: circle(1), ...start });
      const other = world.addCircles({ positions: [1e4, 0], radii: 1, acceleration: start.acceleration }).at(0)!;
      expect(body.velocity).toEqual(start.velocity);
      expect([body.acceleration, other.acceleration]).toEqual([start.acceleration, start.acceleration]);
      if (round % 3 === 0) {
        start.acceleration = point(50);
        body.acceleration = start.acceleration;
        expect(body.acceleration).toEqual(start.acceleration);
      }
      let time = 0;
      while (time < 1) {
        const seconds = draw(1e-3, 0.1);
        world.step(seconds);
        time += seconds;
      }
      for (const axis of ['x', 'y'] as const) {
        const a = start.acceleration[axis] + gravity[axis];
        const speed = start.velocity[axis];
        const path = Math.abs(speed) * time + (Math.abs(a) * time * time) / 2;
        const way = body.position[axis] - start.position[axis] - (speed * time + (a * time * time) / 2);
        expect(Math.abs(way)).toBeLessThan(1e-3 * path + 1e-4);
        expect(Math.abs(body.velocity[axis] - (speed + a * time))).toBeLessThan(1e-3 * (Math.abs(speed) + Math.abs(a) * time));
      }
    }
  });

  it('is 0 if not given, and refused where it has no meaning', () => {
    const world = new World();
    const body = world.add({ shape: circle(1) });
    const wall = world.add({ shape: circle(1), type: 'static' });
    expect(body.acceleration).toEqual({ x: 0, y: 0 });
    const before = world.hash();
    for (const bad of notFinite) {
      for (const acceleration of [{ x: bad, y: 0 }, { x: 0, y: bad }]) {
        expect(errorOf(() => world.add({ acceleration }))).toMatchObject({ code: 'not_finite' });
        expect(errorOf(() => (body.acceleration = acceleration))).toMatchObject({ code: 'not_finite' });
      }
    }
    expect(errorOf(() => (wall.acceleration = { x: 1, y: 0 }))).toMatchObject({ code: 'invalid_argument' });
    expect(world.hash()).toBe(before);
    body.remove();
    expect(errorOf(() => body.acceleration)).toMatchObject({ code: 'stale_id' });
  });
});

it('refuses a step out of the range of float, and changes nothing', () => {
  const world = new World();
  world.add({ velocity: { x: 1, y: 0 } });
  world.add({ position: { x: 3e38, y: 0 }, velocity: { x: 3e38, y: 0 } });
  const before = world.hash();
  const error = errorOf(() => world.step(0.3));
  expect(error).toMatchObject({ code: 'not_finite' });
  expect(error.message).toContain('in 0.3 seconds');
  expect(world.hash()).toBe(before);
});

describe('the order of a step', () => {
  /** Returns the touching pairs of circles with radius 1, by index. */
  function touching(positions: readonly Point[]): number[][] {
    return positions.flatMap((a, i) =>
      positions.flatMap((b, k) => (i < k && Math.hypot(a.x - b.x, a.y - b.y) <= 2 ? [[i, k]] : [])),
    );
  }

  it('tells whether contacts are those before or after the motion', () => {
    const draw = drawing(2);
    let different = 0;
    for (let round = 0; round < 60; ++round) {
      const order = ([undefined, 'detect first', 'motion first'] as const)[round % 3];
      const world = new World(order === undefined ? {} : { order });
      const bodies = Array.from({ length: 30 }, () =>
        world.add({
          shape: circle(1),
          position: { x: draw(0, 20), y: draw(0, 20) },
          velocity: { x: draw(-60, 60), y: draw(-60, 60) },
        }),
      );
      const before = touching(bodies.map(({ position }) => position));
      world.step(1 / 60);
      const after = touching(bodies.map(({ position }) => position));
      const found = world.contacts().map(({ a, b }) => [bodies.indexOf(a), bodies.indexOf(b)]);
      expect(found).toEqual(order === 'motion first' ? after : before);
      different += before.join() === after.join() ? 0 : 1;
    }
    expect(different).toBeGreaterThan(30);
  });

  it('is motion first where bodies bounce', () => {
    expect(new World({ response: 'bounce' }).hash()).not.toBe(new World().hash());
    const hashes = [{}, { order: 'motion first' } as const].map((options) => {
      const world = new World({ response: 'bounce', ...options });
      world.add({ shape: circle(1), velocity: { x: 60, y: 0 } });
      world.add({ shape: circle(1), position: { x: 2.5, y: 0 } });
      world.step(1 / 60);
      expect(world.contactCount).toBe(1);
      return world.bodies().map(({ position, velocity }) => [position, velocity]);
    });
    expect(hashes[0]).toEqual(hashes[1]);
    const error = errorOf(() => new World({ response: 'bounce', order: 'detect first' }));
    expect(error).toMatchObject({ code: 'invalid_argument' });
    expect(error.message).toContain('order must be motion_first or not given');
  });
});

describe('the end margin', () => {
  it('lets contacts last until the gap exceeds it', () => {
    const draw = drawing(3);
    let lasted = 0;
    for (let round = 0; round < 100; ++round) {
      const endMargin = draw(0.05, 0.5);
      const world = new World(round % 4 === 0 ? {} : { endMargin });
      const margin = round % 4 === 0 ? 0 : endMargin;
      const [a, b] = world.addAll([{ shape: circle(1) }, { shape: circle(1) }]) as [Body, Body];
      let touched = false;
      for (let step = 0; step < 20; ++step) {
        const gap = draw(-0.5, 0.7);
        if (Math.min(Math.abs(gap), Math.abs(gap - margin)) < 1e-4) {
          continue; // rounding decides
        }
        b.position = { x: 2 + gap, y: 0 };
        world.step(0);
        const expected = gap <= 0 || (touched && gap <= margin);
        expect(world.touching(a, b)).toBe(expected);
        lasted += expected && gap > 0 ? 1 : 0;
        touched = expected;
        for (const contact of world.contacts()) {
          expect(contact.points[0]!.separation).toBeCloseTo(gap, 5);
        }
      }
    }
    expect(lasted).toBeGreaterThan(100);
  });
});

it('refuses options without meaning, with the sentence of the library', () => {
  const refusals: [WorldOptions, string][] = [...notFinite, -1].flatMap((bad): [WorldOptions, string][] => [
    [{ endMargin: bad }, 'end_margin must be a finite number, 0 or more'],
    [{ restitution: bad }, 'restitution must be a number in [0, 1]'],
  ]);
  for (const [name, options] of [
    ['order', { order: 'first' as never }],
    ['order', { order: '' as never }],
    ['response', { response: 'bounces' as never }],
    ['interest', { interest: 'none' as never }],
  ] as const) {
    refusals.push([options, `is no ${name}`]);
  }
  for (const [options, sentence] of refusals) {
    const error = errorOf(() => new World(options));
    expect(error).toMatchObject({ code: 'invalid_argument' });
    expect(error.message).toContain(sentence);
  }
  for (const bad of notFinite) {
    expect(errorOf(() => new World({ gravity: { x: 0, y: bad } }))).toMatchObject({ code: 'not_finite' });
  }
  const world = new World();
  expect(errorOf(() => world.stage('accelerate' as never))).toMatchObject({ code: 'invalid_argument' });
  expect(errorOf(() => world.contacts('new' as never))).toMatchObject({ code: 'invalid_argument' });
});

it('tells how fast bodies came together', () => {
  const draw = drawing(4);
  for (let round = 0; round < 100; ++round) {
    const world = new World();
    const angle = draw(-3, 3);
    const velocities = [0, 1].map(() => ({ x: draw(-9, 9), y: draw(-9, 9) })) as [Point, Point];
    const [a, b] = world.addAll([
      { shape: circle(1), velocity: velocities[0], tag: 'a' },
      { shape: circle(1), velocity: velocities[1], position: { x: Math.cos(angle), y: Math.sin(angle) }, tag: 'b' },
    ]) as [Body, Body];
    const received: number[] = [];
    world.onBegin('b', 'a', ({ approachSpeed, normal }) => received.push(approachSpeed, normal.x));
    world.step(1 / 60);
    const { normal, approachSpeed, points } = world.contacts()[0]!;
    const closing = (velocities[0].x - velocities[1].x) * normal.x + (velocities[0].y - velocities[1].y) * normal.y;
    expect(approachSpeed).toBeCloseTo(closing, 4);
    expect(normal.x).toBeCloseTo(Math.cos(angle), 5);
    expect(points.length).toBe(1);
    expect(received).toEqual([approachSpeed, -normal.x]);
    expect(a.contacts()[0]!.approachSpeed).toBe(approachSpeed);
    expect(b.contacts()[0]!.approachSpeed).toBe(approachSpeed);
  }
});

it('skips the response of a contact, in that step alone', () => {
  const draw = drawing(5);
  for (let round = 0; round < 60; ++round) {
    const world = new World({ response: 'bounce' });
    const speed = draw(4, 9);
    const ball = world.add({ shape: circle(1), velocity: { x: speed, y: 0 } });
    const wall = world.add({ shape: box(2, 20), type: 'static', position: { x: 2.05, y: 0 } });
    const skipped = round % 2 === 0;
    const turned = round % 4 < 2;
    world.onBegin(any, any, ({ a, b, approachSpeed }) => {
      expect(approachSpeed).toBeCloseTo(speed, 4);
      if (skipped) {
        world.skipResponse(turned ? b : a, turned ? a : b);
      }
    });
    world.step(1 / 60);
    expect(world.contactCount).toBe(1);
    expect(ball.velocity.x).toBe(skipped ? speed : -speed);
    world.step(1 / 60);
    expect(ball.velocity.x).toBe(-speed);
    expect(errorOf(() => new World().skipResponse(ball, wall))).toMatchObject({ code: 'wrong_world' });
    wall.remove();
    expect(errorOf(() => world.skipResponse(ball, wall))).toMatchObject({ code: 'stale_id' });
  }
});
