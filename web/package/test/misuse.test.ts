// What a program in JavaScript may do wrong: it gets a `BroadsideError`, nothing has changed, and no memory is lost.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { engine } from '../dist/engine.js';
import {
  box,
  BoxArray,
  BroadPhase,
  BroadsideError,
  capsule,
  circle,
  findPairs,
  mask,
  polygon,
  ready,
  segment,
  World,
  type BodyList,
  type BodyOptions,
  type ErrorCode,
  type Shape,
  type WorldOptions,
} from '../dist/index.js';
import { errorOf } from './error_of.js';
import { random } from './random.js';

beforeAll(() => ready);

/** Wrong values of any type. */
const wrong = (value: unknown) => value as never;

describe('what was released', () => {
  it('is refused, and its memory stays untouched', () => {
    const draw = random(7);
    for (let round = 0; round < 50; ++round) {
      const world = new World();
      const count = 1 + Math.floor(40 * draw());
      const list: BodyList = world.addCircles({ positions: new Float32Array(2 * count), radii: 1 });
      list.release();
      list.release();
      const arrays = Array.from({ length: 8 }, () => new BoxArray(1 + Math.floor(100 * draw())));
      arrays.forEach((boxes) => boxes.view.fill(7));
      const uses = [
        () => list.at(0),
        () => list.readPositions(),
        () => list.move(new Float32Array(2 * count).fill(99)),
        () => list.remove(),
      ];
      for (const use of uses) {
        expect(errorOf(use).code).toBe('stale_id');
      }
      expect(world.size).toBe(count);
      expect(arrays.every((boxes) => boxes.view.every((number) => number === 7))).toBe(true);
      arrays.forEach((boxes) => boxes.release());
      world.release();
    }
  });

  it('is refused by a broad phase as well', () => {
    const phase = new BroadPhase();
    phase.add([0, 0, 1, 1]);
    phase.release();
    phase.release();
    const uses = [
      () => phase.add([0, 0, 1, 1]),
      () => phase.move([0], [0, 0, 1, 1]),
      () => phase.remove(0),
      () => phase.setFilter(0, {}),
      () => phase.findPairs(),
      () => phase.queryArea({ min: { x: 0, y: 0 }, max: { x: 1, y: 1 } }),
      () => phase.statistics(),
      () => phase.cells(),
    ];
    for (const use of uses) {
      expect(errorOf(use).message).toBe('this broad phase was released');
    }
  });

  it('is disposed of by a using declaration', () => {
    const world = new World();
    const things = [new BoxArray(3), world.addCircles({ positions: [0, 0], radii: 1 }), new BroadPhase(), world];
    things.forEach((thing) => thing[Symbol.dispose]());
    expect(errorOf(() => (things[0] as BoxArray).view).code).toBe('stale_id');
    expect(errorOf(() => (things[1] as BodyList).readPositions()).code).toBe('stale_id');
    expect(errorOf(() => (things[2] as BroadPhase).findPairs()).code).toBe('stale_id');
    expect(errorOf(() => world.size).code).toBe('stale_id');
  });
});

