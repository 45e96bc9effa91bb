import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { BroadsideError, ready } from '../dist/index.js';
import { BroadsideBroadphase } from '../dist/p2.js';
import { random } from './random.js';

const require = createRequire(import.meta.url);
const p2 = require('p2');
const home = dirname(require.resolve('p2/package.json'));

beforeAll(() => ready);

type Scene = (makeBroadphase: () => unknown) => any;

/** Returns a scene that runs the script of one of p2's demos, and replaces the broad phase of its world. */
function demo(name: string): Scene {
  const page = readFileSync(join(home, 'demos', name), 'utf8');
  const script = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map((match) => match[1]).join('\n');
  return (makeBroadphase) => {
    let world: any;
    const renderer = {
      setWorld: (made: unknown) => (world = made),
      on: () => renderer,
      frame: () => {},
      setState: () => {},
    };
    class World extends p2.World {
      constructor(options: object) {
        super({ ...options, broadphase: makeBroadphase() });
      }
    }
    let start = () => {};
    const theirs = Object.assign(Object.create(p2), {
      World,
      Renderer: {},
      WebGLRenderer: function (scene: { setup: () => void } | (() => void)) {
        start = typeof scene === 'function' ? scene : scene.setup;
        return renderer;
      },
    });
    const context = createContext({ p2: theirs, next: random(7), setInterval: () => {}, setTimeout: () => {} });
    runInContext(`Math.random = next; ${script}`, context);
    start.call(renderer);
    return world;
  };
}

/** Returns another copy of p2, whose vectors have this type. */
function p2With(type: unknown): any {
  const forget = () => {
    for (const path of Object.keys(require.cache)) {
      if (path.startsWith(home)) {
        delete require.cache[path];
      }
    }
  };
  const global = globalThis as { P2_ARRAY_TYPE?: unknown };
  forget();
  global.P2_ARRAY_TYPE = type;
  try {
    return require('p2');
  } finally {
    delete global.P2_ARRAY_TYPE;
    forget();
  }
}

const circle = (radius: number, options: object) => {
  const body = new p2.Body(options);
  body.addShape(new p2.Circle({ radius }));
  return body;
};

const box = (width: number, height: number, options: object) => {
  const body = new p2.Body(options);
  body.addShape(new p2.Box({ width, height }));
  return body;
};

/** Balls fall on a pyramid of boxes; bodies are removed, added and change their type during the run. */
const comingAndGoing: Scene = (makeBroadphase) => {
  const world = new p2.World({ gravity: [0, -10], broadphase: makeBroadphase() });
  const ground = new p2.Body();
  ground.addShape(new p2.Plane());
  world.addBody(ground);
  world.sleepMode = p2.World.BODY_SLEEPING;
  for (let row = 0; row < 12; ++row) {
    for (let i = 0; i < 12 - row; ++i) {
      world.addBody(box(1, 0.5, { mass: 1, position: [i - (12 - row) / 2, 0.25 + row * 0.5] }));
    }
  }
  const sweeper = box(4, 0.4, { type: p2.Body.KINEMATIC, position: [-20, 2], velocity: [2, 0] });
  world.addBody(sweeper);
  const next = random(3);
  let steps = 0;
  world.on('postStep', () => {
    ++steps;
    if (steps % 5 === 0) {
      world.addBody(circle(0.2 + 0.3 * next(), { mass: 1, position: [12 * next() - 6, 10 + 3 * next()] }));
    }
    if (steps % 7 === 0) {
      world.removeBody(world.bodies[1 + Math.floor((world.bodies.length - 1) * next())]);
    }
    if (steps % 31 === 0) {
      const body = world.bodies[1 + Math.floor((world.bodies.length - 1) * next())];
      body.type = body.type === p2.Body.DYNAMIC ? p2.Body.STATIC : p2.Body.DYNAMIC;
      body.mass = body.type === p2.Body.DYNAMIC ? 1 : 0;
      body.updateMassProperties();
    }
    if (steps % 41 === 0) {
      ground.position[1] -= 0.125;
      ground.aabbNeedsUpdate = true;
    }
  });
  return world;
};

