import { readFileSync } from 'node:fs';
import Matter from 'matter-js';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ready } from '../dist/index.js';
import { install, plugin } from '../dist/matter.js';
import { random } from './random.js';

const { Bodies, Body, Collision, Common, Composite, Composites, Constraint, Detector, Engine, Events } = Matter as any;
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const original = Detector.collisions;

beforeAll(() => ready);
afterEach(() => {
  Detector.collisions = original;
});

type Scene = (engine: any) => void;

const walls = () => [
  Bodies.rectangle(400, 0, 800, 50, { isStatic: true }),
  Bodies.rectangle(400, 600, 800, 50, { isStatic: true }),
  Bodies.rectangle(800, 300, 50, 600, { isStatic: true }),
  Bodies.rectangle(0, 300, 50, 600, { isStatic: true }),
];

// Modeled on the demos of matter-js, with their names.
const scenes: Record<string, Scene> = {
  stack: ({ world }) => {
    const stack = Composites.stack(200, 606 - 25.25 - 5 * 40, 10, 5, 0, 0, (x: number, y: number) =>
      Bodies.rectangle(x, y, 40, 40),
    );
    Composite.add(world, [stack, ...walls()]);
  },
  pyramid: ({ world }) => {
    const pyramid = Composites.pyramid(100, 605 - 25 - 16 * 20, 15, 10, 0, 0, (x: number, y: number) =>
      Bodies.rectangle(x, y, 25, 40),
    );
    Composite.add(world, [pyramid, Bodies.circle(400, 50, 30, { density: 0.01 }), ...walls()]);
  },
  'newtons cradle': ({ world }) => {
    for (const [y, count, size] of [
      [100, 5, 30],
      [380, 7, 20],
    ] as const) {
      const cradle = Composites.newtonsCradle(280, y, count, size, 140);
      Composite.add(world, cradle);
      Body.translate(cradle.bodies[0], { x: -140, y: -100 });
    }
  },
  compound: ({ world }) => {
    const next = random(2);
    for (let i = 0; i < 12; ++i) {
      const [x, y] = [100 + 600 * next(), 50 + 400 * next()];
      const bar = Bodies.rectangle(x, y, 120, 20);
      const cross = Bodies.rectangle(x, y, 20, 120);
      const knob = Bodies.circle(x + 60, y, 18);
      Composite.add(world, Body.create({ parts: i % 2 === 0 ? [bar, cross] : [bar, knob], angle: next() }));
    }
    const boxes = Composites.stack(50, 60, 12, 3, 12, 12, (x: number, y: number) => Bodies.polygon(x, y, 5, 14));
    Composite.add(world, [boxes, ...walls()]);
  },
  'ball pool': ({ world }) => {
    const balls = Composites.stack(60, 40, 22, 8, 6, 6, (x: number, y: number) =>
      Bodies.circle(x, y, Common.random(8, 18), { restitution: 0.6, friction: 0.1 }),
    );
    Composite.add(world, [balls, Bodies.polygon(200, 460, 3, 60), Bodies.polygon(400, 460, 5, 60), ...walls()]);
  },
  bouncing: ({ world, gravity }) => {
    gravity.y = 0;
    const next = random(4);
    for (let i = 0; i < 60; ++i) {
      const ball = Bodies.circle(60 + 680 * next(), 60 + 480 * next(), 6 + 8 * next(), {
        restitution: 1,
        friction: 0,
        frictionAir: 0,
      });
      Body.setVelocity(ball, { x: 10 * next() - 5, y: 10 * next() - 5 });
      Composite.add(world, ball);
    }
    Composite.add(world, walls());
  },
  'collision filtering': ({ world }) => {
    const stack = Composites.stack(275, 100, 5, 9, 10, 10, (x: number, y: number, column: number, row: number) =>
      Bodies.circle(x, y, 20, { collisionFilter: { category: [2, 4, 8][row % 3] } }),
    );
    Composite.add(world, [
      stack,
      Bodies.circle(310, 40, 30, { collisionFilter: { mask: 1 | 2 } }),
      Bodies.circle(400, 40, 30, { collisionFilter: { mask: 1 | 4 } }),
      Bodies.circle(480, 40, 30, { collisionFilter: { group: -7 } }),
      Bodies.circle(490, 90, 30, { collisionFilter: { group: -7 } }),
      Bodies.circle(200, 40, 30, { isSensor: true }),
      ...walls(),
    ]);
  },
  sleeping: (engine) => {
    engine.enableSleeping = true;
    const stack = Composites.stack(50, 50, 12, 3, 0, 0, (x: number, y: number) => Bodies.rectangle(x, y, 30, 30));
    Composite.add(engine.world, [stack, ...walls()]);
    Events.on(engine, 'afterUpdate', () => {
      if (engine.timing.timestamp > 4000 && engine.timing.timestamp < 4020) {
        Composite.add(engine.world, Bodies.circle(300, 60, 40, { density: 0.01 }));
      }
    });
  },
  'car, bridge and cloth': ({ world }) => {
    const group = Body.nextGroup(true);
    const bridge = Composites.stack(160, 290, 15, 1, 0, 0, (x: number, y: number) =>
      Bodies.rectangle(x - 20, y, 53, 20, { collisionFilter: { group }, chamfer: 5, density: 0.005 }),
    );
    Composites.chain(bridge, 0.3, 0, -0.3, 0, { stiffness: 0.99, length: 0.0001 });
    const soft = Composites.softBody(250, 40, 5, 5, 0, 0, true, 12, { friction: 0.05 }, { stiffness: 0.7 });
    Composite.add(world, [
      bridge,
      soft,
      Composites.car(150, 100, 150, 30, 30),
      Constraint.create({ pointA: { x: 140, y: 300 }, bodyB: bridge.bodies[0], pointB: { x: -25, y: 0 } }),
      Constraint.create({ pointA: { x: 660, y: 300 }, bodyB: bridge.bodies.at(-1), pointB: { x: 25, y: 0 } }),
      ...walls(),
    ]);
  },
  manipulation: (engine) => {
    const { world } = engine;
    const next = random(9);
    const slider = Bodies.rectangle(400, 400, 200, 20, { isStatic: true });
    Composite.add(world, [slider, ...walls()]);
    let steps = 0;
    Events.on(engine, 'beforeUpdate', () => {
      ++steps;
      Body.setPosition(slider, { x: 400 + 100 * Math.sin(steps / 20), y: 400 });
      const bodies = Composite.allBodies(world);
      const one = () => bodies[5 + Math.floor((bodies.length - 5) * next())];
      if (steps % 3 === 0) {
        Composite.add(world, Bodies.polygon(100 + 600 * next(), 100, 3 + Math.floor(5 * next()), 8 + 20 * next()));
      }
      if (steps % 8 === 0 && bodies.length > 20) {
        Composite.remove(world, one());
      }
      if (steps % 25 === 0 && bodies.length > 20) {
        const body = one();
        Body.setStatic(body, !body.isStatic);
      }
      if (steps % 33 === 0 && bodies.length > 20) {
        Body.scale(one(), 1.3, 1.3);
      }
    });
  },
  // So many bodies above each other that the broad phase finds their pairs, and at times fewer.
  shaft: (engine) => {
    engine.enableSleeping = true;
    const { world } = engine;
    const next = random(11);
    const wall = (x: number) => Bodies.rectangle(x, -1500, 40, 4200, { isStatic: true });
    Composite.add(world, [wall(380), wall(434), Bodies.rectangle(407, 620, 400, 40, { isStatic: true })]);
    const drop = (y: number) => Composite.add(world, Bodies.rectangle(407, y, 12, 6 + 6 * next()));
    for (let i = 0; i < 300; ++i) {
      drop(590 - 13 * i);
    }
    let steps = 0;
    Events.on(engine, 'beforeUpdate', () => {
      ++steps;
      const bodies = Composite.allBodies(world);
      const one = () => bodies[3 + Math.floor((bodies.length - 3) * next())];
      if (steps % 100 < 45) {
        Composite.remove(world, one());
        Composite.remove(world, one());
      } else if (steps % 100 < 90) {
        drop(-3400 - 20 * next());
        drop(-3440 - 20 * next());
      }
      if (steps % 20 === 0) {
        const body = one();
        Body.setStatic(body, !body.isStatic);
      }
    });
  },
};