describe('memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const settle = async () => {
    for (let i = 0; i < 3; ++i) {
      collect();
      await new Promise((done) => setTimeout(done));
    }
  };

  const makers: [string, () => unknown][] = [
    ['boxes', () => new BoxArray(10_000).view],
    ['lists', () => new World().addCircles({ positions: new Float32Array(4000), radii: 1 })],
    ['broad phases', () => new BroadPhase().add(new Float32Array(4000))],
    ['worlds with listeners', () => {
      const world = new World();
      world.onBegin('a', 'b', () => world.size);
      world.setPredicate(() => world.size > 0);
      return world.addAll(Array.from({ length: 100 }, () => ({ shape: circle(1) })));
    }],
  ];

  it.each(makers)('of %s that nobody uses any more is used again', async (_, make) => {
    let enough = 0;
    for (let round = 0; round < 12; ++round) {
      for (let i = 0; i < 50; ++i) {
        make();
      }
      await settle();
      enough = round === 3 ? engine().memory.buffer.byteLength : enough;
    }
    expect(engine().memory.buffer.byteLength).toBe(enough);
  });

  it('of boxes lasts as long as a view of them', async () => {
    const views = Array.from({ length: 20 }, (_, i) => new BoxArray(1000).view.fill(i));
    await settle();
    const others = Array.from({ length: 20 }, () => new BoxArray(1000));
    others.forEach((boxes) => boxes.view.fill(-1));
    const { buffer } = engine().memory;
    views.forEach((view, i) => expect(view.buffer !== buffer || view.every((number) => number === i)).toBe(true));
  });

  it('of listeners that a released world refuses is used again', async () => {
    const world = new World();
    world.release();
    let listener: (() => void) | undefined = () => undefined;
    const kept = new WeakRef(listener);
    expect(errorOf(() => world.onBegin('a', 'b', listener!)).code).toBe('stale_id');
    listener = undefined;
    await settle();
    expect(kept.deref()).toBeUndefined();
    expect(errorOf(() => world.size).code).toBe('stale_id'); // the world itself is still here
  });

  it('that does not exist is refused, and none is taken', () => {
    const before = engine().memory.buffer.byteLength;
    for (const length of [2 ** 28, 3e8, 2 ** 32, 1e12, Number.MAX_SAFE_INTEGER]) {
      expect(errorOf(() => new BoxArray(length)).code).toBe('too_large');
    }
    expect(engine().memory.buffer.byteLength).toBe(before);
  });

  it('that has grown makes an older view an error', () => {
    const boxes = new BoxArray(2);
    const { view } = boxes;
    const more = new BoxArray(4_000_000);
    expect(view.length).toBe(0);
    expect(errorOf(() => findPairs(view)).message).toContain('read `view` again');
    expect(findPairs(boxes.view).length).toBe(2);
    more.release();
  });
});

