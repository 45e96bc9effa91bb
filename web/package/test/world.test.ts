import { beforeAll, describe, expect, it } from 'vitest';
import {
  any,
  Body,
  box,
  BoxArray,
  BroadsideError,
  capsule,
  circle,
  findPairs,
  mask,
  polygon,
  ready,
  segment,
  techniqueNames,
  World,
  type Shape,
} from '../dist/index.js';
import { errorOf } from './error_of.js';
import { random } from './random.js';

beforeAll(() => ready);

function codeOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return (error as BroadsideError).code;
  }
  return 'none';
}

function row(world: World, count: number): Body[] {
  return world.addAll(Array.from({ length: count }, (_, i) => ({ shape: circle(1), position: { x: 10 * i, y: 0 } })));
}

describe('bodies', () => {
  it('have the properties that they were added with', () => {
    const world = new World();
    const body = world.add({
      shapes: [circle(2), box(4, 2, { center: { x: 3, y: 0 } })],
      type: 'kinematic',
      position: { x: 1, y: 2 },
      angle: Math.PI / 2,
      velocity: { x: 3, y: 4 },
      tag: 'platform ✓',
      filter: { layer: 4, mask: ~8, wants: 1n << 63n, group: -3 },
      sensor: true,
      bullet: true,
      mass: 7,
      userData: { any: 'thing' },
    });
    expect(body.type).toBe('kinematic');
    expect(body.position).toEqual({ x: 1, y: 2 });
    expect(body.angle).toBeCloseTo(Math.PI / 2, 6);
    expect(body.velocity).toEqual({ x: 3, y: 4 });
    expect(body.tag).toBe('platform ✓');
    expect(body.filter).toEqual({ layer: 4n, mask: (1n << 64n) - 9n, wants: 1n << 63n, group: -3 });
    expect([body.sensor, body.bullet, body.enabled, body.mass]).toEqual([true, true, true, 7]);
    expect(body.userData).toEqual({ any: 'thing' });
    expect(body.shapes.map(({ kind }) => kind)).toEqual(['circle', 'box']);
    expect(world.bodies()).toEqual([body]);
    expect(world.bodies()[0]).toBe(body);
  });

  it('may have any shape', () => {
    const shapes: Shape[] = [
      circle(2, { x: 1, y: 1 }),
      box(3, 4, { center: { x: 1, y: 0 }, rotation: { cos: 0, sin: 1 } }),
      capsule({ x: 0, y: 0 }, { x: 2, y: 0 }, 1),
      segment({ x: 0, y: 0 }, { x: 2, y: 0 }),
      polygon([{ x: 0, y: 0 }, { x: 2, y: 0 }, { x: 0, y: 2 }], 0.25),
      mask(['.#', '##'], { pixelSize: 2, origin: { x: -1, y: -1 } }),
    ];
    const world = new World();
    for (const shape of shapes) {
      const body = world.add({ shape });
      expect(body.shapes[0]).toEqual(new World().add({ shape: body.shapes[0]! }).shapes[0]);
      expect(body.shapes[0]!.kind).toBe(shape.kind);
    }
    expect(world.queryPoint({ x: 1.5, y: 0.5 }).length).toBeGreaterThan(3);
  });

  it('are no more once they are removed', () => {
    const world = new World();
    const [first, second] = row(world, 2);
    first!.remove();
    expect([first!.alive, second!.alive, world.size]).toEqual([false, true, 1]);
    expect(codeOf(() => first!.position)).toBe('stale_id');
    expect(codeOf(() => first!.remove())).toBe('stale_id');
    const third = world.add({});
    expect(third.index).toBe(first!.index);
    expect(third).not.toBe(first);
    expect(codeOf(() => new World().remove(third))).toBe('wrong_world');
    expect(codeOf(() => new World().touching(third, third))).toBe('wrong_world');
  });

  it('come by the thousand', () => {
    const world = new World();
    const positions = Float32Array.from({ length: 20000 }, (_, i) => i);
    const list = world.addCircles({ positions, radii: 1, tag: 'many' });
    expect(world.size).toBe(10000);
    expect(list.readPositions()).toEqual(positions);
    expect(list.at(77)!.tag).toBe('many');
    list.move(positions.map((x) => -x));
    expect(list.at(77)!.position).toEqual({ x: -154, y: -155 });
    list.remove();
    expect(world.size).toBe(0);
    const few = new Float32Array(4);
    expect(codeOf(() => world.addCircles({ positions: few, radii: [1] }))).toBe('invalid_argument');
    expect(codeOf(() => world.addCircles({ positions: few, radii: NaN }))).toBe('not_finite');
  });

  it('are read together as they are read one by one', () => {
    const next = random(31);
    const world = new World();
    const shapes = [circle(1), box(2, 1), capsule({ x: -1, y: 0 }, { x: 1, y: 0 }, 0.5), undefined];
    for (let round = 0; round < 50; ++round) {
      const added = world.addAll(
        Array.from({ length: Math.floor(30 * next()) }, () => ({
          shape: shapes[Math.floor(shapes.length * next())] as Shape,
          type: (['dynamic', 'kinematic', 'static'] as const)[Math.floor(3 * next())]!,
          position: { x: 100 * next(), y: 1e5 * next() },
          angle: 20 * next() - 10,
          velocity: { x: 0, y: 0 },
        })),
      );
      const bodies = [...added, ...added.slice(0, 3)]; // some of them twice
      const list = world.list(bodies);
      for (let step = 0; step < 3; ++step) {
        const transforms = [...list.readTransforms()];
        expect(transforms).toEqual(
          bodies.flatMap(({ position, rotation }) => [position.x, position.y, rotation.cos, rotation.sin]),
        );
        expect([...list.readPositions()]).toEqual(bodies.flatMap(({ position }) => [position.x, position.y]));
        for (const body of bodies) {
          body.move({ x: 9 * next(), y: 9 * next(), angle: 9 * next() });
        }
        world.step(1 / 60);
      }
      expect(list.length).toBe(bodies.length);
      expect(list.at(bodies.length - 1)).toBe(bodies.at(-1));
      if (added.length > 0) {
        added[0]!.remove();
        expect(codeOf(() => list.readTransforms())).toBe('stale_id');
        expect(codeOf(() => new World().list(added))).toBe('wrong_world');
      }
      list.release();
      expect(codeOf(() => list.readTransforms())).toBe('stale_id');
    }
  });

  it('have their contacts in arrays, which say what circles say', () => {
    const next = random(37);
    for (let round = 0; round < 20; ++round) {
      const world = new World();
      const n = 2 + Math.floor(60 * next());
      const radii = Array.from({ length: n }, () => Math.fround(0.5 + 2 * next()));
      const bodies = world.addAll(
        radii.map((radius) => ({
          shape: circle(radius),
          position: { x: 20 * next(), y: 20 * next() },
          velocity: { x: 40 * next() - 20, y: 40 * next() - 20 },
        })),
      );
      const list = world.list(bodies);
      const placeOf = new Map(bodies.map(({ index }, i) => [index, i]));
      let before = new Set<string>();
      for (let step = 0; step < 8; ++step) {
        world.stage('integrate', 1 / 60);
        world.stage('detect');
        const at = list.readPositions().slice();
        const speeds = list.readVelocities().slice();
        expect([...speeds]).toEqual(bodies.flatMap(({ velocity }) => [velocity.x, velocity.y]));
        const touching = new Set<string>();
        for (let i = 0; i < n; ++i) {
          for (let k = i + 1; k < n; ++k) {
            const apart = Math.hypot(at[2 * k]! - at[2 * i]!, at[2 * k + 1]! - at[2 * i + 1]!) - radii[i]! - radii[k]!;
            if (apart < -1e-4) {
              touching.add(`${i} ${k}`);
            }
          }
        }
        const read = world.readContacts();
        const found = new Set<string>();
        for (let c = 0; c < read.length; ++c) {
          const [a, b] = [placeOf.get(read.bodies[4 * c]!)!, placeOf.get(read.bodies[4 * c + 2]!)!] as const;
          expect(read.bodies[4 * c + 1]).toBe(bodies[a]!.generation);
          expect(read.bodies[4 * c + 3]).toBe(bodies[b]!.generation);
          found.add(`${a} ${b}`);
          expect(read.begun[c]).toBe(before.has(`${a} ${b}`) ? 0 : 1);
          const apart = [at[2 * b]! - at[2 * a]!, at[2 * b + 1]! - at[2 * a + 1]!] as const;
          const distance = Math.hypot(...apart);
          const normal = [read.normals[2 * c]!, read.normals[2 * c + 1]!] as const;
          expect(normal[0] * distance).toBeCloseTo(apart[0], 4);
          expect(normal[1] * distance).toBeCloseTo(apart[1], 4);
          expect(read.pointCounts[c]).toBe(1);
          expect(read.points[6 * c + 2]).toBeCloseTo(distance - radii[a]! - radii[b]!, 4);
          const middle = radii[a]! + read.points[6 * c + 2]! / 2;
          expect(read.points[6 * c]).toBeCloseTo(at[2 * a]! + normal[0] * middle, 4);
          expect(read.points[6 * c + 1]).toBeCloseTo(at[2 * a + 1]! + normal[1] * middle, 4);
          expect([...read.points.subarray(6 * c + 3, 6 * c + 6)]).toEqual([0, 0, 0]);
          expect(read.fractions[c]).toBe(1);
          expect(read.approachSpeeds[c]).toBeCloseTo(
            (speeds[2 * a]! - speeds[2 * b]!) * normal[0] + (speeds[2 * a + 1]! - speeds[2 * b + 1]!) * normal[1],
            3,
          );
        }
        touching.forEach((pair) => expect(found).toContain(pair));
        const ended = world.readEnded();
        const gone = [...before].filter((pair) => !found.has(pair)).sort();
        expect(
          Array.from(
            { length: ended.length },
            (_, e) => `${placeOf.get(ended.bodies[4 * e]!)} ${placeOf.get(ended.bodies[4 * e + 2]!)}`,
          ).sort(),
        ).toEqual(gone);
        expect([...ended.causes]).toEqual(gone.map(() => 0));
        before = found;
      }
    }
  });

  it('are read right by the first call after memory has grown', () => {
    const world = new World();
    const place = { position: { x: 1, y: 2 }, angle: 0.25, velocity: { x: 3, y: 4 } };
    const [body, other] = world.addAll([
      { shape: circle(1), ...place, tag: 'one', mass: 5, userData: 6 },
      { shape: box(2, 3), ...place },
    ]) as [Body, Body];
    const list = world.list([body]);
    world.step(0);
    const reads: (() => unknown)[] = [
      ...Object.entries(Object.getOwnPropertyDescriptors(Body.prototype))
        .filter(([, { get }]) => get !== undefined)
        .map(([name]) => () => body[name as keyof Body]),
      () => body.contacts(),
      () => [...list.readPositions(), ...list.readTransforms(), ...list.readVelocities()],
      () => world.contacts(),
      () => [...world.readContacts().points],
      () => world.ended(),
      () => world.touching(body, other),
      () => world.why(body, other),
      () => world.bodies(),
      () => world.queryShape(box(1, 1, { angle: 0.3 }), { x: 1, y: 2, angle: 0.2 }),
      () => world.castRay({ x: -9, y: 2 }, { x: 20, y: 0 }),
      () => world.nearest({ x: 9, y: 9 }, 2),
      () => world.statistics().tests,
      () => world.add({ angle: 0.5 }).rotation,
      () => findPairs(new Float32Array([0, 0, 1, 1, 1, 1, 2, 2])).slice(),
    ];
    // A hash grows the memory if there is no free memory for the state of the crowd, and leaves the views of before.
    const crowd = new World();
    crowd.addCircles({ positions: new Float32Array(40_000), radii: 1, type: 'static' });
    const small = new BoxArray(1);
    const held: BoxArray[] = []; // in the memory of the last hash
    let grown = 0;
    for (const read of reads) {
      const expected = read();
      const { buffer } = small.view;
      crowd.hash();
      expect(read(), String(read)).toEqual(expected);
      grown += small.view.buffer === buffer ? 0 : 1;
      held.push(new BoxArray(60_000), new BoxArray(60_000));
    }
    expect(grown).toBeGreaterThan(0.9 * reads.length);
  });

  it('are refused with a sentence', () => {
    const world = new World();
    expect(codeOf(() => world.add({ shape: circle(-1) }))).toBe('invalid_argument');
    expect(codeOf(() => world.add({ position: { x: 1e39, y: 0 } }))).toBe('not_finite');
    expect(codeOf(() => world.add({ position: { x: undefined as never, y: 0 } }))).toBe('not_finite');
    expect(codeOf(() => world.add({ shape: polygon([{ x: 0, y: 0 }, { x: 1, y: 1 }]) }))).toBe('invalid_argument');
    expect(codeOf(() => world.add({ mass: 0 }))).toBe('invalid_argument');
    expect(codeOf(() => world.add({ type: 'ghost' as never }))).toBe('invalid_argument');
    expect(codeOf(() => world.add({ filter: { layer: 0.5 } }))).toBe('invalid_argument');
    expect(world.size).toBe(0);
  });

  it('have an angle or a rotation: both are refused, in every call', () => {
    const world = new World();
    const body = world.add({ shape: circle(1) });
    type Turn = { angle?: number; rotation?: { cos: number; sin: number } };
    const at = { x: 1, y: 2 };
    const calls: ((turn: Turn) => unknown)[] = [
      (turn) => world.add({ ...turn }),
      (turn) => world.addAll([{}, { ...turn }]),
      (turn) => world.add({ shape: box(1, 2, turn) }),
      (turn) => world.add({ shapes: [circle(1), box(1, 2, { center: at, ...turn })] }),
      (turn) => body.setShape(box(1, 2, turn)),
      (turn) => body.move({ ...at, ...turn }),
      (turn) => body.teleport({ ...at, ...turn }),
      (turn) => world.queryShape(circle(1), { ...at, ...turn }),
      (turn) => world.queryShape(box(1, 2, turn), at),
      (turn) => world.visitShape(circle(1), { ...at, ...turn }, () => {}),
      (turn) => world.castShape(circle(1), { ...at, ...turn }, { x: 1, y: 0 }),
    ];
    const next = random(9);
    for (let round = 0; round < 50; ++round) {
      const angle = round % 4 === 0 ? 0 : 8 * next() - 4;
      const other = round % 3 === 0 ? angle : 8 * next() - 4;
      const rotation = { cos: Math.cos(other), sin: Math.sin(other) };
      calls.forEach((call, i) => {
        const hash = world.hash();
        const error = errorOf(() => call({ angle, rotation }));
        expect([error.code, error.message], `call ${i}`).toEqual([
          'invalid_argument',
          'both an angle and a rotation are given; expected one of them',
        ]);
        expect(world.hash(), `call ${i}`).toBe(hash);
        expect(codeOf(() => call({ angle })), `call ${i}`).toBe('none');
        expect(codeOf(() => call({ rotation })), `call ${i}`).toBe('none');
      });
    }
  });
});

