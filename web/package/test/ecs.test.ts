import { beforeAll, describe, expect, it, vi } from 'vitest';
import { BroadPhase, ready, techniqueNames } from '../dist/index.js';
import { CollisionSystem, type CollisionComponent } from '../dist/ecs.js';
import { errorOf } from './error_of.js';
import { random } from './random.js';

beforeAll(() => ready);

interface Body {
  position: { x: number; y: number };
  width: number;
  height: number;
}

const kinds = ['collisionCallbacks', 'beginCallbacks', 'endCallbacks'] as const;

function bodyAt(x: number, y: number, size = 10): Body {
  return { position: { x, y }, width: size, height: size };
}

/** The test of the tutorial, with its strict comparisons. */
function overlap(a: Body, b: Body): boolean {
  return !(
    a.position.x + a.width < b.position.x ||
    a.position.x > b.position.x + b.width ||
    a.position.y + a.height < b.position.y ||
    a.position.y > b.position.y + b.height
  );
}

/** The system of the chapter before the grid, which compares all pairs, in the tutorial's words; with begin and end. */
class AllPairs {
  components: CollisionComponent[] = [];
  touching: [CollisionComponent, CollisionComponent][] = [];
  justTouching = 0;

  update(): void {
    const queue: [CollisionComponent, CollisionComponent, string, boolean][] = [];
    const callback = (kind: (typeof kinds)[number], a: CollisionComponent, b: CollisionComponent) =>
      Object.entries(a[kind]).find(([tag]) => tag === b.collisionTag)?.[1];
    const push = (kind: (typeof kinds)[number], a: CollisionComponent, b: CollisionComponent) => {
      if (callback(kind, a, b)) {
        queue.push([a, b, `${kind} of ${a.id} for ${b.id}`, kind === 'endCallbacks']);
      }
    };
    const alive = this.components.filter(({ isDeleted }) => !isDeleted);
    const touching: [CollisionComponent, CollisionComponent][] = [];
    alive.forEach((a, i) => {
      for (const b of alive.slice(i + 1)) {
        if (!overlap(a.bodyComponent as Body, b.bodyComponent as Body)) {
          continue;
        }
        if (kinds.some((kind) => callback(kind, a, b) ?? callback(kind, b, a))) {
          const isNew = !this.touching.some((pair) => pair.includes(a) && pair.includes(b));
          touching.push([a, b]);
          for (const [one, other] of [[a, b], [b, a]] as const) {
            if (isNew) {
              push('beginCallbacks', one, other);
            }
            push('collisionCallbacks', one, other);
          }
          const [{ position: p, width: w }, { position: q, width: v }] = [a.bodyComponent, b.bodyComponent];
          this.justTouching += p.x + w === q.x || q.x + v === p.x ? 1 : 0;
        }
      }
    });
    for (const pair of this.touching) {
      if (!touching.some((now) => now.includes(pair[0]) && now.includes(pair[1]))) {
        for (const [one, other] of [pair, [pair[1], pair[0]] as const]) {
          if (alive.includes(one)) {
            push('endCallbacks', one, other);
          }
        }
      }
    }
    this.touching = touching;
    for (const [self, other, name, isEnd] of queue) {
      if (!self.isDeleted && (isEnd || !other.isDeleted)) {
        run(self, name);
      }
    }
  }
}

let calls: string[] = [];

/** What each callback does: some delete a component, their own or another. */
function run(self: CollisionComponent, name: string): void {
  calls.push(name);
  if (name.includes('7 for') && name.endsWith('3')) {
    self.delete();
  }
}

// Members of all objects, and more than there are bits.
const strange = ['constructor', 'toString', '__proto__', 'hasOwnProperty', '', '*'];
const many = [...strange, ...Array.from({ length: 40 }, (_, i) => `tag ${i}`)];
const few = ['player', 'food', 'poison'];