describe('a wrong argument', () => {
  const bad = [NaN, Infinity, -Infinity];
  const cases: [string, ErrorCode, (world: World, phase: BroadPhase, list: BodyList) => unknown][] = [
    ...[{ radius: 5 }, 'circle', { kind: 'Circle', radius: 5 }, {}, 5, null].flatMap((shape): typeof cases => [
      [`shape ${JSON.stringify(shape)}`, 'invalid_argument', (world) => world.add({ shapes: [shape as Shape] })],
      [`setShape ${JSON.stringify(shape)}`, 'invalid_argument', (world) => world.bodies()[0]!.setShape(shape as Shape)],
    ]),
    ...bad.flatMap((angle): typeof cases => [
      [`angle ${angle}`, 'not_finite', (world) => world.add({ shape: circle(1), angle })],
      [`move by angle ${angle}`, 'not_finite', (world) => world.bodies()[0]!.move({ x: 0, y: 0, angle })],
      [`box angle ${angle}`, 'not_finite', (world) => world.add({ shape: { kind: 'box', width: 1, height: 1, angle } })],
      [`gravity ${angle}`, 'not_finite', () => new World({ gravity: { x: angle, y: 0 } })],
    ]),
    ...[[0, 9], { x: 0 }, {}].map((gravity): (typeof cases)[0] => [
      `gravity ${JSON.stringify(gravity)}`, 'not_finite', () => new World({ gravity: wrong(gravity) }),
    ]),
    ...([null, undefined, 5, 'up', {}, { x: 1 }, { y: 1 }, [0, 9]] as unknown[]).flatMap((point): typeof cases => [
      [`position ${JSON.stringify(point)}`, 'not_finite', (world) => (world.bodies()[0]!.position = wrong(point))],
      [`velocity ${JSON.stringify(point)}`, 'not_finite', (world) => (world.bodies()[0]!.velocity = wrong(point))],
      [`a push by ${JSON.stringify(point)}`, 'not_finite', (world) => world.bodies()[0]!.push(wrong(point))],
      [`setGravity ${JSON.stringify(point)}`, 'not_finite', (world) => world.setGravity(wrong(point))],
      [`queryPoint ${JSON.stringify(point)}`, 'not_finite', (world) => world.queryPoint(wrong(point))],
      [`a ray from ${JSON.stringify(point)}`, 'not_finite', (world) => world.castRay(wrong(point), { x: 1, y: 1 })],
      [`a ray by ${JSON.stringify(point)}`, 'not_finite', (world) => world.castRay({ x: 1, y: 1 }, wrong(point))],
      [`nearest ${JSON.stringify(point)}`, 'not_finite', (world) => world.nearest(wrong(point))],
      [`an area from ${JSON.stringify(point)}`, 'not_finite', (world) => world.queryArea({ min: wrong(point), max: { x: 1, y: 1 } })],
      [`boxes up to ${JSON.stringify(point)}`, 'not_finite', (_, phase) => phase.queryArea({ min: { x: 0, y: 0 }, max: wrong(point) })],
      [`a slide by ${JSON.stringify(point)}`, 'not_finite', (world) => world.moveAndSlide(world.bodies()[0]!, wrong(point))],
    ]),
    ...([null, undefined, 5, 'all', {}, { min: { x: 0, y: 0 } }, [0, 0, 1, 1]] as unknown[]).flatMap((area): typeof cases => [
      [`queryArea ${JSON.stringify(area)}`, 'not_finite', (world) => world.queryArea(wrong(area))],
      [`visitArea ${JSON.stringify(area)}`, 'not_finite', (world) => world.visitArea(wrong(area), () => true)],
      [`boxes in ${JSON.stringify(area)}`, 'not_finite', (_, phase) => phase.queryArea(wrong(area))],
      [`move to ${JSON.stringify(area)}`, 'not_finite', (world) => world.bodies()[0]!.move(wrong(area))],
      [`teleport to ${JSON.stringify(area)}`, 'not_finite', (world) => world.bodies()[0]!.teleport(wrong(area))],
    ]),
    ...([null, 5, {}, { cos: 1 }] as unknown[]).map((rotation): (typeof cases)[0] => [
      `rotation ${JSON.stringify(rotation)}`, 'invalid_argument', (world) => world.add({ rotation: wrong(rotation) }),
    ]),
    ...[{ restitution: NaN }, { restitution: -1 }, { restitution: 5 }, { response: 'bouncy' }, { interest: 'some' }, { order: 'x' }].map(
      (options): (typeof cases)[0] => [JSON.stringify(options), 'invalid_argument', () => new World(options as WorldOptions)],
    ),
    ...[[7, 8], [1, 2, 3, 4, 5], []].map((positions): (typeof cases)[0] => [
      `${positions.length} positions for two bodies`,
      'invalid_argument',
      (_, __, list) => list.move(positions),
    ]),
    ...[3, 5, 7].map((length): (typeof cases)[0] => [
      `${length} numbers as boxes`, 'invalid_argument', (_, phase) => phase.add(new Float32Array(length)),
    ]),
    ...[NaN, 0.5, -1, 2 ** 32, Infinity].flatMap((index): typeof cases => [
      [`move ${index}`, 'invalid_argument', (_, phase) => phase.move([index], [0, 0, 1, 1])],
      [`remove ${index}`, 'invalid_argument', (_, phase) => phase.remove(index)],
      [`setFilter ${index}`, 'invalid_argument', (_, phase) => phase.setFilter(index, {})],
    ]),
    ['an index twice', 'invalid_argument', (_, phase) => phase.move([0, 0], new Float32Array(8))],
    ['more boxes than indices', 'invalid_argument', (_, phase) => phase.move([0], new Float32Array(8))],
    ['fewer boxes than indices', 'invalid_argument', (_, phase) => phase.move([0, 1], new Float32Array(4))],
    ['a stage that does not exist', 'invalid_argument', (world) => world.stage(wrong('foo'))],
    ['contacts of no kind', 'invalid_argument', (world) => world.contacts(wrong('foo'))],
    ...([undefined, null, 5, {}] as unknown[]).flatMap((listener): typeof cases => [
      [`onBegin ${listener}`, 'invalid_argument', (world) => world.onBegin('a', 'b', wrong(listener))],
      [`onEnd ${listener}`, 'invalid_argument', (world) => world.onEnd('a', 'b', wrong(listener))],
    ]),
    ['a predicate that is none', 'invalid_argument', (world) => world.setPredicate(wrong(5))],
    ['an odd number of positions', 'invalid_argument', (world) => world.addCircles({ positions: [1, 2, 3], radii: 1 })],
    ['too many radii', 'invalid_argument', (world) => world.addCircles({ positions: [1, 2], radii: [1, 2] })],
    ['too few radii', 'invalid_argument', (world) => world.addCircles({ positions: [1, 2], radii: [] })],
    ['too many velocities', 'invalid_argument', (world) => world.addCircles({ positions: [1, 2], radii: 1, velocities: [1, 2, 3] })],
    ...['player', {}, 0.5, NaN, true].flatMap((bits): typeof cases => [
      [`layer ${bits}`, 'invalid_argument', (world) => world.add({ filter: { layer: wrong(bits) } })],
      [`mask ${bits}`, 'invalid_argument', (_, phase) => phase.add([0, 0, 1, 1], 'dynamic', { mask: wrong(bits) })],
      [`group ${bits}`, 'invalid_argument', (world) => world.add({ filter: { group: wrong(bits) } })],
    ]),
    ['a type that does not exist', 'invalid_argument', (world) => world.add({ type: 'moving' } as unknown as BodyOptions)],
  ];

  it.each(cases)('is refused: %s', (_, code, call) => {
    const world = new World();
    world.add({ shape: circle(1), tag: 'a' });
    const phase = new BroadPhase();
    phase.add([0, 0, 1, 1, 2, 2, 3, 3]);
    const list = world.addCircles({ positions: [50, 50, 60, 60], radii: 1 });
    const before = world.hash();
    const error = errorOf(() => call(world, phase, list));
    expect(error.code).toBe(code);
    expect(error.message.length).toBeGreaterThan(10);
    expect(world.hash()).toBe(before);
    expect(phase.statistics().boxes).toBe(2);
    expect(phase.queryArea({ min: { x: 2.5, y: 2.5 }, max: { x: 3, y: 3 } })).toEqual(Uint32Array.of(1));
  });

  it('for the largest distance is none: it may be infinite', () => {
    const world = new World();
    world.add({ shape: circle(1), position: { x: 1e30, y: 0 } });
    expect(world.nearest({ x: 0, y: 0 }, 1, Infinity).length).toBe(1);
    expect(errorOf(() => world.nearest({ x: 0, y: 0 }, 1, NaN)).code).toBe('not_finite');
  });
});