describe('a step', () => {
  it('tells what began, stays and ended, once each', () => {
    const world = new World();
    const [a, b] = world.addAll([{ shape: circle(1) }, { shape: circle(1), position: { x: 1.5, y: 0 } }]);
    const received: string[] = [];
    world.onBegin(any, any, (contact) => received.push(`begin ${contact.normal.x} ${contact.points[0]!.separation}`));
    const stop = world.onContact(any, any, () => received.push('touch'));
    world.onEnd(any, any, ({ cause }) => received.push(`end ${cause}`));
    world.onStay(any, any, () => received.push('stay'));
    world.step(0);
    world.step(0);
    expect(world.touching(a!, b!)).toBe(true);
    expect(world.contacts('begun').length).toBe(0);
    expect(world.contacts('stayed').map((contact) => [contact.a, contact.b])).toEqual([[a, b]]);
    expect(b!.contacts()[0]).toMatchObject({ a: b, b: a, normal: { x: -1 } });
    expect([...world.readContacts().bodies]).toEqual([a!.index, a!.generation, b!.index, b!.generation]);
    stop();
    b!.position = { x: 5, y: 0 };
    world.step(0);
    expect(world.ended()).toEqual([{ a, b, cause: 'parted' }]);
    expect(world.why(a!, b!)).toContain('apart');
    expect(received).toEqual(['begin 1 -0.5', 'touch', 'touch', 'stay', 'end parted']);
  });

  it('lets listeners change the world', () => {
    const world = new World();
    const player = world.add({ shape: circle(5), tag: 'player' });
    const food = Array.from({ length: 20 }, (_, i) =>
      world.add({ shape: circle(1), position: { x: i / 10, y: 0 }, tag: 'food', userData: i }),
    );
    const eaten: unknown[] = [];
    world.onBegin('player', 'food', ({ a, b }) => {
      expect(a).toBe(player);
      eaten.push(b.userData);
      b.remove();
      new BoxArray(3_000_000).release(); // memory grows meanwhile
      world.add({ shape: circle(1), position: { x: 100, y: 0 }, tag: 'food' });
      expect(codeOf(() => world.step(0))).toBe('locked');
      expect(codeOf(() => world.release())).toBe('locked');
    });
    const ends: unknown[] = [];
    world.onEnd('player', 'food', ({ b, cause }) => ends.push([b.userData, cause]));
    world.step(0);
    expect(eaten).toEqual(food.map((_, i) => i));
    expect(world.size).toBe(21);
    world.step(0);
    expect(ends).toEqual(food.map((_, i) => [i, 'removed']));
  });

  it('throws what a listener throws, and goes on', () => {
    const world = new World();
    world.addAll([{ shape: circle(1) }, { shape: circle(1) }]);
    const stop = world.onContact(any, any, () => {
      throw new RangeError('mine');
    });
    expect(() => world.step(0)).toThrow(RangeError);
    stop();
    world.step(0);
    expect(world.contactCount).toBe(1);
  });

  it('asks the predicate', () => {
    const world = new World();
    const [a, b, c] = world.addAll([{ shape: circle(1) }, { shape: circle(1) }, { shape: circle(1) }]);
    world.setPredicate((one, other) => one !== a && other !== a);
    world.step(0);
    expect(world.contacts().map((contact) => [contact.a, contact.b])).toEqual([[b, c]]);
    world.setPredicate(undefined);
    b!.ignore(c!);
    world.step(0);
    expect(world.contacts().map((contact) => [contact.a, contact.b])).toEqual([[a, b], [a, c]]);
  });

  it('finds the same with every technique', () => {
    const hashes = techniqueNames().map((technique) => {
      const next = random(3);
      const world = new World({ response: 'bounce', technique });
      const positions = Float32Array.from({ length: 600 }, () => next() * 200);
      const velocities = Float32Array.from({ length: 600 }, () => next() * 100 - 50);
      world.addCircles({ positions, radii: 4, velocities });
      for (let step = 0; step < 60; ++step) {
        world.step(1 / 60);
      }
      expect(world.contactCount).toBeGreaterThan(0);
      return world.hash();
    });
    expect(new Set(hashes).size).toBe(1);
  });
});