/** Newton's cradle: five touching balls on strings. */
const cradle: Scene = (makeBroadphase) => {
  const world = new p2.World({ gravity: [0, -10], broadphase: makeBroadphase() });
  world.defaultContactMaterial.restitution = 1;
  world.defaultContactMaterial.friction = 0;
  const ceiling = new p2.Body({ position: [0, 5] });
  world.addBody(ceiling);
  for (let i = 0; i < 5; ++i) {
    const ball = circle(0.5, { mass: 1, position: i === 0 ? [-3, 3] : [i, 0], damping: 0 });
    world.addBody(ball);
    world.addConstraint(new p2.DistanceConstraint(ceiling, ball, { localAnchorA: [i, 0], distance: 5 }));
  }
  return world;
};

function places(world: any): Map<unknown, number> {
  return new Map(world.bodies.map((body: unknown, i: number) => [body, i]));
}

function state(world: any): number[] {
  return world.bodies.flatMap((body: any) => [
    ...body.position,
    ...body.velocity,
    body.angle,
    body.angularVelocity,
    body.sleepState,
  ]);
}

function contacts(world: any): number[] {
  const at = places(world);
  return world.narrowphase.contactEquations.flatMap((contact: any) => [
    at.get(contact.bodyA),
    at.get(contact.bodyB),
    ...contact.contactPointA,
    contact.multiplier,
  ]);
}

/** Compares long arrays of numbers, for which `toEqual` is slow. */
function expectSame(a: number[], b: number[], what: string): void {
  if (a.length !== b.length || !a.every((number, i) => Object.is(number, b[i]))) {
    expect(a, what).toEqual(b);
  }
}

function pairSet(world: any, pairs: unknown[]): string[] {
  const at = places(world);
  const names: string[] = [];
  for (let i = 0; i < pairs.length; i += 2) {
    const two = [at.get(pairs[i]) as number, at.get(pairs[i + 1]) as number];
    names.push(two.sort((a, b) => a - b).join(' '));
  }
  return names.sort();
}

const demos = readdirSync(join(home, 'demos')).filter((name) => name.endsWith('.html'));
const scenes: [string, Scene][] = [
  ...demos.map((name): [string, Scene] => [`demos/${name}`, demo(name)]),
  ['bodies that come and go', comingAndGoing],
  ["newton's cradle", cradle],
];

// Demos of features other than contacts.
const withoutContacts = [
  'demos/constraints.html',
  'demos/gearConstraint.html',
  'demos/heightfield2.html',
  'demos/removeSensor.html',
  'demos/tearable.html',
  'demos/topDownVehicle.html',
];

describe.each(scenes)('%s', (name, scene) => {
  it('runs bit for bit as with the naive broad phase, on the pairs of the sweep', () => {
    const theirs = scene(() => new p2.NaiveBroadphase());
    const ours = scene(() => new BroadsideBroadphase());
    const sweep = new p2.SAPBroadphase();
    sweep.setWorld(ours);
    let touched = 0;
    for (let step = 0; step < 200; ++step) {
      theirs.step(1 / 60);
      ours.step(1 / 60);
      expectSame(contacts(ours), contacts(theirs), `contacts of step ${step}`);
      touched += ours.narrowphase.contactEquations.length;
      if (step % 10 === 0) {
        expectSame(state(ours), state(theirs), `state of step ${step}`);
        const found = pairSet(ours, ours.broadphase.getCollisionPairs(ours));
        expect(found).toEqual(pairSet(ours, sweep.getCollisionPairs(ours)));
      }
    }
    expect(ours.broadphase).toBeInstanceOf(BroadsideBroadphase);
    expect(touched > 0).toBe(!withoutContacts.includes(name));
  }, 60_000);
});