describe('numbers drawn at random', () => {
  // Any number where a number is expected, and arrays of any length: each call works, or is refused with a sentence.
  const numbers = [0, 1, -1, 0.5, 3, 255, 2 ** 31, 2 ** 32, 2 ** 53, 1e38, 1e300, 1e-320, NaN, Infinity, -Infinity, -0];

  // What is no number, in its place: some throw when they are made one, or a text.
  const others: unknown[] = [
    10n, Symbol('s'), Object.create(null), {}, [], [1, 2], null, undefined, '7', 'text', true, () => 1, new Date(NaN),
    { valueOf: () => 3 }, { valueOf: () => 10n }, { [Symbol.toPrimitive]: () => Symbol('s') }, new BigInt64Array(4),
  ];

  const takenOrRefused = (any: boolean) => {
    let taken = 0;
    for (let seed = 1; seed <= 300; ++seed) {
      const draw = random(seed);
      const below = (end: number) => Math.floor(end * draw());
      const other = (): never => wrong(others[below(others.length)]);
      const isOther = () => any && draw() < 0.1;
      const number = () =>
        isOther() ? other() : draw() < 0.7 ? below(20) - 5 : numbers[below(numbers.length)]!;
      const many = (length: number): never =>
        isOther() ? other() : wrong(Array.from({ length: draw() < 0.8 ? length : below(9) * 12 }, number));
      const point = () => (isOther() ? other() : { x: number(), y: number() });
      const shape = (): Shape =>
        [
          () => circle(number()),
          () => box(number(), number(), { angle: number() }),
          () => capsule(point(), point(), number()),
          () => segment(point(), point()),
          () => polygon(isOther() ? other() : Array.from({ length: below(20) }, point), number()),
          () => mask(isOther() ? other() : ['##', '#'], { pixelSize: number(), origin: point() }),
          other,
        ][below(any ? 7 : 6)]!();
      const world = new World({ response: draw() < 0.5 ? 'bounce' : 'none' });
      const phase = new BroadPhase();
      const lists: BodyList[] = [];
      world.addAll([{ shape: circle(1) }, { shape: circle(1), type: 'static' }]);
      phase.add([0, 0, 1, 1, 0, 0, 2, 2]);
      const body = () => world.bodies()[below(world.size)]!;
      const calls: (() => unknown)[] = [
        () => world.add({ shape: shape(), position: point(), angle: number(), velocity: point(), mass: number() }),
        () => lists.push(world.addCircles({ positions: many(6), radii: many(3), velocities: many(6) })),
        () => lists.at(-1)?.move(many(6)),
        () => lists.at(-1)?.at(number())?.position,
        () => (body().position = point()),
        () => (body().velocity = point()),
        () => (body().acceleration = point()),
        () => (body().filter = { layer: number(), mask: number(), wants: number(), group: number() }),
        () => body().setShape(shape()),
        () => body().move({ ...point(), angle: number() }),
        () => body().teleport({ ...point(), angle: number() }),
        () => body().push(point()),
        () => world.moveAndSlide(body(), point(), { skin: number(), maxHits: number(), up: point() }),
        () => world.step(number()),
        () => world.stage('integrate', number()),
        () => world.setGravity(point()),
        () => world.queryArea({ min: point(), max: point() }),
        () => world.queryShape(shape(), { ...point(), angle: number() }),
        () => world.castRay(point(), point()),
        () => world.castRays(many(8)),
        () => world.queryAreas(many(8)),
        () => world.castShape(shape(), point(), point()),
        () => world.nearest(point(), number(), number()),
        () => world.setTechnique('hash-grid', { cellSize: number() }),
        () => phase.add(many(8)),
        () => phase.move(many(2), many(8)),
        () => phase.remove(number()),
        () => phase.setFilter(number(), { group: number() }),
        () => phase.queryArea({ min: point(), max: point() }),
        () => phase.findPairs(),
        () => new BoxArray(number()).release(),
        () => findPairs(many(8), { maxPairs: number() }),
      ];
      const callsWithOthers: (() => unknown)[] = [
        () => world.add(other()),
        () => world.add({ type: other() }),
        () => world.add({ tag: other(), shapes: other() }),
        () => world.add({ sensor: other(), bullet: other(), enabled: other(), filter: other(), rotation: other() }),
        () => world.addAll(other()),
        () => world.addCircles(other()),
        () => lists.push(world.list(other())),
        () => lists.at(-1)?.setVelocities(many(6)),
        () => world.remove(other()),
        () => (body().rotation, body().move(other())),
        () => body().teleport({ ...point(), rotation: other() }),
        () => (body().tag = other()),
        () => (body().sensor = other()),
        () => (body().bullet = other()),
        () => (body().enabled = other()),
        () => (body().filter = other()),
        () => body().ignore(other(), other()),
        () => world.onBegin(other(), other(), other()),
        () => world.onEnd('', '', other()),
        () => world.setPredicate(other()),
        () => world.stage(other(), other()),
        () => world.skipResponse(body(), other()),
        () => world.touching(other(), body()),
        () => world.why(body(), other()),
        () => world.contactsOf(other()),
        () => world.contacts(other()),
        () => world.readContacts(other()),
        () => world.candidates(other()),
        () => world.queryPoint(point(), other()),
        () => world.queryPoint(point(), { filter: other(), except: other(), sensors: other() }),
        () => world.visitArea({ min: point(), max: point() }, other()),
        () => world.visitArea({ min: { x: -9, y: -9 }, max: { x: 9, y: 9 } }, other(), other()),
        () => world.moveAndSlide(other(), point()),
        () => world.moveAndSlide(body(), point(), other()),
        () => world.moveAndSlide(body(), point(), { respond: other() }),
        () => world.setTechnique(other(), other()),
        () => world.setTechnique('uniform-grid', { cellSize: other(), bounds: other() }),
        () => world.restore(other()),
        () => new World(other()).release(),
        () => new World({ gravity: point(), restitution: number(), endMargin: number(), order: other() }).release(),
        () => new World({ interest: other(), response: other(), technique: other() }).release(),
        () => new BroadPhase(other(), other()).release(),
        () => new BroadPhase('hash-grid', other()).release(),
        () => phase.add(many(8), other(), other()),
        () => phase.move(other(), other()),
        () => phase.setFilter(0, other()),
        () => findPairs(other(), other()),
      ];
      for (let i = 0; i < 60; ++i) {
        const some = any && draw() < 0.5 ? callsWithOthers : calls;
        const call = some[below(some.length)]!;
        const before = world.hash();
        try {
          call();
          ++taken;
        } catch (error) {
          expect(error, call.toString()).toBeInstanceOf(BroadsideError);
          expect((error as BroadsideError).code).not.toBe('broken');
          expect((error as BroadsideError).message.length).toBeGreaterThan(5);
          expect(world.hash(), call.toString()).toBe(before);
        }
      }
      const copy = new World();
      copy.restore(world.snapshot());
      expect(copy.hash()).toBe(world.hash());
      [world, copy, phase, ...lists].forEach((thing) => thing.release());
    }
    expect(taken).toBeGreaterThan(3000);
  };
  it('are taken or refused, and the world stays whole', () => takenOrRefused(false));
  it('are refused if JavaScript cannot make them numbers, or they are of another wrong type', () => takenOrRefused(true));
});