describe('queries', () => {
  it('find what is there', () => {
    const world = new World();
    const bodies = row(world, 5);
    const everything = { min: { x: -100, y: -1 }, max: { x: 100, y: 1 } };
    expect(world.queryArea(everything)).toEqual(bodies);
    expect(world.queryArea(everything, { except: bodies[1]! }).length).toBe(4);
    expect(world.queryArea(everything, { dynamicBodies: false })).toEqual([]);
    expect(world.queryPoint({ x: 10.5, y: 0 })).toEqual([bodies[1]]);
    expect(world.queryShape(box(2, 2), { x: 11, y: 1, angle: 0.5 })).toEqual([bodies[1]]);
    const hit = world.castRay({ x: -5, y: 0 }, { x: 100, y: 0 })!;
    expect(hit.body).toBe(bodies[0]);
    expect(hit.fraction).toBeCloseTo(0.04, 6);
    expect(world.castRay({ x: -5, y: 3 }, { x: 100, y: 0 })).toBeUndefined();
    expect(world.castShape(circle(1), { x: -5, y: 0 }, { x: 100, y: 0 })!.fraction).toBeCloseTo(0.03, 6);
    expect(world.nearest({ x: 21, y: 4 }, 2).map(({ body }) => body)).toEqual([bodies[2], bodies[3]]);
    expect(world.nearest({ x: 21, y: 4 }, 5, 1)).toEqual([]);
    expect(codeOf(() => world.queryPoint({ x: NaN, y: 0 }))).toBe('not_finite');
  });

  it('end when the visitor has enough, and may not change the world', () => {
    const world = new World();
    row(world, 5);
    const seen: number[] = [];
    world.visitRay({ x: -5, y: 0 }, { x: 100, y: 0 }, ({ body }) => {
      seen.push(body.index);
      expect(codeOf(() => world.add({}))).toBe('locked');
      // A query within a query has its own visitor.
      world.visitArea({ min: { x: 0, y: 0 }, max: { x: 99, y: 0 } }, () => false);
      return seen.length < 3;
    });
    expect(seen.length).toBe(3);
    expect(() =>
      world.visitArea({ min: { x: 0, y: 0 }, max: { x: 99, y: 0 } }, () => {
        throw new RangeError('mine');
      }),
    ).toThrow(RangeError);
    expect(world.add({}).alive).toBe(true);
  });
});