describe("p2's own tests", () => {
  // The test files of p2, run with its sweep replaced by our broad phase.
  const files = ['world/World.js', 'world/IslandManager.js', 'collision/Ray.js', 'collision/Broadphase.js'];
  const theirRequire = createRequire(join(home, 'test', 'world', 'World.js'));
  const sweep = theirRequire.resolve('../../src/collision/SAPBroadphase');

  it.each(files)('%s', (file) => {
    const fresh = () => {
      for (const path of Object.keys(theirRequire.cache)) {
        if (path.startsWith(home)) {
          delete theirRequire.cache[path];
        }
      }
    };
    fresh();
    theirRequire(sweep);
    theirRequire.cache[sweep]!.exports = BroadsideBroadphase;
    const World = theirRequire('../../src/world/World');
    expect(new World().broadphase).toBeInstanceOf(BroadsideBroadphase);
    let done = 0;
    const run = (tests: Record<string, any>): void => {
      for (const [name, test] of Object.entries(tests)) {
        if (typeof test !== 'function') {
          run(test);
          continue;
        }
        let finished = false;
        test({
          ok: (value: unknown, said?: string) => expect(value, said ?? name).toBeTruthy(),
          equal: (a: unknown, b: unknown, said?: string) => expect(a == b, said ?? `${name}: ${a} ${b}`).toBe(true),
          deepEqual: (a: unknown, b: unknown, said?: string) => expect(a, said ?? name).toEqual(b),
          done: () => (finished = true),
        });
        expect(finished, name).toBe(true);
        ++done;
      }
    };
    run(theirRequire(join(home, 'test', file)));
    fresh();
    expect(done).toBeGreaterThan(0);
  });
});

