// Many questions in one call get the answers of as many calls.
import { beforeAll, describe, expect, it } from 'vitest';
import { box, circle, ready, World, type Body, type QueryOptions } from '../dist/index.js';
import { errorOf } from './error_of.js';
import { random } from './random.js';

beforeAll(() => ready);

function drawn(seed: number) {
  const draw = random(seed);
  const size = 10 ** (3 * draw());
  const far = draw() < 0.3 ? 1e6 : 0;
  const place = () => Math.fround(far + size * draw());
  const world = new World();
  const bodies = world.addAll(
    Array.from({ length: Math.floor(80 * draw()) }, (_, i) => ({
      shape: i % 2 === 0 ? circle(size * 0.05 * draw()) : box(size * 0.1 * draw(), size * 0.1 * draw()),
      type: (['static', 'kinematic', 'dynamic'] as const)[Math.floor(3 * draw())]!,
      position: { x: place(), y: place() },
      sensor: draw() < 0.2,
      filter: { layer: draw() < 0.5 ? 1 : 2 },
    })),
  );
  bodies.filter(() => draw() < 0.1).forEach((body) => body.remove());
  const except = world.bodies()[0];
  const options: QueryOptions = {
    staticBodies: draw() < 0.7,
    sensors: draw() < 0.5,
    filter: { mask: draw() < 0.5 ? 1 : 3 },
    ...(except !== undefined && draw() < 0.3 ? { except } : {}),
  };
  return { draw, place, size, world, options };
}

const idOf = (body: Body | undefined) => [body?.index ?? 0, body?.generation ?? 0];

describe('many questions', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))('of rays are answered alike, seed %i', (seed) => {
    const { draw, place, size, world, options } = drawn(seed);
    const rays = Float32Array.from({ length: 4 * Math.floor(30 * draw()) }, (_, i) => (i % 4 < 2 ? place() : size * (2 * draw() - 1)));
    const found = world.castRays(rays, options);
    const kept = [found.bodies, found.fractions, found.normals, found.points].map((array) => array.slice());
    expect(found.length).toBe(rays.length / 4);
    const expected: number[][] = [[], [], [], []];
    for (let i = 0; i < rays.length; i += 4) {
      const hit = world.castRay({ x: rays[i]!, y: rays[i + 1]! }, { x: rays[i + 2]!, y: rays[i + 3]! }, options);
      expected[0]!.push(...idOf(hit?.body));
      expected[1]!.push(hit?.fraction ?? 0);
      expected[2]!.push(hit?.normal.x ?? 0, hit?.normal.y ?? 0);
      expected[3]!.push(hit?.point.x ?? 0, hit?.point.y ?? 0);
    }
    expect(kept.map((array) => Array.from<number>(array))).toEqual(expected);
  });

  it.each(Array.from({ length: 40 }, (_, seed) => seed))('of areas are answered alike, seed %i', (seed) => {
    const { draw, place, size, world, options } = drawn(100 + seed);
    const areas: number[] = [];
    for (let n = Math.floor(30 * draw()); n > 0; --n) {
      const [x, y] = [place(), place()];
      areas.push(x, y, Math.fround(x + size * draw()), Math.fround(y + size * draw()));
    }
    const { begins, bodies } = world.queryAreas(areas, options);
    const length = begins.length - 1;
    const ids = Array.from({ length }, (_, i) => Array.from(bodies.subarray(2 * begins[i]!, 2 * begins[i + 1]!)));
    expect(length).toBe(areas.length / 4);
    const expected = Array.from({ length }, (_, i) => {
      const [minX, minY, maxX, maxY] = areas.slice(4 * i) as [number, number, number, number];
      return world.queryArea({ min: { x: minX, y: minY }, max: { x: maxX, y: maxY } }, options).flatMap(idOf);
    });
    expect(ids).toEqual(expected);
  });

  it('are refused with the number of the first wrong one, or because four numbers are needed', () => {
    const draw = random(3);
    for (let round = 0; round < 100; ++round) {
      const { world } = drawn(200 + round);
      const good = Array.from({ length: 4 * (1 + Math.floor(20 * draw())) }, (_, i) => (i % 4) + draw());
      const at = Math.floor(good.length * draw());
      const bad = good.map((number, i) => (i === at ? [NaN, Infinity, -Infinity][round % 3]! : number));
      for (const ask of [(numbers: number[]) => world.castRays(numbers), (numbers: number[]) => world.queryAreas(numbers)]) {
        const { code, message } = errorOf(() => ask(bad));
        expect(code).toBe('not_finite');
        expect(message).toMatch(new RegExp(` in number ${Math.floor(at / 4)}$`));
        expect(errorOf(() => ask(good.slice(1))).code).toBe('invalid_argument');
        for (const value of [undefined, null, 3, {}, 'abc', [1, 2, 3, 4, 5]]) {
          expect(errorOf(() => ask(value as never)).code).toMatch(/^(invalid_argument|not_finite)$/);
        }
        ask(good);
      }
      world.release();
      expect(errorOf(() => world.castRays(good)).code).toBe('stale_id');
    }
  });
});