it('slides along what is in the way', () => {
  const world = new World();
  const player = world.add({ shape: circle(1) });
  const wall = world.add({ shape: box(2, 20), type: 'static', position: { x: 4, y: 0 } });
  const result = world.moveAndSlide(player, { x: 5, y: 3 });
  expect(result.position.x).toBeCloseTo(2, 1);
  expect(result.position.y).toBeCloseTo(3, 3);
  expect(result.hits.map(({ body, response }) => [body, response])).toEqual([[wall, 'slide']]);
  player.position = { x: 0, y: 0 };
  expect(world.moveAndSlide(player, { x: 5, y: 3 }, { respond: () => 'cross' }).position.x).toBeCloseTo(5, 5);
});

it('goes on from a snapshot bit for bit', () => {
  const make = () => {
    const world = new World({ response: 'bounce', gravity: { x: 0, y: -10 } });
    world.addAll([
      { shape: box(50, 2), type: 'static' },
      { shape: circle(1), position: { x: 0, y: 9 }, tag: 'ball' },
    ]);
    return world;
  };
  const world = make();
  for (let step = 0; step < 50; ++step) {
    world.step(1 / 60);
  }
  const bytes = world.snapshot();
  const twin = new World();
  twin.restore(bytes);
  expect(twin.hash()).toBe(world.hash());
  expect(twin.bodies()[1]!.tag).toBe('ball');
  for (let step = 0; step < 50; ++step) {
    world.step(1 / 60);
    twin.step(1 / 60);
  }
  expect(twin.hash()).toBe(world.hash());
  expect(codeOf(() => twin.restore(bytes.slice(0, 40)))).toBe('parse');
});

it('returns the same object for a body, also when it is gone and its place is taken', () => {
  const draw = random(21);
  const world = new World();
  const known = new Map<string, Body>();
  const same = (body: Body) => {
    const key = `${body.index} ${body.generation}`;
    expect(known.get(key) ?? body).toBe(body);
    known.set(key, body);
  };
  let gone = 0;
  for (let step = 0; step < 300; ++step) {
    world.remove(world.bodies().filter(() => draw() < 0.2));
    const added = Array.from({ length: Math.floor(8 * draw()) }, () => ({
      shape: circle(2),
      position: { x: 20 * draw(), y: 20 * draw() },
    }));
    world.addAll(added).forEach(same);
    world.step(0);
    world.contacts().forEach(({ a, b }) => [a, b].forEach(same));
    for (let twice = 0; twice < 2; ++twice) {
      world.ended().forEach(({ a, b }) => [a, b].forEach(same));
    }
    gone += world.ended().filter(({ a, b }) => !a.alive || !b.alive).length;
  }
  expect(gone).toBeGreaterThan(500);
});