describe('BroadsideBroadphase', () => {
  it('answers rays and areas as the sweep does', () => {
    const ours = new BroadsideBroadphase();
    const world = new p2.World({ gravity: [0, 0], broadphase: ours });
    const next = random(11);
    for (let i = 0; i < 200; ++i) {
      const type = [p2.Body.DYNAMIC, p2.Body.STATIC, p2.Body.KINEMATIC][i % 3];
      const mass = type === p2.Body.DYNAMIC ? 1 : 0;
      world.addBody(circle(next(), { mass, type, position: [40 * next(), 40 * next()] }));
    }
    const sweep = new p2.SAPBroadphase();
    sweep.setWorld(world);
    expect(ours.aabbQuery()).toEqual(world.bodies);
    for (let i = 0; i < 100; ++i) {
      const [x, y] = [40 * next(), 40 * next()];
      const area = new p2.AABB({ lowerBound: [x, y], upperBound: [x + 5 * next(), y + 5 * next()] });
      const order = places(world);
      const byPlace = (a: unknown, b: unknown) => order.get(a)! - order.get(b)!;
      expect(ours.aabbQuery(world, area)).toEqual(sweep.aabbQuery(world, area, []).sort(byPlace));
      const ray = new p2.Ray({ mode: p2.Ray.CLOSEST, from: [x, y], to: [40 * next(), 40 * next()] });
      const results = [ours, sweep].map((broadphase) => {
        world.broadphase = broadphase;
        const result = new p2.RaycastResult();
        world.raycast(result, ray);
        return [result.body, result.getHitDistance(ray)];
      });
      expect(results[0]).toEqual(results[1]);
      const moved = world.bodies[i];
      moved.position[0] += 1; // and its box is updated outside the broad phase
      moved.aabbNeedsUpdate = true;
      moved.getAABB();
    }
  });

  it('follows the sensors, groups and disabled pairs of p2', () => {
    const world = new p2.World({ gravity: [0, 0], broadphase: new BroadsideBroadphase() });
    const [a, b, c] = [0, 0.5, 1].map((x) => circle(1, { mass: 1, position: [x, 0] }));
    const events: string[] = [];
    for (const name of ['beginContact', 'endContact', 'impact']) {
      world.on(name, (event: any) => events.push(`${name} ${[event.bodyA, event.bodyB].map((body) => body.name).sort()}`));
    }
    [a, b, c].forEach((body, i) => {
      body.name = 'abc'[i];
      world.addBody(body);
    });
    a.shapes[0].collisionGroup = 2; // the mask of b has this group, that of c does not
    b.shapes[0].collisionMask = 3;
    b.shapes[0].sensor = true;
    world.step(1 / 60);
    expect(events.sort()).toEqual(['beginContact a,b', 'beginContact b,c']);
    expect(world.narrowphase.contactEquations).toEqual([]);
    events.length = 0;
    b.shapes[0].sensor = false;
    world.disableBodyCollision(a, b);
    world.step(1 / 60);
    expect(events.sort()).toEqual(['endContact a,b', 'impact b,c']);
    events.length = 0;
    world.removeBody(c);
    world.enableBodyCollision(a, b);
    world.step(1 / 60);
    expect(events).toContain('beginContact a,b');
    expect(events).toContain('impact a,b');
    expect(world.hitTest([0, 0.9], world.bodies)).toContain(a);
  });

  it.each([['Float32Array', Float32Array], ['Array', Array]])('compares circles to the bit as p2 with %s does', (name, type) => {
    const engine = p2With(type);
    const ours = new BroadsideBroadphase();
    type Place = [number, number];
    const found: [Place, Place, number, number] = [
      [0.7455968856811523, 9.97373104095459],
      [-2.0963382720947266, -1.9335463047027588],
      6.120862756784682,
      6.120862756784682,
    ];
    const at = (position: Place, radius: number): any => {
      const body = new engine.Body({ mass: 1, position });
      body.addShape(new engine.Circle({ radius }));
      return body;
    };
    const check = (a: Place, b: Place, radiusA: number, radiusB: number): boolean => {
      const [one, other] = [at(a, radiusA), at(b, radiusB)];
      const theirs = engine.Broadphase.boundingRadiusCheck(one, other);
      expect(ours.boundingRadiusCheck(one, other), `${a} ${b} ${radiusA} ${radiusB}`).toBe(theirs);
      return theirs;
    };
    expect(check(...found)).toBe(name === 'Float32Array');
    const next = random(21);
    let touching = 0;
    const rounds = 20_000;
    for (let round = 0; round < rounds; ++round) {
      const size = 2 ** Math.floor(20 * next() - 10);
      const draw = (): number => Math.fround(size * (2 * next() - 1));
      const [a, b]: [Place, Place] = [[draw(), draw()], [draw(), draw()]];
      // The sum of the radii is the distance, up to a few units in the last place of a double or of a float.
      const distance = Math.hypot(a[0] - b[0], a[1] - b[1]);
      const unit = round % 2 === 0 ? 2 ** -53 : 2 ** -25;
      const sum = distance * (1 + unit * Math.floor(9 * next() - 4));
      const radius = sum * next();
      touching += check(a, b, radius, sum - radius) ? 1 : 0;
    }
    expect(touching).toBeGreaterThan(0.2 * rounds);
    expect(touching).toBeLessThan(0.8 * rounds);
  });

  it('finds with circles the pairs of the naive broad phase whose boxes touch as well', () => {
    const next = random(22);
    let fewer = 0;
    for (let round = 0; round < 100; ++round) {
      const ours = new BroadsideBroadphase();
      const world = new p2.World({ broadphase: ours });
      for (let i = 0; i < 60; ++i) {
        const options = { mass: i % 4, position: [20 * next(), 20 * next()], angle: round % 2 === 0 ? 0 : 7 * next() };
        const size = 0.5 + 4 * next();
        world.addBody(i % 3 === 0 ? circle(size / 2, options) : box(size, size * next(), options));
      }
      const naive = new p2.NaiveBroadphase();
      expect(ours.getCollisionPairs(world).map(({ id }) => id)).toEqual(
        naive.getCollisionPairs(world).map(({ id }: { id: number }) => id),
      );
      ours.boundingVolumeType = naive.boundingVolumeType = p2.Broadphase.BOUNDING_CIRCLE;
      const all = naive.getCollisionPairs(world);
      const expected: number[] = [];
      for (let i = 0; i < all.length; i += 2) {
        if (p2.Broadphase.aabbCheck(all[i], all[i + 1])) {
          expected.push(all[i].id, all[i + 1].id);
        }
      }
      expect(ours.getCollisionPairs(world).map(({ id }) => id)).toEqual(expected);
      fewer += all.length > expected.length ? 1 : 0;
    }
    expect(fewer).toBeGreaterThan(50);
  });

  it('finds all pairs if bodies are added while boxes are updated', () => {
    const next = random(23);
    for (let round = 0; round < 200; ++round) {
      const ours = new BroadsideBroadphase();
      const world = new p2.World({ broadphase: ours });
      const add = (): any => {
        const body = circle(0.5 + next(), { mass: 1, position: [15 * next(), 15 * next()] });
        world.addBody(body);
        return body;
      };
      const count = 2 + Math.floor(40 * next());
      for (let i = 0; i < count; ++i) {
        const body = add();
        let more = next() < 0.2 ? Math.floor(60 * next()) : 0;
        const update = body.updateAABB;
        body.updateAABB = () => {
          update.call(body);
          for (; more > 0; --more) {
            add();
          }
        };
      }
      for (let frame = 0; frame < 3; ++frame) {
        const found = ours.getCollisionPairs(world).map(({ id }) => id);
        expect(found).toEqual(new p2.NaiveBroadphase().getCollisionPairs(world).map(({ id }: { id: number }) => id));
        for (const body of world.bodies) {
          body.position[0] += next() - 0.5;
          body.aabbNeedsUpdate = true;
        }
      }
    }
  });

  it.each([true, false])('follows static bodies however they change, looking for changes: %s', (watchStatics) => {
    const next = random(24);
    const types = [p2.Body.DYNAMIC, p2.Body.STATIC, p2.Body.KINEMATIC];
    const moveBody = (body: any): void => {
      body.position[0] += 2 * next() - 1;
      body.aabbNeedsUpdate = true;
    };
    const changes: ((body: any) => void)[] = [
      moveBody,
      (body) => {
        body.angle = 7 * next();
        body.aabbNeedsUpdate = true;
      },
      (body) => {
        for (const shape of body.shapes) {
          shape.radius *= 1.5;
          shape.updateBoundingRadius();
        }
        body.updateBoundingRadius();
        body.aabbNeedsUpdate = true;
      },
      (body) => {
        moveBody(body);
        body.getAABB();
      },
      (body) => body.addShape(new p2.Circle({ radius: 2 * next() })),
      (body) => (body.type = types[Math.floor(3 * next())]),
      (body) => {
        body.type = p2.Body.DYNAMIC;
        moveBody(body);
        body.type = p2.Body.STATIC;
      },
      (body) => body.world.removeBody(body),
    ];
    let pairs = 0;
    for (let round = 0; round < 100; ++round) {
      const phases = [new BroadsideBroadphase({ watchStatics }), new BroadsideBroadphase({ watchStatics })];
      const worlds = phases.map((broadphase) => new p2.World({ broadphase }));
      const add = (world: any): void => {
        const type = next() < 0.7 ? p2.Body.STATIC : types[Math.floor(3 * next())];
        const body = circle(0.5 + next(), { type, mass: 1, position: [12 * next(), 12 * next()] });
        world.addBody(body);
      };
      for (let i = 0; i < 60; ++i) {
        add(worlds[i % 2]);
      }
      for (let step = 0; step < 20; ++step) {
        for (let change = Math.floor(6 * next()); change > 0; --change) {
          const world = worlds[Math.floor(2 * next())]!;
          const body = world.bodies[Math.floor(world.bodies.length * next())];
          changes[Math.floor(changes.length * next())]!(body);
          if (!watchStatics) {
            phases.forEach((phase) => phase.refresh(body)); // perhaps both follow its world
          }
          if (next() < 0.2) {
            add(world);
          }
          if (next() < 0.05) {
            phases[Math.floor(2 * next())]!.setWorld(world); // perhaps both follow one world now
          }
        }
        for (const phase of phases) {
          const found = phase.getCollisionPairs(phase.world);
          pairs += found.length;
          const expected = new p2.NaiveBroadphase().getCollisionPairs(phase.world);
          expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }: { id: number }) => id));
        }
      }
    }
    expect(pairs).toBeGreaterThan(10_000);
  });

  it('updates the boxes of static bodies only after changes', () => {
    const world = new p2.World({ broadphase: new BroadsideBroadphase() });
    let updates = 0;
    for (let i = 0; i < 300; ++i) {
      const body = circle(1, { type: i % 10 > 0 ? p2.Body.STATIC : p2.Body.DYNAMIC, mass: 1, position: [i, 0] });
      world.addBody(body);
      const update = body.updateAABB;
      body.updateAABB = () => {
        updates += body.type === p2.Body.STATIC ? 1 : 0;
        update.call(body);
      };
    }
    const updatesOfStep = (): number => {
      updates = 0;
      world.step(1 / 60);
      return updates;
    };
    expect(updatesOfStep()).toBe(270);
    expect(updatesOfStep()).toBe(0);
    const [, first, second, third] = world.bodies;
    first.position[1] = 1;
    second.angle = 1;
    third.addShape(new p2.Circle({ radius: 0.5 }));
    expect(updatesOfStep()).toBe(3);
    world.removeBody(second);
    expect(updatesOfStep()).toBe(0);
    world.addBody(second);
    expect(updatesOfStep()).toBe(1);
    third.shapes[1].position[0] = 5; // changed in place
    expect(updatesOfStep()).toBe(0);
    world.broadphase.refresh(third);
    expect(updatesOfStep()).toBe(1);
    world.broadphase.setWorld(world);
    expect(updatesOfStep()).toBe(270);
  });

  it.each([true, false])('reads the places of static bodies in each search only if it looks for changes: %s', (watchStatics) => {
    const broadphase = new BroadsideBroadphase({ watchStatics });
    const world = new p2.World({ broadphase });
    let reads = 0;
    for (let i = 0; i < 300; ++i) {
      const body = circle(1, { type: i % 10 > 0 ? p2.Body.STATIC : p2.Body.DYNAMIC, mass: 1, position: [3 * i, 0] });
      world.addBody(body);
      const { position, type } = body;
      Object.defineProperty(body, 'position', {
        get: () => {
          reads += type === p2.Body.STATIC ? 1 : 0;
          return position;
        },
      });
    }
    const readsOfSearch = (): number => {
      reads = 0;
      broadphase.getCollisionPairs(world);
      return reads;
    };
    expect(readsOfSearch()).toBeGreaterThanOrEqual(270); // `updateAABB` reads them as well
    expect(readsOfSearch()).toBe(watchStatics ? 270 : 0);
  });

  it('leaves out what circles do not touch, where it is to look at circles', () => {
    const broadphase = new BroadsideBroadphase();
    const world = new p2.World({ broadphase });
    world.addBody(circle(1, { mass: 1 }));
    world.addBody(circle(1, { mass: 1, position: [1.9, 1.9] }));
    expect(broadphase.getCollisionPairs(world)).toHaveLength(2);
    broadphase.boundingVolumeType = p2.Broadphase.BOUNDING_CIRCLE;
    expect(broadphase.getCollisionPairs(world)).toHaveLength(0);
    broadphase.boundingVolumeType = 5;
    expect(() => broadphase.getCollisionPairs(world)).toThrow(BroadsideError);
  });

  it('goes from one world to another', () => {
    const broadphase = new BroadsideBroadphase();
    const first = new p2.World({ broadphase });
    first.addBody(circle(1, { mass: 1 }));
    const second = new p2.World();
    second.addBody(circle(1, { mass: 1 }));
    broadphase.setWorld(second);
    first.addBody(circle(1, { mass: 1 }));
    expect(broadphase.getCollisionPairs(second)).toEqual([]);
    second.addBody(circle(1, { mass: 1 }));
    expect(broadphase.getCollisionPairs(second)).toEqual([second.bodies[1], second.bodies[0]]);
  });

  it('bears bodies that are nowhere and boxes without end', () => {
    const broadphase = new BroadsideBroadphase();
    const world = new p2.World({ broadphase });
    for (const x of [NaN, NaN, Infinity, -Infinity, 0, 1e300, 0.5]) {
      world.addBody(circle(1, { mass: 1, position: [x, 0] }));
    }
    const endless = new p2.Body({ mass: 1 });
    world.addBody(endless);
    endless.aabb.lowerBound.set([-Infinity, -Infinity]);
    endless.aabb.upperBound.set([Infinity, Infinity]);
    endless.aabbNeedsUpdate = false;
    const sweep = new p2.NaiveBroadphase();
    expect(pairSet(world, broadphase.getCollisionPairs(world))).toEqual(pairSet(world, sweep.getCollisionPairs(world)));
  });
});