function make(scene: Scene): any {
  Common._nextId = 0;
  Common._seed = 0;
  Body._nextCollidingGroupId = 1;
  Body._nextNonCollidingGroupId = -1;
  const engine = Engine.create();
  scene(engine);
  return engine;
}

/** Returns the state of the contacts, in their order, and of the bodies. */
function state(engine: any): unknown[] {
  return [
    ...engine.detector.collisions.flatMap(({ bodyA, bodyB, depth, normal, supportCount }: any) => [
      bodyA.id,
      bodyB.id,
      depth,
      normal.x,
      normal.y,
      supportCount,
    ]),
    ...Composite.allBodies(engine.world).flatMap(({ id, position, velocity, angle, isSleeping }: any) => [
      id,
      position.x,
      position.y,
      velocity.x,
      velocity.y,
      angle,
      isSleeping,
    ]),
  ];
}

describe.each(Object.entries(scenes))('%s', (_name, scene) => {
  const fewestOf = [(_bodies: number) => 0, (bodies: number) => bodies + 1];

  it.each(fewestOf)('runs bit for bit as with the detector of matter-js, with ours always or from one more body on', (fewest) => {
    const run = (what: (engine: any) => void) => {
      const engine = make(scene);
      what(engine);
      const states: unknown[][] = [];
      let contacts = 0;
      for (let i = 0; i < 400; ++i) {
        Engine.update(engine, 1000 / 60);
        states.push(state(engine));
        contacts += engine.detector.collisions.length;
      }
      return { states, contacts };
    };
    const theirs = run(() => {});
    const ours = run(({ world }) => install(Matter as any, undefined, fewest(Composite.allBodies(world).length)));
    expect(Detector.collisions).not.toBe(original);
    expect(theirs.contacts).toBeGreaterThan(100);
    for (const [i, states] of theirs.states.entries()) {
      // `toEqual` is slow for equal objects.
      if (!states.every((value, k) => Object.is(value, ours.states[i]![k]))) {
        expect(ours.states[i], `step ${i}`).toEqual(states);
      }
    }
    expect(ours.contacts).toBe(theirs.contacts);
  }, 60_000);
});