/** Plays a drawn game with a system; returns the callbacks of each update. */
function play(system: CollisionSystem | AllPairs, seed: number, tags: string[], step: number): string[][] {
  const next = random(seed);
  const below = (n: number) => Math.floor(n * next());
  const place = () => (step > 0 ? step * below(400 / step) - 200 : 400 * next() - 200);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  // Both systems get components of the same kind; ids differ.
  const maker = new CollisionSystem();
  const names = new Map<CollisionComponent, number>();
  const history: string[][] = [];
  const add = () => {
    const body = { position: { x: place(), y: place() }, width: 0, height: 0 };
    const component = maker.createCollisionComponent(body, pick(tags));
    names.set(component, names.size);
    Object.defineProperty(component, 'id', { value: names.get(component) });
    resize(component);
    system.components.push(component);
  };
  const resize = ({ bodyComponent }: CollisionComponent) => {
    const body = bodyComponent as Body;
    body.width = step > 0 ? step * below(7) : 30 * next();
    body.height = next() < 0.8 ? body.width : 2 * body.width;
  };
  for (let i = 0; i < 40; ++i) {
    add();
  }
  for (let update = 0; update < 60; ++update) {
    for (let changes = below(30); changes > 0; --changes) {
      const one = pick(system.components);
      const kind = pick(kinds);
      const body = one.bodyComponent as Body;
      const change = [
        () => Object.assign(body.position, { x: place(), y: place() }),
        () => (body.position.x += step > 0 ? step : 0.1),
        () => resize(one),
        () => (one.collisionTag = pick(tags)),
        () => (one[kind][pick(tags)] = undefined),
        () => (one[kind] = {}),
        () => one.delete(),
        () => system.components.splice(below(system.components.length), 1),
        () => system.components.reverse(),
        () => (system.components = system.components.filter(({ isDeleted }) => !isDeleted)),
        add,
        add,
        add,
      ];
      const what = below(3 * change.length);
      if (what < change.length) {
        change[what]!();
      } else {
        const own = pick(system.components);
        const call = (other: CollisionComponent) => run(own, `${kind} of ${own.id} for ${other.id}`);
        Object.defineProperty(own[kind], pick(tags), { value: call, enumerable: true, configurable: true, writable: true });
      }
    }
    calls = [];
    system.update();
    history.push(calls);
  }
  return history;
}

