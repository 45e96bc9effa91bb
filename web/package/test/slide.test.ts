import { beforeAll, describe, expect, it } from 'vitest';
import { box, circle, ready, World, type Body, type Obstacle, type Point } from '../dist/index.js';
import { errorOf } from './error_of.js';
import { random } from './random.js';

beforeAll(() => ready);

const directions: readonly Point[] = [
  { x: 0, y: 1 },
  { x: 0, y: -1 },
  { x: 1, y: 0 },
  { x: -1, y: 0 },
];

/** A floor and a player above it, for a direction `up`. */
class Scene {
  readonly world: World;
  readonly floor: Body;
  readonly player: Body;

  constructor(
    readonly up: Point,
    readonly origin: Point,
    height: number,
    gravity: Point = { x: 0, y: 0 },
  ) {
    this.world = new World({ gravity });
    const level = up.x === 0;
    this.floor = this.world.add({
      shape: level ? box(20, 2) : box(2, 20),
      type: 'kinematic',
      position: this.at(-1),
    });
    this.player = this.world.add({ shape: level ? box(1, 1) : circle(0.5), position: this.at(0.5 + height) });
  }

  along(way: number): Point {
    return { x: way * this.up.x, y: way * this.up.y };
  }

  at(height: number): Point {
    return { x: this.origin.x + height * this.up.x, y: this.origin.y + height * this.up.y };
  }
}

/** Returns scenes with each direction and random heights. */
function scenes(seed: number, gravityFor?: (up: Point) => Point): Scene[] {
  const next = random(seed);
  return Array.from({ length: 80 }, (_, i) => {
    const up = directions[i % 4]!;
    const origin = { x: Math.round(next() * 200 - 100), y: Math.round(next() * 200 - 100) };
    return new Scene(up, origin, 0.05 + next(), gravityFor?.(up));
  });
}

describe('the ground', () => {
  it('is what the body stands on, against up', () => {
    for (const scene of scenes(1)) {
      const { world, floor, player, up } = scene;
      expect(world.moveAndSlide(player, scene.along(0.01), { up }).ground).toBeUndefined();
      const { ground, hits, position } = world.moveAndSlide(player, scene.along(-2), { up });
      expect(ground!.body).toBe(floor);
      expect(ground!.normal.x).toBeCloseTo(up.x, 5);
      expect(ground!.normal.y).toBeCloseTo(up.y, 5);
      expect(ground!.wasInside).toBe(false);
      expect(hits.map(({ body, response }) => [body, response])).toEqual([[floor, 'slide']]);
      expect(hits[0]).toMatchObject({ wasInside: false });
      expect((position.x - scene.origin.x) * up.x + (position.y - scene.origin.y) * up.y).toBeCloseTo(0.5, 4);
      world.step(0);
      expect(world.touching(player, floor)).toBe(true);
      expect(world.moveAndSlide(player, { x: 0, y: 0 }, { up: { x: -up.x, y: -up.y } }).ground).toBeUndefined();
    }
  });

  it('is against gravity if up is not given, and needs one of the two', () => {
    for (const withGravity of [true, false]) {
      for (const scene of scenes(2, (up) => (withGravity ? { x: -9 * up.x, y: -9 * up.y } : { x: 0, y: 0 }))) {
        const { ground } = scene.world.moveAndSlide(scene.player, scene.along(-2));
        expect(ground?.body).toBe(withGravity ? scene.floor : undefined);
      }
    }
  });

  it('carries the body', () => {
    const next = random(3);
    for (const scene of scenes(3)) {
      const { world, floor, player, up } = scene;
      world.moveAndSlide(player, scene.along(-2), { up });
      const way = { x: next() - 0.5, y: next() - 0.5 };
      const before = player.position;
      floor.position = { x: floor.position.x + way.x, y: floor.position.y + way.y };
      const { ground } = world.moveAndSlide(player, { x: 0, y: 0 }, { up });
      expect(ground!.body).toBe(floor);
      expect(player.position.x - before.x).toBeCloseTo(way.x, 4);
      expect(player.position.y - before.y).toBeCloseTo(way.y, 4);
    }
  });
});

describe('wasInside', () => {
  /** Returns the obstacles for which a call calls `respond`. */
  function asked({ world, player, up }: Scene): Obstacle[] {
    const obstacles: Obstacle[] = [];
    const respond = (obstacle: Obstacle) => {
      obstacles.push(obstacle);
      return 'cross' as const;
    };
    world.moveAndSlide(player, { x: 0, y: 0 }, { up, respond });
    return obstacles;
  }

  it('is true of what the body was passing through', () => {
    for (const scene of scenes(4)) {
      const { world, player, floor, up } = scene;
      const { hits } = world.moveAndSlide(player, scene.along(-1.5), { up, respond: () => 'cross' });
      expect(hits).toMatchObject([{ response: 'cross', wasInside: false }]);
      expect(asked(scene)).toMatchObject([{ body: floor, wasInside: true }]);
      player.position = scene.at(0.3);
      expect(asked(scene)).toMatchObject([{ body: floor, wasInside: true }]);
    }
  });

  it('is false of what moved into the body', () => {
    for (const scene of scenes(5)) {
      const { world, player, floor, up } = scene;
      world.moveAndSlide(player, { x: 0, y: 0 }, { up });
      floor.position = scene.at(0.3);
      const [obstacle] = asked(scene);
      expect(obstacle).toMatchObject({ body: floor, wasInside: false });
      expect(obstacle!.depth).toBeGreaterThan(0.1);
    }
  });
});

it('leaves the body where it is if respond throws or returns no response', () => {
  for (const scene of scenes(5)) {
    const { world, player } = scene;
    const before = world.hash();
    const slide = (respond: () => unknown) => () =>
      world.moveAndSlide(player, scene.along(-2), { up: scene.up, respond: respond as () => 'slide' });
    for (const answer of ['slip', '', 0, undefined, null, Number.NaN, 255]) {
      expect(errorOf(slide(() => answer))).toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining('response'),
      });
    }
    const reason = new Error('enough');
    expect(
      slide(() => {
        throw reason;
      }),
    ).toThrow(reason);
    expect(world.hash()).toBe(before);
    expect(slide(() => 'slide')().ground).toBeDefined();
  }
});

it('refuses options without meaning, and leaves the body where it is', () => {
  const { world, player } = new Scene(directions[0]!, { x: 0, y: 0 }, 1);
  const before = world.hash();
  const slide = (options: object) => errorOf(() => world.moveAndSlide(player, { x: 0, y: -3 }, options));
  for (const bad of [NaN, Infinity, -Infinity, 1e39]) {
    expect(slide({ up: { x: 0, y: bad } })).toMatchObject({ code: 'not_finite', message: expect.stringContaining('up') });
    expect(slide({ skin: bad })).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining('skin') });
    expect(slide({ maxHits: bad })).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining('hits') });
  }
  for (const options of [{ up: { x: 0, y: 2 } }, { up: { x: 0.5, y: 0 } }, { skin: -1 }, { maxHits: -1 }]) {
    expect(slide(options)).toMatchObject({ code: 'invalid_argument' });
  }
  expect(world.hash()).toBe(before);
});