describe('install', () => {
  it('leaves the other engines alone, and can be undone', () => {
    const calls: unknown[] = [];
    Detector.collisions = (detector: unknown) => {
      calls.push(detector);
      return original(detector);
    };
    const [ours, theirs] = [make(scenes.stack!), make(scenes.stack!)];
    const undo = install(Matter as any, ours, 0);
    Engine.update(ours);
    Engine.update(theirs);
    expect(calls).toEqual([theirs.detector]);
    undo();
    Engine.update(ours);
    expect(calls).toEqual([theirs.detector, ours.detector]);
  });

  it('asks the filter and the narrow phase that are there now', () => {
    const engine = make(scenes.stack!);
    install(Matter as any, engine, 0);
    Engine.update(engine);
    const before = engine.detector.collisions.length;
    const { canCollide } = Detector;
    const { collides } = Collision;
    let asked = 0;
    try {
      Detector.canCollide = (a: unknown, b: unknown) => ++asked > 0 && canCollide(a, b);
      Collision.collides = () => null;
      Engine.update(engine);
    } finally {
      Detector.canCollide = canCollide;
      Collision.collides = collides;
    }
    expect(before).toBeGreaterThan(0);
    expect(asked).toBeGreaterThan(0);
    expect(engine.detector.collisions).toEqual([]);
  });

  it('bears a body that is nowhere, and one that is there twice', () => {
    const engine = make(scenes.stack!);
    install(Matter as any, engine, 0);
    const lost = Bodies.circle(300, 500, 20);
    Composite.add(engine.world, lost);
    Engine.update(engine);
    lost.bounds.min.x = NaN;
    engine.detector.bodies.push(engine.detector.bodies[3]);
    const collisions = Detector.collisions(engine.detector);
    expect(collisions.length).toBeGreaterThan(0);
    expect(collisions.filter(({ bodyA, bodyB }: any) => bodyA === lost || bodyB === lost)).toEqual([]);
    expect(collisions.filter(({ bodyA, bodyB }: any) => bodyA === bodyB)).toEqual([]);
  });
});

describe('plugin', () => {
  it('is used by Matter.use', () => {
    expect(plugin.version).toBe(version);
    Matter.use(plugin as any);
    expect((Matter as any).used).toContain('broadside');
    expect(Detector.collisions).not.toBe(original);
    const engine = make(scenes['ball pool']!);
    for (let i = 0; i < 60; ++i) {
      Engine.update(engine);
    }
    expect(engine.detector.collisions.length).toBeGreaterThan(0);
  });
});