describe('many velocities', () => {
  /** A twin of `drawn` whose bodies are all there, and a list of some bodies that move, some of them twice. */
  function twin(seed: number) {
    const { draw, world } = drawn(200 + seed);
    const movers = world.bodies().filter(({ type }) => type !== 'static');
    const chosen = movers.filter(() => draw() < 0.8);
    return { draw, world, bodies: [...chosen, ...chosen.slice(0, 2)] };
  }

  it.each(Array.from({ length: 40 }, (_, seed) => seed))('are set as one by one, seed %i', (seed) => {
    const [one, other] = [twin(seed), twin(seed)];
    const velocities = Float32Array.from({ length: 2 * one.bodies.length }, () => 10 ** (4 * one.draw()) * (one.draw() - 0.5));
    const list = one.world.list(one.bodies);
    for (let step = 0; step < 3; ++step) {
      list.setVelocities(step === 1 ? Array.from(velocities) : velocities);
      other.bodies.forEach((body, i) => (body.velocity = { x: velocities[2 * i]!, y: velocities[2 * i + 1]! }));
      expect(one.world.hash()).toBe(other.world.hash());
      one.world.step(1 / 60);
      other.world.step(1 / 60);
      expect(one.world.hash()).toBe(other.world.hash());
      velocities.forEach((v, i) => (velocities[i] = -v / 3));
    }
  });

  it.each(Array.from({ length: 40 }, (_, seed) => seed))('are refused together, and nothing changes, seed %i', (seed) => {
    const { draw, world, bodies } = twin(seed);
    const wall = world.add({ shape: box(1, 1), type: 'static' });
    const gone = world.add({ shape: box(1, 1) });
    const listOf = (extra: Body[]) => {
      const mixed = [...bodies, ...extra];
      const at = Math.floor(mixed.length * draw());
      return world.list([...mixed.slice(at), ...mixed.slice(0, at)]);
    };
    const lists = [listOf([]), listOf([wall]), listOf([gone])] as const;
    gone.remove();
    const hash = world.hash();
    const numbers = (length: number) => Float32Array.from({ length }, () => draw());
    if (bodies.length > 0) {
      const spoiled = numbers(2 * lists[0].length);
      spoiled[Math.floor(spoiled.length * draw())] = [NaN, Infinity, -Infinity][Math.floor(3 * draw())]!;
      expect(errorOf(() => lists[0].setVelocities(spoiled)).code).toBe('not_finite');
    }
    expect(errorOf(() => lists[0].setVelocities(numbers(2 * lists[0].length + 1))).code).toBe('invalid_argument');
    expect(errorOf(() => lists[1].setVelocities(numbers(2 * lists[1].length))).code).toBe('invalid_argument');
    expect(errorOf(() => lists[2].setVelocities(numbers(2 * lists[2].length))).code).toBe('stale_id');
    lists[0].release();
    expect(errorOf(() => lists[0].setVelocities(numbers(2 * lists[0].length))).code).toBe('stale_id');
    expect(world.hash()).toBe(hash);
  });
});