describe('the collision system', () => {
  it('plays the same game as the one that compares all pairs, callback by callback, in the same order', () => {
    let called = 0;
    let justTouching = 0;
    for (let seed = 1; seed <= 24; ++seed) {
      const tags = seed % 2 === 0 ? few : many;
      const step = seed % 3 === 0 ? 0 : 5;
      const technique = techniqueNames()[seed % techniqueNames().length];
      const allPairs = new AllPairs();
      const expected = play(allPairs, seed, tags, step);
      expect(play(new CollisionSystem(new BroadPhase(technique)), seed, tags, step)).toEqual(expected);
      called += expected.flat().length;
      justTouching += allPairs.justTouching;
    }
    expect(called).toBeGreaterThan(5000);
    expect(justTouching).toBeGreaterThan(500);
  });

  it('calls the callbacks of both, in each update, after detection', () => {
    const system = new CollisionSystem();
    const log: string[] = [];
    const player = system.createCollisionComponent(bodyAt(0, 0, 64), 'player');
    const food = system.createCollisionComponent(bodyAt(64, 30, 30), 'food'); // touches only
    const poison = system.createCollisionComponent(bodyAt(64.001, 0, 30), 'poison');
    player.collisionCallbacks['food'] = (other) => log.push(`player, ${other === food}, ${system.components.length}`);
    player.collisionCallbacks['poison'] = () => log.push('too far away');
    food.collisionCallbacks['player'] = () => log.push('food');
    poison.collisionCallbacks['food'] = () => {
      log.push('poison');
      system.createCollisionComponent(bodyAt(0, 0), 'food');
    };
    system.update();
    expect(log).toEqual(['player, true, 3', 'food', 'poison']);
    system.update();
    expect(log.slice(3)).toEqual(['player, true, 4', 'food', 'player, false, 4', 'poison']);
  });

  it('takes any text for a tag, and a component that is listed twice for one', () => {
    const system = new CollisionSystem();
    for (const tag of ['constructor', '__proto__', 'toString', '']) {
      let called = 0;
      const body = bodyAt(0, 0);
      const [one, other] = [system.createCollisionComponent(body, 'a'), system.createCollisionComponent(body, tag)];
      system.components = [one, other, one];
      system.update(); // calls nothing
      one.collisionCallbacks[tag] = () => ++called;
      system.update();
      expect(called).toBe(1);
    }
  });

  it('calls deleted components no more, not even in the update in which they are deleted', () => {
    const system = new CollisionSystem();
    const log: string[] = [];
    const [eaten, player, other] = ['food', 'player', 'player'].map((tag) => system.createCollisionComponent(bodyAt(0, 0), tag));
    eaten!.collisionCallbacks['player'] = (by) => {
      log.push(`eaten by ${by === player ? 'one' : 'the other'}`);
      eaten!.delete();
    };
    player!.collisionCallbacks['food'] = () => log.push('never');
    other!.endCallbacks['food'] = () => log.push('gone');
    other!.endCallbacks['player'] = () => log.push('never');
    player!.endCallbacks['food'] = () => log.push('gone');
    system.update();
    expect(log).toEqual(['eaten by one']);
    system.components.splice(1, 1);
    system.update();
    expect(log).toEqual(['eaten by one', 'gone', 'never']);
    system.deleteStaleComponents();
    expect(system.components).toEqual([other]);
  });

  it('refuses sizes and places without meaning, with the tag of the component, and calls nothing', () => {
    const system = new CollisionSystem();
    const bodies = [bodyAt(0, 0), bodyAt(5, 5), bodyAt(90, 90)];
    let called = 0;
    bodies.forEach((body) => (system.createCollisionComponent(body, 'thing').collisionCallbacks['thing'] = () => ++called));
    system.update();
    expect(called).toBe(2);
    for (const value of [NaN, Infinity, -Infinity, undefined as unknown as number, '5' as unknown as number, -20]) {
      for (const name of ['x', 'y', 'width', 'height'] as const) {
        const target = (name === 'x' || name === 'y' ? bodies[2]!.position : bodies[2]!) as unknown as Record<string, unknown>;
        const before = target[name];
        target[name] = value;
        bodies[1]!.position.x = 500; // is not noticed either
        if (value === -20 && target === (bodies[2]!.position as unknown)) {
          expect(() => system.update()).not.toThrow();
        } else {
          const error = errorOf(() => system.update());
          expect([error.code, error.message]).toEqual([
            value === -20 ? 'invalid_argument' : 'not_finite',
            expect.stringMatching(/component 2 \(tag "thing"\).*(-20|NaN|Infinity|undefined|5)/),
          ]);
        }
        target[name] = before;
        bodies[1]!.position.x = 5;
        expect(called).toBe(2);
        system.update();
        expect(called).toBe(4);
        called = 2;
      }
    }
  });

  it('tests only pairs with a callback', () => {
    const system = new CollisionSystem();
    for (let i = 0; i < 10; ++i) {
      system.createCollisionComponent(bodyAt(i, 0), 'food');
      system.createCollisionComponent(bodyAt(0, i), 'poison');
    }
    system.update();
    expect(system.broadPhase.statistics().tests).toBe(0);
    const player = system.createCollisionComponent(bodyAt(0, 0), 'player');
    player.endCallbacks['food'] = () => {};
    system.update();
    expect(system.broadPhase.statistics().hits).toBe(10);
    player.endCallbacks['food'] = undefined;
    system.update();
    expect(system.broadPhase.statistics().hits).toBe(0);
  });

  it('finds components that touch at a line between cells', () => {
    for (const size of [25, 150]) {
      for (const [x, y] of [[1, 0], [0, 1], [1, 1]] as const) {
        const system = new CollisionSystem(new BroadPhase('hash-grid', { cellSize: size }));
        const at = 4050 - (4050 % size);
        let called = 0;
        system.createCollisionComponent(bodyAt(at - 10 * x, at - 10 * y), 'a').collisionCallbacks['b'] = () => ++called;
        system.createCollisionComponent(bodyAt(at, at), 'b');
        system.update();
        expect(called).toBe(1);
      }
    }
  });

  it('has cells of a given size, and counts the bodies in them', () => {
    const system = new CollisionSystem(new BroadPhase('hash-grid', { cellSize: 150 }));
    system.createCollisionComponent(bodyAt(0, 0, 64), 'player').collisionCallbacks['food'] = () => {};
    for (const [x, y] of [[150, 0], [140, 20], [-1, -200], [300, 300]] as const) {
      system.createCollisionComponent(bodyAt(x, y, 30), 'food');
    }
    system.update();
    const cells = system.broadPhase.cells().map(({ min, boxes }) => `${min.x}|${min.y}: ${boxes}`);
    expect(cells.sort()).toEqual(['-150|-300: 1', '0|-300: 1', '0|0: 2', '150|0: 2', '300|300: 1']);
  });

  it('tests no more pairs than brute force where all are in one cell, and moves the boxes of those that moved', () => {
    const system = new CollisionSystem();
    const next = random(8);
    for (let i = 0; i < 300; ++i) {
      system.createCollisionComponent(bodyAt(140 * next(), 140 * next(), 6), 'a').collisionCallbacks['a'] = () => {};
    }
    system.update();
    expect(system.broadPhase.statistics().tests).toBeLessThanOrEqual((300 * 299) / 2);
    const move = vi.spyOn(system.broadPhase, 'move');
    system.update();
    expect(move).not.toHaveBeenCalled();
    (system.components[7]!.bodyComponent as Body).width += 1;
    system.update();
    expect(move.mock.calls.map(([indices]) => indices.length)).toEqual([1]);
  });

  it('is locked for its callbacks, and throws what they throw', () => {
    const system = new CollisionSystem();
    const [a, b] = [0, 5].map((x) => system.createCollisionComponent(bodyAt(x, 0), 'a'));
    let code: string | undefined;
    a!.collisionCallbacks['a'] = () => (code = errorOf(() => system.update()).code);
    b!.collisionCallbacks['a'] = () => {
      throw new RangeError('of a game');
    };
    expect(() => system.update()).toThrow(RangeError);
    expect(code).toBe('locked');
    b!.delete();
    system.update();
  });
});
